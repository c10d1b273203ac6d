"""Derive the gain tables of a bundle from its classes and answers."""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.bundle import Bundle
from mjopt.tables.gains.deep_states import KIND_BITS, deep_states
from mjopt.tables.gains.gain_layout import CLASS_BITS, SET_BITS, GainPlaces, GainTables
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import num_states, state_copies

# One more tile of a group leads from a class to another: a step. The answers of both classes, by
# rest, say with which rests the step is useful (`gain_layout`). Rests in which the same steps from
# a class are useful are one set, so that a state keeps its useful kinds for each set and not for
# each rest.

Classes = NDArray[np.integer]


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
