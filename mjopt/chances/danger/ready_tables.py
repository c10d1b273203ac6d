"""Tables of ready hands: which copies of tiles in each suit make one together.

A hand is a state, the copies of each kind, for each group: a suit or the honours. It is complete
for a template if its groups hold exactly some shares of the parts, whose sum the template wants. So
a hand is ready if all its groups but one hold such shares and the last one, the *winning* group,
lacks one tile of its share: a kind that supplies it is a wait. Whether this is so depends on two
facts about a state, its *type*: the shares that it holds, and those that it lacks one tile of. A
combination of types says which lacking shares of each group count.

A *slot* of a group is a type with the lacking shares that count; a *cell* is a slot with the waits
that these shares have. A query sums the states of each cell, weighted by the ways to choose their
copies, and multiplies sums along the combinations. Types are few: the three forms of riichi have 46
in a suit, and 2,475 combinations.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.layers import Demand, demand_of, load_demand
from mjopt.tables.suits.groups import KindGroup, groups_of
from mjopt.tables.suits.shares import MELD, Share, fits, share_sums, wanted_parts

# The count is that of docs/reference/danger.md, "The count". States of a group are rows in
# lexicographic order, so that their codes in base five ascend, and a state with one tile less is
# found by binary search. Rows of a cell are one after another: a query sums them with one
# `reduceat`, without an index for each row.

MOST_COMBINATIONS: Final = 2_000_000
"""Most combinations of types, each as often as shares that count in it."""

MOST_CODES: Final = 1 << 62
"""Most combinations of types, ready or not: one number holds each."""

_WIDTH: Final = COPIES + 1
_PART: Final = 0x7F  # the bits of a part in a share
_EYES: Final = _PART << 7

Numbers = NDArray[np.integer]
Bytes = NDArray[np.uint8]


class Item(NamedTuple):
    """A share of a template."""

    template: int
    share: Share


class _Asked(NamedTuple):
    """What a template asks of a group: a share of its demand, of a number of tiles."""

    demand: Demand
    share: Share
    tiles: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GroupRows:
    """The states of the slots of a group, those of a cell one after another."""

    group: KindGroup
    copies: Bytes  # shape (N, width)
    halves: tuple[Numbers, Numbers]  # copies of the first and of the other kinds, base five
    cells: Numbers  # the first row of each cell
    slots: Numbers  # of each cell
    waits: Numbers  # of each cell, a bit for each kind
    num_slots: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadyTables:
    """The states of each group, and the combinations of slots that are ready hands."""

    groups: tuple[GroupRows, ...]
    combinations: Numbers  # shape (groups, C): slots
    winners: NDArray[np.bool_]  # shape (groups, C): whether a lacking share of the group counts
    has_eye: NDArray[np.bool_]  # shape (groups, C): whether one of a template with melds has an eye
    has_melds: NDArray[np.bool_]  # shape (C,): whether a template with melds is among them


@lru_cache(maxsize=32)
def ready_tables(templates: tuple[Template, ...], tiles: TileSet, called: int) -> ReadyTables:
    """Return the tables of some templates beside called melds, each with at least as many melds.

    HandError if there are too many combinations.
    """
    kinds = groups_of(tiles)
    most = templates[0].num_tiles - 3 * called
    wanted = [wanted_parts(template) - called * MELD for template in templates]
    asked: list[dict[Item, _Asked]] = [{} for _ in kinds]
    for number, (template, total) in enumerate(zip(templates, wanted, strict=True)):
        demands = [demand_of(template, tiles, group.kinds) for group in kinds]
        every = [[*load_demand(demand).shares] for demand in demands]
        for place, (group, demand) in enumerate(zip(kinds, demands, strict=True)):
            others = share_sums(every[:place] + every[place + 1 :], total)
            fixed = sum(template.fixed[group.kinds])
            for share in every[place]:
                if fits(share, total) and total - share in others:
                    item = Item(number, share)
                    asked[place][item] = _Asked(demand, share, _num_tiles(share) + fixed)
    states = {width: _states(width, most) for width in {group.width for group in kinds}}
    known: dict[object, _Types] = {}
    groups = []
    for group, some in zip(kinds, asked, strict=True):
        alike = group.width, tuple(some.items())
        if alike not in known:
            known[alike] = _types(states[group.width], some)
        groups.append(known[alike])
    return _joined(kinds, groups, _combinations(groups, wanted), templates)


def _num_tiles(share: Share) -> int:
    melds, eyes, distinct, doubled, pairs = (share >> 7 * place & _PART for place in range(5))
    return 3 * melds + 2 * eyes + distinct + doubled + 2 * pairs


def _states(width: int, most: int) -> Bytes:
    """Return all copies of some kinds with at most ``most`` tiles, in lexicographic order."""
    found = np.zeros((1, 0), np.uint8)
    for _ in range(width):
        last = np.tile(np.arange(_WIDTH, dtype=np.uint8), len(found))
        found = np.column_stack([np.repeat(found, _WIDTH, axis=0), last])
        found = found[found.sum(axis=1) <= most]
    return found


def _base_five(copies: Bytes) -> Numbers:
    powers = _WIDTH ** np.arange(copies.shape[1] - 1, -1, -1, dtype=np.intp)
    codes: Numbers = copies.astype(np.intp) @ powers
    return codes


class _Types(NamedTuple):
    """The states of a group that hold a share, or lack a tile of it."""

    copies: Bytes
    numbers: Numbers  # the type of each state
    waits: dict[Item, Numbers]  # of each state: the kinds that supply the share, one bit each
    holding: dict[Item, Numbers]  # the types that hold a share
    lacking: dict[Item, Numbers]  # those that lack a tile of it


def _types(states: Bytes, asked: Mapping[Item, _Asked]) -> _Types:
    codes, sizes = _base_five(states), states.sum(axis=1)
    width = states.shape[1]
    classes: dict[Demand, Numbers] = {}
    full: Numbers
    waits: Numbers
    known: dict[_Asked, tuple[Numbers, Numbers]] = {}
    for share in dict.fromkeys(asked.values()):
        shares, layers = load_demand(share.demand)
        if share.demand not in classes:
            at = np.zeros(len(states), np.intp)
            for kind, step in enumerate(layers.steps):
                at = step[at, states[:, kind]].astype(np.intp)
            classes[share.demand] = at
        # A state without missing tiles, and with no others, holds exactly the share.
        is_held = layers.costs[:, shares[share.share]] == 0
        full = np.flatnonzero(is_held[classes[share.demand]] & (sizes == share.tiles))
        waits = np.zeros(len(states), np.uint16)
        # Backwards from the states that hold the share: without a tile of a kind, such a state
        # waits on that kind.
        for kind in range(width):
            some = full[states[full, kind] > 0]
            before = np.searchsorted(codes, codes[some] - _WIDTH ** (width - 1 - kind))
            waits[before] |= np.uint16(1 << kind)
        known[share] = full, waits
    kept = np.zeros(len(states), np.bool_)
    for full, waits in known.values():
        kept[full] = True
        kept |= waits > 0
    place, rows = np.cumsum(kept) - 1, np.flatnonzero(kept)
    facts = np.zeros((len(rows), 2 * len(known)), np.bool_)  # two columns for each share
    for column, (full, waits) in enumerate(known.values()):
        facts[place[full], 2 * column] = True
        facts[:, 2 * column + 1] = waits[rows] > 0
    # States with equal facts are of one type. As packed bytes a row is one value, which `unique`
    # can sort.
    packed = np.packbits(facts, axis=1)
    keys = packed.view(np.dtype((np.void, max(1, packed.shape[1])))).ravel()
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    facts = facts[first]
    columns = {share: 2 * column for column, share in enumerate(known)}
    return _Types(
        states[rows],
        numbers,
        {item: known[share][1][rows] for item, share in asked.items()},
        {item: np.flatnonzero(facts[:, columns[share]]) for item, share in asked.items()},
        {item: np.flatnonzero(facts[:, columns[share] + 1]) for item, share in asked.items()},
    )


class _Combinations(NamedTuple):
    """Combinations of types that are ready: one row for each lacking share that counts."""

    codes: Numbers  # the types of all groups as one number, ascending
    places: Numbers  # the winning group
    items: list[Item]  # the lacking share
    num_types: list[int]  # of each group


def _combinations(groups: Sequence[_Types], wanted: Sequence[Share]) -> _Combinations:
    num_types = [int(group.numbers.max(initial=0)) + 1 for group in groups]
    _check(prod(num_types), MOST_CODES)
    rows: list[tuple[Numbers, int, Item]] = []
    size = 0
    for template, total in enumerate(wanted):
        shares = [[i.share for i in group.waits if i.template == template] for group in groups]
        for chosen in _sums(shares, total):
            own = [Item(template, share) for share in chosen]
            holding = [group.holding[item] for group, item in zip(groups, own, strict=True)]
            for place, item in enumerate(own):
                some = [*holding[:place], groups[place].lacking[item], *holding[place + 1 :]]
                size += prod(map(len, some))
                _check(size, MOST_COMBINATIONS)
                codes = np.zeros(1, np.int64)
                for types, number in zip(some, num_types, strict=True):
                    codes = (codes[:, None] * number + types).ravel()
                rows.append((codes, place, item))
    # The same types can be ready in several ways. As one number in mixed radix they are sorted next
    # to each other, and `_joined` makes one combination of them with the waits of all: no hand is
    # counted twice.
    lengths = [len(codes) for codes, _, _ in rows]
    codes = np.concatenate([np.zeros(0, np.int64), *(codes for codes, _, _ in rows)])
    order = np.argsort(codes, kind="stable")
    row = np.repeat(np.arange(len(rows)), lengths)[order].tolist()
    places = np.array([rows[number][1] for number in row], np.intp)
    return _Combinations(codes[order], places, [rows[number][2] for number in row], num_types)


def _check(number: int, most: int) -> None:
    if number > most:
        raise HandError(
            f"ready hands are not counted with {number:,} combinations of suits",
            argument="danger",
            expected=f"at most {most:,}",
            hint="count fewer forms (forms=, --forms)",
        )


def _sums(shares: Sequence[Sequence[Share]], total: Share) -> Iterator[tuple[Share, ...]]:
    """Yield every choice of one share of each group whose sum is the total."""
    if len(shares) == 1:
        yield from ((share,) for share in shares[0] if share == total)
        return
    for share in shares[0]:
        if fits(share, total):
            yield from ((share, *rest) for rest in _sums(shares[1:], total - share))


def _joined(
    kinds: Sequence[KindGroup],
    groups: Sequence[_Types],
    found: _Combinations,
    templates: Sequence[Template],
) -> ReadyTables:
    """Return the rows of each group, and the combinations of slots."""
    distinct, number = np.unique(found.codes, return_inverse=True)
    shape = len(kinds), len(distinct)
    winners, has_eye = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    has_melds = np.zeros(len(distinct), np.bool_)
    counting: dict[tuple[int, int], list[Item]] = defaultdict(list)
    for row, place, item in zip(number.tolist(), found.places.tolist(), found.items, strict=True):
        counting[place, row].append(item)
        winners[place, row] = True
        if templates[item.template].melds:
            has_melds[row] = True
            has_eye[place, row] |= bool(item.share & _EYES)
    slots, rows = np.zeros(shape, np.intp), []
    for place, types in enumerate(np.unravel_index(distinct, found.num_types)):
        numbers: dict[tuple[int, tuple[Item, ...]], int] = {}
        for row, own in enumerate(types.tolist()):
            # Combinations in which the same lacking shares of a type count share its slot, and thus
            # the sums of a query.
            key = own, tuple(sorted(counting.get((place, row), ())))
            slots[place, row] = numbers.setdefault(key, len(numbers))
        rows.append(_rows(kinds[place], groups[place], [*numbers]))
    return ReadyTables(
        groups=tuple(rows),
        combinations=slots,
        winners=winners,
        has_eye=has_eye,
        has_melds=has_melds,
    )


def _rows(
    group: KindGroup, types: _Types, slots: Sequence[tuple[int, tuple[Item, ...]]]
) -> GroupRows:
    by_type = np.argsort(types.numbers, kind="stable")
    starts = np.searchsorted(types.numbers[by_type], np.arange(len(by_type) + 1))
    places, keys = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for slot, (number, items) in enumerate(slots):
        some = by_type[starts[number] : starts[number + 1]]
        waits = np.zeros(len(some), np.intp)
        for item in items:
            waits |= types.waits[item][some]
        places.append(some)
        # Slot and waits in one number: a cell is a run of equal keys after sorting.
        keys.append(slot << group.width | waits)
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    cells = np.unique(key)
    copies = types.copies[np.concatenate(places)[order]]
    half = group.width // 2
    return GroupRows(
        group=group,
        copies=np.ascontiguousarray(copies),
        halves=(_base_five(copies[:, :half]), _base_five(copies[:, half:])),
        cells=np.searchsorted(key[order], cells),
        slots=cells >> group.width,
        waits=cells & (1 << group.width) - 1,
        num_slots=len(slots),
    )
