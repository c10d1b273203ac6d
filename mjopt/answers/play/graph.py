"""The graph of hands: those of the class, and how a draw and a discard lead from one to another.

Two hands before their draw are neighbours if one *full* hand, of one tile more, holds both:
draw into it from the one, discard from it to the other. So the graph is kept as the pairs of
a hand and a full hand that holds it, and what is best after a draw is found once for each full
hand, whoever drew into it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.play.suits import BITS, Ints, Small, Suits
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, orphan_kinds
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL
from mjopt.tables.store import answers, load_tables

_FAR: Final = 99
_STARTS: Final = {27: (0, 9, 18, 27), 34: (0, 9, 18, 27, 34)}
_MASK: Final = (1 << BITS) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One hand, its wall and the class of hands that may be held.

    Parameters
    ----------
    hand
        The hand that the class is around.
    wall
        Copies of each kind in the wall.
    forms
        The winning forms.
    deficiency
        Of the hand, as if every copy could be had.
    waste
        Tiles that may be exchanged beyond those that lower the deficiency.
    """

    hand: Hand
    wall: tuple[int, ...]
    forms: tuple[str, ...]
    deficiency: int
    waste: int

    @property
    def most(self) -> int:
        """The most that tiles not of the hand, and the deficiency, may add up to."""
        return self.deficiency + self.waste

    @property
    def is_all(self) -> bool:
        """Whether every hand is of the class: it misses what it holds and one tile, at most."""
        return self.most >= 2 * (13 - 3 * self.hand.called)


@dataclass(frozen=True, eq=False, kw_only=True)
class Graph:
    """Hands of a class that can be reached, and their neighbours.

    Parameters
    ----------
    world
        What it was made for.
    roots
        By discard the state that it leaves, for those of the class; kind -1 for a hand
        that waits for its draw.
    states
        Shape (S, K): copies of each kind.
    left
        Shape (S, K): copies in the wall if every copy drawn were still held.
    news
        Shape (S,): tiles that the hand of the world does not hold.
    edge_state, edge_kind, edge_full
        Shape (E,), by state: the state, the kind that makes the full hand of it, which full hand.
    win_state, win_kind
        Likewise the draws that win.
    """

    world: World
    roots: dict[int, int]
    states: NDArray[np.uint8]
    left: NDArray[np.int64]
    news: Ints
    edge_state: Ints
    edge_kind: Ints
    edge_full: Ints
    win_state: Ints
    win_kind: Ints

    @property
    def num_states(self) -> int:
        """How many hands there are."""
        return len(self.states)

    @cached_property
    def edge_left(self) -> Ints:
        """Shape (E,): the copies that may be drawn."""
        left: Ints = self.left[self.edge_state, self.edge_kind]
        return left

    @cached_property
    def win_left(self) -> Ints:
        """Likewise of draws that win."""
        left: Ints = self.left[self.win_state, self.win_kind]
        return left

    @cached_property
    def wins(self) -> Ints:
        """Shape (S,): the copies that win."""
        found = np.zeros(self.num_states, np.int64)
        np.add.at(found, self.win_state, self.win_left)
        return found

    @cached_property
    def by_full(self) -> Ints:
        """The edges in the order of their full hands."""
        return np.argsort(self.edge_full, kind="stable")

    @cached_property
    def full_starts(self) -> Ints:
        """Where each full hand begins in that order."""
        full = self.edge_full[self.by_full]
        return np.flatnonzero(np.diff(full, prepend=-1))


def grow_graph(world: World, most_states: int | None = None) -> Graph | None:
    """Find all hands of a class that draws and discards lead to.

    Parameters
    ----------
    world
        The hand, the wall, the class.
    most_states
        Give up beyond so many.

    Returns
    -------
    Graph or None
        None if there are more.
    """
    return _Growing(world).grow(most_states)


