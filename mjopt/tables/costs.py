"""Cost vectors: how many tiles a suit still misses for m melds and e eyes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES

NUM_COSTS: Final = 10
"""Numbers in a cost vector: 0..4 melds, each with 0 or 1 eye, as ``2 * melds + eye``."""

_MELDS: Final = 5
_FAR: Final = 60  # more tiles than a hand holds; twice it still fits an int8

Costs = NDArray[np.int8]


def cost_vectors(num_kinds: int, *, has_chows: bool) -> Costs:
    """Find the cost vector of every state of one suit.

    A dynamic program over the ranks. What the ranks so far leave open is how many
    chows began one and two ranks back; how many melds and eyes they already hold is
    the index of the vector. Three equal chows are three pongs, so at most two begin
    on a rank, and no kind is ever used more than four times: a fifth copy does not
    exist.

    Parameters
    ----------
    num_kinds
        Ranks of the suit.
    has_chows
        Whether three consecutive ranks make a meld.

    Returns
    -------
    Costs
        Shape ``(5 ** num_kinds, 10)``, in tiles. The row of a state is its copies
        read as a number in base five, the first rank most significant.

    Examples
    --------
    >>> costs = cost_vectors(3, has_chows=True)
    >>> held = 3 * 25 + 1 * 5 + 1  # 11123
    >>> costs[held].reshape(5, 2)[:3].tolist()
    [[0, 0], [0, 0], [1, 3]]
    """
    open_chows: dict[tuple[int, int], Costs] = {(0, 0): np.zeros((1, _MELDS, 2), np.int8)}
    open_chows[0, 0][...] = _FAR
    open_chows[0, 0][0, 0, 0] = 0
    for rank in range(num_kinds):
        left = num_kinds - 1 - rank
        most = min(2, 2 * (has_chows and left >= 2))
        open_chows = _one_rank(open_chows, most_chows=most, last_ranks=left)
    return open_chows[0, 0].reshape(-1, NUM_COSTS)


def _one_rank(
    before: dict[tuple[int, int], Costs], *, most_chows: int, last_ranks: int
) -> dict[tuple[int, int], Costs]:
    """Add one rank to every state, held 0..4 times."""
    after: dict[tuple[int, int], Costs] = {}
    for (one_back, two_back), costs in before.items():
        if last_ranks == 0 and one_back:
            continue  # nothing left to end that chow with
        for chows in range(most_chows + 1):
            for pongs, eyes in ((0, 0), (1, 0), (0, 1)):
                used = one_back + two_back + chows + 3 * pongs + 2 * eyes
                melds = chows + pongs
                if used > COPIES:
                    continue
                key = (chows, one_back)
                if key not in after:
                    after[key] = np.full((len(costs), COPIES + 1, _MELDS, 2), _FAR, np.int8)
                for held in range(COPIES + 1):
                    best = after[key][:, held, melds:, eyes:]
                    missing = np.int8(max(0, used - held))
                    np.minimum(best, costs[:, : _MELDS - melds, : 2 - eyes] + missing, out=best)
    return {key: best.reshape(-1, _MELDS, 2) for key, best in after.items()}


def joined(first: Costs, second: Costs) -> Costs:
    """Return the cost vectors of every pair of suits, shape ``(A, B, 10)``.

    Examples
    --------
    >>> costs = cost_vectors(3, has_chows=True)
    >>> both = joined(costs[[3 * 25 + 5 + 1]], costs[[2 * 25]])  # 11123 and 11
    >>> both.reshape(5, 2)[:3].tolist()
    [[0, 0], [0, 0], [1, 1]]
    """
    left = first.reshape(-1, 1, _MELDS, 2)
    right = second.reshape(1, -1, _MELDS, 2)
    both = np.full((len(first), len(second), _MELDS, 2), 2 * _FAR, np.int8)
    for melds in range(_MELDS):
        for here in range(melds + 1):
            there = melds - here
            for eye, (eye_here, eye_there) in ((0, (0, 0)), (1, (1, 0)), (1, (0, 1))):
                best = both[:, :, melds, eye]
                missing = left[:, :, here, eye_here] + right[:, :, there, eye_there]
                np.minimum(best, missing, out=best)
    return both.reshape(len(first), len(second), NUM_COSTS)


def completed(first: Costs, second: Costs, melds: int) -> Costs:
    """Return what every pair still misses for so many melds and an eye, ``(A, B)``."""
    left = first.reshape(-1, 1, _MELDS, 2)
    right = second.reshape(1, -1, _MELDS, 2)
    best = np.full((len(first), len(second)), 2 * _FAR, np.int8)
    for here in range(melds + 1):
        for eye in range(2):
            missing = left[:, :, here, eye] + right[:, :, melds - here, 1 - eye]
            np.minimum(best, missing, out=best)
    return best
