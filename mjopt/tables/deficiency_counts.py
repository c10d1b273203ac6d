"""Numbers of hands and of deals by deficiency, from the classes of suits in the tables.

States of a suit with the same class in every bundle give the same deficiency with any rest of the
hand, so these classes are counted instead, by number of tiles and, where they matter, of jokers.
Counts of two suits are multiplied and added up by the classes of the half in every bundle, and
those of both halves by deficiency. Two million states reduce to some thousands of classes, so
billions of hands take a second.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.tables.bundles.bundle import Classes
from mjopt.tables.bundles.rule_arrays import RuleArrays
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import WAYS, num_states, state_copies

# The number of hands of deficiency d is the sum, over pairs of classes of the two halves with
# D(pair) = d, of the product of their numbers of states; for deals each state is weighted by the
# ways to choose its copies, the product of C(4, copies). D is that of
# docs/reference/winning-forms.md, from the answers of `bundle`. Sums are exact: integers beyond 64
# bits are Python's, or limbs of 26 bits in floating point.

MOST_JOINS: Final = 1 << 28
"""Most pairs of classes of two suits: about a minute."""

MOST_PAIRS: Final = 1 << 32
"""Most pairs of classes of two halves of a hand: about a minute."""

MOST_ROWS: Final = 1 << 23
"""Most classes of two suits together: about 1 GB."""

_PART: Final = 1 << 20  # pairs at a time
_MERGED: Final = 1 << 21  # rows of tallies that are kept before they are added up
_CELLS: Final = 1 << 25  # of a table of answers at a time
_LIMB: Final = 26  # bits; sums of 2**27 such numbers are exact in floating point
_FEWER: Final = "count fewer forms (forms=, --forms)"

_SUITS, _JOKERS, _FIRST = 1, 2, 3  # rows of the columns of a tally

Integers = NDArray[np.int64]
Columns = NDArray[np.integer]
Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class _Tally:
    """Rows of classes, with the numbers of states and of deals that they represent."""

    # Shape (columns, rows): the number of tiles, in ascending order; the number of suits with tiles
    # or, if it does not matter, 0; the number of jokers; and the class in each bundle.
    columns: NDArray[np.int32]
    states: Integers
    deals: Integers  # Python integers if they may exceed 2**63

    def __len__(self) -> int:
        return len(self.states)

    def take(self, which: slice | Integers) -> "_Tally":
        return _Tally(self.columns[:, which], self.states[which], self.deals[which])

    def of_size(self, least: int, most: int) -> "_Tally":
        return self.take(slice(*np.searchsorted(self.columns[0], [least, most + 1])))


def count_by_deficiency(
    arrays: RuleArrays, size: int, types: int | None, forms: str
) -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of hands and of deals by deficiency; ``forms`` is for error messages."""
    bundles, known, tallies = arrays.tables.bundles, dict[object, _Tally](), []
    for place, group in enumerate(groups_of(arrays.tables.tiles)):
        inside = range(group.start, group.start + group.width)
        jokers = tuple(kind - group.start for kind in arrays.layout.jokers if kind in inside)
        alike = arrays.layout.starts[place], jokers
        if alike not in known:
            known[alike] = _tally(arrays, place, jokers, size, has_types=types is not None)
        tallies.append(known[alike])
    once = np.ones(1, np.int64)
    nothing = _Tally(np.zeros((_FIRST + len(bundles), 1), np.int32), once, once)
    one, two, three, four = tallies + [nothing] * (MOST_GROUPS - len(tallies))
    for first, second in ((one, two), (three, four)):
        number = sum(len(a) * len(b) for a, b in _pairs(first, second, size))
        _check(number, MOST_JOINS, "pairs of classes of two suits", forms)
    left = _joined(one, two, [bundle.pair for bundle in bundles], size, forms)
    right = _joined(three, four, [bundle.other for bundle in bundles], size, forms)
    whole_hands = list(_pairs(left, right, size, is_whole=True))
    number = sum(len(a) * len(b) for a, b in whole_hands)
    _check(number, MOST_PAIRS, "pairs of classes of two halves of a hand", forms)
    counts: Counter[int] = Counter()
    deals: Counter[int] = Counter()
    for pair in whole_hands:
        _add_hands(arrays, *pair, types, counts, deals)
    return counts, deals


