"""Cost vectors: the number of tiles that a suit misses for m melds and e eyes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES

# The shortest path of docs/reference/winning-forms.md ("Programs and proofs"), for the kinds of one
# suit:
#
#     f_{k+1}(o', p + a) = min over uses of f_k(o, p) + max(0, used - held_k)
#
# The open chows o are those that began one and two kinds back; p are the numbers of parts so far
# and a those that the use adds. Chows and all other parts stay inside a suit, so the costs of a
# hand are sums of those of its suits, with the parts shared out in the best way: a min-plus
# convolution over the parts (`joined`).
#
# `part_costs` is the same program for one suit, with integers, and for all 5**K suits at once, with
# an axis for each kind: the axes broadcast, so a partial result has an axis only for kinds already
# read.

NUM_COSTS: Final = 10
"""Numbers in a cost vector: 0..4 melds, each with 0 or 1 eye, as ``2 * melds + eye``."""

_MELDS: Final = 5
_FAR: Final = 60  # more tiles than a hand holds; twice this number fits in an int8

Costs = NDArray[np.int8]
Cost = TypeVar("Cost", int, Costs)


class Use(NamedTuple):
    """One use of a kind, besides the chows that began before it."""

    chows: int  # that begin with it
    parts: int  # see `encode`
    copies: int
    eligible: int = 0  # copies for which jokers may stand


class Jokers(NamedTuple):
    """The jokers of a hand, held and unseen."""

    most: int = 0
    for_melds: bool = False
    has_fifth: bool = False  # they may stand for more copies of a kind than exist


def encode(
    melds: int = 0,
    eyes: int = 0,
    distinct: int = 0,
    doubled: int = 0,
    pairs: int = 0,
    jokers: int = 0,
) -> int:
    """Return numbers of parts as one number, whose sums are those of the parts.

    Each has seven bits, of which the highest is 0.
    """
    parts = (melds, eyes, distinct, doubled, pairs, jokers)
    return sum(number << 7 * place for place, number in enumerate(parts))


_JOKER: Final = encode(jokers=1)
_GUARDS: Final = 0x40 * encode(1, 1, 1, 1, 1, 1)  # the highest bit of each part
NO_JOKERS: Final = Jokers()


def part_costs(
    held: Sequence[Cost],
    reach: Sequence[int],
    uses: Sequence[Sequence[Use]],
    most: int,
    jokers: Jokers = NO_JOKERS,
    *,
    minimum: Callable[[Any, Any], Any] = min,
    maximum: Callable[[Any, Any], Any] = max,
) -> dict[int, Cost]:
    """Return the fewest tiles that some kinds miss for each number of parts.

    A dynamic program over the kinds. Its state is the number of chows that began one and two
    kinds back, and the numbers of parts.

    Copies ``held`` of each kind are numbers, or, without jokers, arrays that broadcast to the costs
    of many states at once; then ``minimum`` and ``maximum`` are those of NumPy. ``reach`` adds the
    copies that can arrive. ``most`` is the maximum number of each part, see :func:`encode`, as the
    keys of the result; impossible numbers are omitted. Tiles for which jokers stand are counted
    among the parts, and not missing.
    """
    # Without `has_fifth`, a use of more copies than exist is impossible even where jokers stand for
    # some.
    limit = COPIES + jokers.most if jokers.has_fifth else max(COPIES, *reach)
    room = _room(most, jokers)
    states: dict[tuple[int, int], dict[int, Any]] = {(0, 0): {0: 0}}
    for have, natural, options in zip(held, reach, uses, strict=True):
        after: dict[tuple[int, int], dict[int, Any]] = {}
        for (one_back, two_back), costs in states.items():
            # states[a, b][p]: the fewest tiles missing so far, with parts p, if a chows began one
            # kind back and b two.
            carried = one_back + two_back
            for chows, parts, copies, eligible in options:
                used = carried + copies
                fewest = used - natural if used > natural else 0
                if used > limit or fewest > jokers.most:
                    continue
                # Copies beyond those held or able to arrive must be jokers; no more jokers stand in
                # than tiles are missing.
                covered = range(1)
                if jokers.most:
                    able = eligible + carried * jokers.for_melds
                    covered = range(fewest, min(able, maximum(used - have, 0)) + 1)
                best = after.setdefault((chows, one_back), {})
                for stands in covered:
                    shift = parts + stands * _JOKER
                    missing = maximum(used - have - stands, 0)
                    for share, cost in costs.items():
                        total = share + shift
                        if (room - total) & _GUARDS == _GUARDS:  # no part exceeds its maximum
                            now = cost + missing
                            best[total] = minimum(best[total], now) if total in best else now
        states = after
    # A chow that is still open has no third tile in this suit.
    return states.get((0, 0), {})


def join_parts(
    first: Mapping[int, int], second: Mapping[int, int], most: int, jokers: Jokers = NO_JOKERS
) -> dict[int, int]:
    """Return the fewest tiles that two parts of a hand miss together, as in :func:`part_costs`."""
    room = _room(most, jokers)
    both: dict[int, int] = {}
    for share, cost in first.items():
        for other, more in second.items():
            total = share + other
            if (room - total) & _GUARDS == _GUARDS:  # no part exceeds its maximum
                both[total] = min(both.get(total, cost + more), cost + more)
    return both


def _room(most: int, jokers: Jokers) -> int:
    # The guard bits are set here and clear in every sum. In a difference of both, a guard bit is
    # borrowed exactly where a part exceeds its maximum: one subtraction compares all six.
    return (most & ~(0x7F * _JOKER) | jokers.most * _JOKER) | _GUARDS


def suit_costs(
    held: Sequence[int], most: Sequence[int], begins_chow: Sequence[bool]
) -> dict[int, int]:
    """Return the fewest tiles that a suit misses for each number of melds and eyes.

    Keys are ``2 * melds + eyes``, melds in ``0..4`` and eyes in ``0..1``; impossible shares are
    omitted. ``most`` is the copies held of each rank plus those that can arrive.

    Examples
    --------
    >>> suit_costs([3, 1, 1], [4, 4, 4], [True, False, False])  # 11123
    {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 3, 6: 4, 7: 6, 8: 7}
    """
    uses = [standard_uses(*at) for at in zip(begins_chow, most, strict=True)]
    found = {_share(parts): n for parts, n in part_costs(held, most, uses, _MELDS_AND_EYE).items()}
    return {share: found[share] for share in sorted(found)}


_MELDS_AND_EYE: Final = encode(melds=_MELDS - 1, eyes=1)


def _share(parts: int) -> int:
    """Return ``2 * melds + eyes``."""
    return (parts & 0x7F) * 2 + (parts >> 7)


@lru_cache(maxsize=64)
def standard_uses(begins_chow: bool, most: int = COPIES) -> tuple[Use, ...]:
    """Return the uses of up to ``most`` copies of a kind in the standard form.

    Three equal chows are three pongs, so at most two begin with a kind.
    """
    return tuple(
        Use(chows, encode(chows + pongs, eyes), chows + 3 * pongs + 2 * eyes)
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
    """Compute the cost vector of every state of a suit, in tiles, shape ``(5 ** num_kinds, 10)``.

    No kind is used more than four times: a fifth copy does not exist. The row of a state is its
    copies read as a number in base five, the first rank most significant.

    Examples
    --------
    >>> costs = cost_vectors(3, has_chows=True)
    >>> held = 3 * 25 + 1 * 5 + 1  # 11123
    >>> costs[held].reshape(5, 2)[:3].tolist()
    [[0, 0], [0, 0], [1, 3]]
    """
    uses = [standard_uses(has_chows and rank + 2 < num_kinds) for rank in range(num_kinds)]
    every = np.arange(COPIES + 1, dtype=np.int8)
    held = np.meshgrid(*[every] * num_kinds, indexing="ij", sparse=True)
    costs = part_costs(
        held,
        [COPIES] * num_kinds,
        uses,
        _MELDS_AND_EYE,
        minimum=np.minimum,
        maximum=np.maximum,
    )
    vectors = np.full((*[COPIES + 1] * num_kinds, NUM_COSTS), _FAR, np.int8)
    for parts, missing in costs.items():
        vectors[..., _share(parts)] = missing
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
    left = first.reshape(len(first), 1, _MELDS, 2)
    right = second.reshape(1, len(second), _MELDS, 2)
    both = np.full((len(first), len(second), _MELDS, 2), 2 * _FAR, np.int8)
    for melds in range(_MELDS):
        for here in range(melds + 1):
            for all_eyes in range(2):
                for eyes_here in range(all_eyes + 1):
                    best = both[:, :, melds, all_eyes]
                    other = right[:, :, melds - here, all_eyes - eyes_here]
                    np.minimum(best, left[:, :, here, eyes_here] + other, out=best)
    return both.reshape(len(first), len(second), NUM_COSTS)
