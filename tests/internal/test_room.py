"""Room for frames: no loop calls from the end of a chunk of them."""

import sys
from collections.abc import Callable

import pytest

from mjopt._internal.room import with_room

resource = pytest.importorskip("resource")

CALLS = 300


def at_depth(depth: int, work: Callable[[], object]) -> object:
    return at_depth(depth - 1, work) if depth else work()


def leaf() -> None:
    """Do nothing, in a frame of its own."""


def most_faults() -> int:
    """Return how many pages a loop of calls takes, where in the stack it takes most."""

    def pages() -> int:
        begun = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(CALLS):
            leaf()
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - begun)

    return max(int(str(at_depth(depth, pages))) for depth in range(300))


@pytest.mark.skipif(
    sys.platform != "linux" or sys.implementation.name != "cpython", reason="how CPython keeps them"
)
def test_with_room_a_loop_never_stands_at_the_end_of_a_chunk() -> None:
    assert most_faults() >= CALLS  # else Python has changed, and nobody needs it any more
    assert with_room(most_faults)() < CALLS


def test_it_is_the_function_still() -> None:
    assert with_room(divmod)(7, 2) == (3, 1)
    assert with_room(sorted)([1, 3, 2], reverse=True) == [3, 2, 1]
    with pytest.raises(ZeroDivisionError):
        with_room(divmod)(7, 0)
