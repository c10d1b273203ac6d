"""Cost vectors: the number of tiles that a suit misses for m melds and e eyes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES

NUM_COSTS: Final = 10
"""Numbers in a cost vector: 0..4 melds, each with 0 or 1 eye, as ``2 * melds + eye``."""

_MELDS: Final = 5
_FAR: Final = 60  # more tiles than a hand holds; twice this number fits in an int8

Costs = NDArray[np.int8]
Cost = TypeVar("Cost", int, Costs)


def suit_costs(
    held: Sequence[Cost],
    most: Sequence[int],
    begins_chow: Sequence[bool],
    *,
    minimum: Callable[[Any, Any], Any] = min,
    maximum: Callable[[Any, Any], Any] = max,
) -> dict[int, Cost]:
    """Return the fewest tiles that a suit misses for each number of melds and eyes.

    A dynamic program over the ranks. Its state is the number of chows that began one and two
    ranks back, and the numbers of melds and eyes. Three equal chows are three pongs, so at
    most two begin on a rank.

    Parameters
    ----------
    held
        Copies held of each rank: numbers, or arrays that broadcast to the costs of many
        states at once.
    most
        Maximum copies of each rank: those held plus those that can arrive.
    begins_chow
        Whether a chow can begin on each rank.
    minimum, maximum
        For arrays, ``np.minimum`` and ``np.maximum``.

    Returns
    -------
    dict
        From ``2 * melds + eyes``, melds in ``0..4`` and eyes in ``0..1``, to the number of
        missing tiles. Impossible shares are omitted.

    Examples
    --------
    >>> suit_costs([3, 1, 1], [4, 4, 4], [True, False, False])  # 11123
    {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 3, 6: 4, 7: 6, 8: 7}
    """
    states: dict[tuple[int, int], dict[int, Any]] = {(0, 0): {0: 0}}
    for have, limit, begins in zip(held, most, begins_chow, strict=True):
        after: dict[tuple[int, int], dict[int, Any]] = {}
        for (one_back, two_back), costs in states.items():
            for chows, shift, copies in _moves(limit, begins):
                used = one_back + two_back + copies
                if used > limit:
                    continue
                missing = maximum(used - have, 0)
                best = after.setdefault((chows, one_back), {})
                for share, cost in costs.items():
                    total = share + shift
                    if total < NUM_COSTS and not share & shift & 1:  # not two eyes
                        cost_now = cost + missing
                        best[total] = minimum(best[total], cost_now) if total in best else cost_now
        states = after
    found = states.get((0, 0), {})
    return {share: found[share] for share in sorted(found)}


@lru_cache(maxsize=64)
def _moves(most: int, begins_chow: bool) -> tuple[tuple[int, int, int], ...]:
    """Return (chows begun, ``2 * melds + eyes``, copies used) for each possible use of a rank.

    Copies for chows that began on earlier ranks are not included.
    """
    return tuple(
        (chows, 2 * (chows + pongs) + eyes, chows + 3 * pongs + 2 * eyes)
        for chows in range(3 if begins_chow else 1)
        for pongs in range(most // 3 + 1)
        for eyes in (0, 1)
        if chows + 3 * pongs + 2 * eyes <= most
    )


def join_costs(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    """Return the fewest tiles that two parts of a hand miss together, as in :func:`suit_costs`.

    Examples
    --------
    >>> join_costs({0: 0, 1: 1}, {0: 0, 1: 2, 2: 1})
    {0: 0, 1: 1, 2: 1, 3: 2}
    """
    both: dict[int, int] = {}
    for share, cost in first.items():
        for other, more in second.items():
            total = share + other
            if total < NUM_COSTS and not share & other & 1:  # not two eyes
                both[total] = min(both.get(total, cost + more), cost + more)
    return {share: both[share] for share in sorted(both)}


def cost_vectors(num_kinds: int, *, has_chows: bool) -> Costs:
    """Compute the cost vector of every state of one suit.

    No kind is used more than four times: a fifth copy does not exist.

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
    shape = (COPIES + 1,) * num_kinds
    held = np.meshgrid(
        *[np.arange(COPIES + 1, dtype=np.int8)] * num_kinds, indexing="ij", sparse=True
    )
    begins_chow = [has_chows and rank + 2 < num_kinds for rank in range(num_kinds)]
    costs = suit_costs(
        held, [COPIES] * num_kinds, begins_chow, minimum=np.minimum, maximum=np.maximum
    )
    vectors = np.full((*shape, NUM_COSTS), _FAR, np.int8)
    for share, missing in costs.items():
        vectors[..., share] = missing
    return vectors.reshape(-1, NUM_COSTS)


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
