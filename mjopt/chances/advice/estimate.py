"""Estimate the chance to win by simulation, for hands too far from a win to be searched."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cancellation import check_cancelled
from mjopt._internal.jit import compile_always
from mjopt.hands.hand import Hand
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.tables.labels.batch import label
from mjopt.tables.neighbours import discards

TRIES: Final = 4_000
"""Walls that are drawn; the interval of a chance of a tenth is then about two points wide."""

PER_CHANGE: Final = 1_000  # more than the useful tiles of any hand


@dataclass(frozen=True, slots=True)
class Estimate:
    """The share of simulated walls with which a simple way of playing wins: no bound.

    Examples
    --------
    >>> [round(share, 3) for share in (Estimate(400, 4000).mean, *Estimate(400, 4000).interval)]
    [0.1, 0.091, 0.11]
    """

    wins: int  # walls that win
    tries: int  # all walls

    @property
    def mean(self) -> float:
        """The share of walls that win."""
        return self.wins / self.tries

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 %, for the simulated way of playing."""
        z, n, p = NormalDist().inv_cdf(0.975), self.tries, self.mean
        middle, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - width) / (1 + z * z / n), (middle + width) / (1 + z * z / n)
        return max(0.0, min(low, p)), min(1.0, max(high, p))  # without rounding errors


def estimate_chances(
    hands: Sequence[Hand],
    draws: Sequence[int],
    wall: Sequence[int],
    forms: Sequence[tuple[WinningForm, ...]],
    *,
    tries: int = TRIES,
    rng: np.random.Generator,
) -> list[Estimate]:
    """Estimate the chance to win of hands before their draw, all with the same ``tries`` walls.

    Each turn draws a tile; then the discard with the least deficiency and, among these, the most
    useful tiles follows. The hands are of one tile set; ``draws`` are the own draws of each,
    ``forms`` its winning forms. ``wall`` holds the copies of each kind in the wall.

    Examples
    --------
    >>> from mjopt.hands.query import HandQuery
    >>> hand = Hand.parse("123456789m1123p")
    >>> [found] = estimate_chances([hand], [18], hand.unseen, [HandQuery(hand).forms],
    ...                            rng=np.random.default_rng(1))
    >>> 0.75 < found.mean < 0.85
    True
    """
    tiles = np.repeat(np.arange(len(wall)), wall)
    longest = max(draws, default=0)
    walls = rng.permuted(np.tile(tiles, (tries, 1)), axis=1)[:, :longest]
    with compile_always():  # a first batch of thousands is far slower in plain Python
        wins = [
            _count_wins(hand, walls[:, :number], wall, by)
            for hand, number, by in zip(hands, draws, forms, strict=True)
        ]
    return [Estimate(number, tries) for number in wins]


def _count_wins(
    hand: Hand, walls: NDArray[np.int64], wall: Sequence[int], forms: tuple[WinningForm, ...]
) -> int:
    """Play one hand with every wall; return the number of wins."""
    left = walls  # the walls without a win
    held = np.tile(np.array(hand.counts, np.uint8), (len(walls), 1))
    unseen = np.tile(np.array(wall, np.uint8), (len(walls), 1))
    for turn in range(walls.shape[1]):
        check_cancelled()
        every, drawn = np.arange(len(left)), left[:, turn]
        held[every, drawn] += 1
        unseen[every, drawn] -= 1
        labels = label(held, called=hand.called, forms=forms, tiles=hand.tiles, rules=hand.rules)
        goes_on = labels > 0
        left, held, unseen = left[goes_on], held[goes_on], unseen[goes_on]
        if not len(left):
            break
        after, useful, _ = discards(held, unseen, templates_of(forms), hand.tiles, hand.called)
        thrown = (after.astype(np.int64) * PER_CHANGE - useful).argmin(axis=1)
        held[np.arange(len(left)), thrown] -= 1
    return len(walls) - len(left)
