"""The graph of the hands in a class of plays, connected by a draw and a discard.

Two hands before their draw are neighbours if one *full* hand, of one tile more, contains both: a
draw leads from the first to the full hand, a discard from there to the second. The graph is
stored as pairs of a hand and a full hand that contains it, so that the best discard is computed
once for each full hand.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import HandError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.tables.labels.rule_labels import RuleLabels

# The kernels read the graph as a compressed sparse matrix: the edges of state s are the places
# starts[s] to starts[s + 1] of `kinds`, `full`, `leaving` and `copies`. Every edge serves in both
# directions: the draw of its kind makes the full hand, and the discard of that kind from the full
# hand leaves the state again. So one pass over the edges finds the best discard of all full hands,
# and a second one adds up the draws. Moves from state to state would be about twice as many
# (470,680 against 230,481 edges for 22557m234p34789s3z and waste 2). A winning draw is no edge,
# since no discard follows it.

Ints = NDArray[np.int64]
Slots = NDArray[np.int32]
Bytes = NDArray[np.int8]

WORDS: Final = 3
"""Words of 16 kinds each, four bits per kind."""

MOST_KINDS: Final = 40
"""Most kinds of a tile set: as many slopes are kept for a hand."""


class GraphArrays(NamedTuple):
    """A graph of S states, F full hands, E edges and W winning draws, as arrays for the kernels."""

    starts: Ints  # first edge of each state, and the end of the last; shape (S + 1,)
    kinds: Ints  # kind drawn, shape (E,)
    full: Slots  # number of the full hand, shape (E,)
    leaving: Slots  # encoded move from the full hand to the state, shape (E,)
    copies: Bytes  # copies that can be drawn, shape (E,)
    win_starts: Ints  # first winning draw of each state, and the end of the last; shape (S + 1,)
    win_kinds: Ints  # shape (W,)
    wins: Ints  # winning copies, shape (S,)
    states: NDArray[np.uint8]  # copies held, shape (S, K)
    held: Ints  # copies that the first hand holds, shape (K,)
    left: Bytes  # copies in the wall if every drawn copy were still held, shape (S, K)
    num_new: Ints  # tiles that the first hand does not hold, shape (S,)
    room: NDArray[np.uint64]  # for each kind four bits, as many set as in left; shape (S, WORDS)


def form_deficiencies(hand: Hand, forms: tuple[WinningForm, ...]) -> tuple[int, ...]:
    """Return the deficiency of a hand for each form if all copies not held could arrive.

    Examples
    --------
    >>> hand = Hand.parse("123m456m789m1239p")
    >>> form_deficiencies(hand, HandQuery(hand, "all").forms)
    (1, 7)
    """
    query, found = HandQuery.of_checked(hand, forms), []
    label = np.empty(1, np.int8)
    for form in forms:
        label[:] = UNREACHABLE
        if templates := query.templates(form):
            plan = RuleLabels(templates, hand.tiles, hand.called, num_rows=1)
            plan.fill(np.array([hand.counts], np.uint8), None, label, partial=hand.partial)
        found.append(int(label[0]))
    return tuple(found)


def free_deficiency(hand: Hand, forms: tuple[WinningForm, ...]) -> int:
    """Return the least of :func:`form_deficiencies`."""
    return min(form_deficiencies(hand, forms))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSpace:
    """One hand, its wall and a class of hands around it."""

    hand: Hand  # the first hand
    wall: tuple[int, ...]  # copies of each kind
    forms: tuple[WinningForm, ...]
    deficiency: int  # of the hand, with all copies available
    waste: int  # exchanges allowed beyond those that lower the deficiency
    # For each form the upper limit on new tiles plus missing tiles for that form; a hand is in the
    # class if it keeps to one of them. By default ``most`` for every form.
    limits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the number of kinds, and fill in the limits."""
        if (num_kinds := len(self.wall)) > MOST_KINDS:
            raise HandError(
                f"{num_kinds} kinds of tiles", expected=f"at most {MOST_KINDS} for win chances"
            )
        if not self.limits:
            object.__setattr__(self, "limits", (self.most,) * len(self.forms))

    def with_limit(self, form: WinningForm, limit: int) -> "SearchSpace":
        """Return the same with a limit of at least that for a form, if it is one of the forms."""
        limits = tuple(
            max(known, limit) if each == form else known
            for each, known in zip(self.forms, self.limits, strict=True)
        )
        return replace(self, limits=limits)

    @property
    def most(self) -> int:
        """Upper limit on new tiles plus missing tiles for the nearest form."""
        return self.deficiency + self.waste

    @property
    def is_all(self) -> bool:
        """Whether every hand is in the class."""
        return self.most >= 2 * (self.hand.size - 1 - 3 * self.hand.called)


