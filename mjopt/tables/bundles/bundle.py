"""Bundles: sets of templates that share small lookup tables, and the derivation of these tables.

A template asks for parts: melds, eyes, distinct kinds, pairs. Each group of kinds, a suit or the
honours, supplies some of them, its *share*, at a *cost*: the tiles that it misses. States of a
group with equal costs for every share are one class; so are pairs of classes that cost the same
whatever the other two groups hold. A hand is then a class for each of four groups, a class for each
half, and an answer.

When two groups are joined, templates that ask the same of the other two groups are one column: of
six knitted straights, or of three pairs of suits, the least cost is all that matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.suits.costs import Costs
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.shares import MELD, Share, fits, group_costs, share_sums, wanted_parts
from mjopt.tables.suits.state_index import num_states, state_copies
from mjopt.tables.suits.template_cost import suit_uses

# The deficiency of docs/reference/winning-forms.md with the minimum over complete hands taken group
# by group:
#
#     D(hand, called) = min over templates T and shares s1 + s2 + s3 + s4 = parts(T) - called melds
#                       of cost(T, 1, s1) + cost(T, 2, s2) + cost(T, 3, s3) + cost(T, 4, s4)
#
# where cost(T, g, s) is the fewest tiles that the hand misses in group g for the share s, from
# `part_costs`, the shortest path through a group.
#
# Rows and columns that give equal answers are merged after the join (Myhill and Nerode), for all
# numbers of called melds at once, since one class must serve them all. A bundle that knows sizes is
# not minimised: rows of hands that differ in the number of tiles must stay apart.

MOST_CLASSES: Final = 512
"""Most classes of a group."""

MOST_ANSWERS: Final = 1 << 22
"""Most pairs of classes of the two halves of a hand: one byte each, by number of called melds."""

NO_HAND: Final = -1
"""Answer where the number of tiles is wrong."""

_FAR: Final = 62  # more missing tiles than any hand has; twice this number fits in an int8
_BITS: Final = 6  # of such a number
_PART: Final = 0x3F  # the bits of a number of melds

Number = TypeVar("Number", bound=np.generic)

Demand = tuple[tuple[Share, int], ...]
"""All that a template asks of a group: shares, each with the number of its costs."""

Column = tuple[Demand, Demand, Share]
"""A demand on the third and on the fourth group, and the share that they supply together."""

Classes = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bundle:
    """The tables of some templates of a tile set."""

    # For each group, in the order of `groups_of`: the class of every
    # state, and last that of too many tiles. Equal groups share one array.
    numbers: tuple[Classes, ...]
    # The class of the first half, by the classes of the first two groups, shape (A, B): symmetric
    # only if both groups are equal and all templates ask the same of them. Read by `rule_arrays`,
    # `gain_derivation`, `deficiency_counts` and `mjopt.analysis.table_proof`.
    pair: Classes
    # The class of the second half, by those of the others; a group that the tile set lacks has one
    # class.
    other: Classes
    # The deficiency by the number of called melds and the classes of both halves, shape (C, A, B);
    # ``UNREACHABLE`` if every template has fewer melds.
    answers: Costs
    # Number of tiles by the class of each half, if the bundle knows them.
    sizes: tuple[Classes, Classes] | None = None

    @property
    def num_bits(self) -> int:
        """Bits of the class of a group."""
        most = max(int(numbers.max()) for numbers in self.numbers)
        return max(1, most.bit_length())

    def answers_of(self, called: int, size: int, *, partial: bool) -> Costs:
        """Return the answers for hands with some called melds, shape ``(A, B)``.

        They are ``NO_HAND`` where the number of tiles, if known, is not ``size``, that of a
        complete hand without called melds, or one less; ``partial`` allows fewer.
        """
        if called < len(self.answers):
            found: Costs = self.answers[called]
        else:
            found = np.full(self.answers.shape[1:], UNREACHABLE, np.int8)
        if self.sizes is None:
            return found
        total = self.sizes[0][:, None] + self.sizes[1]
        is_hand = total <= size if partial else (total == size) | (total == size - 1)
        checked: Costs = np.where(is_hand, found, np.int8(NO_HAND))
        return checked


class _Group(NamedTuple):
    """The classes of the states of a group while a bundle is derived."""

    numbers: Classes  # by state, and last that of too many tiles
    costs: Costs  # by class, one column for each number in the demands
    sizes: Classes  # number of tiles by class
    shares: list[dict[Share, int]]  # of each template: the column of each share

    def demand(self, template: int) -> Demand:
        return tuple(sorted(self.shares[template].items()))


class _Half(NamedTuple):
    """The classes of the pairs of classes of two groups."""

    numbers: Classes  # by the classes of both groups
    costs: dict[Column, Costs]  # by class
    sizes: Classes


def derive_bundle(
    templates: Sequence[Template], tiles: TileSet, most: int, *, is_sized: bool
) -> Bundle | None:
    """Derive the tables of some templates of the same number of tiles; None if they are too large.

    Jokers are left out: they are subtracted from the answers. No templates at all make a bundle
    that only knows numbers of tiles. The tile set has up to four groups, whose states have at most
    ``most`` tiles. ``is_sized``: whether the bundle knows the number of tiles of a hand.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import classic_form
    >>> from mjopt.hands.tiles import FULL
    >>> orphans = classic_form("thirteen_orphans", FULL).templates
    >>> found = derive_bundle(orphans, FULL, 14, is_sized=False)
    >>> found.pair.shape, found.other.shape, found.answers.shape
    ((6, 6), (6, 16), (1, 10, 20))
    """
    groups = _derive_groups(templates, tiles, most, is_sized=is_sized)
    if groups is None:
        return None
    left, right = _join(groups, templates)
    one, two, three, four = groups
    first = _number_pairs(left, one, two, most, is_sized=is_sized)
    second = _number_pairs(right, three, four, most, is_sized=is_sized)
    if len(first.sizes) * len(second.sizes) > MOST_ANSWERS:
        return None
    most_called = max((template.melds for template in templates), default=0)
    shape = most_called + 1, len(first.sizes), len(second.sizes)
    answers = np.full(shape, UNREACHABLE, np.int8)
    # `needed` is the share that the first half leaves to the second in a hand without called melds.
    # Each called meld is one meld less to supply.
    for (third, fourth, needed), costs in first.costs.items():
        for called in range(min(most_called, needed & _PART) + 1):
            others = second.costs.get((third, fourth, needed - called * MELD))
            if others is not None:
                np.minimum(answers[called], costs[:, None] + others, out=answers[called])
    numbers = [group.numbers for group in groups[: len(tiles.suits)]]
    if is_sized:
        return Bundle(
            numbers=tuple(numbers),
            pair=first.numbers,
            other=second.numbers,
            answers=answers,
            sizes=(first.sizes, second.sizes),
        )
    return _minimised(numbers, first.numbers, second.numbers, answers)


def _derive_groups(
    templates: Sequence[Template], tiles: TileSet, most: int, *, is_sized: bool
) -> list[_Group] | None:
    """Return the classes of four groups; None if one has too many.

    Only shares that the other groups complete count, with any number of called melds.
    """
    kinds = [group.kinds for group in groups_of(tiles)]
    every: dict[object, dict[Share, Costs]] = {}  # by uses and parts
    useful: list[list[dict[Share, Costs]]] = []  # by template and group
    for template in templates:
        wanted = wanted_parts(template)
        by_group = []
        for part in kinds:
            uses = suit_uses(template, tiles, part.start, part.stop)
            inside = range(part.start, part.stop)
            jokers = tuple(kind - part.start for kind in template.jokers if kind in inside)
            key = uses, wanted, jokers
            if key not in every:
                every[key] = group_costs(*key)
            by_group.append(every[key])
        complete = [wanted - called * MELD for called in range(template.melds + 1)]
        kept = []
        for place, costs in enumerate(by_group):
            # A share that the other groups never complete would only split classes: of the 5
            # shares of a suit in thirteen orphans, 2 are left.
            sums = share_sums([some for at, some in enumerate(by_group) if at != place], wanted)
            needed = {total - other for total in complete for other in sums if fits(other, total)}
            kept.append({share: cost for share, cost in costs.items() if share in needed})
        useful.append(kept)
    groups: list[_Group] = []
    known: dict[object, _Group] = {}
    for place, part in enumerate(kinds):
        used = {id(cost) for kept in useful for cost in kept[place].values()}
        columns = [cost for costs in every.values() for cost in costs.values() if id(cost) in used]
        order = {id(cost): number for number, cost in enumerate(columns)}
        shares = [
            {share: order[id(cost)] for share, cost in kept[place].items()} for kept in useful
        ]
        num_kinds = part.stop - part.start
        # Groups with the same columns, such as three suits, share one array, in memory and in
        # kernels.
        alike = num_kinds, *order
        if alike not in known:
            group = _number_states(columns, num_kinds, most, is_sized=is_sized)
            if len(group.sizes) > MOST_CLASSES:
                return None
            known[alike] = group
        groups.append(known[alike]._replace(shares=shares))
    nothing = _Group(np.zeros(1, np.intp), np.zeros((1, 1), np.int8), np.zeros(1, np.intp), [])
    nothing = nothing._replace(shares=[{0: 0}] * len(templates))
    return groups + [nothing] * (MOST_GROUPS - len(groups))


def _number_states(
    columns: Sequence[Costs], num_kinds: int, most: int, *, is_sized: bool
) -> _Group:
    """Return the classes of the states of a group; the last one has more than ``most`` tiles."""
    states = np.arange(num_states(num_kinds, most), dtype=np.uint32)
    copies = state_copies(states, num_kinds, most)
    place = np.zeros(len(states), np.intp)
    for kind in range(num_kinds):
        place = place * (COPIES + 1) + copies[:, kind]
    tiles = copies.sum(axis=1, dtype=np.int8)
    own = [column[place] for column in columns] or [np.zeros(len(states), np.int8)]
    vectors, found = _distinct([*own, tiles] if is_sized else own, np.flatnonzero(tiles <= most))
    numbers = np.append(found, len(vectors))
    vectors = np.vstack([vectors, np.full(vectors.shape[1], _FAR, np.int8)])
    sizes = vectors[:, -1].astype(np.intp) if is_sized else np.zeros(len(vectors), np.intp)
    sizes[-1] = most + 1
    return _Group(numbers, vectors, sizes, [])


def _distinct(columns: Sequence[Costs], rows: Classes) -> tuple[Costs, Classes]:
    """Return the distinct rows of some columns, and the number of each row among them.

    Only the given rows count; the others have the number that follows.
    """
    key = np.zeros(len(rows), np.int64)
    for start in range(0, len(columns), 6):  # numbers so far take less than 27 bits
        for column in columns[start : start + 6]:
            key = key << _BITS | column[rows]
        key = np.unique(key, return_inverse=True)[1]
    first = np.unique(key, return_index=True)[1]
    numbers = np.full(len(columns[0]) if columns else 0, len(first), np.intp)
    numbers[rows] = key
    chosen = rows[first]
    vectors = np.empty((len(first), len(columns)), np.int8)
    for place, column in enumerate(columns):
        vectors[:, place] = column[chosen]
    return vectors, numbers


def _join(
    groups: Sequence[_Group], templates: Sequence[Template]
) -> tuple[dict[Column, Costs], dict[Column, Costs]]:
    """Return the costs of both halves of a hand by their classes, shape ``(A, B)``.

    The columns of the first half have the share that it lacks of a hand without called melds, and
    those of the second half the share that it supplies.
    """
    one, two, three, four = groups
    left: dict[Column, Costs] = {}
    right: dict[Column, Costs] = {}
    for place, template in enumerate(templates):
        wanted = wanted_parts(template)
        demands = three.demand(place), four.demand(place)
        supplied = share_sums([three.shares[place], four.shares[place]], wanted)
        first = _pair_costs(one, two, place, wanted)
        for share, costs in first.items():
            needed = wanted - share
            lacking = (needed - called * MELD for called in range((needed & _PART) + 1))
            if any(less in supplied for less in lacking):
                column = (*demands, needed)
                known = left.get(column)
                left[column] = costs if known is None else np.minimum(known, costs)
        if not any((*demands, share) in right for share in supplied):
            second = _pair_costs(three, four, place, wanted)
            right.update({(*demands, share): costs for share, costs in second.items()})
    return left, {column: costs for column, costs in right.items() if _is_asked(column, left)}


def _is_asked(column: Column, left: Mapping[Column, Costs]) -> bool:
    """Return whether the first half lacks a share, with some number of called melds."""
    third, fourth, share = column
    melds = range(_PART - (share & _PART))
    return any((third, fourth, share + called * MELD) in left for called in melds)


def _pair_costs(first: _Group, second: _Group, place: int, wanted: Share) -> dict[Share, Costs]:
    """Return the costs of all shares of two groups for a template, shape ``(A, B)``."""
    found: dict[Share, Costs] = {}
    for share, column in first.shares[place].items():
        for more, other in second.shares[place].items():
            total = share + more
            if fits(total, wanted):
                costs = first.costs[:, column, None] + second.costs[:, other]
                known = found.get(total)
                found[total] = costs if known is None else np.minimum(known, costs, out=known)
    return {share: np.minimum(costs, _FAR, out=costs) for share, costs in found.items()}


def _number_pairs(
    columns: Mapping[Column, Costs], first: _Group, second: _Group, most: int, *, is_sized: bool
) -> _Half:
    """Return the classes of the pairs of classes of two groups.

    With sizes, all pairs of more than ``most`` tiles are the last class.
    """
    tiles = np.minimum(first.sizes[:, None] + second.sizes, most + 1).ravel()
    own = [costs.reshape(-1) for costs in columns.values()]
    if is_sized or not own:
        own.append(tiles.astype(np.int8))
    rows = np.flatnonzero(tiles <= most) if is_sized else np.arange(len(tiles))
    vectors, numbers = _distinct(own, rows)
    if is_sized:
        vectors = np.vstack([vectors, np.full(vectors.shape[1], _FAR, np.int8)])
    by_column = dict(zip(columns, vectors.T, strict=False))
    sizes = np.minimum(vectors[:, -1].astype(np.intp), most + 1)
    return _Half(numbers.reshape(len(first.sizes), len(second.sizes)), by_column, sizes)


def _minimised(numbers: Sequence[Classes], pair: Classes, other: Classes, answers: Costs) -> Bundle:
    """Return a bundle with the fewest classes that give the same answers."""
    _, own, answers = _merged(answers.transpose(1, 0, 2))
    pair = own[pair]
    _, own, answers = _merged(answers.transpose(2, 1, 0))
    other = own[other]
    answers = np.ascontiguousarray(answers.transpose(1, 2, 0))
    places = [id(group) for group in numbers]
    # With the classes of the halves known, two classes of a group are equal if all their joins are.
    # A group that stands in several places must be merged by its joins in all of them.
    tables = [pair, pair.T, other, other.T]
    chosen: dict[int, tuple[Classes, Classes]] = {}
    for key in dict.fromkeys(places):
        uses = [table for place, table in zip(places, tables, strict=False) if place == key]
        first, own, _ = _merged(np.concatenate(uses, axis=1))
        chosen[key] = first, own[numbers[places.index(key)]]
    firsts = [chosen[key][0] for key in places]
    firsts += [np.zeros(1, np.intp)] * (MOST_GROUPS - len(firsts))
    return Bundle(
        numbers=tuple(chosen[key][1] for key in places),
        pair=pair[np.ix_(firsts[0], firsts[1])],
        other=other[np.ix_(firsts[2], firsts[3])],
        answers=answers,
    )


def _merged(table: NDArray[Number]) -> tuple[Classes, Classes, NDArray[Number]]:
    """Return the first of each distinct row, the number of each row among them, and these rows."""
    flat = np.ascontiguousarray(table.reshape(len(table), -1))
    rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    _, first, own = np.unique(rows, return_index=True, return_inverse=True)
    return first, own, table[first]
