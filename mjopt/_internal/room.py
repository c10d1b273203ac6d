"""Room for Python's own frames, where much calls much."""

from collections.abc import Callable
from types import CodeType
from typing import Any, Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

SLOTS: Final = 66_000  # of 8 bytes, so that a chunk becomes one MiB, half of which is left


def with_room(function: Function) -> Function:
    """Return a function that brings room for the frames of all that it calls.

    Python keeps frames in chunks of 16 KiB. Whoever calls in a loop from the end of one has
    the next mapped and unmapped every time: a compiler's 50,000 times, for a tenth of what it
    takes. A frame that says it is large is given a large chunk, in which the others follow;
    what nobody touches there takes no memory.

    Examples
    --------
    >>> with_room(max)(2, 3)
    3
    """

    def call(*arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    code: CodeType = call.__code__
    call.__code__ = code.replace(co_stacksize=SLOTS)
    return cast("Function", call)