@dataclass(frozen=True, eq=False, kw_only=True)
class Graph:
    """The reachable hands of a class and their neighbours."""

    space: SearchSpace
    # State after each discard within the class; key -1 for a hand before its draw.
    roots: dict[int, int]
    states: NDArray[np.uint8]  # copies of each kind, shape (S, K)
    left: NDArray[np.int64]  # copies in the wall if every drawn copy were still held, shape (S, K)
    num_new: Ints  # tiles that the first hand does not hold, shape (S,)
    # Edges, shape (E,), sorted by state: the state, the kind drawn, the number of the full hand.
    edge_state: Ints
    edge_kind: Ints
    edge_full: NDArray[np.int32]
    win_state: Ints  # as edge_state, for winning draws
    win_kind: Ints

    @property
    def num_states(self) -> int:
        """Number of hands."""
        return len(self.states)

    @cached_property
    def num_full(self) -> int:
        """Number of full hands."""
        return int(self.edge_full.max(initial=-1)) + 1

    @cached_property
    def edge_left(self) -> Ints:
        """Copies that can be drawn, shape (E,)."""
        left: Ints = self.left[self.edge_state, self.edge_kind]
        return left

    @cached_property
    def wins(self) -> Ints:
        """Number of winning copies, shape (S,)."""
        found = np.zeros(self.num_states, np.int64)
        np.add.at(found, self.win_state, self.left[self.win_state, self.win_kind])
        return found

    @cached_property
    def leaving(self) -> NDArray[np.int32]:
        """Moves from full hands, encoded as ``state << 7 | kind << 1 | again``, shape (E,).

        ``again`` is set if the discarded tile was drawn before: it is then depleted.
        """
        held = np.array(self.space.hand.counts)[self.edge_kind]
        again = self.states[self.edge_state, self.edge_kind] >= held
        return (self.edge_state << 7 | self.edge_kind << 1 | again).astype(np.int32)

    @cached_property
    def by_full(self) -> Ints:
        """Edges sorted by full hand."""
        return np.argsort(self.edge_full, kind="stable")

    @cached_property
    def full_starts(self) -> Ints:
        """Start of each full hand in that order."""
        full = self.edge_full[self.by_full]
        return np.flatnonzero(np.diff(full, prepend=-1))

    @cached_property
    def arrays(self) -> GraphArrays:
        """The graph as arrays for the kernels."""
        # In unary, n copies are the n lowest of four bits: the greater of two numbers is then a
        # bitwise or, the smaller a bitwise and, of 16 kinds at once.
        room = np.zeros((self.num_states, WORDS * 16), np.uint64)
        room[:, : self.left.shape[1]] = (1 << self.left) - 1
        room = room.reshape(-1, WORDS, 16) << np.arange(0, 64, 4, dtype=np.uint64)
        return GraphArrays(
            starts=row_starts(self.edge_state, self.num_states),
            kinds=self.edge_kind,
            full=self.edge_full,
            leaving=self.leaving,
            copies=self.edge_left.astype(np.int8),
            win_starts=row_starts(self.win_state, self.num_states),
            win_kinds=self.win_kind,
            wins=self.wins,
            states=self.states,
            held=np.array(self.space.hand.counts),
            left=self.left.astype(np.int8),
            num_new=self.num_new,
            room=room.sum(axis=2, dtype=np.uint64),
        )


def row_starts(places: Ints, size: int) -> Ints:
    """Return the start of each of ``size`` values in a sorted array, and the end of the last."""
    return np.searchsorted(places, np.arange(size + 1))
