"""Deals by deficiency: counted through the classes of suits, and found by their number.

The census multiplies classes of suits into hands; here the same sums are taken apart
again. A number below the deals of one deficiency names a pair of classes (two suits,
and the rest), then a class of each suit, then a state of each class, every step a
search in running sums. Every number is a deal, every deal of that deficiency a number.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from mjopt.datasets.recipes.base import Counts, Deal
from mjopt.errors import RecipeError
from mjopt.hands.tiles import FULL, M0
from mjopt.tables.states import MOST_TILES, state_copies
from mjopt.tables.store import answers, load_tables

Integers = npt.NDArray[np.int64]
_WAYS = np.array([1, 4, 6, 4, 1], np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class _Grouped:
    """Items by group, and the running sum of their weights."""

    items: Integers  # sorted by group; shape (items,) or (items, 2)
    sums: Integers  # weight of all items before, one longer
    first: Integers  # the running sum where each group begins, one longer

    @property
    def weight(self) -> Integers:
        """The weight of every group."""
        return np.diff(self.first)

    def find(self, group: Integers, number: Integers) -> tuple[Integers, Integers]:
        """Return the item of a group that a number falls on, and what is left of it."""
        wanted = self.first[group] + number
        place = np.searchsorted(self.sums, wanted, side="right") - 1
        return self.items[place], wanted - self.sums[place]


def _group(groups: Integers, items: Integers, weights: Integers, num_groups: int) -> _Grouped:
    order = np.argsort(groups, kind="stable")
    sums = np.concatenate([[0], np.cumsum(weights[order])])
    edges = np.searchsorted(groups[order], np.arange(num_groups + 1))
    return _Grouped(items[order], sums, sums[edges])


@cache
def _states(num_kinds: int) -> tuple[_Grouped, Counts]:
    """Group the states of a suit or of the honours by class; also the copies behind each."""
    tables = load_tables()
    classes = tables.suit_class if num_kinds == 9 else tables.honour_class
    numbers = np.flatnonzero(classes < classes.max())
    copies = state_copies(numbers.astype(np.uint32), num_kinds)
    ways = _WAYS[copies].prod(axis=1)
    group = classes[numbers].astype(np.int64)
    return _group(group, np.arange(len(numbers)), ways, int(classes.max()) + 1), copies


def _pairs(
    join: npt.NDArray[np.uint16], size: npt.NDArray[np.uint8], a: Integers, b: Integers
) -> _Grouped:
    """Group pairs of classes by the class of their join."""
    i, j = np.nonzero(size[join] <= MOST_TILES)
    i, j = (some.astype(np.int64) for some in (i, j))
    keep = (a[i] > 0) & (b[j] > 0)
    i, j = i[keep], j[keep]
    group = join[i, j].astype(np.int64)
    return _group(group, np.stack([i, j], axis=1), a[i] * b[j], len(size))


class Strata:
    """The deals of every deficiency.

    Parameters
    ----------
    deal
        Tile set (``M0`` or ``FULL``), size and called melds.

    Attributes
    ----------
    num_deals
        How many deals have each deficiency.

    Examples
    --------
    >>> strata = Strata(Deal(tiles=M0))
    >>> strata.num_deals.sum().item()
    139737927523546800
    >>> from mjopt.tables import label
    >>> label(strata.hands(np.array([0, 0, 6]), np.array([0, 5, 7]))).tolist()
    [0, 0, 6]
    """

    def __init__(self, deal: Deal) -> None:
        if deal.tiles not in (M0, FULL):
            raise RecipeError(f"{deal.tiles.name}, expected M0 or FULL")
        tables = load_tables()
        self._deal = deal
        self._suit, self._suit_copies = _states(9)
        weight = self._suit.weight
        self._pair = _pairs(tables.pair_class, tables.pair_size, weight, weight)
        rest, rest_size = self._suit, tables.suit_size
        if deal.tiles == FULL:
            self._honour, self._honour_copies = _states(7)
            rest = self._mixed = _pairs(
                tables.mixed_class, tables.mixed_size, weight, self._honour.weight
            )
            rest_size = tables.mixed_size
        value = answers(deal.tiles.num_kinds, deal.called).astype(np.int64)
        tiles = tables.pair_size.astype(np.int64)[:, None] + rest_size
        is_hand = (value >= 0) & (tiles == deal.num_tiles)
        left, right = np.nonzero(is_hand)
        weights = self._pair.weight[left] * rest.weight[right]
        kept = weights > 0
        left, right, weights = left[kept], right[kept], weights[kept]
        values = value[left, right]
        self._rest_weight = rest.weight
        self._cells = _group(
            values, np.stack([left, right], axis=1), weights, int(values.max()) + 1
        )
        self.num_deals = self._cells.weight

    def hands(self, deficiency: Integers, numbers: Integers) -> Counts:
        """Return the hands of these numbers, each below ``num_deals[deficiency]``."""
        cells, left = self._cells.find(np.asarray(deficiency), np.asarray(numbers))
        pair, rest = cells[:, 0], cells[:, 1]
        weight = self._rest_weight[rest]
        parts = self._open(pair, left // weight, self._pair, self._suit, self._suit_copies)
        if self._deal.tiles == M0:
            state, _ = self._suit.find(rest, left % weight)
            parts.append(self._suit_copies[state])
        else:
            parts += self._open(rest, left % weight, self._mixed, self._honour, self._honour_copies)
        return np.concatenate(parts, axis=1)

    def _open(
        self, joined: Integers, number: Integers, joins: _Grouped, second: _Grouped, copies: Counts
    ) -> list[Counts]:
        """Return the copies of a suit and of what is joined with it."""
        both, left = joins.find(joined, number)
        weight = second.weight[both[:, 1]]
        one, _ = self._suit.find(both[:, 0], left // weight)
        two, _ = second.find(both[:, 1], left % weight)
        return [self._suit_copies[one], copies[two]]


@lru_cache(maxsize=4)
def find_strata(deal: Deal) -> Strata:
    """Return the strata of a deal, made once."""
    return Strata(deal)
