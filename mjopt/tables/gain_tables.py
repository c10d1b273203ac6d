"""Gain tables: the kinds that lower the deficiency of a hand, for any winning forms.

In each bundle, the classes of the other three groups make the *rest* of a group: rests that give
the same answer with every class of the group are one number. One more tile leads from a class to
another, and is useful if the answer with the rest falls. For a class, rests with the same useful
steps are one *set*; so the useful kinds of a state are a look-up by its set, and a *way* is the
answer and the number of the set, by rest and class.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES
from mjopt.tables.bundle import Bundle
from mjopt.tables.groups import MOST_GROUPS, groups_of
from mjopt.tables.rule_arrays import RuleArrays
from mjopt.tables.state_index import num_states, state_copies

CLASS_BITS: Final = 9
"""Bits of a class in an entry of a state; the place of its kinds stands above."""

SET_BITS: Final = 6
"""Bits of the number of a set in a way; the answer stands above."""

States = NDArray[np.uint32]
Words = NDArray[np.uint16]
Places = NDArray[np.uint64]
Classes = NDArray[np.integer]


class BundlePlaces(NamedTuple):
    """Where the tables of a bundle begin in ``words``; a number for each of four groups.

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
    has_jokers: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GainTables:
    """The gain tables of some templates, for a number of called melds.

    Parameters
    ----------
    states
        For every state of a group, its class, and from bit ``CLASS_BITS`` on where its useful
        kinds begin in ``words``.
    words
        All other tables, one after the other: joins, rests, ways, and useful kinds, one bit each.
    deep
        The deep states of the groups of all bundles, see :class:`mjopt.tables.bundle.Bundle`.
    places
        Where they begin, one row of :class:`BundlePlaces` for each bundle.
    least_deep
        Fewest tiles of a kind, before one is discarded, after which the state can be deep.
    """

    states: States
    words: Words
    deep: States
    places: Places
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
def gain_tables(arrays: RuleArrays, called: int) -> GainTables | None:
    """Derive the gain tables; None if they do not fit in their bits.

    Takes a second, and is kept in memory.

    Examples
    --------
    >>> from mjopt.hands.rule_set import classic_templates
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.tables.rule_arrays import arrays_of
    >>> found = gain_tables(arrays_of(classic_templates("standard", M0), M0), 0)
    >>> found.words.dtype, found.places.shape
    (dtype('uint16'), (1, 33))
    """
    tables = arrays.tables
    words, states, deep = _Builder(), _Builder(), _Builder()
    least_deep = COPIES + 1
    places = []
    for bundle, jokers in zip(tables.bundles, tables.jokers, strict=True):
        if called >= len(bundle.answers):
            continue
        some = _add_bundle(bundle, arrays, called, words, states)
        if some is None:
            return None
        padding = (np.zeros(0, np.uint32),) * (MOST_GROUPS - len(bundle.deep))
        starts = tuple(deep.add(part) for part in bundle.deep + padding)
        ends = tuple(s + len(p) for s, p in zip(starts, bundle.deep + padding, strict=True))
        some = some._replace(deep=starts, deep_end=ends, has_jokers=(int(bool(jokers)),))
        places.append(sum(some, ()))
        for part, group in zip(bundle.deep, groups_of(tables.tiles), strict=True):
            held = state_copies((part >> 4).astype(np.uint32), group.width, tables.most)[
                np.arange(len(part)), part & 15
            ]
            least_deep = min(least_deep, int(held.min(initial=COPIES)) + 1)
    every = np.concatenate(words.parts)
    if every.max() >= 1 << 16:
        return None
    return GainTables(
        np.concatenate(states.parts).astype(np.uint32),
        every.astype(np.uint16),
        np.concatenate(deep.parts).astype(np.uint32),
        np.array(places, np.uint64),
        least_deep,
    )


def _add_bundle(
    bundle: Bundle, arrays: RuleArrays, called: int, words: _Builder, states: _Builder
) -> BundlePlaces | None:
    answers, pair, other = bundle.answers[called], bundle.pair, bundle.other
    halves = np.arange(answers.shape[1]), np.arange(answers.shape[0])
    # By own class, class of the partner, and class of the other half.
    by_class = (
        answers[pair[:, :, None], halves[0]],
        answers[pair.T[:, :, None], halves[0]],
        answers.T[other[:, :, None], halves[1]],
        answers.T[other.T[:, :, None], halves[1]],
    )
    groups = groups_of(arrays.tables.tiles)
    found: list[tuple[int, ...]] = []
    known: dict[tuple[int, bytes], tuple[NDArray[np.int64], NDArray[np.int64]] | None] = {}
    for place, answer in enumerate(by_class):
        first, rest = _distinct(answer.reshape(len(answer), -1).T)
        values = answer.reshape(len(answer), -1)[:, first]  # by own class and rest
        if place < len(groups):
            numbers, width = bundle.numbers[place], groups[place].width
            key = id(numbers), values.tobytes()
            if key not in known:
                most = arrays.tables.most
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
    return BundlePlaces(
        state_starts,
        (words.add(pair), words.add(other)),
        (pair.shape[1], other.shape[1]),
        rests,
        rest_rows,
        ways_starts,
        way_rows,
        (),
        (),
        (),
    )


def _kinds_of_states(
    numbers: Classes, width: int, most: int, values: NDArray[np.int8], words: _Builder
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Add the useful kinds of the states of a group.

    Returns
    -------
    tuple of two arrays
        The entry of each state, padded to a power of two with that of too many tiles; and the
        number of the set by class and rest. None if they do not fit in their bits.
    """
    states, own, after = _steps(numbers, width, most)
    num_classes = len(values)
    codes = own * num_classes + after  # of steps from class to class, by kind and state
    is_step = np.zeros(num_classes**2, np.bool_)
    is_step[codes] = True
    steps = np.flatnonzero(is_step)
    gains = values[steps % num_classes] < values[steps // num_classes]  # by step and rest
    step_of = np.zeros(num_classes**2, np.int64)
    step_of[steps] = np.arange(len(steps))
    gain_of = np.zeros(num_classes**2, np.int64)
    gain_of[steps] = _distinct(np.packbits(gains, axis=1))[1]
    first, row = _distinct_columns([own, *gain_of[codes]])
    sets = np.zeros(values.shape, np.int64)
    num_sets = np.ones(num_classes, np.int64)
    kept = np.zeros((len(steps), 1 << SET_BITS), np.bool_)  # by step and set
    for number in np.unique(steps // num_classes):
        some = np.flatnonzero(steps // num_classes == number)
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
