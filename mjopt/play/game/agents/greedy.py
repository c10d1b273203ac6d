"""Base class of agents that rate hands and choose greedily."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypedDict

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_rng, as_whole
from mjopt.errors import GameError
from mjopt.hands.blocks import kong
from mjopt.hands.tiles import TileSet
from mjopt.play.game.agents.folding import folds, safest
from mjopt.play.game.events import BLOCK_OF
from mjopt.play.game.legal import barred_discards, possible_discards
from mjopt.play.game.moves import PASS, Action, Move, after_call, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.open_hands import (
    needs_yaku,
    open_distance,
    open_melds,
    rate_open_discards,
    value_kinds,
)
from mjopt.play.game.public_state import Phase
from mjopt.tables.lookup import label_one

# Aliases for speed: attribute access on an enumeration is slow, and these are used often.
DISCARD: Final = Action.DISCARD
CLOSED_KONG: Final = Action.CLOSED_KONG
ADDED_KONG: Final = Action.ADDED_KONG

Counts = tuple[int, ...]
Rating = tuple[float, ...]
"""A rating of a hand, lower is better: first the main criterion, then tie-breakers."""

CALLS: Final[dict[str, str]] = {
    "falls": "chow and pong if the rating decreases",
    "wider": "also if the rating stays equal and more unseen tiles are useful",
    "never": "no chow, no pong",
}
KONGS: Final[dict[str, str]] = {
    "free": "a kong if the rating does not increase: it is one more draw",
    "never": "no kong",
}
TIES: Final[dict[str, str]] = {
    "outer": "an honour first, then the rank farthest from 5, then the lowest kind",
    "first": "the lowest kind",
    "last": "the highest kind",
    "random": "a uniformly random kind",
    "draws": "the kind with the fewest expected draws after it, then as outer",
}
"""The final tie-breaking rules and their descriptions."""

SAFETY: Final = 2
"""The number of missing tiles from which agents fold, by measurement: docs/results/folding.md."""

MOST_MISSING: Final = 7
"""Maximum number of tiles that a hand of riichi misses: seven pairs are never farther away."""


def check_option_names(agent: str, options: Iterable[str], known: Sequence[Parameter]) -> None:
    """Raise GameError if an agent does not have an option."""
    names = [parameter.name for parameter in known]
    for option in options:
        if option not in names:
            expected = " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
            raise GameError(f"{agent} has no option {short_repr(option)}", expected=expected)


def check_words(options: object, **known: Mapping[str, str]) -> None:
    """Raise GameError if an option has an unknown value."""
    for name, meanings in known.items():
        if (value := getattr(options, name)) not in meanings:
            raise GameError(f"{name}={value}", expected=tuple(meanings))


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPolicy:
    """When a rating agent calls, makes kongs and declares ready.

    Parameters
    ----------
    calls
        One of :data:`CALLS`.
    kongs
        One of :data:`KONGS`.
    ready
        Whether to declare ready, if the rules allow it, as soon as the best discard allows it.
    safety
        At a table of riichi, the number of missing tiles from which the agent folds while another
        seat is in riichi: it then discards the kind of least danger by :func:`mjopt.danger`, and
        calls nothing. 1: also if ready; 0: never.

    Examples
    --------
    >>> CallPolicy(calls="often")
    Traceback (most recent call last):
    mjopt.errors.GameError: calls=often, expected one of falls, wider, never
    """

    calls: str = "falls"
    kongs: str = "free"
    ready: bool = True
    safety: int = SAFETY

    def __post_init__(self) -> None:
        """Reject unknown options."""
        check_words(self, calls=CALLS, kongs=KONGS)
        if as_whole(self.safety) not in range(MOST_MISSING + 1):
            raise GameError(f"safety={self.safety}", expected=f"0..{MOST_MISSING}")
        if not isinstance(self.ready, bool):
            raise GameError(f"ready={self.ready}", expected="true or false")

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of a policy."""
        default = cls()
        return [
            Parameter("calls", default.calls, tuple(CALLS)),
            Parameter("kongs", default.kongs, tuple(KONGS)),
            Parameter("ready", default.ready, (True, False)),
            Parameter("safety", default.safety, low=0, high=MOST_MISSING),
        ]

    def words(self) -> list[str]:
        """Return the options that are not default, for the agent's name."""
        return [
            *[self.calls] * (self.calls != "falls"),
            *["no-kongs"] * (self.kongs == "never"),
            *["undeclared"] * (not self.ready),
            *[f"safety-{self.safety}"] * (self.safety != SAFETY),
        ]


class PolicyOptions(TypedDict, total=False):
    """The options of a policy, as in the spec of an agent."""

    calls: str
    kongs: str
    ready: bool
    safety: int


