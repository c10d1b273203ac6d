"""Gain tables: the kinds that lower the deficiency of a hand, for any winning forms.

In each bundle, the classes of the other three groups make the *rest* of a group: rests that give
the same answer with every class of the group are one number. One more tile leads from a class to
another, and is useful if the answer with the rest falls. For a class, rests with the same useful
steps are one *set*; so the useful kinds of a state are a look-up by its set, and a *way* is the
answer and the number of the set, by rest and class.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundle import Bundle
from mjopt.tables.bundle_file import Header, are_kept, file_name, load_file
from mjopt.tables.deep_states import KIND_BITS, deep_states
from mjopt.tables.groups import MOST_GROUPS, groups_of
from mjopt.tables.rule_tables import RuleTables
from mjopt.tables.state_index import num_states, state_copies

# A kind x is useful to a hand h if D(h + x) < D(h) (`useful` in docs/reference/engines.md). With
# one group's class i, its rest r and the class j after one more tile of the group, that is
# answer(j, r) < answer(i, r): it depends on the step i -> j and on r alone. Rests are many and
# sets of useful kinds few, so the kinds of a group take four look-ups:
#
#     states[state] = place of kinds << 9 | class
#     rest = words[rests of (class of the partner, class of the other half)]
#     answer << 6 | set = words[ways of (rest, class)]
#     kinds = words[place of kinds + set]
#
# A limit in bits (512 classes, 64 sets) that does not suffice means no tables: labels then answer.

CLASS_BITS: Final = 9
"""Bits of a class in an entry of a state; the place of its kinds stands above."""

SET_BITS: Final = 6
"""Bits of the number of a set in a way; the answer stands above."""

VERSION: Final = 1
"""Of the derivation and of the file; part of the names of the files."""

SUFFIX: Final = ".gains"

Integers = NDArray[np.integer]
States = NDArray[np.uint32]
Words = NDArray[np.uint16]
Places = NDArray[np.uint64]
Classes = NDArray[np.integer]


class GainPlaces(NamedTuple):
    """Where the tables of a bundle begin; a number for each of four groups or two halves.

    The class of a half stands at ``join + first * join_row + second``. The rest of a group is at
    ``rest + partner * rest_row + half``: by the class of the other group of its half, and of the
    other half. Its way is at ``way + rest * way_row + own``.
    """

    state: tuple[int, ...]  # where the states of each group begin
    join: tuple[int, ...]  # of the two halves
    join_row: tuple[int, ...]
    rest: tuple[int, ...]
    rest_row: tuple[int, ...]
    way: tuple[int, ...]
    way_row: tuple[int, ...]
    deep: tuple[int, ...]  # where the deep states of each group begin
    deep_end: tuple[int, ...]

    @classmethod
    def of(cls, row: Sequence[int]) -> "GainPlaces":
        """Return the places of a row of :class:`GainTables`."""
        ends = list(accumulate(_LENGTHS))
        return cls(*(tuple(row[end - n : end]) for end, n in zip(ends, _LENGTHS, strict=True)))


_LENGTHS: Final = (4, 2, 2, 4, 4, 4, 4, 4, 4)
JOKERS: Final = sum(_LENGTHS)
"""The column of the places that says whether jokers are subtracted from the answers."""


@dataclass(frozen=True, slots=True, eq=False)
class GainTables:
    """The gain tables of some bundles, for a number of called melds."""

    # For every state of a group, its class, and from bit ``CLASS_BITS`` on where its useful kinds
    # begin in ``words``.
    states: States
    # All other tables, one after the other: joins, rests, ways, and useful kinds, one bit each.
    words: Words
    deep: States  # the deep states of the groups, see :func:`mjopt.tables.deep_states.deep_states`
    # Where they begin: for each bundle the numbers of :class:`GainPlaces`, one after the other, and
    # 1 in column ``JOKERS`` if jokers are subtracted.
    places: Places
    # Fewest tiles of a kind, before one is discarded, after which the state can be deep.
    least_deep: int


class _Builder:
    """Collects arrays; equal ones stand once."""

    def __init__(self) -> None:
        self.parts: list[NDArray[np.integer]] = []
        self._known: dict[tuple[tuple[int, ...], bytes], int] = {}
        self._end = 0

    def add(self, array: NDArray[np.integer]) -> int:
        """Return where an array begins."""
        key = array.shape, hashlib.sha256(array.astype(np.int64).tobytes()).digest()
        if key not in self._known:
            self._known[key] = self._end
            self.parts.append(array.reshape(-1))
            self._end += array.size
        return self._known[key]


@lru_cache(maxsize=32)
def gain_tables(tables: RuleTables, called: int) -> GainTables | None:
    """Return the gain tables of all bundles; None if they do not fit in their bits.

    Examples
    --------
    >>> from mjopt.hands.rules.winning_form import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.tables.rule_tables import rule_tables
    >>> found = gain_tables(rule_tables((standard_template(M0),), M0), 0)
    >>> found.words.dtype, found.places.shape
    (dtype('uint16'), (1, 33))
    """
    found = []
    for bundle, templates, jokers in zip(
        tables.bundles, tables.templates, tables.jokers, strict=True
    ):
        if called < len(bundle.answers) and templates:
            some = load_gains(bundle, templates, tables.tiles, tables.most, called)
            if some is None:
                return None
            places = some.places.copy()
            places[:, JOKERS] = bool(jokers)
            found.append(replace(some, places=places))
    return _joined(found) if found else None


def _joined(found: Sequence[GainTables]) -> GainTables | None:
    """Return the tables of several bundles as one."""
    states, places = [], []
    num_states_before = num_words = num_deep = 0
    for some in found:
        if (int(some.states.max()) >> CLASS_BITS) + num_words >= 1 << 32 - CLASS_BITS:
            return None
        states.append(some.states + np.uint32(num_words << CLASS_BITS))
        for row in some.places.tolist():
            at, jokers = GainPlaces.of(row[:JOKERS]), row[JOKERS]
            moved = at._replace(
                state=tuple(start + num_states_before for start in at.state),
                deep=tuple(start + num_deep for start in at.deep),
                deep_end=tuple(end + num_deep for end in at.deep_end),
                **{
                    name: tuple(start + num_words for start in getattr(at, name))
                    for name in ("join", "rest", "way")
                },
            )
            places.append([*sum(moved, ()), jokers])
        num_states_before += len(some.states)
        num_words += len(some.words)
        num_deep += len(some.deep)
    return GainTables(
        np.concatenate(states),
        np.concatenate([some.words for some in found]),
        np.concatenate([some.deep for some in found]),
        np.array(places, np.uint64),
        min(some.least_deep for some in found),
    )


def load_gains(
    bundle: Bundle, templates: Sequence[Template], tiles: TileSet, most: int, called: int
) -> GainTables | None:
    """Return the gain tables of one bundle, from a file if there is one."""
    if not are_kept(tiles):
        return derive_gains(bundle, templates, tiles, most, called)
    return load_file(
        gains_file(bundle, templates, tiles, most, called),
        _read,
        lambda: derive_gains(bundle, templates, tiles, most, called),
        content_of,
    )


def gains_file(
    bundle: Bundle, templates: Sequence[Template], tiles: TileSet, most: int, called: int
) -> str:
    """Return the name of the file of a bundle: that of the bundle, with the called melds."""
    name = file_name(templates, tiles, most, is_sized=bundle.sizes is not None)
    return f"{Path(name).stem}-{VERSION}-{called}{SUFFIX}"


def content_of(tables: GainTables | None) -> tuple[Header, Sequence[Integers]]:
    """Return the header and the arrays of a file."""
    if tables is None:
        return None, []
    return {"least_deep": tables.least_deep}, [
        tables.states,
        tables.words,
        tables.deep,
        tables.places.astype(np.uint32),
    ]


def _read(header: Header, arrays: Sequence[Integers]) -> GainTables | None:
    """Return the tables of a file, after checks that no look-up leaves its array."""
    if header is None:
        return None
    states, words, deep, places = arrays
    found = GainTables(
        states.astype(np.uint32),
        words.astype(np.uint16),
        deep.astype(np.uint32),
        places.astype(np.uint64),
        int(header["least_deep"]),
    )
    if places.shape != (1, JOKERS + 1) or not _is_consistent(found):
        raise ValueError("the arrays do not fit together")
    return found


def _is_consistent(tables: GainTables) -> bool:
    """Return whether every number is a valid index, so that no look-up leaves its array."""
    at = GainPlaces.of(tables.places[0].tolist()[:JOKERS])
    words, states, end = tables.words, tables.states, len(tables.words)
    sizes = at.way_row  # number of classes of each group
    for half in range(2):
        one, two = sizes[2 * half : 2 * half + 2]
        joins = words[at.join[half] : at.join[half] + one * two]
        # The rests of the other half have a column for each class of this half.
        row = at.rest_row[2 - 2 * half]
        if len(joins) < one * two or at.join_row[half] != two or int(joins.max()) >= row:
            return False
        if at.rest_row[2 - 2 * half] != at.rest_row[3 - 2 * half]:
            return False
    every = sorted({*at.state, len(states)})
    for group in range(MOST_GROUPS):
        size, row = sizes[group], at.rest_row[group]
        rests = words[at.rest[group] : at.rest[group] + sizes[group ^ 1] * row]
        last = at.way[group] + (int(rests.max(initial=0)) + 1) * size
        if (
            len(rests) < sizes[group ^ 1] * row
            or last > end
            or at.deep_end[group] >= len(tables.deep)
        ):
            return False
        own = states[at.state[group] : every[every.index(at.state[group]) + 1]]
        ways = words[at.way[group] : last] & ((1 << SET_BITS) - 1)
        # The greatest place plus the greatest set: no look-up of the kernels is tested again.
        if not len(own) or int((own & np.uint32((1 << CLASS_BITS) - 1)).max()) >= size:
            return False
        if (int(own.max()) >> CLASS_BITS) + int(ways.max()) >= end:
            return False
    return True


def derive_gains(
    bundle: Bundle, templates: Sequence[Template], tiles: TileSet, most: int, called: int
) -> GainTables | None:
    """Derive the gain tables of one bundle, in about a second; None if they do not fit."""
    words, states, deep = _Builder(), _Builder(), _Builder()
    places = _add_bundle(bundle, tiles, most, called, words, states)
    if places is None:
        return None
    groups = groups_of(tiles)
    parts = [deep_states(templates, tiles, group, most) for group in groups]
    parts += [np.zeros(0, np.uint32)] * (MOST_GROUPS - len(parts))
    starts = tuple(deep.add(part) for part in parts)
    least_deep = COPIES
    for part, group in zip(parts, groups, strict=False):
        copies = state_copies(part >> np.uint32(KIND_BITS), group.width, most)
        held = copies[np.arange(len(part)), part & np.uint32((1 << KIND_BITS) - 1)]
        least_deep = min(least_deep, int(held.min(initial=COPIES)))
    places = places._replace(
        deep=starts, deep_end=tuple(s + len(p) for s, p in zip(starts, parts, strict=True))
    )
    # Padding, so that every look-up of a state of too many tiles stays within the array.
    every = np.concatenate([*words.parts, np.zeros(1 << SET_BITS, np.int64)])
    if every.max() >= 1 << 16:
        return None
    return GainTables(
        np.concatenate(states.parts).astype(np.uint32),
        every.astype(np.uint16),
        np.append(np.concatenate(deep.parts), 0).astype(np.uint32),
        np.array([[*sum(places, ()), 0]], np.uint64),
        least_deep + 1,
    )


def _add_bundle(
    bundle: Bundle, tiles: TileSet, most: int, called: int, words: _Builder, states: _Builder
) -> GainPlaces | None:
    """Add the tables of a bundle; None if they do not fit in their bits."""
    answers, pair, other = bundle.answers[called], bundle.pair, bundle.other
    halves = np.arange(answers.shape[1]), np.arange(answers.shape[0])
    # By own class, class of the partner, and class of the other half.
    by_class = (
        answers[pair[:, :, None], halves[0]],
        answers[pair.T[:, :, None], halves[0]],
        answers.T[other[:, :, None], halves[1]],
        answers.T[other.T[:, :, None], halves[1]],
    )
    groups = groups_of(tiles)
    found: list[tuple[int, ...]] = []
    known: dict[tuple[int, bytes], tuple[NDArray[np.int64], NDArray[np.int64]] | None] = {}
    for place, answer in enumerate(by_class):
        first, rest = _distinct(answer.reshape(len(answer), -1).T)
        values = answer.reshape(len(answer), -1)[:, first]  # by own class and rest
        if place < len(groups):
            numbers, width = bundle.numbers[place], groups[place].width
            key = id(numbers), values.tobytes()
            if key not in known:
                known[key] = _kinds_of_states(numbers, width, most, values, words)
            if (entry := known[key]) is None:
                return None
            state, sets = states.add(entry[0]), entry[1]
        else:
            state, sets = states.add(np.zeros(1, np.int64)), np.zeros_like(values, np.int64)
        ways = values.astype(np.int64) << SET_BITS | sets
        row = answer.shape[2]
        found.append((state, words.add(rest), row, words.add(ways.T), len(values)))
    state_starts, rests, rest_rows, ways_starts, way_rows = zip(*found, strict=True)
    return GainPlaces(
        state_starts,
        (words.add(pair), words.add(other)),
        (pair.shape[1], other.shape[1]),
        rests,
        rest_rows,
        ways_starts,
        way_rows,
        (),
        (),
    )


def _kinds_of_states(
    numbers: Classes, width: int, most: int, values: NDArray[np.int8], words: _Builder
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Add the useful kinds of the states of a group; None if they do not fit in their bits.

    The result is the entry of each state, padded to a power of two with that of too many tiles, and
    the number of the set by class and rest.
    """
    states, own, after = _steps(numbers, width, most)
    num_classes = len(values)
    # A step is a pair of classes. `gains` says for each step and rest whether the answer falls.
    codes = own * num_classes + after  # of steps from class to class, by kind and state
    is_step = np.zeros(num_classes**2, np.bool_)
    is_step[codes] = True
    steps = np.flatnonzero(is_step)
    gains = values[steps % num_classes] < values[steps // num_classes]  # by step and rest
    step_of = np.zeros(num_classes**2, np.int64)
    step_of[steps] = np.arange(len(steps))
    gain_of = np.zeros(num_classes**2, np.int64)
    gain_of[steps] = _distinct(np.packbits(gains, axis=1))[1]
    # States of one class whose steps gain with the same rests have the same useful kinds, whatever
    # the rest.
    first, row = _distinct_columns([own, *gain_of[codes]])
    sets = np.zeros(values.shape, np.int64)
    num_sets = np.ones(num_classes, np.int64)
    kept = np.zeros((len(steps), 1 << SET_BITS), np.bool_)  # by step and set
    for number in np.unique(steps // num_classes):
        some = np.flatnonzero(steps // num_classes == number)
        # For the states of one class, rests in which the same steps gain are one set.
        rests, sets[number] = _distinct(np.packbits(gains[some], axis=0).T)
        num_sets[number] = len(rests)
        if len(rests) > 1 << SET_BITS:
            return None
        kept[some, : len(rests)] = gains[some][:, rests]
    where = step_of[codes[:, first]].T  # by row and kind
    sizes = num_sets[own[first]]
    begins = np.concatenate([[0], np.cumsum(sizes)])
    kinds = np.zeros(int(begins[-1]), np.int64)
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        bits = kept[where[rows], :size].astype(np.int64) << np.arange(width)[:, None]
        kinds[begins[rows][:, None] + np.arange(size)] = bits.sum(axis=1)
    start = words.add(kinds)
    if start + len(kinds) >= 1 << 32 - CLASS_BITS or num_classes > 1 << CLASS_BITS:
        return None
    entries = np.full(1 << (len(numbers) - 1).bit_length(), int(numbers[-1]))
    entries[states] = (begins[row] + start) << CLASS_BITS | own
    return entries, sets


def _steps(numbers: Classes, width: int, most: int) -> tuple[Classes, Classes, Classes]:
    """Return the states of at most ``most`` tiles, their classes, and those with one more tile.

    The last array has a row for each kind, with the same class where no tile can be added.
    """
    copies = state_copies(np.arange(num_states(width, most), dtype=np.uint32), width, most)
    tiles = copies.sum(axis=1, dtype=np.int64)
    states = np.flatnonzero(tiles <= most)
    copies, tiles = copies[states], tiles[states]
    place = (COPIES + 1) ** np.arange(width - 1, -1, -1)
    codes, own = copies @ place, numbers[states].astype(np.int64)
    class_of = np.zeros((COPIES + 1) ** width, np.int64)
    class_of[codes] = own
    after = np.repeat(own[None], width, axis=0)
    for kind in range(width):
        room = np.flatnonzero((copies[:, kind] < COPIES) & (tiles < most))
        after[kind, room] = class_of[codes[room] + place[kind]]
    return states, own, after


def _distinct(rows: NDArray[np.generic]) -> tuple[Classes, Classes]:
    """Return the first of each distinct row, and the number of each row among them."""
    flat = np.ascontiguousarray(rows)
    keys = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return first, number


def _distinct_columns(columns: Iterable[Classes]) -> tuple[Classes, Classes]:
    """Return the same for rows that are given as columns of small numbers."""
    key: Classes = np.zeros(1, np.int64)
    for column in columns:
        if int(key.max()) * (int(column.max()) + 1) >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1]
        key = key * (int(column.max()) + 1) + column
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first, number
