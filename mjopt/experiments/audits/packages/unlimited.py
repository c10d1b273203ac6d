"""The deficiency of a world with endless copies of every tile: a usual mistake."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mjopt.hands.hand import Hand
from mjopt.runtime.kernels import kernel

_FAR = 99

Integers = npt.NDArray[np.int64]


@kernel
def _suit_costs(held: Integers, has_chows: bool, found: Integers) -> None:
    """Fill in what a suit misses for m melds and e eyes, shape (5, 2), without a limit.

    Rank by rank; the state is how many chows began one and two ranks back. Three
    equal chows are three pongs, so at most two begin on a rank.
    """
    num_kinds = len(held)
    now = np.full((3, 3, 5, 2), _FAR, np.int64)
    now[0, 0, 0, 0] = 0
    for rank in range(num_kinds):
        new = np.full((3, 3, 5, 2), _FAR, np.int64)
        most = 2 if has_chows and rank + 2 < num_kinds else 0
        for one, two, m, e in np.ndindex(3, 3, 5, 2):
            cost = now[one, two, m, e]
            if cost >= _FAR:
                continue
            for chows in range(min(most, 4 - m) + 1):
                for pongs in range(4 - m - chows + 1):
                    for eyes in range(2 - e):
                        used = one + two + chows + 3 * pongs + 2 * eyes
                        total = cost + max(0, used - held[rank])
                        melds = m + chows + pongs
                        key = (chows, one, melds, e + eyes)
                        new[key] = min(new[key], total)
        now = new
    found[:] = now[0, 0]


@lru_cache(maxsize=100_000)
def _costs(held: tuple[int, ...], has_chows: bool) -> tuple[tuple[int, ...], ...]:
    found = np.zeros((5, 2), np.int64)
    _suit_costs(np.array(held, np.int64), has_chows, found)
    return tuple(tuple(row) for row in found.tolist())


def unlimited_deficiency(hand: Hand) -> int:
    """Return what the deficiency would be if no tile ever ran out.

    Only the standard form is meant. Many programs compute this: they wait for a
    fifth copy of a tile of which they hold all four.

    Parameters
    ----------
    hand
        The hand.

    Examples
    --------
    >>> hand = Hand.parse("1111m123p112233s")  # deficiency 2: a fifth 1m would be the eye
    >>> unlimited_deficiency(hand)
    1
    """
    needed = hand.melds_needed
    best = [[0 if (m, e) == (0, 0) else _FAR for e in range(2)] for m in range(5)]
    for suit, part in zip(hand.tiles.suits, hand.tiles.slices, strict=True):
        costs = _costs(hand.counts[part], suit.has_chows)
        best = [
            [
                min(best[m - i][e - j] + costs[i][j] for i in range(m + 1) for j in range(e + 1))
                for e in range(2)
            ]
            for m in range(5)
        ]
    return best[needed][1]
