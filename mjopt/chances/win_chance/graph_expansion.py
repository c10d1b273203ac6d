"""Build the graph of a class of plays: draw and discard by turns until no new hand appears."""

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cancellation import check_cancelled
from mjopt.chances.win_chance._expansion_kernels import (
    KINDS_IN_WORD,
    HandTable,
    ThrownHands,
    add_kernel,
    discard_kernel,
    draw_kernel,
    hash_kernel,
    move_kernel,
    number_kernel,
)
from mjopt.chances.win_chance.class_labels import ClassLabels
from mjopt.chances.win_chance.graph import Graph, Ints, SearchSpace

_LIMIT: Final = 1 << 25  # most hands
_DRAWING: Final = 1 << 10  # hands that draw at once: the rows after that stay in the CPU cache
_DISCARDING: Final = 1 << 12  # full hands that discard at once

Number = TypeVar("Number", bound=np.generic)
Rows = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Words = NDArray[np.uint64]


def expand_graph(space: SearchSpace, most_states: int | None = None) -> Graph | None:
    """Find all hands of a class that draws and discards reach.

    None if there are more than ``most_states``.
    """
    return _Expansion(space).expand(_LIMIT if most_states is None else most_states)


class _Expansion:
    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        self.labels = ClassLabels(space)
        self.held = np.array(space.hand.counts, np.int64)
        self.wall = np.array(space.wall, np.int64)
        self.hands, self.num_hands = _table(len(self.held)), 0
        self.fulls, self.num_fulls = _table(len(self.held)), 0
        most = _DISCARDING * space.hand.size  # a full hand holds at most that many kinds
        self.discards = ThrownHands(
            np.empty((most, len(self.held)), np.uint8),
            np.empty(most, np.int64),
            np.empty(most, np.int32),
            np.empty(most, np.int32),
        )
        self.is_win = np.zeros(1, np.bool_)  # of each full hand, and last of number -1: none
        self.edges = [np.zeros(0, np.int64)]  # hand << 38 | kind << 32 | full
        self.wins = [np.zeros(0, np.int64)]  # hand << 6 | kind

    def expand(self, limit: int) -> Graph | None:
        """Expand part by part until no new hands appear."""
        roots = self._roots()
        begin = 0
        # Hands before `begin` have made all draws and discards: every hand that follows one of them
        # has a number. The hands from `begin` on are new and still to draw.
        while begin < self.num_hands <= limit:
            check_cancelled()
            end, first = min(begin + _DRAWING, self.num_hands), self.num_fulls
            drawn = self._draw(begin, end)
            num_fresh = self.num_fulls - first
            is_win, beyond = self.labels.of(
                self.fulls.rows[:num_fresh], self.fulls.num_new[:num_fresh]
            )
            self.is_win = np.concatenate([self.is_win[:first], is_win, np.zeros(1, np.bool_)])
            hand, kind = np.nonzero(self.is_win[drawn])
            self.wins.append((begin + hand) << 6 | kind)
            places = np.flatnonzero(~is_win & (beyond <= 1))
            for start in range(0, len(places), _DISCARDING):
                self._discard(first, places[start : start + _DISCARDING], beyond)
                if self.num_hands > limit:
                    return None
            begin = end
        return None if self.num_hands > limit else self._graph(roots)

    def _roots(self) -> dict[int, int]:
        """Add the hand after each discard within the class; kind -1 before the draw."""
        row = self.held.astype(np.uint8)[None]
        kinds = np.array([-1])
        if self.space.hand.is_full:
            kinds = np.flatnonzero(self.held)
            row = row - np.eye(len(self.held), dtype=np.uint8)[kinds]
            _, beyond = self.labels.of(row, np.zeros(len(row), np.int64))
            kinds, row = kinds[beyond <= 0], row[beyond <= 0]
        self.num_hands = len(row)
        self.hands = _with_room(self.hands, 0, len(row))
        self.hands.rows[: len(row)] = row
        self.hands.words[: len(row)] = _words(row)
        self.hands.num_new[: len(row)] = 0
        hash_kernel(self.hands, len(row))
        return {kind: number for number, kind in enumerate(kinds.tolist())}

    def _draw(self, begin: int, end: int) -> Numbers:
        """Draw for some hands; return the number of the full hand by hand and kind, or -1."""
        drawn = np.empty((end - begin, len(self.held)), np.int32)
        first = self.num_fulls
        self.fulls = _with_room(self.fulls, first, drawn.size, num_rows=drawn.size)
        self.num_fulls = draw_kernel(
            self.hands, begin, end, self.held, self.wall, self.fulls, first, drawn
        )
        return drawn

    def _discard(self, first: int, places: Ints, beyond: Ints) -> None:
        """Discard from some full hands, and add the hands of the class and the edges."""
        discards = self.discards
        count = discard_kernel(self.fulls, first, places, beyond, self.held, discards)
        _, after = self.labels.of(discards.rows[:count], discards.num_new[:count])
        is_in = after <= 0
        most = int(is_in.sum())
        self.hands = _with_room(self.hands, self.num_hands, most)
        edges = np.empty(most, np.int64)
        self.num_hands, num_edges = add_kernel(
            self.fulls, first, discards, count, is_in, self.held,
            self.hands, self.num_hands, edges,
        )  # fmt: skip
        self.edges.append(edges[:num_edges])

    def _graph(self, roots: dict[int, int]) -> Graph:
        """Return the graph with hands in order of their new tiles and words, full hands in theirs.

        Similar hands are then near each other, which makes the kernels that read the graph faster.
        Policies prefer the first of equal hands; those with fewer new tiles give better bounds.
        """
        words, num_new = self.hands.words[: self.num_hands], self.hands.num_new[: self.num_hands]
        order = np.lexsort((*words.T, num_new))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        edges, wins, low = np.concatenate(self.edges), np.concatenate(self.wins), (1 << 32) - 1
        edges = np.sort(rank[edges >> 38] << 38 | edges & (1 << 38) - 1)
        number_kernel(edges, np.full(self.num_fulls, -1))
        wins = np.sort(rank[wins >> 6] << 6 | wins & 63)
        states = self.hands.rows[order]
        return Graph(
            space=self.space,
            roots={kind: int(rank[place]) for kind, place in roots.items()},
            states=states,
            left=self.wall - np.maximum(states - self.held, 0),
            num_new=num_new[order],
            edge_state=edges >> 38,
            edge_kind=edges >> 32 & 63,
            edge_full=(edges & low).astype(np.int32),
            win_state=wins >> 6,
            win_kind=wins & 63,
        )


