"""The win-chance agent: maximise a proven lower bound on the probability of winning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt._internal.validation import as_whole
from mjopt.errors import GameError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.play.game.agents.greedy import (
    CallPolicy,
    PolicyOptions,
    Rating,
    RatingAgent,
    check_option_names,
    take_policy,
)
from mjopt.play.game.agents.horizon import calls_without_setback, draws_to_come
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View
from mjopt.tables.lookup import label_one
from mjopt.tables.useful import judge_discards, judge_waits

Counts = tuple[int, ...]
Bounds = dict[int, int]

WASTES: Final = (0, 1, 2, 3)
MOST: Final = 20_000
"""Upper limit of the option ``hands``: more would take seconds per decision."""


class WinChanceOptions(PolicyOptions, total=False):
    """The options of the agent, as in its spec."""

    waste: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinChanceAgent(RatingAgent):
    """Maximise the proven probability of winning within the remaining draws of the seat.

    The probability is the lower bound of :func:`mjopt.optimal_play`. The wall is the set of
    all tiles that the seat cannot see: a tile in another hand is equivalent to a tile of the
    wall that is never drawn. The number of draws assumes that all seats draw in turn from now
    on. The model ignores wins and calls on discards, by this seat and by the others. Ties, and
    hands too far from a win, are resolved as in ``deficiency``: deficiency, useful tiles, then
    the rule ``outer``.

    Parameters
    ----------
    policy
        When the agent calls, makes kongs and declares ready; ``wider`` is the same as ``falls``.
    waste
        The widest class of plays; see :func:`mjopt.optimal_play`.
    hands
        Maximum number of hands of a class. If a class has more, the agent uses the next
        narrower one, or the deficiency alone if none is small enough. The choice does not
        depend on time, and one decision uses a single class.

    Examples
    --------
    >>> WinChanceAgent.from_options({"waste": 0, "calls": "never"}).name
    'win-chance-waste-0-never'
    """

    waste: int = 1
    hands: int = 1500

    def __post_init__(self) -> None:
        """Reject numbers out of range."""
        if as_whole(self.waste) not in WASTES:
            raise GameError(f"waste={self.waste}", expected=tuple(map(str, WASTES)))
        if not 1 <= (as_whole(self.hands) or 0) <= MOST:
            raise GameError(f"hands={self.hands}", expected=f"1 to {MOST}")

    @classmethod
    def from_options(cls, options: WinChanceOptions) -> "WinChanceAgent":
        """Read ``waste=``, ``hands=``, ``calls=``, ``kongs=`` and ``ready=``."""
        check_option_names("win-chance", options, cls.list_options())
        default = cls()
        return cls(
            policy=take_policy(options),
            waste=options.pop("waste", default.waste),
            hands=options.pop("hands", default.hands),
        )

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_options``."""
        default = cls()
        return [
            Parameter("waste", default.waste, WASTES),
            Parameter("hands", default.hands, low=1, high=MOST),
            *CallPolicy.list_options(),
        ]

    @property
    def name(self) -> str:
        """``win-chance`` and the options that are not default."""
        default = type(self)()
        words = [f"waste-{self.waste}"] * (self.waste != default.waste)
        words += [f"hands-{self.hands}"] * (self.hands != default.hands)
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
        """Rate a waiting hand by the same criteria."""
        value, useful = judge_waits(hand, view.unseen, called=called, forms=view.rules.forms)
        bounds = self._bounds(view, hand, called)
        worth = (-bounds.get(-1, 0),) if bounds is not None else ()
        return (*worth, int(value), -int(useful))

    def _claim(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        """Consider only calls that do not increase the deficiency."""
        return RatingAgent._claim(self, view, calls_without_setback(view, moves), rng)

    def _bounds(self, view: View, hand: Counts, called: int) -> Bounds | None:
        """Return the bounds in the widest class allowed for the current hand, or None."""
        own = self._class(view, view.hand, view.called)
        waste, bounds = _widest(*own, self.waste, self.hands)
        if waste < 0 or hand == view.hand:
            return None if waste < 0 else bounds
        return _bounded(*self._class(view, hand, called), waste, 2 * self.hands) or {}

    def _class(
        self, view: View, hand: Counts, called: int
    ) -> tuple[Hand, Counts, tuple[WinningForm, ...], int]:
        rated = Hand.from_counts(hand, tiles=view.tiles, called=called)
        draws = draws_to_come(view, is_passing=hand == view.hand, is_full=rated.is_full)
        return rated, view.unseen, view.rules.forms, draws


@lru_cache(maxsize=4)
def _widest(
    hand: Hand, wall: Counts, forms: tuple[WinningForm, ...], draws: int, waste: int, most: int
) -> tuple[int, Bounds]:
    """Return the widest class of at most ``most`` hands, or -1, and its bounds."""
    for width in range(waste, -1, -1):
        bounds = _bounded(hand, wall, forms, draws, width, most)
        if bounds is not None:
            return width, bounds
    return -1, {}


def _bounded(
    hand: Hand, wall: Counts, forms: tuple[WinningForm, ...], draws: int, waste: int, most: int
) -> Bounds | None:
    """Return the lower bound for each discard within a class; None if it has too many hands."""
    from mjopt.chances.win_chance.graph import SearchSpace  # loading its tables is slow
    from mjopt.chances.win_chance.search import lower_bounds

    if draws < 1:
        return {}
    lacks = label_one(hand.counts, hand.called, forms=forms)
    space = SearchSpace(hand=hand, wall=wall, forms=forms, deficiency=lacks, waste=waste)
    return lower_bounds(space, draws, most)
