"""The census: how many hands, and how many deals, have each deficiency.

Nothing is sampled. The states of one suit are tallied by what can still matter (their
class, and for the forms without melds the kinds and pairs they hold), tallies of suits
are multiplied into tallies of pairs of suits, and those into whole hands. 506,146
states make a few thousand tallied rows at most, so billions of hands take a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNREACHABLE, check_forms
from mjopt.hands.tiles import M0, TileSet
from mjopt.tables.checks import tiles_by_length
from mjopt.tables.states import MOST_TILES, state_copies
from mjopt.tables.store import answers, load_tables

WAYS: Final = np.array([1, 4, 6, 4, 1], np.int64)
"""How many ways there are to deal so many of the four copies of a kind."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """How many hands have each deficiency.

    Parameters
    ----------
    tiles
        Name of the tile set.
    size
        Tiles of a hand, 13 or 14.
    forms
        The forms over which the least deficiency is taken.
    types
        How many suits a hand has tiles of (the honours count as one), or None for
        any number.
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
        """Refuse tallies of different lengths, or with negative numbers."""
        if len(self.counts) != len(self.deals) or min((*self.counts, *self.deals)) < 0:
            raise HandError(f"impossible census: {self.counts}, {self.deals}")

    @property
    def num_hands(self) -> int:
        """How many distinct hands there are."""
        return sum(self.counts)

    @property
    def num_deals(self) -> int:
        """How many ways there are to deal a hand."""
        return sum(self.deals)


def census(
    tiles: TileSet = M0,
    *,
    size: int = MOST_TILES,
    forms: Sequence[str] = (STANDARD,),
    types: int | None = None,
) -> Census:
    """Count all hands by deficiency, exactly.

    Parameters
    ----------
    tiles
        ``M0`` or ``FULL``.
    size
        Tiles of a hand, 13 or 14.
    forms
        Which forms count as a win.
    types
        Only hands with tiles of exactly so many suits; the honours count as one.

    Examples
    --------
    >>> found = census(M0)
    >>> found.num_hands, found.counts[0]
    (21310147575, 5237550)
    """
    if tiles != tiles_by_length(tiles.num_kinds):
        raise HandError(f"census: {tiles.name}, expected M0 or FULL")
    chosen = check_forms(forms, tiles)
    if size not in (MOST_TILES - 1, MOST_TILES):
        raise HandError(f"census: hands of {size} tiles, expected 13 or 14")
    if types is not None and not 1 <= types <= len(tiles.suits):
        raise HandError(f"census: {types} types, expected 1..{len(tiles.suits)}")
    features = _Features(chosen, by_types=types is not None)
    tables = load_tables()
    suit = features.tally(tables.suit_class, 9, (0, 8))
    pair = features.joined(suit, suit, tables.pair_class, tables.pair_size)
    rest = suit
    if tiles != M0:
        honours = features.tally(tables.honour_class, 7, range(7))
        rest = features.joined(suit, honours, tables.mixed_class, tables.mixed_size)
    size_of_rest = tables.suit_size if tiles == M0 else tables.mixed_size
    counts: dict[int, int] = {}
    deals: dict[int, int] = {}
    for left in range(size + 1):
        first = pair.take(tables.pair_size[pair.classes] == left)
        second = rest.take(size_of_rest[rest.classes] == size - left)
        if len(first.classes) and len(second.classes):
            missing = answers(tiles.num_kinds, 0)
            features.add_hands(first, second, missing, types, counts, deals)
    most = max(counts, default=0)
    return Census(
        tiles=tiles.name,
        size=size,
        forms=chosen,
        types=types,
        counts=tuple(counts.get(value, 0) for value in range(most + 1)),
        deals=tuple(deals.get(value, 0) for value in range(most + 1)),
    )


@dataclass(frozen=True, eq=False)
class _Tally:
    """Rows of a class and features, with how many states and deals they stand for.

    All sums are below 2**63, the deals of fourteen tiles of FULL being about 2**62.
    """

    classes: Integers
    features: Integers  # shape (rows, features)
    states: Integers
    deals: Integers

    def take(self, mask: NDArray[np.bool_]) -> "_Tally":
        return _Tally(self.classes[mask], self.features[mask], self.states[mask], self.deals[mask])