class _Growing:
    def __init__(self, world: World) -> None:
        self.world = world
        held = np.array(world.hand.counts)
        self.starts = _STARTS[len(held)]
        self.wall = np.array(world.wall)
        self.suits = [Suits(held[a:b]) for a, b in pairwise(self.starts)]
        self.answers = answers(len(held), world.hand.called)
        self.special = tuple(form for form in world.forms if form != STANDARD)
        if world.hand.called:
            self.special = ()  # only the standard form has melds

    def grow(self, most_states: int | None) -> Graph | None:
        roots = self._roots()
        known = fresh = _distinct(np.array(list(roots.values()), np.int64))
        fulls = np.zeros(0, np.int64)
        edges: list[tuple[Ints, Ints, Ints]] = []
        while len(fresh):
            drawn = _distinct(self._draws(fresh))
            drawn = drawn[~_is_in(drawn, fulls)]
            after, kind, full = self._discards(drawn)
            shared = np.bincount(full, minlength=len(drawn))[full] > 1  # not only by who drew
            edges.append((after[shared], kind[shared], drawn[full[shared]]))
            reached = _distinct(after[shared])
            fresh = reached[~_is_in(reached, known)]
            fulls = np.sort(np.concatenate([fulls, drawn]))
            known = np.sort(np.concatenate([known, fresh]))
            if most_states is not None and len(known) > most_states:
                return None
        none = np.zeros(0, np.int64)
        after, kind, full = map(np.concatenate, zip((none, none, none), *edges, strict=True))
        state = np.searchsorted(known, after)
        order = np.argsort(state * len(self.wall) + kind)
        full = np.searchsorted(_distinct(full), full)
        win_state, win_kind = self._wins(known)
        return Graph(
            world=self.world,
            roots={kind: int(np.searchsorted(known, key)) for kind, key in roots.items()},
            states=self._join(known, lambda suit, _: suit.copies),
            left=self._join(known, lambda suit, wall: suit.left(wall)),
            news=self._news(self._split(known)),
            edge_state=state[order],
            edge_kind=kind[order],
            edge_full=full[order].astype(np.int64),
            win_state=win_state,
            win_kind=win_kind,
        )

    def _split(self, keys: Ints) -> list[Any]:
        """Return the numbers of the suits behind keys."""
        return [keys >> BITS * place & _MASK for place in range(len(self.suits))]

    def _join(self, keys: Ints, look: Any) -> NDArray[Any]:
        """Return what is looked up suit by suit, side by side."""
        parts = zip(self.suits, self._split(keys), pairwise(self.starts), strict=True)
        return np.concatenate([look(s, self.wall[a:b])[n] for s, n, (a, b) in parts], axis=1)

    def _news(self, numbers: Sequence[Any]) -> Any:
        return sum(suit.news[some] for suit, some in zip(self.suits, numbers, strict=True))

    def _deficiency(self, numbers: Sequence[Any]) -> Any:
        """Return the deficiency of hands, given by the numbers of their suits."""
        tables = load_tables()
        first, second, *rest = (s.classes[n] for s, n in zip(self.suits, numbers, strict=True))
        last = tables.mixed_class[rest[0], rest[1]] if len(rest) == 2 else rest[0]
        found: Any = self.answers[tables.pair_class[first, second], last]
        if STANDARD not in self.world.forms:
            found = np.full(found.shape, _FAR, np.int8)
        if self.special:
            shapes = np.broadcast_arrays(*numbers)
            parts = [s.copies[n] for s, n in zip(self.suits, shapes, strict=True)]
            found = np.minimum(found, _special(np.concatenate(parts, axis=-1), self.special))
        return found

    def _roots(self) -> dict[int, int]:
        """Return by discard the key of what it leaves, where that is of the class."""
        start = np.zeros(1, np.int64)
        if not self.world.hand.is_full:
            return {-1: 0}
        after, kinds, _ = self._discards(start)
        return dict(zip(kinds.tolist(), after.tolist(), strict=True))

    def _changed(self, keys: Ints, change: int) -> Any:
        """Yield, suit by suit, hands with one tile more or less of each kind of it.

        What is yielded is the place of the suit; of the hands its numbers, what they lack
        (``_FAR`` where there is no such hand) and the tiles that the hand of the world does
        not hold, shape (N, K) each.
        """
        numbers = self._split(keys)
        wide = [some[:, None] for some in numbers]
        news = self._news(numbers)
        for place, suit in enumerate(self.suits):
            after = suit.steps(numbers[place], change)
            is_real = after >= 0
            if change > 0:  # what is drawn lies in the wall
                wall = self.wall[self.starts[place] : self.starts[place + 1]]
                is_real &= (suit.left(wall) > 0)[numbers[place]]
            changed = [*wide]
            changed[place] = np.maximum(after, 0)
            lacks = np.where(is_real, self._deficiency(changed), np.int8(_FAR))
            others = (news - suit.news[numbers[place]])[:, None]
            yield place, after, lacks, others + suit.news[changed[place]]

    def _chosen(
        self, keys: Ints, place: int, after: Small, chosen: NDArray[np.bool_]
    ) -> tuple[Ints, Ints, Ints]:
        """Return the keys of chosen hands, the kinds changed, and the rows they come from."""
        row, rank = np.nonzero(chosen)
        shift = BITS * place
        changed = after[row, rank].astype(np.int64) << shift
        return keys[row] & ~(_MASK << shift) | changed, rank + self.starts[place], row

    def _draws(self, keys: Ints) -> Ints:
        """Return full hands that may lead on, drawn into from hands."""
        found = []
        for place, after, lacks, news in self._changed(keys, 1):
            leads_on = (lacks > 0) & (lacks + news <= self.world.most + 1)
            found.append(self._chosen(keys, place, after, leads_on)[0])
        return np.concatenate(found)

    def _wins(self, keys: Ints) -> tuple[Ints, Ints]:
        """Return the states that a draw completes, and the kinds, by state."""
        states, kinds = [], []
        for place, after, lacks, _ in self._changed(keys, 1):
            _, kind, state = self._chosen(keys, place, after, lacks == 0)
            states.append(state)
            kinds.append(kind)
        state, kind = np.concatenate(states), np.concatenate(kinds)
        order = np.lexsort((kind, state))
        return state[order], kind[order]

    def _discards(self, keys: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the hands of the class that full hands leave, what they throw, and which."""
        found = [
            self._chosen(keys, place, after, lacks + news <= self.world.most)
            for place, after, lacks, news in self._changed(keys, -1)
        ]
        after, kind, full = map(np.concatenate, zip(*found, strict=True))
        return after, kind, full


def _distinct(keys: Ints) -> Ints:
    """Return the distinct keys, ascending: sorting is the quickest for so many."""
    ordered = np.sort(keys)
    found: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return found


def _is_in(keys: Ints, known: Ints) -> NDArray[np.bool_]:
    """Return which keys are among sorted ones."""
    if not len(known):
        return np.zeros(len(keys), bool)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found: NDArray[np.bool_] = known[place] == keys
    return found


def _special(copies: NDArray[np.uint8], forms: Sequence[str]) -> NDArray[np.int64]:
    """Return the least deficiency over forms without melds."""
    found = np.full(copies.shape[:-1], _FAR)
    if SEVEN_PAIRS in forms:
        pairs = np.minimum((copies >= 2).sum(axis=-1), 7)
        singles = np.minimum((copies == 1).sum(axis=-1), 7 - pairs)
        found = np.minimum(found, 14 - 2 * pairs - singles)
    if THIRTEEN_ORPHANS in forms:
        orphans = copies[..., list(orphan_kinds(FULL))]
        missing = (orphans == 0).sum(axis=-1) + (orphans < 2).all(axis=-1)
        found = np.minimum(found, missing)
    return found
