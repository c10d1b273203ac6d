"""Agents that rate hands: the best hand after the discard, and calls that better it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from mjopt.errors import GameError
from mjopt.game.moves import PASS, Action, Move
from mjopt.game.open_table import Phase
from mjopt.game.view import View

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
        for name, value, known in (("calls", self.calls, CALLS), ("kongs", self.kongs, KONGS)):
            if value not in known:
                raise GameError(f"{name}={value}, expected one of {', '.join(known)}")
        if not isinstance(self.ready, bool):
            raise GameError(f"ready={self.ready}, expected true or false")

    def words(self) -> list[str]:
        """Return what is not default, for an agent's name."""
        return [
            *[self.calls] * (self.calls != "falls"),
            *["no-kongs"] * (self.kongs == "never"),
            *["undeclared"] * (not self.ready),
        ]


class Rater(Protocol):
    """What rates hands."""

    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate what is left after each of some discards."""

    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a hand that waits for a tile."""

    def pick(
        self, view: View, hand: Counts, called: int, tied: list[int], rng: np.random.Generator
    ) -> int:
        """Choose among discards with the same rating."""


def decide(
    rater: Rater,
    policy: Policy,
    view: View,
    moves: tuple[Move, ...],
    rng: np.random.Generator,
) -> Move:
    """Return the move of an agent that rates hands; it wins whenever it can."""
    if moves[0].action is Action.WIN:
        return moves[0]
    if view.phase is Phase.CLAIM:
        return _claim(rater, policy, view, moves, rng)
    if view.phase is Phase.ROB:
        return PASS
    return _turn(rater, policy, view, moves, rng)


def without(hand: Counts, kind: int, copies: int = 1) -> Counts:
    """Return a hand less some copies of a kind."""
    return (*hand[:kind], hand[kind] - copies, *hand[kind + 1 :])


def _turn(
    rater: Rater, policy: Policy, view: View, moves: tuple[Move, ...], rng: np.random.Generator
) -> Move:
    hand, called = view.hand, view.called
    kinds = [move.kind for move in moves if move.action is DISCARD]
    kongs = [move for move in moves if move.action is CLOSED_KONG or move.action is ADDED_KONG]
    if len(kinds) == 1 and not (kongs and policy.kongs != "never"):
        return Move(DISCARD, kinds[0])  # declared: there is nothing to think about
    rated = rater.rate_discards(view, hand, called, kinds, rng)
    best = min(rated.values())
    if policy.kongs != "never":
        for move in kongs:
            is_closed = move.action is CLOSED_KONG
            left = without(hand, move.kind, 4 if is_closed else 1)
            if rater.rate_waiting(view, left, called + is_closed, rng)[0] <= best[0]:
                return move
    tied = [kind for kind in kinds if rated[kind] == best]
    kind = tied[0] if len(tied) == 1 else rater.pick(view, hand, called, tied, rng)
    if view.rules.ready and policy.ready:
        declared = Move(Action.READY, kind)
        if declared in moves:
            return declared
    return Move(DISCARD, kind)


def _claim(
    rater: Rater, policy: Policy, view: View, moves: tuple[Move, ...], rng: np.random.Generator
) -> Move:
    wanted = [
        move
        for move in moves
        if move != PASS
        and (policy.kongs if move.action is Action.KONG else policy.calls) != "never"
    ]
    if not wanted:
        return PASS
    standing = rater.rate_waiting(view, view.hand, view.called, rng)
    found: list[tuple[Rating, int, Move]] = []
    for order, move in enumerate(wanted):
        left, called = after_call(view.hand, move, view.tile), view.called + 1
        if move.action is Action.KONG:
            rating = rater.rate_waiting(view, left, called, rng)
            if rating[0] <= standing[0]:
                found.append((rating, order, move))
            continue
        kinds = [kind for kind, held in enumerate(left) if held]
        rating = min(rater.rate_discards(view, left, called, kinds, rng).values())
        if rating[0] < standing[0] or (policy.calls == "wider" and rating < standing):
            found.append((rating, order, move))
    return min(found)[2] if found else PASS


def after_call(hand: Counts, move: Move, tile: int) -> Counts:
    """Return what stays concealed after a chow, pong or kong of a tile on offer."""
    if move.action is Action.CHOW:
        for kind in range(move.kind, move.kind + 3):
            if kind != tile:
                hand = without(hand, kind)
        return hand
    return without(hand, tile, 3 if move.action is Action.KONG else 2)