class _Features:
    """What of a suit matters beside its class, for the chosen forms.

    Every feature is a number that adds up over suits and above some cap no longer
    matters.
    """

    def __init__(self, forms: tuple[str, ...], *, by_types: bool) -> None:
        self.forms = forms
        caps = []
        if SEVEN_PAIRS in forms:
            caps += [7, 7]  # kinds held, kinds held twice
        if THIRTEEN_ORPHANS in forms:
            caps += [13, 1]  # orphans held, and held twice
        if by_types:
            caps += [4]  # suits held
        self.caps = np.array(caps, np.int64)

    def tally(self, classes: NDArray[np.uint8], num_kinds: int, orphans: Sequence[int]) -> _Tally:
        """Tally the states of one suit that are no more than fourteen tiles."""
        numbers = np.flatnonzero(classes < classes.max()).astype(np.uint32)
        copies = state_copies(numbers, num_kinds)
        columns = []
        if SEVEN_PAIRS in self.forms:
            columns += [(copies >= 1).sum(axis=1), (copies >= 2).sum(axis=1)]
        if THIRTEEN_ORPHANS in self.forms:
            ends = copies[:, list(orphans)]
            columns += [(ends >= 1).sum(axis=1), (ends >= 2).any(axis=1)]
        if len(self.caps) > len(columns):
            columns += [copies.any(axis=1)]
        features = np.zeros((len(numbers), len(self.caps)), np.int64)
        for k, column in enumerate(columns):
            features[:, k] = np.minimum(column, self.caps[k])
        deals = WAYS[copies].prod(axis=1)
        return self._gather(classes[numbers], features, np.ones_like(deals), deals)

    def joined(
        self,
        first: _Tally,
        second: _Tally,
        join: NDArray[np.uint16],
        sizes: NDArray[np.uint8],
    ) -> _Tally:
        """Multiply two tallies; what is more than fourteen tiles is left out."""
        parts = []
        for start in range(0, len(first.classes), 256):
            some = slice(start, start + 256)
            classes = join[first.classes[some]][:, second.classes].astype(np.int64)
            i, j = np.nonzero(sizes[classes] <= MOST_TILES)
            features = first.features[some][i] + second.features[j]
            parts.append(
                self._gather(
                    classes[i, j],
                    np.minimum(features, self.caps),
                    first.states[some][i] * second.states[j],
                    first.deals[some][i] * second.deals[j],
                )
            )
        return self._gather(
            np.concatenate([part.classes for part in parts]),
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.deals for part in parts]),
        )

    def _gather(
        self, classes: NDArray[np.integer], features: Integers, states: Integers, deals: Integers
    ) -> _Tally:
        """Add up the rows that agree."""
        key = classes.astype(np.int64)
        for k, cap in enumerate(self.caps):
            key = key * (cap + 1) + features[:, k]
        _, first, number = np.unique(key, return_index=True, return_inverse=True)
        sums = np.zeros((2, len(first)), np.int64)
        np.add.at(sums[0], number, states)
        np.add.at(sums[1], number, deals)
        return _Tally(classes[first].astype(np.int64), features[first], sums[0], sums[1])

    def add_hands(
        self,
        first: _Tally,
        second: _Tally,
        missing: NDArray[np.int8],
        types: int | None,
        counts: dict[int, int],
        deals: dict[int, int],
    ) -> None:
        """Add all hands of two halves to the counts."""
        features = first.features[:, None] + second.features
        features = np.minimum(features, self.caps)
        value = np.full(features.shape[:2], UNREACHABLE, np.int64)
        if STANDARD in self.forms:
            value = missing[first.classes][:, second.classes].astype(np.int64)
        column = 0
        if SEVEN_PAIRS in self.forms:
            kinds, pairs = features[:, :, 0], features[:, :, 1]
            value = np.minimum(value, 14 - kinds - pairs)
            column = 2
        if THIRTEEN_ORPHANS in self.forms:
            value = np.minimum(value, 14 - features[:, :, column] - features[:, :, column + 1])
        if types is not None:
            value = np.where(features[:, :, -1] == types, value, -1)
        for found in np.unique(value):
            if found < 0:
                continue
            chosen = value == found
            for sums, left, right in (
                (counts, first.states, second.states),
                (deals, first.deals, second.deals),
            ):
                total = int(left @ (chosen @ right))
                sums[int(found)] = sums.get(int(found), 0) + total
