"""A search looks at the flag of its worker between its layers."""

from itertools import count

import pytest

from mjopt import advise
from mjopt._internal.cancellation import Cancelled, cancelled_by

NEAR = "22557m234p34789s3z draws=4"
FAR = "147m258p369s12345z draws=7"  # too far to be searched with that effort: estimated


@pytest.mark.parametrize("hand", [NEAR, FAR])
def test_search_stops_at_any_look(hand: str) -> None:
    counter = count(1)
    with cancelled_by(lambda: next(counter) < 0):
        found = advise(hand)
    number = next(counter) - 1
    assert number > found.position.draws
    for last in (1, number // 2, number) if hand == NEAR else (number // 2,):  # 0.4 s each
        steps = iter([False] * (last - 1) + [True])
        with pytest.raises(Cancelled), cancelled_by(steps.__next__):
            advise(hand)
        assert not [*steps]