def _check(number: int, most: int, noun: str, forms: str) -> None:
    if number > most:
        raise HandError(
            f"{forms}: not counted with {number:,} {noun}",
            argument="census",
            expected=f"at most {most:,}",
            hint=_FEWER,
        )


def _pairs(
    first: _Tally, second: _Tally, size: int, *, is_whole: bool = False
) -> Iterator[tuple[_Tally, _Tally]]:
    """Yield the rows of each number of tiles, and those of the others that they may meet."""
    for tiles in range(size + 1):
        left = size - tiles
        yield first.of_size(tiles, tiles), second.of_size(left if is_whole else 0, left)


def _tally(
    arrays: RuleArrays, place: int, jokers: Sequence[int], size: int, *, has_types: bool
) -> _Tally:
    """Tally the states of a group with at most ``size`` tiles."""
    layout, width = arrays.layout, groups_of(arrays.tables.tiles)[place].width
    number = num_states(width, arrays.tables.most)
    states = np.arange(number, dtype=np.uint32)
    copies = np.ascontiguousarray(state_copies(states, width, arrays.tables.most).T)
    held = copies[list(jokers)].sum(axis=0, dtype=np.int64)
    tiles = copies.sum(axis=0, dtype=np.int64)
    deals = np.ones(number, np.int64)
    for column in copies:
        deals *= WAYS[column]
    words = arrays.words[layout.starts[place] :][:number]
    # Classes of the first bundle differ by number of tiles, so equal words have equal numbers.
    order, starts = _equal_rows([held, words])
    first, sums = order[starts], np.add.reduceat(deals[order], starts)
    numbers = np.diff(np.append(starts, number))
    every = words[first].astype(np.int64)
    if layout.record_starts:
        every = arrays.records[every + layout.record_starts[place]].astype(np.int64)
    classes = [every >> at.shift & at.mask for at in layout.bundles]
    suits = np.minimum(tiles[first], int(has_types))
    found = _Tally(
        np.stack([tiles[first], suits, held[first], *classes]).astype(np.int32), numbers, sums
    )
    ascending = np.argsort(tiles[first], kind="stable")
    return found.take(ascending).of_size(0, size)


def _joined(
    first: _Tally, second: _Tally, joins: Sequence[Classes], size: int, forms: str
) -> _Tally:
    """Multiply the tallies of two groups."""
    num_deals = [
        sum(int(a.deals.sum()) * int(b.deals.sum()) for a, b in pairs)
        for pairs in (_pairs(first, second, tiles, is_whole=True) for tiles in range(size + 1))
    ]
    # No partial sum exceeds the number of all deals with as many tiles.
    kind = np.int64 if max(num_deals) < 1 << 63 else object
    parts: list[_Tally] = []
    for left, right in _pairs(first, second, size):
        step = _PART // max(1, len(right)) + 1
        for start in range(0, len(left), step):
            some = left.take(slice(start, start + step))
            columns = list(some.columns[:_FIRST, :, None] + right.columns[:_FIRST, None])
            for place, join in enumerate(joins, _FIRST):
                columns.append(join[some.columns[place]][:, right.columns[place]])
            states = np.outer(some.states, right.states)
            deals = np.outer(some.deals.astype(kind), right.deals)
            parts.append(_added([column.ravel() for column in columns], states, deals))
            # Rows are added up now and then, so memory holds distinct rows and not all products.
            if sum(map(len, parts)) > _MERGED + 2 * len(parts[0]):
                parts = [_merged(parts)]
                _check(len(parts[0]), MOST_ROWS, "classes of two suits together", forms)
    return _merged(parts)


def _merged(parts: Sequence[_Tally]) -> _Tally:
    return _added(
        np.concatenate([part.columns for part in parts], axis=1),
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.deals for part in parts]),
    )


