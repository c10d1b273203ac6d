"""Expand the graph of a class: alternate draws and discards until no new hands appear.

A hand is four small numbers, one for the state of each suit. The states are numbered on demand,
and the properties of a hand are looked up suit by suit.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import distinct
from mjopt.chances.win_chance._expansion_kernels import (
    FEATURE_BITS,
    Answers,
    DiscardWork,
    HandWork,
    Items,
    Suits,
    discard_kernel,
    draw_kernel,
    hash_table,
)
from mjopt.chances.win_chance.graph import Graph, Ints, SearchSpace
from mjopt.chances.win_chance.template_expansion import expand_by_labels
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import has_plain, is_classic
from mjopt.tables.groups import groups_of
from mjopt.tables.hand_tables import StateClasses, standard_tables
from mjopt.tables.lookup import look_up_counts
from mjopt.tables.state_index import MOST_TILES, state_numbers

Small = NDArray[np.int32]
Number = TypeVar("Number", np.uint8, np.int64)

_FAR: Final = 99
_BITS: Final = 15  # of a suit's number in the key of a hand: four numbers fit in a word
_MASK: Final = (1 << _BITS) - 1
_LIMIT: Final = 1 << 25  # most hands
_UNKNOWN: Final = -2
_NUM_RANKS: Final = 9
_PAIR: Final = 2


def expand_graph(space: SearchSpace, most_states: int | None = None) -> Graph | None:
    """Find all hands of a class that draws and discards reach.

    Parameters
    ----------
    space
        The hand, the wall and the class.
    most_states
        Give up if there are more.

    Returns
    -------
    Graph or None
        None if there are more.
    """
    limit = _LIMIT if most_states is None else most_states
    if not is_classic(space.forms):
        return expand_by_labels(space, limit)
    return _Expansion(space).expand(limit)


class _Expansion:
    def __init__(self, space: SearchSpace) -> None:
        self.space = space
        tiles = space.hand.tiles
        self.tables = standard_tables(tiles)
        parts = [np.arange(tiles.num_kinds)[group.kinds] for group in groups_of(tiles)]
        self.kinds = np.concatenate(parts)  # in the order of the suits here
        self.kind_at = np.zeros(_NUM_RANKS * len(parts), np.int64)  # as the kernels number kinds
        for place, part in enumerate(parts):
            self.kind_at[_NUM_RANKS * place : _NUM_RANKS * place + len(part)] = part
        self.held = np.array(space.hand.counts)[self.kinds]
        self.wall = np.array(space.wall)[self.kinds]
        self.starts = tuple(np.cumsum([0, *map(len, parts)]).tolist())
        self.suits = [
            _SuitStates(self.held[a:b], part)
            for (a, b), part in zip(pairwise(self.starts), self.tables.parts, strict=False)
        ]

    def expand(self, limit: int) -> Graph | None:
        """Expand; edges are ``hand << 38 | kind << 32 | full``, wins ``hand << 6 | kind``."""
        roots = self._roots()
        first_keys = distinct(np.array([*roots.values()], np.int64))
        keys, edges, wins = self._find_hands(first_keys, limit)
        if len(keys) > limit:
            return None
        order = np.argsort(keys)
        rank = np.empty(len(keys), np.int64)
        rank[order] = np.arange(len(keys))
        keys = keys[order]
        kinds = self.kind_at[edges >> 32 & 63]
        edges = np.sort(rank[edges >> 38] << 38 | kinds << 32 | edges & (1 << 32) - 1)
        wins = np.sort(rank[wins >> 6] << 6 | self.kind_at[wins & 63])
        states, in_order = self._look_up(keys, lambda suit, _: suit.copies), np.argsort(self.kinds)
        return Graph(
            space=self.space,
            roots={kind: int(np.searchsorted(keys, key)) for kind, key in roots.items()},
            states=np.ascontiguousarray(states[:, in_order]),
            left=np.ascontiguousarray(
                self._look_up(keys, lambda suit, wall: suit.left(wall))[:, in_order]
            ),
            num_new=np.maximum(states - self.held, 0).sum(axis=1),
            edge_state=edges >> 38,
            edge_kind=edges >> 32 & 63,
            edge_full=(edges & (1 << 32) - 1).astype(np.int32),
            win_state=wins >> 6,
            win_kind=wins & 63,
        )

    def _find_hands(self, roots: Ints, limit: int) -> tuple[Ints, Ints, Ints]:
        """Return keys of hands, edges and wins, level by level, until there are too many hands."""
        called, forms = self.space.hand.called, self.space.forms
        pair, other = (half.numbers.astype(np.uint16) for half in self.tables.halves)
        deficiencies = self.tables.answers(called)
        if not has_plain(forms):
            deficiencies = np.full_like(deficiencies, _FAR)
        # Only the standard form has melds.
        free = () if called else forms
        others = np.array([any(f.is_pairs for f in free), any(f.is_singles for f in free)])
        lookup = Answers(pair, other, deficiencies, others), self.space.most
        none = np.zeros(0, np.int64)
        hands, fulls = hash_table(roots), Items(none, 0)
        wins, edges, begin, begin_fulls = Items(none, 0), Items(none, 0), 0, 0
        work = HandWork(
            np.zeros(4, np.int64),
            np.zeros(4, np.int64),
        )
        discard_work = DiscardWork(work, np.zeros(14, np.int64), np.zeros(14, np.int64))
        while begin < hands.size <= limit:
            fresh = hands.keys[begin : hands.size]
            suits = self._stack(self._split(fresh), 1)
            rows = np.zeros(len(suits.steps), bool)
            drawn, wins = draw_kernel(
                suits, *lookup, fresh, begin, wins, Items(none, 0), rows, work
            )
            starts = [*suits.begins.tolist(), len(rows)]
            numbers = [np.flatnonzero(rows[a:b]) for a, b in pairwise(starts)]
            begin, suits = hands.size, self._stack(numbers, -1)
            num_fulls = fulls.size
            fulls, hands, edges = discard_kernel(
                suits,
                *lookup,
                distinct(drawn.values[: drawn.size]),
                fulls,
                begin_fulls,
                hands,
                edges,
                limit,
                discard_work,
            )
            begin_fulls = num_fulls
        full_keys, all_edges = fulls.values[: fulls.size], edges.values[: edges.size]
        rank = np.empty(len(full_keys), np.int64)  # sort full hands by key as well, for locality
        rank[np.argsort(full_keys)] = np.arange(len(full_keys))
        low = (1 << 32) - 1
        return (
            hands.keys[: hands.size],
            all_edges & ~low | rank[all_edges & low],
            wins.values[: wins.size],
        )

    def _stack(self, numbers: Sequence[Ints], change: int) -> Suits:
        """Return the tables of the suits for the kernels, stacked, nine ranks wide."""
        steps = [s.steps(n, change) for s, n in zip(self.suits, numbers, strict=False)]
        first = np.cumsum([0, *(len(suit.copies) for suit in self.suits)])
        num_rows = first[-1] + 1  # the last one: no fourth suit
        all_steps = np.full((num_rows, _NUM_RANKS), -1, np.int32)
        is_new = np.zeros(all_steps.shape, bool)
        classes = np.zeros(num_rows, np.uint8)
        features = np.zeros(num_rows, np.int64)
        for suit, after, (a, b), (c, d) in zip(
            self.suits, steps, pairwise(first), pairwise(self.starts), strict=True
        ):
            all_steps[a : min(b, a + len(after)), : d - c] = after[: b - a]
            classes[a:b], features[a:b] = suit.classes, suit.features
            is_new[a:b, : d - c] = suit.copies > suit.held
            if change > 0:
                all_steps[a:b, : d - c][suit.left(self.wall[c:d]) <= 0] = -1
        is_step = all_steps >= 0
        order = np.argsort(2 * ~is_step + ~is_new, axis=1, kind="stable").astype(np.int8)
        return Suits(
            begins=first[:4],
            steps=np.take_along_axis(all_steps, order, axis=1),
            ranks=order,
            num_steps=is_step.sum(axis=1),
            num_new=is_new.sum(axis=1),
            classes=classes,
            features=features,
        )

    def _split(self, keys: Ints) -> list[Ints]:
        """Return the suit numbers of keys."""
        return [keys >> _BITS * place & _MASK for place in range(len(self.suits))]

    def _look_up(
        self, keys: Ints, table_of: Callable[["_SuitStates", Ints], NDArray[Number]]
    ) -> NDArray[Number]:
        """Look up values suit by suit and concatenate them."""
        parts = zip(self.suits, self._split(keys), pairwise(self.starts), strict=True)
        return np.concatenate([table_of(s, self.wall[a:b])[n] for s, n, (a, b) in parts], axis=1)

    def _roots(self) -> dict[int, int]:
        """Return the key of the hand after each discard within the class."""
        hand, roots = self.space.hand, {}
        if not hand.is_full:
            return {-1: 0}
        for place, suit in enumerate(self.suits):
            after = suit.steps(np.zeros(1, np.int64), -1)[0].tolist()
            for rank, number in enumerate(after):
                if number < 0:
                    continue
                kind = int(self.kinds[self.starts[place] + rank])
                counts = hand.with_one(kind, -1).counts
                lacks = look_up_counts(counts, hand.called, self.space.forms, hand.tiles)
                if lacks <= self.space.most:
                    roots[kind] = number << _BITS * place
        return roots


class _SuitStates:
    """The numbered states of one suit.

    Parameters
    ----------
    held
        Copies of its kinds in the first hand of the graph.
    part
        The classes of its states.

    Notes
    -----
    The ``features`` are packed as the kernels read them. The class of the state determines the
    rest.
    """

    def __init__(self, held: NDArray[np.int64], part: StateClasses) -> None:
        self.held, self.width, self._part = held, len(held), part
        self._orphans = [0, 8] if self.width == _NUM_RANKS else list(range(self.width))
        self._place: Ints = 5 ** np.arange(self.width)
        self._number = np.zeros(5**self.width, np.int32)  # number plus one; 0 if not numbered yet
        self.copies = np.zeros((0, self.width), np.uint8)
        self.classes = np.zeros(0, np.uint8)
        self.features = np.zeros(0, np.int64)
        self._steps = {change: np.zeros((0, self.width), np.int32) for change in (1, -1)}
        self.numbers(held[None] @ self._place)

    def numbers(self, codes: Ints) -> Small:
        """Return the numbers of states, given as copies in base five."""
        fresh = distinct(codes[self._number[codes] == 0])
        if len(fresh):
            first = len(self.copies)
            self._number[fresh] = np.arange(first, first + len(fresh)) + 1
            copies = (fresh[:, None] // self._place % 5).astype(np.uint8)
            self.copies = np.concatenate([self.copies, copies])
            self.classes = np.concatenate([self.classes, self._classes(copies)])
            orphans = copies[:, self._orphans]
            num_new = np.maximum(copies.astype(np.int64) - self.held, 0)
            sums = num_new, copies >= _PAIR, copies == 1, orphans == 0, orphans >= _PAIR
            parts = [some.sum(axis=1) << FEATURE_BITS * at for at, some in enumerate(sums)]
            features = np.sum(parts, axis=0)
            self.features = np.concatenate([self.features, features])
        return self._number[codes] - 1

    def _classes(self, copies: NDArray[np.uint8]) -> NDArray[np.uint8]:
        classes = np.full(len(copies), len(self._part) - 1, np.uint8)
        fits = copies.sum(axis=1) <= MOST_TILES
        classes[fits] = self._part.numbers[state_numbers(copies[fits])]
        return classes

    def steps(self, numbers: Ints, change: int) -> Small:
        """Return the states with one copy more or fewer of each kind, -1 for impossible states.

        Parameters
        ----------
        numbers
            Numbers of states, shape (N,).
        change
            1 or -1.

        Returns
        -------
        ndarray of int32, shape (M, K)
            Indexed by state number; rows of other states may be unset.
        """
        known = self._steps[change]
        if len(known) < len(self.copies):
            more = np.full((2 * len(self.copies) - len(known), self.width), _UNKNOWN, np.int32)
            known = self._steps[change] = np.concatenate([known, more])
        fresh = distinct(numbers[known[numbers, 0] == _UNKNOWN])
        if len(fresh):
            copies = self.copies[fresh].astype(np.int64)
            codes = copies @ self._place
            is_room = copies > 0
            if change > 0:
                is_room = (copies < COPIES) & (copies.sum(axis=1) < MOST_TILES)[:, None]
            after = np.full(copies.shape, -1, np.int32)
            after[is_room] = self.numbers((codes[:, None] + change * self._place)[is_room])
            known[fresh] = after
        return known

    def left(self, wall: Ints) -> Ints:
        """Return the copies in the wall of each state, if every drawn copy were still held."""
        left: Ints = wall - np.maximum(self.copies.astype(np.int64) - self.held, 0)
        return left