def take_policy(options: PolicyOptions) -> CallPolicy:
    """Return the policy of an agent's options, and remove its own from them."""
    default = CallPolicy()
    return CallPolicy(
        calls=options.pop("calls", default.calls),
        kongs=options.pop("kongs", default.kongs),
        ready=options.pop("ready", default.ready),
        safety=options.pop("safety", default.safety),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingAgent(ABC):
    """An agent that rates hands and moves to the best-rated hand."""

    policy: CallPolicy = field(default_factory=CallPolicy)

    @abstractmethod
    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate the hand after each of the discards."""

    @abstractmethod
    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a hand that waits for a tile."""

    def pick(
        self, view: View, hand: Counts, called: int, tied: list[int], rng: np.random.Generator
    ) -> int:
        """Choose among discards of equal rating, by default with the rule ``outer``."""
        return break_tie(tied, "outer", tiles=view.tiles, rng=rng)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move of the agent, a win if possible."""
        if moves[0].action is Action.WIN:
            return moves[0]
        if view.phase is Phase.CLAIM:
            return self._claim(view, moves, rng)
        if view.phase is Phase.ROB:
            return PASS
        return self._turn(view, moves, rng)

    def _turn(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        hand, called = view.hand, view.called
        kinds = [move.kind for move in moves if move.action is DISCARD]
        kongs = [move for move in moves if move.action is CLOSED_KONG or move.action is ADDED_KONG]
        if len(kinds) == 1 and not (kongs and self.policy.kongs != "never"):
            return Move(DISCARD, kinds[0])  # after a ready declaration: the only discard
        is_folding = folds(view, self.policy.safety)
        if is_folding and len(kinds := safest(view, kinds)) == 1:
            return Move(DISCARD, kinds[0])
        melds = open_melds(view) if needs_yaku(view) else ()
        if melds:
            values = value_kinds(view.seat, view.table.dealer, view.wind)
            rated = rate_open_discards(hand, melds, values, view.unseen, kinds)
        else:
            rated = self.rate_discards(view, hand, called, kinds, rng)
        best = min(rated.values())
        if self.policy.kongs != "never" and not is_folding:
            for move in kongs:
                is_closed = move.action is CLOSED_KONG
                after = with_copies(hand, move.kind, -4 if is_closed else -1)
                if melds:
                    laid = (*melds, kong(move.kind)) if is_closed else melds
                    missing: float = open_distance(after, laid, values, view.unseen)
                else:
                    missing = self.rate_waiting(view, after, called + is_closed, rng)[0]
                if missing <= best[0]:
                    return move
        tied = [kind for kind in kinds if rated[kind] == best]
        kind = tied[0] if len(tied) == 1 else self.pick(view, hand, called, tied, rng)
        if view.rules.ready and self.policy.ready and not is_folding:
            declared = Move(Action.READY, kind)
            if declared in moves:
                return declared
        return Move(DISCARD, kind)

    def _claim(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        allowed = [
            move
            for move in moves
            if move != PASS
            and (self.policy.kongs if move.action is Action.KONG else self.policy.calls) != "never"
        ]
        if not allowed or folds(view, self.policy.safety):
            return PASS
        if needs_yaku(view):
            return _claim_for_yaku(view, allowed)
        current = self.rate_waiting(view, view.hand, view.called, rng)
        improving: list[tuple[Rating, int, Move]] = []
        for order, move in enumerate(allowed):
            after, called = after_call(view.hand, move, view.tile), view.called + 1
            if move.action is Action.KONG:
                rating = self.rate_waiting(view, after, called, rng)
                if rating[0] <= current[0]:
                    improving.append((rating, order, move))
                continue
            barred = barred_discards(move, view.tile, view.rules)
            kinds = possible_discards(after, barred)
            rating = min(self.rate_discards(view, after, called, kinds, rng).values())
            if rating[0] < current[0] or (self.policy.calls == "wider" and rating < current):
                improving.append((rating, order, move))
        return min(improving)[2] if improving else PASS


def _claim_for_yaku(view: View, calls: list[Move]) -> Move:
    """Return the call after which an open hand is nearest to a yaku, if it is nearer than now."""
    values, melds = value_kinds(view.seat, view.table.dealer, view.wind), open_melds(view)
    now = label_one(view.hand, view.called, forms=view.rules.forms)
    if melds:
        now = open_distance(view.hand, melds, values, view.unseen)
    own = tuple(meld.block for meld in view.melds)
    nearer: list[tuple[int, int, Move]] = []
    for order, move in enumerate(calls):
        after = after_call(view.hand, move, view.tile)
        distance = open_distance(
            after, (*own, BLOCK_OF[move.action](move.kind)), values, view.unseen
        )
        if distance < now or (move.action is Action.KONG and melds and distance == now):
            nearer.append((distance, order, move))
    return min(nearer)[2] if nearer else PASS


@cache
def _distance(tiles: TileSet) -> tuple[int, ...]:
    """Return the distance of each kind from rank 5 of its suit; 9 for honours."""
    chows = {k for first in tiles.chow_starts for k in range(first, first + 3)}
    return tuple(
        abs(tiles.rank(kind) - 5) if kind in chows else 9 for kind in range(tiles.num_kinds)
    )


def break_tie(
    kinds: Sequence[int], rule: str, *, tiles: TileSet, rng: int | np.random.Generator
) -> int:
    """Return one of the kinds, which ascend, by a rule of :data:`TIES`.

    Only ``random`` uses ``rng``. The rule ``draws`` itself is applied by the agent; here it falls
    back to ``outer``.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> [break_tie([1, 8, 30], rule, tiles=FULL, rng=1) for rule in ("first", "last", "outer")]
    [1, 30, 30]
    """
    if len(kinds) == 1 or rule == "first":
        return kinds[0]
    if rule == "last":
        return kinds[-1]
    if rule == "random":
        return kinds[int(as_rng(rng).integers(len(kinds)))]
    far = _distance(tiles)
    return min(kinds, key=lambda kind: (-far[kind], kind))
