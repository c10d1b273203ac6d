"""Stratified sampling: deals by deficiency, unranked through the classes of suits.

The census multiplies classes of suits into hands. Here the same sums are decomposed: a number
below the deals of one deficiency determines a pair of classes (two suits, and the rest), then a
class of each suit, then a state of each class, by binary search in cumulative sums.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr
from mjopt.datasets.recipes.base import STREAMS, Counts, Deal, HandRecipe
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, default_forms
from mjopt.tables.standard.hand_tables import StateClasses, standard_tables
from mjopt.tables.suits.groups import groups_of
from mjopt.tables.suits.state_index import MOST_TILES, WAYS, state_copies

Integers = npt.NDArray[np.int64]
MOST_HANDS = 1 << 31
_GOLDEN = 0.618034  # golden-ratio steps spread values evenly


@dataclass(frozen=True, eq=False, slots=True)
class Strata:
    """Deals of a hand by deficiency, or of a part of one by class, numbered in each group."""

    # States of a suit, shape (items,), or pairs of groups of two parts, shape (items, 2), sorted by
    # group.
    items: Integers
    sums: Integers  # number of deals of all earlier items; one entry more than items
    first: Integers  # index in ``sums`` where each group begins; one entry more than groups
    copies: Counts | None  # of a suit, the copies of every state
    parts: tuple["Strata", ...]  # of pairs, the two parts
    # Of pairs, the place of each kind in the parts one after the other; by default the same.
    order: tuple[int, ...] = ()

    @property
    def num_deals(self) -> Integers:
        """Number of deals of each group."""
        return np.diff(self.first)

    def hands(self, group: Integers, number: Integers) -> Counts:
        """Return the copies of these numbers, each below ``num_deals[group]``."""
        wanted = self.first[group] + number
        place = np.searchsorted(self.sums, wanted, side="right") - 1
        item = self.items[place]
        if self.copies is not None:
            return self.copies[item]
        left, right = self.parts
        first, second = np.divmod(wanted - self.sums[place], right.num_deals[item[:, 1]])
        hands = np.concatenate(
            [left.hands(item[:, 0], first), right.hands(item[:, 1], second)], axis=1
        )
        return np.ascontiguousarray(hands[:, self.order]) if self.order else hands


def _grouped(
    groups: Integers,
    items: Integers,
    deals: Integers,
    num_groups: int,
    *,
    copies: Counts | None = None,
    parts: tuple[Strata, ...] = (),
) -> Strata:
    order = np.argsort(groups, kind="stable")
    sums = np.concatenate([[0], np.cumsum(deals[order])])
    edges = np.searchsorted(groups[order], np.arange(num_groups + 1))
    return Strata(items[order], sums, sums[edges], copies, parts)


@lru_cache(maxsize=4)
def _suit(part: StateClasses, num_kinds: int) -> Strata:
    """Group the states of a suit or of the honours by class."""
    last = len(part) - 1
    numbers = np.flatnonzero(part.numbers < last)
    copies = state_copies(numbers.astype(np.uint32), num_kinds)
    deals = WAYS[copies].prod(axis=1)
    groups = part.numbers[numbers].astype(np.int64)
    return _grouped(groups, np.arange(len(numbers)), deals, last + 1, copies=copies)


def _joined(
    left: Strata,
    right: Strata,
    groups: npt.NDArray[np.integer],
    may_be: npt.NDArray[np.bool_],
    num_groups: int = 0,
) -> Strata:
    """Join two parts, given the group of each pair of groups, and whether the pair is possible."""
    i, j = np.nonzero(may_be)
    deals = left.num_deals[i] * right.num_deals[j]
    some = deals > 0
    i, j = i[some], j[some]
    group = groups[i, j].astype(np.int64)
    num_groups = max(num_groups, int(group.max()) + 1)
    pairs = np.stack([i, j], axis=1)
    return _grouped(group, pairs, deals[some], num_groups, parts=(left, right))


@lru_cache(maxsize=4)
def find_strata(deal: Deal) -> Strata:
    """Return the deals of every deficiency, of hands of ``M0``, ``FULL`` or ``SANMA``; cached.

    Examples
    --------
    >>> from mjopt import M0
    >>> strata = find_strata(Deal(tiles=M0))
    >>> strata.num_deals.sum().item()
    139737927523546800
    >>> from mjopt import label
    >>> label(strata.hands(np.array([0, 0, 6]), np.array([0, 5, 7]))).tolist()
    [0, 0, 6]
    """
    if deal.rules is not None and deal.rules.forms != default_forms(deal.rules.tiles):
        raise ArgumentError(
            f"stratified: the rules {deal.rules.name} have other forms than {DEFAULT_FORM}",
            expected="deals:N, distinct:N, two-type:N, three-type:N, kongs:N or all",
        )
    if not deal.tiles.is_built_in:
        raise ArgumentError(deal.tiles.name, expected="M0, FULL or SANMA")
    tables, groups = standard_tables(deal.tiles), groups_of(deal.tiles)
    suits = [_suit(part, group.width) for part, group in zip(tables.parts, groups, strict=False)]

    def join(half: StateClasses, left: Strata, right: Strata) -> Strata:
        is_hand = half.sizes[half.numbers] <= MOST_TILES
        return _joined(left, right, half.numbers, is_hand, len(half))

    pair_half, other_half = tables.halves
    pair = join(pair_half, *suits[:2])
    rest = suits[2] if len(suits) == 3 else join(other_half, *suits[2:])
    value = tables.answers(deal.called)
    tiles = pair_half.sizes.astype(np.int64)[:, None] + other_half.sizes
    strata = _joined(pair, rest, value, (value >= 0) & (tiles == deal.num_tiles))
    kinds = np.concatenate([np.arange(deal.tiles.num_kinds)[group.kinds] for group in groups])
    return replace(strata, order=tuple(np.argsort(kinds).tolist()))


def stratified(deal: Deal, number: int, shares: str = "") -> HandRecipe:
    """Draw a number of deals of each deficiency, evenly interleaved, each deal equally likely.

    ``number`` is the total. Relative ``shares``, such as ``0=1,1=1,2=3``, are equal if empty;
    deficiencies that are not named get no hands, and weighted statistics then exclude them.

    Examples
    --------
    >>> from mjopt import M0, label
    >>> recipe = stratified(Deal(tiles=M0), 14)
    >>> np.bincount(label(recipe.counts(seed=1))).tolist()
    [2, 2, 2, 2, 2, 2, 2]
    """
    if number > MOST_HANDS:
        raise ArgumentError(f"{number} hands", expected=f"at most {MOST_HANDS}")
    strata = find_strata(deal)
    num_deals = strata.num_deals
    wanted = (num_deals > 0).astype(np.float64)
    if shares:
        wanted = _read_shares(shares, num_deals > 0)
    exact = wanted / wanted.sum() * number
    rows = np.floor(exact).astype(np.int64)
    # The remaining rows go to the largest remainders; ties to the first.
    most = np.argsort(-(exact - rows), kind="stable")[: number - int(rows.sum())]
    rows[most] += 1
    share = num_deals / num_deals.astype(np.float64).sum()  # share of deals over share of rows
    weight = share * number / np.maximum(rows, 1)

    def find(start: int, stop: int, rng: np.random.Generator) -> Counts:
        wanted = spread(rows, start, stop)
        return strata.hands(wanted, rng.integers(0, num_deals[wanted], dtype=np.int64))

    return HandRecipe(
        name=f"stratified:{number}" + (f":{shares}" if shares else ""),
        deal=deal,
        num_hands=number,
        find=find,
        stream=STREAMS["stratified"],
        weigh=lambda start, stop: np.asarray(weight[spread(rows, start, stop)]),
        identity={"rows_by_deficiency": rows.tolist()},
    )


def spread(rows: Integers, start: int, stop: int) -> Integers:
    """Return the deficiency of each row from start to stop; ``rows`` has the totals.

    Examples
    --------
    >>> spread(np.array([2, 0, 3]), 0, 5).tolist()
    [0, 2, 0, 2, 2]
    """
    number = int(rows.sum())
    near = max(round(_GOLDEN * number), 1)
    step = next(step for step in range(near, near + number + 1) if gcd(step, number) == 1)
    places = np.arange(start, stop, dtype=np.int64) * step % number
    return np.searchsorted(np.cumsum(rows), places, side="right").astype(np.int64)


def _read_shares(text: str, possible: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    shares = np.zeros(len(possible))
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)\s*=\s*(\d+(?:\.\d+)?)\s*", part)
        if not found:
            raise ArgumentError(
                argument="share", value=short_repr(part), expected="DEFICIENCY=SHARE such as 2=0.5"
            )
        value, share = int(found[1]), float(found[2])
        if value >= len(possible) or not possible[value]:
            known = tuple(map(str, np.flatnonzero(possible)))
            raise ArgumentError(f"no deal has deficiency {value}", expected=known)
        shares[value] += share
    if not shares.sum():
        raise ArgumentError("every share is 0", expected="at least one above 0")
    return shares
