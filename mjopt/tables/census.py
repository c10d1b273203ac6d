"""Count all hands and deals by deficiency, exactly.

Nothing is sampled. The states of one suit are tallied by the properties that determine the
result (their class, and for the forms without melds the kinds and pairs they hold). Tallies
of suits are multiplied into tallies of pairs of suits, and those into whole hands. 506,146
states reduce to at most a few thousand tallied rows, so billions of hands take a second.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, whole
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.hand import HAND_SIZE
from mjopt.hands.rule_file import get_rules
from mjopt.hands.rule_set import RuleSet, WinningForm
from mjopt.hands.tiles import M0, TileSet, as_list, as_tiles
from mjopt.hands.winning_forms import (
    UNREACHABLE,
    FormsLike,
    has_plain,
    is_classic,
    names_of,
    read_forms,
)
from mjopt.tables.groups import groups_of
from mjopt.tables.hand_tables import HandTables, StateClasses, standard_tables
from mjopt.tables.joint_tally import WAYS, count_by_templates
from mjopt.tables.state_index import MOST_TILES, state_copies
from mjopt.tables.template_tables import may_have_tables, template_tables

Integers = NDArray[np.int64]

KINDS, ORPHANS, TYPES = 0, 2, 4
MOST: Final = np.array([7, 7, 13, 1, 4], np.int64)
"""Caps of the features of a suit besides its class: kinds held, held twice; orphans held, held
twice; whether any tile is held. Features add up over suits, and values above the cap are
equivalent. Features that a census does not use have the cap 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Numbers of hands and deals by deficiency.

    Parameters
    ----------
    tiles
        Name of the tile set.
    size
        Tiles of a hand, 13 or 14.
    forms
        The forms over which the least deficiency is taken.
    types
        Number of suits that a hand has tiles of (honours count as one), or None for any
        number.
    counts
        Distinct hands, by deficiency.
    deals
        Ways to deal them from the full set, by deficiency: every hand weighted by the
        ways to choose its copies.

    Examples
    --------
    >>> census(M0, types=1).counts
    (39777, 273195, 43158, 270)
    """

    tiles: str
    size: int
    forms: tuple[str, ...]
    types: int | None
    counts: tuple[int, ...]
    deals: tuple[int, ...]

    def __post_init__(self) -> None:
        """Validate lengths and signs."""
        numbers = as_list(self.counts, "counts") + as_list(self.deals, "deals")
        both = [whole(number, "census") for number in numbers]
        if len(self.counts) != len(self.deals) or min(both, default=0) < 0:
            raise HandError(
                f"impossible census: {short_repr(self.counts)}, {short_repr(self.deals)}"
            )

    @property
    def num_hands(self) -> int:
        """Number of distinct hands."""
        return sum(self.counts)

    @property
    def num_deals(self) -> int:
        """Number of deals."""
        return sum(self.deals)


def census(
    tiles: TileSet | str = M0,
    *,
    size: int | None = None,
    forms: FormsLike = None,
    rules: RuleSet | str | Path | None = None,
    types: int | None = None,
) -> Census:
    """Count all hands by deficiency, exactly.

    Parameters
    ----------
    tiles
        The tile set or its name: ``m0``, ``136`` or ``sanma``.
    size, forms, types
        As in :class:`Census`; ``types`` restricts the hands to that number of suits. By default
        the size is that of a complete hand. Any forms of melds and eyes can be counted, but
        other parts only in the forms of riichi, without further forms.
    rules
        The rule set; it decides the tile set, the size and the default forms.

    Examples
    --------
    >>> found = census(M0)
    >>> found.num_hands, found.counts[0]
    (21310147575, 5237550)
    """
    rules = None if rules is None else get_rules(rules)
    tiles = as_tiles(tiles) if rules is None else rules.tiles
    if rules is None and not tiles.is_built_in:
        raise HandError(tiles.name, argument="census", expected="M0, FULL or SANMA")
    most = HAND_SIZE if rules is None else rules.size
    chosen = read_forms(forms, tiles, most, rules=rules)
    size = most if size is None else size
    if as_whole(size) not in (most - 1, most):
        raise ArgumentError(
            f"hands of {short_repr(size)} tiles",
            argument="census",
            expected=f"{most - 1} or {most}",
        )
    if types is not None and as_whole(types) not in range(1, len(tiles.suits) + 1):
        raise ArgumentError(
            f"{short_repr(types)} types", argument="census", expected=f"1..{len(tiles.suits)}"
        )
    if not tiles.is_built_in or not is_classic(chosen):
        found = count_by_templates(_tables_of(chosen, tiles), tiles, size, types)
    else:
        found = _count(tiles, size, chosen, types)
    counts, deals = found
    most = max(counts, default=0)
    return Census(
        tiles=tiles.name,
        size=size,
        forms=names_of(chosen),
        types=types,
        counts=tuple(counts[value] for value in range(most + 1)),
        deals=tuple(deals[value] for value in range(most + 1)),
    )


def _tables_of(forms: tuple[WinningForm, ...], tiles: TileSet) -> list[HandTables]:
    """Return the tables of the templates of some forms, or raise an error."""
    found = []
    for form in forms:
        for template in form.templates:
            has_only_groups = may_have_tables(template, tiles) and not template.jokers
            tables = template_tables(template, tiles) if has_only_groups else None
            if tables is None:
                raise HandError(
                    f"{form} cannot be counted", argument="census", expected="melds and eyes only"
                )
            found.append(tables)
    return found


def _count(
    tiles: TileSet, size: int, chosen: tuple[WinningForm, ...], types: int | None
) -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of hands and of deals by deficiency, for the forms of riichi."""
    pairs = any(form.is_pairs for form in chosen)
    orphans = any(form.is_singles for form in chosen)
    caps = MOST * np.array([pairs, pairs, orphans, orphans, types is not None])
    tables = standard_tables(tiles)
    made: dict[tuple[int, ...], _Tally] = {}  # of equal suits once
    tallies = []
    for part, group in zip(tables.parts, groups_of(tiles), strict=False):
        outer = _outer_ranks(tiles, group.kinds)
        key = id(part), *outer
        if key not in made:
            made[key] = _tally(part.numbers, group.width, outer, caps)
        tallies.append(made[key])
    pair_half, other_half = tables.halves
    pair = _joined(pair_half, caps, *tallies[:2])
    rest = tallies[2] if len(tallies) == 3 else _joined(other_half, caps, *tallies[2:])
    missing: NDArray[np.int8] | None = tables.answers(0)
    if not has_plain(chosen):
        missing = None
    counts: Counter[int] = Counter()
    deals: Counter[int] = Counter()
    for left in range(size + 1):
        first = pair.take(pair_half.sizes[pair.classes] == left)
        second = rest.take(other_half.sizes[rest.classes] == size - left)
        values = _deficiencies(first, second, missing, caps)
        if types is not None:
            has_types = (first.features[:, None, TYPES] + second.features[:, TYPES]) == types
            values = np.where(has_types, values, -1)
        for value in np.unique(values[values >= 0]).tolist():
            chosen_hands = values == value
            counts[value] += int(first.states @ (chosen_hands @ second.states))
            deals[value] += int(first.deals @ (chosen_hands @ second.deals))
    return counts, deals


