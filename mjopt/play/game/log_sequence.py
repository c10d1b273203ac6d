"""The rounds of a logged game in order: what must hold from one to the next."""

from typing import Final

from mjopt.play.game.log import LogGame, LogRound
from mjopt.play.game.moves import Action

DEPOSIT: Final = 1000
"""Points deposited for a ready declaration until a seat wins them."""


def is_next(before: LogRound, deal: LogRound) -> bool:
    """Return whether a round can come right after another.

    It repeats the round with one more counter, or has the next number, with or without counters.
    """
    if deal.label[:2] == before.label[:2]:
        return deal.honba == before.honba + 1
    is_last = before.number == len(before.hands)
    following = (before.wind + 1, 1) if is_last else (before.wind, before.number + 1)
    return deal.label[:2] == following and deal.honba in (0, before.honba + 1)


def points_after(deal: LogRound) -> tuple[int, ...] | None:
    """Return the points of each seat after a round, or None if its changes are unknown."""
    if len(deal.change) != len(deal.points):
        return None
    points = [sum(pair) for pair in zip(deal.points, deal.change, strict=True)]
    for event in deal.events:
        if event.action is Action.READY_STANDS:
            points[event.seat] -= DEPOSIT
    return tuple(points)


def sequence_flaws(game: LogGame) -> tuple[tuple[LogRound, ...], list[str]]:
    """Return the rounds of a game without repetitions, and what is wrong with their sequence.

    A round that comes twice in a row with all its events, a round that is missing and points
    that do not continue change no decision.
    """
    rounds, flaws = list[LogRound](), list[str]()
    for deal in game.rounds:
        if not rounds:
            rounds.append(deal)
            continue
        before = rounds[-1]
        if deal == before:
            flaws.append(f"{deal.name} comes twice: judged once")
            continue
        rounds.append(deal)
        points = points_after(before)
        if game.unread:  # one of those may be between the two
            continue
        if not is_next(before, deal):
            flaws.append(f"{deal.name} comes right after {before.name}")
        elif points not in (None, deal.points):
            text = f"{list(deal.points)} points, but the previous round ends with {points}"
            flaws.append(f"{deal.name}: {text}")
    return tuple(rounds), flaws
