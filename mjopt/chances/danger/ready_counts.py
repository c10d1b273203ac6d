"""The number of ready hands that an opponent can hold, by kind of wait and by kind waited for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from operator import mul
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.danger.ready_tables import GroupRows, Numbers, ReadyTables, ready_tables
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet

# The number of ready hands is a sum over combinations of slots, one for each group, of products of
# the numbers of states (`ready_tables`; docs/reference/danger.md, "The count"). The kind of wait
# depends only on the number of kinds that each group waits on and on where the eye is. So each slot
# has five sums, of its states with 0, 1, 2, more, or any such kinds, and every product, a *term*,
# has one kind of wait.

WAITS: Final = {
    "two_sided": "two or more kinds of one suit, with the eye elsewhere",
    "one_sided": "one kind, with the eye elsewhere",
    "two_pairs": "one kind in each of two suits, whose pairs are eye and pong by turns",
    "single": "one kind, in the suit of the eye",
    "single_two": "two kinds, in the suit of the eye",
    "single_three": "three or more kinds, in the suit of the eye",
    "no_melds": "in forms without melds only: seven pairs, thirteen orphans",
}
"""The kinds of waits, each with its definition. Every ready hand has exactly one."""

_TWO_SIDED, _ONE_SIDED, _TWO_PAIRS, _SINGLE = range(4)
_NO_MELDS: Final = len(WAITS) - 1
_MOST_KINDS: Final = 3  # more kinds in a group count as this number
_ANY: Final = 4  # any of 1, 2, 3
_SIZES: Final = 5
_SAFE: Final = float(1 << 62)


@dataclass(frozen=True, slots=True)
class ReadyCounts:
    """Numbers of ready hands, each counted as often as its tiles can be chosen."""

    by_wait: tuple[int, ...]  # by kind of wait, in the order of WAITS
    by_kind: tuple[tuple[int, ...], ...]  # of these, those that win on each kind of tile

    def share(self, kind: int, weights: Sequence[int] = (1,) * len(WAITS)) -> Fraction | None:
        """Return the weighted share that wins on a kind; None if no hand is ready."""
        total = sum(map(mul, weights, self.by_wait))
        winning = sum(w * kinds[kind] for w, kinds in zip(weights, self.by_kind, strict=True))
        return Fraction(winning, total) if total else None


class _Terms(NamedTuple):
    """Products of one factor for each group, whose sum is the number of ready hands.

    A factor is the number of states of a slot with 0, 1, 2, more, or any kinds to win on.
    """

    factors: Numbers  # shape (groups, T): 5 * slot + one of these five
    waits: Numbers  # of each term: the kind of wait


class _Plan(NamedTuple):
    tables: ReadyTables
    plain: _Terms  # where no melds are shown, every winning group has kinds to win on
    every: _Terms
    dtype: Any


def count_ready(
    templates: tuple[Template, ...],
    tiles: TileSet,
    left: Sequence[int],
    called: int,
    shown: Sequence[int],
    forbidden: Collection[int] = (),
    *,
    waits: Collection[int] | None = None,
) -> ReadyCounts:
    """Count the hands of copies that are ``left`` beside called melds with the tiles ``shown``.

    Hands that wait on a forbidden kind are left out, and those with other ``waits`` if some are
    given.
    """
    if not templates:
        return ReadyCounts((0,) * len(WAITS), ((0,) * tiles.num_kinds,) * len(WAITS))
    tables, plain, every, dtype = _plan(templates, tiles, called)
    terms = every if any(shown) else plain
    factors, by_kind = [], []
    is_counted = np.ones(len(terms.waits), np.bool_)
    for group, rows in zip(tables.groups, terms.factors, strict=True):
        part = group.group.kinds
        sums, masks, slots = _cells(group, left[part], shown[part], dtype)
        # Furiten: one forbidden wait excludes the hand, so cells with such a wait count nowhere.
        is_allowed = masks & _mask(forbidden, part) == 0
        if waits is not None:
            wanted = _mask(waits, part)
            is_allowed &= (masks == 0) | (masks == wanted)
            # Each group waits on exactly those of its kinds that are wanted, or on none of them if
            # none is.
            size = min(wanted.bit_count(), _MOST_KINDS)
            is_counted &= np.isin(rows % _SIZES, [size, _ANY] if size else [0])
        sums, masks, slots = sums[is_allowed], masks[is_allowed], slots[is_allowed]
        row = _SIZES * slots + np.minimum(np.bitwise_count(masks), _MOST_KINDS)
        values = np.zeros(_SIZES * group.num_slots, dtype)
        np.add.at(values, row, sums)
        values[_ANY::_SIZES] = values.reshape(-1, _SIZES)[:, 1:_ANY].sum(axis=1)
        factors.append(values[rows])
        of_kinds = np.zeros((len(values), group.group.width), dtype)
        bits = masks[:, None] >> np.arange(group.group.width) & 1
        np.add.at(of_kinds, row, sums[:, None] * bits)
        of_sizes = of_kinds.reshape(-1, _SIZES, group.group.width)
        of_kinds[_ANY::_SIZES] = of_sizes[:, 1:_ANY].sum(axis=1)
        by_kind.append(of_kinds)
    total = np.zeros(len(WAITS), dtype)
    np.add.at(total, terms.waits, np.prod(factors, axis=0, dtype=dtype) * is_counted)
    found = np.zeros((len(WAITS), tiles.num_kinds), dtype)
    for place, (group, of_kinds) in enumerate(zip(tables.groups, by_kind, strict=True)):
        # A hand wins on a kind of this group: the sums of the group are replaced by those of its
        # states that wait on the kind, while the factors of all other groups stay.
        others = [is_counted.astype(dtype), *factors[:place], *factors[place + 1 :]]
        # By kind of wait and factor of the group: how many hands of the other groups go with it.
        times = np.zeros((len(WAITS), len(of_kinds)), dtype)
        np.add.at(times, (terms.waits, terms.factors[place]), np.prod(others, axis=0, dtype=dtype))
        found[:, group.group.kinds] = times @ of_kinds
    return ReadyCounts(tuple(total.tolist()), tuple(map(tuple, found.tolist())))


def _mask(kinds: Collection[int], part: slice) -> int:
    return sum(1 << kind - part.start for kind in {*kinds} if part.start <= kind < part.stop)


def _cells(
    group: GroupRows, left: Sequence[int], shown: Sequence[int], dtype: Any
) -> tuple[NDArray[Any], Numbers, Numbers]:
    """Return the number of ways to choose the states of each cell, its waits and its slot."""
    half = group.group.width // 2
    first, second = _ways(left[:half], dtype), _ways(left[half:], dtype)
    # The ways of a state are a product over nine kinds. Two tables, of the first four kinds and of
    # the rest, make it one product: a tenth of the time.
    ways = first[group.halves[0]] * second[group.halves[1]]
    if not any(shown):
        return np.add.reduceat(ways, group.cells), group.waits, group.slots
    # A kind of which hand and melds hold all copies is no wait: such states change their cell.
    lengths = np.diff(np.append(group.cells, len(ways)))
    waits = np.repeat(group.waits, lengths)
    for kind, copies in enumerate(shown):
        if copies:
            waits[group.copies[:, kind] >= COPIES - copies] &= ~(1 << kind)
    return ways, waits, np.repeat(group.slots, lengths)


def _ways(left: Sequence[int], dtype: Any) -> NDArray[Any]:
    """Return the number of ways to choose each tuple of copies, the last kind fastest."""
    ways = np.ones(1, dtype)
    for most in left:
        ways = np.multiply.outer(ways, [comb(most, held) for held in range(COPIES + 1)]).ravel()
    return ways.astype(dtype)


@lru_cache(maxsize=32)
def _plan(templates: tuple[Template, ...], tiles: TileSet, called: int) -> _Plan:
    tables = ready_tables(templates, tiles, called)
    factors, waits, is_plain = [], [], []
    for slots, winners, has_eye, has_melds in zip(
        tables.combinations.T.tolist(),
        tables.winners.T.tolist(),
        tables.has_eye.T.tolist(),
        tables.has_melds.tolist(),
        strict=True,
    ):
        # A winning group may have 0 waits left, where hand and melds hold all copies of a kind;
        # then another must have some.
        sizes_of = range(_ANY) if has_melds else (0, _ANY)  # without melds all have one weight
        every = [sizes_of if is_winner else (0,) for is_winner in winners]
        for sizes in product(*every):
            if any(sizes):
                factors.append([_SIZES * s + n for s, n in zip(slots, sizes, strict=True)])
                waits.append(_kind_of_wait(sizes, has_eye) if has_melds else _NO_MELDS)
                is_plain.append(all(n or not w for n, w in zip(sizes, winners, strict=True)))
    rows = np.array(factors, np.intp).reshape(-1, len(tables.groups))
    kinds, plain = np.array(waits, np.intp), np.array(is_plain, np.bool_)
    return _Plan(
        tables,
        _Terms(np.ascontiguousarray(rows[plain].T), kinds[plain]),
        _Terms(np.ascontiguousarray(rows.T), kinds),
        _number_type(tables),
    )


def _kind_of_wait(sizes: Sequence[int], has_eye: Sequence[bool]) -> int:
    """Return the kind of wait of hands that win on a number of kinds in each group."""
    winning = [(size, eye) for size, eye in zip(sizes, has_eye, strict=True) if size]
    if any(size > 1 and not eye for size, eye in winning):
        return _TWO_SIDED
    if len(winning) > 1:
        return _TWO_PAIRS
    [(size, eye)] = winning
    return _SINGLE + size - 1 if eye else _ONE_SIDED


def _number_type(tables: ReadyTables) -> Any:
    """Return numbers that hold every sum of a query: of 64 bits, or else those of Python.

    All terms are positive and grow with the copies left. So no sum of a query exceeds that of all
    combinations with four copies left of every kind and every hand allowed; neither does a product
    without one factor, since with four copies left each factor is at least 1. Floating point is
    precise enough to compare this sum with a limit that leaves a bit to spare.
    """
    bound = np.ones(tables.combinations.shape[1])
    for group, slots in zip(tables.groups, tables.combinations, strict=True):
        ways, _, of_cell = _cells(group, (COPIES,) * group.group.width, (), np.float64)
        bound *= np.bincount(of_cell, ways, group.num_slots)[slots]
    return np.int64 if bound.sum() < _SAFE else object
