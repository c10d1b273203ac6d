"""The win-chance agent: throw what leaves the most proven chance to win by the draws to come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt._internal.validation import as_whole
from mjopt.errors import GameError
from mjopt.game.agents.greedy import Policy, Rating, RatingAgent
from mjopt.game.moves import PASS, Move, after_call
from mjopt.game.observation import View
from mjopt.game.public_state import Phase
from mjopt.game.rules import NUM_SEATS
from mjopt.hands.hand import Hand
from mjopt.tables.lookup import label_one
from mjopt.tables.useful import judge_discards, judge_waits

Counts = tuple[int, ...]
Bounds = dict[int, int]

WASTES: Final = (0, 1, 2, 3)
MOST: Final = 20_000
"""Hands of a class that the agent may be told to look at: more take seconds a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChanceAgent(RatingAgent):
    """Maximise the proven chance to win by the draws that the seat still expects.

    That chance is the lower bound of :func:`mjopt.optimal_play`. Its wall are all tiles that
    the seat cannot see: those that other hands hold are as good as those of the wall that
    nobody reaches. Its draws are the seat's own if from now on everyone draws in turn. It
    knows nothing of discards that others may throw, nor of what they make of its own. Ties,
    and hands too far off, are settled as by ``deficiency``: deficiency, useful tiles, then the
    rule ``outer``.

    Parameters
    ----------
    policy
        When it calls, makes a kong and declares itself ready; ``wider`` is as ``falls``.
    waste
        The widest class of plays, see :func:`mjopt.optimal_play`.
    hands
        Where a class has more hands than that, the next narrower one is taken, and without
        any the deficiency alone: no clock is asked. Everything that is compared in one
        decision is of one class.

    Examples
    --------
    >>> WinChanceAgent.from_options({"waste": 0, "calls": "never"}).name
    'win-chance-waste-0-never'
    """

    waste: int = 1
    hands: int = 1500

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        if as_whole(self.waste) not in WASTES:
            raise GameError(f"waste={self.waste}, expected one of {', '.join(map(str, WASTES))}")
        if not 1 <= (as_whole(self.hands) or 0) <= MOST:
            raise GameError(f"hands={self.hands}, expected 1 to {MOST}")

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> "WinChanceAgent":
        """Read ``waste=``, ``hands=``, ``calls=``, ``kongs=`` and ``ready=``."""
        known = [parameter.name for parameter in cls.list_options()]
        for option in options:
            if option not in known:
                expected = f"{', '.join(known[:-1])} or {known[-1]}"
                raise GameError(f"win-chance has no option {option!r}, expected {expected}")
        own = {name: options.pop(name) for name in ("waste", "hands") if name in options}
        return cls(policy=Policy(**options), **own)

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return what ``from_options`` reads."""
        none = cls()
        return [
            Parameter("waste", none.waste, WASTES),
            Parameter("hands", none.hands, low=1, high=MOST),
            *Policy.list_options(),
        ]

    @property
    def name(self) -> str:
        """``win-chance`` and what is not default."""
        none = type(self)()
        words = [f"waste-{self.waste}"] * (self.waste != none.waste)
        words += [f"hands-{self.hands}"] * (self.hands != none.hands)
        return "-".join(["win-chance", *words, *self.policy.words()])

    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate by the bound, then by deficiency and useful tiles."""
        values, useful = judge_discards(hand, view.unseen, called=called, forms=view.rules.forms)
        bounds = self._bounds(view, hand, called)
        worth = {kind: (-bounds.get(kind, 0),) for kind in kinds} if bounds is not None else {}
        return {
            kind: (*worth.get(kind, ()), int(values[kind]), -int(useful[kind])) for kind in kinds
        }

    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a waiting hand in the same way."""
        value, useful = judge_waits(hand, view.unseen, called=called, forms=view.rules.forms)
        bounds = self._bounds(view, hand, called)
        worth = (-bounds.get(-1, 0),) if bounds is not None else ()
        return (*worth, int(value), -int(useful))

    def _claim(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        """Look into those calls alone that leave no more to win than there was."""
        forms, lacked = view.rules.forms, label_one(view.hand, view.called, forms=view.rules.forms)
        some = []
        for move in moves:
            left = view.hand if move == PASS else after_call(view.hand, move, view.tile)
            called = view.called + (move != PASS)
            if label_one(left, called, forms=forms) <= lacked:
                some.append(move)
        return RatingAgent._claim(self, view, tuple(some), rng)

    def _bounds(self, view: View, hand: Counts, called: int) -> Bounds | None:
        """Return the bounds in the class that the seat's own hand allows; None if it has none."""
        own = self._class(view, view.hand, view.called)
        waste, bounds = _widest(*own, self.waste, self.hands)
        if waste < 0 or hand == view.hand:
            return None if waste < 0 else bounds
        return _bounded(*self._class(view, hand, called), waste, 2 * self.hands) or {}

    def _class(
        self, view: View, hand: Counts, called: int
    ) -> tuple[Hand, Counts, tuple[str, ...], int]:
        asked = Hand.from_counts(hand, tiles=view.tiles, called=called)
        draws = draws_to_come(view, is_passing=hand == view.hand, is_full=asked.is_full)
        return asked, view.unseen, view.rules.forms, draws


def draws_to_come(view: View, *, is_passing: bool, is_full: bool) -> int:
    """Return how often a seat draws if everyone does in turn until the wall ends.

    Parameters
    ----------
    view
        What it sees.
    is_passing
        Whether it does nothing about a tile on offer: others draw before it.
    is_full
        Whether it discards next; else, unless it passes, it draws a replacement.

    Examples
    --------
    >>> from mjopt.game import GMJBG, shuffle_wall, start, view_of
    >>> view = view_of(start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles)), 0)
    >>> view.table.live, draws_to_come(view, is_passing=True, is_full=True)
    (69, 17)
    """
    live = view.table.live
    if is_full:
        return live // NUM_SEATS
    if not is_passing or view.phase is not Phase.CLAIM:
        return (live + NUM_SEATS - 1) // NUM_SEATS
    others = (view.seat - view.table.turn) % NUM_SEATS - 1
    return (live - others + NUM_SEATS - 1) // NUM_SEATS


@lru_cache(maxsize=4)
def _widest(
    hand: Hand, wall: Counts, forms: tuple[str, ...], draws: int, waste: int, most: int
) -> tuple[int, Bounds]:
    """Return the widest class of so many hands, -1 if there is none, and the bounds in it."""
    for some in range(waste, -1, -1):
        bounds = _bounded(hand, wall, forms, draws, some, most)
        if bounds is not None:
            return some, bounds
    return -1, {}


def _bounded(
    hand: Hand, wall: Counts, forms: tuple[str, ...], draws: int, waste: int, most: int
) -> Bounds | None:
    """Return by discard the lower bound within a class; None if it has more hands."""
    from mjopt.analysis.win_chance.graph import SearchSpace  # its tables take a while to load
    from mjopt.analysis.win_chance.search import lower_bounds

    if draws < 1:
        return {}
    lacks = label_one(hand.counts, hand.called, forms=forms)
    space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste)
    return lower_bounds(space, draws, most)