@dataclass(frozen=True, eq=False)
class _Tally:
    """Rows of a class and features, with the numbers of states and deals that they represent.

    All sums are below 2**63: the deals of fourteen tiles of FULL number about 2**62.
    """

    classes: Integers
    features: Integers  # shape (rows, 5)
    states: Integers
    deals: Integers

    def take(self, which: slice | NDArray[np.bool_]) -> "_Tally":
        return _Tally(
            self.classes[which], self.features[which], self.states[which], self.deals[which]
        )


def _outer_ranks(tiles: TileSet, kinds: slice) -> list[int]:
    """Return the places of the terminals and honours of a group."""
    names = tiles.names[kinds]
    return [rank for rank, name in enumerate(names) if name[1] == "z" or name[0] in "19"]


def _tally(
    classes: NDArray[np.integer], num_kinds: int, orphans: Sequence[int], caps: Integers
) -> _Tally:
    """Tally the states of one suit with at most fourteen tiles."""
    numbers = np.flatnonzero(classes < classes.max()).astype(np.uint32)
    copies = state_copies(numbers, num_kinds)
    ends = copies[:, list(orphans)]
    features = np.column_stack(
        [
            (copies >= 1).sum(axis=1),
            (copies >= 2).sum(axis=1),
            (ends >= 1).sum(axis=1),
            (ends >= 2).any(axis=1),
            copies.any(axis=1),
        ]
    )
    deals = WAYS[copies].prod(axis=1)
    own = classes[numbers].astype(np.int64)
    return _gathered(_Tally(own, np.minimum(features, caps), np.ones_like(deals), deals), caps)


def _joined(
    join: StateClasses,
    caps: Integers,
    first: _Tally,
    second: _Tally,
) -> _Tally:
    """Multiply two tallies; drop rows with more than fourteen tiles."""
    parts = []
    for start in range(0, len(first.classes), 256):
        some = first.take(slice(start, start + 256))
        classes = join.numbers[some.classes][:, second.classes].astype(np.int64)
        i, j = np.nonzero(join.sizes[classes] <= MOST_TILES)
        part = _Tally(
            classes[i, j],
            np.minimum(some.features[i] + second.features[j], caps),
            some.states[i] * second.states[j],
            some.deals[i] * second.deals[j],
        )
        parts.append(_gathered(part, caps))
    columns = (np.concatenate([vars(part)[name] for part in parts]) for name in vars(parts[0]))
    return _gathered(_Tally(*columns), caps)


def _gathered(rows: _Tally, caps: Integers) -> _Tally:
    """Add up rows with equal class and features."""
    key = rows.classes
    for k, cap in enumerate(caps):
        key = key * (cap + 1) + rows.features[:, k]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    sums = np.zeros((2, len(first)), np.int64)
    np.add.at(sums[0], number, rows.states)
    np.add.at(sums[1], number, rows.deals)
    return _Tally(rows.classes[first], rows.features[first], sums[0], sums[1])


def _deficiencies(
    first: _Tally, second: _Tally, missing: NDArray[np.int8] | None, caps: Integers
) -> Integers:
    """Return the least deficiency of every first half with every second."""
    features = np.minimum(first.features[:, None] + second.features, caps)
    value = np.full(features.shape[:2], UNREACHABLE, np.int64)
    if missing is not None:
        value = missing[first.classes][:, second.classes].astype(np.int64)
    for column in (KINDS, ORPHANS):
        if caps[column]:
            value = np.minimum(value, 14 - features[:, :, column] - features[:, :, column + 1])
    return value
