"""Compute all hands of M0 whose cost in the paper differs from the deficiency."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES
from mjopt.tables.standard._paper_cost import BIT, join_pairs, judge_hands, suit_signatures
from mjopt.tables.suits.costs import cost_vectors, joined

DEALS = comb(108, 14)

Counts = tuple[int, ...]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedHands:
    """The number of hands with a given deficiency and least cost.

    Parameters
    ----------
    deficiency, cost
        The deficiency in tile changes, and the least cost of Eq. 8.
    hands
        Number of distinct hands.
    deals
        Number of ways to deal them from 108 tiles.

    Examples
    --------
    >>> JudgedHands(deficiency=3, cost=2, hands=37_170, deals=594_720).hands
    37170
    """

    deficiency: int
    cost: int
    hands: int
    deals: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PaperAudit:
    """Result of the paper audit: classes of suit states, and the values of their joins.

    Returned by :func:`audit_paper`.

    Parameters
    ----------
    states
        All suit states, shape (states, 9).
    members, weights
        The states and the number of deals of each class.
    pairs, pair_class
        The two classes of every join, in both orders, and the class of the join.
    values
        Deficiency, least cost, and least cost without special case 2 of every join of
        a pair class and a class; -1 if the join does not have 14 tiles.

    Examples
    --------
    >>> audit = audit_paper()  # doctest: +SKIP
    >>> audit.num_hands, audit.num_different  # doctest: +SKIP
    (21310147575, 37170)
    """

    states: npt.NDArray[np.uint8]
    members: list[Integers]
    weights: list[int]
    pairs: Integers
    pair_class: Integers
    values: Integers

    @cached_property
    def with_case_2(self) -> tuple[JudgedHands, ...]:
        """The hands by deficiency and least cost."""
        return self._judged(1)

    @cached_property
    def without_case_2(self) -> tuple[JudgedHands, ...]:
        """The hands by deficiency and least cost without special case 2."""
        return self._judged(2)

    @property
    def num_hands(self) -> int:
        """The number of distinct hands of M0."""
        return sum(group.hands for group in self.with_case_2)

    @property
    def num_deals(self) -> int:
        """The number of deals of these hands."""
        return sum(group.deals for group in self.with_case_2)

    @property
    def num_different(self) -> int:
        """The number of hands that cost less than their deficiency, with both special cases."""
        return sum(group.hands for group in self.with_case_2 if group.cost != group.deficiency)

    @property
    def deal_probability(self) -> float:
        """The probability that a dealt hand costs less than its deficiency."""
        wrong = [group for group in self.with_case_2 if group.cost != group.deficiency]
        return sum(group.deals for group in wrong) / DEALS

    def _joins(self) -> list[list[int]]:
        """Return the two classes and the joint class of every pair."""
        joins: list[list[int]] = np.column_stack([self.pairs, self.pair_class]).tolist()
        return joins

    def _judged(self, column: int) -> tuple[JudgedHands, ...]:
        """Count hands and deals by deficiency and cost, in exact integers."""
        sizes = [len(member) for member in self.members]
        num_pairs = self.values.shape[0]
        hands, deals = [0] * num_pairs, [0] * num_pairs
        for a, b, which in self._joins():
            hands[which] += sizes[a] * sizes[b]
            deals[which] += self.weights[a] * self.weights[b]
        totals: dict[tuple[int, int], list[int]] = {}
        rows, columns = np.nonzero(self.values[:, :, 0] >= 0)
        cells = np.column_stack([rows, columns, self.values[rows, columns][:, [0, column]]])
        for i, j, deficiency, cost in cells.tolist():
            total = totals.setdefault((deficiency, cost), [0, 0])
            total[0] += hands[i] * sizes[j]
            total[1] += deals[i] * self.weights[j]
        return tuple(
            JudgedHands(deficiency=d, cost=c, hands=n, deals=w)
            for (d, c), (n, w) in sorted(totals.items())
        )

    def different(self) -> Iterator[tuple[Counts, int, int, int]]:
        """Yield every hand whose cost differs from its deficiency without special case 2.

        This includes all hands that differ with special case 2. Each item is the counts, the
        deficiency, the least cost, and the least cost without special case 2.
        """
        by_pair: dict[int, list[int]] = {}
        for i, j in np.argwhere(self.values[:, :, 0] != self.values[:, :, 2]).tolist():
            by_pair.setdefault(i, []).append(j)
        for a, b, which in self._joins():
            for c in by_pair.get(which, ()):
                deficiency, cost, without = self.values[which, c].tolist()
                parts = (self.states[self.members[k]].tolist() for k in (a, b, c))
                for suits in product(*parts):
                    yield tuple(chain(*suits)), deficiency, cost, without

    def hands(self, *, special_case_2: bool = True) -> Iterator[tuple[Hand, int, int]]:
        """Yield every hand with differing numbers, with its deficiency and least cost."""
        for counts, deficiency, *costs in self.different():
            cost = costs[0 if special_case_2 else 1]
            if cost != deficiency:
                yield Hand.from_counts(counts), deficiency, cost


def audit_paper() -> PaperAudit:
    """Compare cost and deficiency for all 21,310,147,575 hands of M0, without sampling.

    The result covers every hand. The deficiency of a hand is the minimum, over the ways to
    divide four melds and the eye among its suits, of the total number of tiles that the
    suits lack. It depends on each suit only through ten numbers (``mjopt.tables.suits.costs``).
    The least cost of Eq. 8 depends on each suit only through its signature
    (``mjopt.tables.standard._paper_cost``). So two suits with the same ten numbers, the same
    signature and the same number of tiles are interchangeable in every hand. The 405,350
    suit states form 1,175 such classes. The audit evaluates every join of three classes
    with 14 tiles once, and weights it by its number of hands.

    Returns
    -------
    PaperAudit

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, Eq. 8.

    Examples
    --------
    >>> audit = audit_paper()
    >>> audit.num_different
    37170
    """
    states, words = suit_signatures()
    costs = cost_vectors(9, has_chows=True)[states @ (5 ** np.arange(8, -1, -1))]
    sizes = states.sum(axis=1, dtype=np.int64)
    parts, which = _classes(words, costs, sizes)
    class_words, class_costs, class_sizes = parts
    order = np.argsort(which, kind="stable")
    members = np.split(order, np.searchsorted(which[order], np.arange(1, len(class_sizes))))
    ways = np.array([comb(COPIES, count) for count in range(COPIES + 1)])[states].prod(axis=1)
    weights = [int(ways[member].sum()) for member in members]

    first, second = np.nonzero(class_sizes[:, None] + class_sizes[None, :] <= 14)
    pair_words = np.zeros((len(first), 4), dtype=np.uint32)
    join_pairs(class_words, BIT, first, second, pair_words)
    # An entry of 60 or more means "impossible"; joins keep it above every finite cost.
    pair_costs = joined(class_costs.astype(np.int8), class_costs.astype(np.int8))[first, second]
    pair_sizes = class_sizes[first] + class_sizes[second]
    pairs, pair_class = _classes(pair_words, pair_costs, pair_sizes)
    values = np.zeros((len(pairs[0]), len(class_sizes), 3), dtype=np.int64)
    judge_hands(*pairs, *parts, BIT, values)
    return PaperAudit(
        states=states,
        members=members,
        weights=weights,
        pairs=np.stack([first, second], axis=1),
        pair_class=pair_class,
        values=values,
    )


def _classes(words: Any, costs: Any, sizes: Any) -> tuple[tuple[Any, Any, Any], Integers]:
    """Return signatures, costs and sizes of the classes, and the class of every row."""
    table = np.concatenate([words.astype(np.int64), costs, sizes[:, None]], axis=1)
    order = np.lexsort(table.T[::-1])  # twenty times as fast as np.unique along an axis
    rows = table[order]
    is_new = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))
    which = np.empty(len(table), np.int64)
    which[order] = np.cumsum(is_new) - 1
    words, costs, sizes = map(np.ascontiguousarray, np.split(rows[is_new], (4, 14), axis=1))
    return (words.astype(np.uint32), costs, sizes.reshape(-1)), which
