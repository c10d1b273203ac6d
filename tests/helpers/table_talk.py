"""Matches for tests: prearranged walls, simple players and a manual clock."""

from collections.abc import Iterator

from helpers.arranged_game import arranged

from mjopt import advise
from mjopt.play.game import GMJBG, Action, GameRules, Move, State, start
from mjopt.play.game.agents.human import describe_move
from mjopt.play.game.table import GameTable
from mjopt.play.matches.judged_hands import OpenHand
from mjopt.play.matches.match_session import Deal, MatchSession, MatchSettings

QUIET = MatchSettings(players=("l1", "l1", "l1"), seconds=None)
"""Three that never call: what they draw is what they may throw."""


GIVER = "34577m45688p456s"
"""Thirteen tiles that all weigh something: who holds them throws an honour that it draws."""


class Clock:
    """A manual clock, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def dealt(hands: list[str], *, rules: GameRules = GMJBG, **more: str) -> Deal:
    """Return a deal for :func:`mjopt.play.matches.match_session.start_session`: a fixed wall."""
    state = arranged(rules, [*hands, *[""] * (4 - len(hands))], **more)
    return lambda match, _: GameTable(start(match.rules, state.wall, dealer=match.dealer))


def word(session: MatchSession, move: Move) -> str:
    """Write a move as the page posts it."""
    return describe_move(move, session.match.rules.tiles.names)


def simple(session: MatchSession) -> Move:
    """Return a win, kong, pong or declaration if legal, else the default at timeout."""
    for action in (Action.WIN, Action.CLOSED_KONG, Action.ADDED_KONG, Action.KONG, Action.PONG):
        for move in session.options:
            if move.action is action:
                return move
    return session.default()


def hidden(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield each kind with the number of copies that a seat sees."""
    shown = zip(state.table.shown, state.hands[seat], strict=True)
    yield from enumerate(a + b for a, b in shown)


def judge_hand(hand: OpenHand) -> None:
    """Judge all decisions of a hand by the chance to win."""
    while tasks := hand.judge.tasks():
        for position, effort in tasks:
            hand.judge.add(advise(position, effort=effort))