def _added(columns: Sequence[Columns] | Columns, states: Integers, deals: Integers) -> _Tally:
    """Add up equal rows."""
    order, starts = _equal_rows(columns)
    first = order[starts]
    return _Tally(
        np.stack([column[first].astype(np.int32) for column in columns]),
        np.add.reduceat(states.ravel()[order], starts),
        np.add.reduceat(deals.ravel()[order], starts),
    )


def _equal_rows(columns: Iterable[NDArray[np.integer]]) -> tuple[Integers, Integers]:
    """Return the ascending order of rows, and where those equal to the ones before end."""
    key, most = np.zeros(1, np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if most * width >= 1 << 63:
            key = np.unique(key, return_inverse=True)[1]
            most = int(key.max(initial=0)) + 1
        key, most = key * width + column, most * width
    order = np.argsort(key.astype(np.min_scalar_type(most)), kind="stable")
    ascending = key[order]
    return order, np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))


def _add_hands(
    arrays: RuleArrays,
    left: _Tally,
    right: _Tally,
    types: int | None,
    counts: Counter[int],
    deals: Counter[int],
) -> None:
    """Add the hands of two halves whose numbers of tiles make a hand."""
    answers = [bundle.answers[0] for bundle in arrays.tables.bundles]
    if len(left) > len(right):
        left, right, answers = right, left, [table.T for table in answers]
    if not len(left):
        return
    rows, jokers = [], []
    for place, at in enumerate(arrays.layout.bundles):
        held = left.columns[_JOKERS] * np.int32(at.has_jokers)
        own, row = np.unique([left.columns[place + _FIRST], held], axis=1, return_inverse=True)
        answers[place] = answers[place][own[0]]
        jokers.append(own[1:].T)
        rows.append(row.ravel().tolist())
    step = _CELLS // max(map(len, answers)) + 1
    for start in range(0, len(right), step):
        part, tables = right.take(slice(start, start + step)), []
        for place, at in enumerate(arrays.layout.bundles):
            table = answers[place][:, part.columns[place + _FIRST]]
            if at.has_jokers:
                fewer = np.maximum(table - (jokers[place] + part.columns[_JOKERS]), 0)
                table = np.where(table < UNREACHABLE, fewer, table).astype(np.int8)
            tables.append(table)
        _add_values(tables, list(zip(*rows, strict=True)), left, part, types, counts, deals)


def _add_values(
    tables: Sequence[Labels],
    rows: Sequence[tuple[int, ...]],
    left: _Tally,
    right: _Tally,
    types: int | None,
    counts: Counter[int],
    deals: Counter[int],
) -> None:
    """Add the hands of each left half, whose values are the least of a row of each table."""
    last = 1 + min(int(table.max()) for table in tables)  # the bin of other numbers of suits
    weights = [right.states, *_limbs(right.deals)]
    sums = np.zeros((len(weights), len(left), last + 1))
    suits = left.columns[_SUITS].tolist()
    for place, numbers in enumerate(rows):
        first, *others = [table[number] for table, number in zip(tables, numbers, strict=True)]
        values = first.astype(np.intp)
        for other in others:
            np.minimum(values, other, out=values)
        if types is not None:
            values[right.columns[_SUITS] != types - suits[place]] = last
        for part, weight in enumerate(weights):
            sums[part, place] = np.bincount(values, weight, last + 1)
    # Each sum is a whole number below 2**53, so floating point has added it exactly.
    exact = sums.astype(np.int64).astype(object)
    own_states, own_deals = left.states.astype(object), left.deals.astype(object)
    for value in np.flatnonzero(exact[0, :, :last].any(axis=0)).tolist():
        counts[value] += own_states @ exact[0, :, value]
        for part in range(1, len(weights)):
            deals[value] += own_deals @ exact[part, :, value] << _LIMB * (part - 1)


def _limbs(numbers: Integers) -> list[NDArray[np.float64]]:
    """Return the digits of numbers to the base ``2**26``, so that their sums are exact."""
    limbs = []
    while numbers.any():
        limbs.append((numbers & (1 << _LIMB) - 1).astype(np.float64))
        numbers = numbers >> _LIMB
    return limbs
