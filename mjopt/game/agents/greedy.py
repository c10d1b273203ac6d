"""Agents that rate hands: the best hand after the discard, and calls that better it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt._internal.validation import as_rng
from mjopt.errors import GameError
from mjopt.game.moves import PASS, Action, Move, after_call, with_copies
from mjopt.game.observation import View
from mjopt.game.public_state import Phase
from mjopt.hands.tiles import TileSet

# A member of an enumeration is slow to look up: these are asked for at every tile.
DISCARD: Final = Action.DISCARD
CLOSED_KONG: Final = Action.CLOSED_KONG
ADDED_KONG: Final = Action.ADDED_KONG

Counts = tuple[int, ...]
Rating = tuple[float, ...]
"""How far a hand is, less is better: first the worth itself, then what breaks ties."""

CALLS: Final[dict[str, str]] = {
    "falls": "chow and pong if the worth then falls",
    "wider": "also if the worth stays and more unseen tiles are useful",
    "never": "no chow, no pong",
}
KONGS: Final[dict[str, str]] = {
    "free": "a kong if the worth does not rise: it is one more draw",
    "never": "no kong",
}
TIES: Final[dict[str, str]] = {
    "outer": "an honour first, then the rank farthest from 5, then the lowest kind",
    "first": "the lowest kind",
    "last": "the highest kind",
    "random": "any of them, drawn from the agent's random numbers",
    "draws": "the one after which the fewest draws are expected, then as outer",
}
"""The final tie-breaking rules and their descriptions."""


def check_words(options: object, **known: Mapping[str, str]) -> None:
    """Refuse a record of options with a word that means nothing."""
    for name, meanings in known.items():
        if (value := getattr(options, name)) not in meanings:
            raise GameError(f"{name}={value}, expected one of {', '.join(meanings)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """When a rating agent calls, makes a kong, and declares itself ready.

    Parameters
    ----------
    calls
        One of :data:`CALLS`.
    kongs
        One of :data:`KONGS`.
    ready
        Declare, under rules that have it, as soon as the best discard allows.

    Examples
    --------
    >>> Policy(calls="often")
    Traceback (most recent call last):
    mjopt.errors.GameError: calls=often, expected one of falls, wider, never
    """

    calls: str = "falls"
    kongs: str = "free"
    ready: bool = True

    def __post_init__(self) -> None:
        """Refuse words that mean nothing."""
        check_words(self, calls=CALLS, kongs=KONGS)
        if not isinstance(self.ready, bool):
            raise GameError(f"ready={self.ready}, expected true or false")

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return what can be said of it."""
        none = cls()
        return [
            Parameter("calls", none.calls, tuple(CALLS)),
            Parameter("kongs", none.kongs, tuple(KONGS)),
            Parameter("ready", none.ready, (True, False)),
        ]

    def words(self) -> list[str]:
        """Return what is not default, for an agent's name."""
        return [
            *[self.calls] * (self.calls != "falls"),
            *["no-kongs"] * (self.kongs == "never"),
            *["undeclared"] * (not self.ready),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingAgent(ABC):
    """An agent that rates hands, and plays towards the best rating."""

    policy: Policy = field(default_factory=Policy)

    @abstractmethod
    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate what is left after each of some discards."""

    @abstractmethod
    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a hand that waits for a tile."""

    def pick(
        self, view: View, hand: Counts, called: int, tied: list[int], rng: np.random.Generator
    ) -> int:
        """Choose among discards with the same rating: by the rule ``outer``, unless told else."""
        return break_tie(tied, "outer", tiles=view.tiles, rng=rng)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move; it wins whenever it can."""
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
            return Move(DISCARD, kinds[0])  # declared: there is nothing to think about
        rated = self.rate_discards(view, hand, called, kinds, rng)
        best = min(rated.values())
        if self.policy.kongs != "never":
            for move in kongs:
                is_closed = move.action is CLOSED_KONG
                left = with_copies(hand, move.kind, -4 if is_closed else -1)
                if self.rate_waiting(view, left, called + is_closed, rng)[0] <= best[0]:
                    return move
        tied = [kind for kind in kinds if rated[kind] == best]
        kind = tied[0] if len(tied) == 1 else self.pick(view, hand, called, tied, rng)
        if view.rules.ready and self.policy.ready:
            declared = Move(Action.READY, kind)
            if declared in moves:
                return declared
        return Move(DISCARD, kind)

    def _claim(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        wanted = [
            move
            for move in moves
            if move != PASS
            and (self.policy.kongs if move.action is Action.KONG else self.policy.calls) != "never"
        ]
        if not wanted:
            return PASS
        standing = self.rate_waiting(view, view.hand, view.called, rng)
        found: list[tuple[Rating, int, Move]] = []
        for order, move in enumerate(wanted):
            left, called = after_call(view.hand, move, view.tile), view.called + 1
            if move.action is Action.KONG:
                rating = self.rate_waiting(view, left, called, rng)
                if rating[0] <= standing[0]:
                    found.append((rating, order, move))
                continue
            kinds = [kind for kind, held in enumerate(left) if held]
            rating = min(self.rate_discards(view, left, called, kinds, rng).values())
            if rating[0] < standing[0] or (self.policy.calls == "wider" and rating < standing):
                found.append((rating, order, move))
        return min(found)[2] if found else PASS


@cache
def _distance(tiles: TileSet) -> tuple[int, ...]:
    """Return how far each kind stands from the middle of its suit; honours farthest."""
    chows = {k for first in tiles.chow_starts for k in range(first, first + 3)}
    return tuple(
        abs(tiles.rank(kind) - 5) if kind in chows else 9 for kind in range(tiles.num_kinds)
    )


def break_tie(
    kinds: Sequence[int], rule: str, *, tiles: TileSet, rng: int | np.random.Generator
) -> int:
    """Return one of the kinds; for ``draws``, what is left of them after that rule.

    Parameters
    ----------
    kinds
        At least one, ascending.
    rule
        One of :data:`TIES`.
    tiles
        The tile set.
    rng
        Used by ``random`` only; or a seed.

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
