"""Counting draws kind by kind, one whole number for each polynomial.

This is the plain road to the same counts as :mod:`mjopt.answers.draws.counting`: any state that
can be followed from kind to kind will do. A polynomial in the number of draws is one
Python integer with a slot of so many bits for each coefficient; shifting it is drawing
another tile.
"""

from collections.abc import Callable, Hashable, Sequence
from math import comb
from typing import TypeVar

State = TypeVar("State", bound=Hashable)


def tally(
    kinds: Sequence[tuple[int, int]],
    start: State,
    step: Callable[[int, State, int], State | None],
    *,
    is_incomplete: Callable[[State], bool] = lambda _: True,
) -> list[int]:
    """Count the draws of 0, 1, ... tiles that end in an incomplete state.

    Parameters
    ----------
    kinds
        Of each kind, the copies held and those in the wall.
    start
        The state before the first kind.
    step
        From a kind, a state and the copies held after the draws to the next state;
        None if the hand is complete whatever follows.
    is_incomplete
        Whether a last state counts.

    Returns
    -------
    list of int
        One number for each number of draws, up to the whole wall.

    Examples
    --------
    Three of one kind held, waiting for a pair of the other:

    >>> tally([(3, 0), (1, 2)], 0, lambda kind, state, copies: None if copies >= 2 + kind else 0)
    [0, 0, 0]
    >>> tally([(2, 1), (0, 2)], 0, lambda kind, state, copies: None if copies > 2 else 0)
    [1, 2, 1, 0]
    """
    size = sum(left for _, left in kinds)
    bits = size + 1  # no coefficient exceeds C(size, i), less than 2**bits
    ways: dict[State, int] = {start: 1}
    for kind, (held, left) in enumerate(kinds):
        after: dict[State, int] = {}
        choices = [(held + drawn, bits * drawn, comb(left, drawn)) for drawn in range(left + 1)]
        for state, packed in ways.items():
            for copies, shift, times in choices:
                target = step(kind, state, copies)
                if target is not None:
                    after[target] = after.get(target, 0) + (packed << shift) * times
        ways = after
    packed = sum(packed for state, packed in ways.items() if is_incomplete(state))
    mask = (1 << bits) - 1
    return [packed >> bits * draws & mask for draws in range(size + 1)]
