"""The graph of hands: those of the class, and how a draw and a discard lead from one to another.

Two hands before their draw are neighbours if one *full* hand, of one tile more, holds both:
draw into it from the one, discard from it to the other. So the graph is kept as the pairs of
a hand and a full hand that holds it, and what is best after a draw is found once for each full
hand, whoever drew into it.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.win_chance.suit_states import Ints
from mjopt.hands.hand import Hand

WORDS: Final = 3
"""Words of 16 kinds each, four bits a kind."""


class Arrays(NamedTuple):
    """A graph as kernels read it.

    Parameters
    ----------
    starts, kinds, full, leaving, copies
        Where the edges of each state begin and the last ends; of each the kind drawn, the full
        hand, how it is left for the state, the copies that can be drawn.
    win_starts, win_kinds, wins
        Likewise the draws that win, and by state their copies.
    states, held, left, news
        The hands, the first hand, copies left, tiles that it does not hold.
    room
        Shape (S, 3): of each kind as many bits of four as copies are left.
    """

    starts: Any
    kinds: Any
    full: Any
    leaving: Any
    copies: Any
    win_starts: Any
    win_kinds: Any
    wins: Any
    states: Any
    held: Any
    left: Any
    news: Any
    room: Any


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
    edge_full: NDArray[np.int32]
    win_state: Ints
    win_kind: Ints

    @property
    def num_states(self) -> int:
        """How many hands there are."""
        return len(self.states)

    @cached_property
    def num_full(self) -> int:
        """How many full hands there are."""
        return int(self.edge_full.max(initial=-1)) + 1

    @cached_property
    def edge_left(self) -> Ints:
        """Shape (E,): the copies that may be drawn."""
        left: Ints = self.left[self.edge_state, self.edge_kind]
        return left

    @cached_property
    def wins(self) -> Ints:
        """Shape (S,): the copies that win."""
        found = np.zeros(self.num_states, np.int64)
        np.add.at(found, self.win_state, self.left[self.win_state, self.win_kind])
        return found

    @cached_property
    def leaving(self) -> NDArray[np.int32]:
        """Shape (E,): how a full hand is left for the state, ``state << 7 | kind << 1 | again``.

        ``again`` says that the kind thrown was drawn, and is among the copies gone from now on.
        """
        held = np.array(self.world.hand.counts)[self.edge_kind]
        again = self.states[self.edge_state, self.edge_kind] >= held
        return (self.edge_state << 7 | self.edge_kind << 1 | again).astype(np.int32)

    @cached_property
    def by_full(self) -> Ints:
        """The edges in the order of their full hands."""
        return np.argsort(self.edge_full, kind="stable")

    @cached_property
    def full_starts(self) -> Ints:
        """Where each full hand begins in that order."""
        full = self.edge_full[self.by_full]
        return np.flatnonzero(np.diff(full, prepend=-1))

    @cached_property
    def arrays(self) -> Arrays:
        """What kernels read."""
        room = np.zeros((self.num_states, WORDS * 16), np.uint64)
        room[:, : self.left.shape[1]] = (1 << self.left) - 1
        room = room.reshape(-1, WORDS, 16) << np.arange(0, 64, 4, dtype=np.uint64)
        return Arrays(
            starts=row_starts(self.edge_state, self.num_states),
            kinds=self.edge_kind,
            full=self.edge_full,
            leaving=self.leaving,
            copies=self.edge_left.astype(np.int8),
            win_starts=row_starts(self.win_state, self.num_states),
            win_kinds=self.win_kind,
            wins=self.wins,
            states=self.states,
            held=np.array(self.world.hand.counts),
            left=self.left.astype(np.int8),
            news=self.news,
            room=room.sum(axis=2, dtype=np.uint64),
        )


def row_starts(places: Ints, size: int) -> Ints:
    """Return where each of so many places begins among ascending ones, and where the last ends."""
    return np.searchsorted(places, np.arange(size + 1))