def _table(num_kinds: int) -> HandTable:
    """Return an empty table of hands."""
    return HandTable(
        np.empty((0, num_kinds), np.uint8),
        np.empty(0, np.int64),
        np.empty((0, -(-num_kinds // KINDS_IN_WORD)), np.uint64),
        np.zeros(64, np.uint64),
        np.uint64(64 - 6),
    )


def _with_room(table: HandTable, size: int, more: int, num_rows: int | None = None) -> HandTable:
    """Return a table of ``size`` hands with room for more, itself if it has that already.

    ``num_rows`` says how many rows are written, if the earlier ones need not be kept.
    """
    rows, num_new, words, slots, shift = table
    most = size + more
    if most > len(words):
        words = _longer(words, size, 4 * most)  # memory that is not yet written costs nothing
    # The rows of full hands are read only until their discards are made, so they are overwritten;
    # the words stay, because they identify equal hands.
    if num_rows is None and most > len(rows):
        rows, num_new = _longer(rows, size, 4 * most), _longer(num_new, size, 4 * most)
    elif num_rows is not None and num_rows > len(rows):
        rows, num_new = _longer(rows, 0, num_rows), _longer(num_new, 0, num_rows)
    if 2 * most > len(slots):
        bits = (2 * most).bit_length()
        larger, shift = np.zeros(1 << bits, np.uint64), np.uint64(64 - bits)
        move_kernel(slots, larger, shift)
        slots = larger
    return HandTable(rows, num_new, words, slots, shift)


def _longer(array: NDArray[Number], size: int, capacity: int) -> NDArray[Number]:
    """Return an array with the same first ``size`` rows and room for more."""
    longer = np.empty((capacity, *array.shape[1:]), array.dtype)
    longer[:size] = array[:size]
    return longer


def _words(rows: Rows) -> Words:
    """Return rows with three bits for each kind, ``KINDS_IN_WORD`` kinds in a word."""
    words = np.zeros((len(rows), -(-rows.shape[1] // KINDS_IN_WORD)), np.uint64)
    for kind in range(rows.shape[1]):
        shift = np.uint64(3 * (kind % KINDS_IN_WORD))
        words[:, kind // KINDS_IN_WORD] |= rows[:, kind].astype(np.uint64) << shift
    return words
