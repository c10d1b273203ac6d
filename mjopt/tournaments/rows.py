"""Rows: the result of every game that was played, as one array."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.game.play import GameResult
from mjopt.game.rules import GMJBG, Multipliers, RuleSet
from mjopt.game.state import Ending
from mjopt.tournaments.plan import Plan

ENDINGS: Final = tuple(Ending)
FAULTS: Final = ("", "crash", "illegal", "slow")

ROW: Final = np.dtype(
    [
        ("game", "<u8"),
        ("round", "u1"),
        ("dealer", "u1"),
        ("ending", "u1"),  # a place in ENDINGS
        ("fault", "u1"),  # a place in FAULTS; the payer broke the game
        ("winners", "u1"),  # a bit a seat
        ("payer", "i1"),
        ("kind", "i1"),
        ("turn", "<i2"),
        ("calls", "<i2", (4,)),
        ("scores", "<i4", (4,)),
    ]
)
"""One game that was played; seats, not entrants."""

ROW_WITH_MULTIPLIERS: Final = np.dtype([*ROW.descr, ("multipliers", "<i2", (4,))])
"""The same where the rules have multipliers: that of each winner, 0 for who did not win."""

Rows = NDArray[Any]


def row_type(rules: RuleSet) -> np.dtype[Any]:
    """Return what a row holds under some rules."""
    return ROW if rules.multipliers == Multipliers() else ROW_WITH_MULTIPLIERS


def empty_rows(number: int, rules: RuleSet = GMJBG) -> Rows:
    """Return rows to be filled."""
    return np.zeros(number, row_type(rules))


def fill_row(row: Any, game: int, round_: int, result: GameResult) -> None:
    """Write one result into a row."""
    outcome = result.outcome
    row["game"], row["round"], row["dealer"] = game, round_, result.dealer
    row["ending"] = ENDINGS.index(outcome.ending)
    row["fault"] = FAULTS.index(result.fault.reason) if result.fault else 0
    row["winners"] = sum(1 << seat for seat in outcome.winners)
    row["payer"], row["kind"] = outcome.payer, outcome.kind
    row["turn"] = result.turn
    row["calls"], row["scores"] = result.calls, outcome.scores
    if "multipliers" in row.dtype.names:
        for seat, worth in zip(outcome.winners, outcome.multipliers, strict=True):
            row["multipliers"][seat] = worth


def by_entrant(plan: Plan, values: NDArray[Any]) -> NDArray[Any]:
    """Turn values by seat into values by entrant.

    Parameters
    ----------
    plan
        Who sat where.
    values
        Whole games, shape ``(G * rounds, 4)``, by seat.

    Returns
    -------
    NDArray
        Shape ``(G, rounds, 4)``, by game, round and entrant.
    """
    seats = (np.arange(4) + np.arange(plan.rounds)[:, None]) % 4  # (rounds, entrant)
    shaped = values.reshape(-1, plan.rounds, 4)
    return np.take_along_axis(shaped, seats[None].repeat(len(shaped), axis=0), axis=2)
