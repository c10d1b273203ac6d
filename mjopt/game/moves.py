"""Moves: what a seat can do, as letters of a record."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NO_KIND: Final = -1
"""Where a kind would stand: nothing was drawn, or it is hidden."""


class Action(StrEnum):
    """What happens, by the letter that records use (D, P, H as in the JJ logs)."""

    WIN = "H"
    DISCARD = "D"
    READY = "R"  # declare ready with this discard
    CHOW = "C"
    PONG = "P"
    KONG = "K"  # of another seat's discard
    ADDED_KONG = "A"  # to a pong on the table
    CLOSED_KONG = "S"
    PASS = "N"
    DRAW = "M"  # only in histories and records
    FAULT = "F"


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move of one seat.

    Parameters
    ----------
    action
        What is done.
    kind
        With which tile: the one thrown, won on or called; for a chow the first of its
        three; -1 for a pass.

    Examples
    --------
    >>> Move(Action.DISCARD, 5), PASS.kind
    (Move(action=<Action.DISCARD: 'D'>, kind=5), -1)
    """

    action: Action
    kind: int = NO_KIND


PASS: Final = Move(Action.PASS)
