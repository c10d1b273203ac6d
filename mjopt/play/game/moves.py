"""Moves and actions of games and logs, with the letters used in records."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NO_KIND: Final = -1
"""No tile: none was drawn or is on offer, or it is hidden."""


class Action(StrEnum):
    """An action, with its letter in records (D, P and H as in the JJ logs).

    Examples
    --------
    >>> Action.PONG.value, Action.ADDED_KONG.word
    ('P', 'added kong')
    """

    WIN = "H"
    DISCARD = "D"
    READY = "R"  # declare ready: with this discard or, in logs, before the next event
    CHOW = "C"
    PONG = "P"
    KONG = "K"  # of another seat's discard
    ADDED_KONG = "A"  # to a pong on the table
    CLOSED_KONG = "S"
    PASS = "N"
    DRAW = "M"  # only in histories and records
    FAULT = "F"
    # Only in logs:
    READY_STANDS = "T"  # the declaration counts: no seat won on that discard
    NORTH = "B"  # set aside, with three players
    DORA = "I"  # another indicator is revealed
    DRAWN_GAME = "E"

    @property
    def word(self) -> str:
        """The name of the action in texts."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move of one seat.

    Parameters
    ----------
    action
        The action.
    kind
        The tile discarded, won on or called; for a chow the lowest of its three tiles;
        -1 for a pass.

    Examples
    --------
    >>> Move(Action.DISCARD, 5), PASS.kind
    (Move(action=<Action.DISCARD: 'D'>, kind=5), -1)
    """

    action: Action
    kind: int = NO_KIND

    def text(self, names: Sequence[str]) -> str:
        """Return the move in words, given the names of the tiles.

        Examples
        --------
        >>> from mjopt.hands.tiles import FULL
        >>> Move(Action.DISCARD, 32).text(FULL.names), PASS.text(FULL.names)
        ('discard 6z', 'pass')
        """
        is_kind = self.kind in range(len(names))
        return f"{self.action.word} {names[self.kind]}" if is_kind else self.action.word


PASS: Final = Move(Action.PASS)
"""The move that declines a tile on offer."""


def with_copies(counts: Sequence[int], kind: int, by: int) -> tuple[int, ...]:
    """Return the counts with ``by`` more copies of a kind."""
    return (*counts[:kind], counts[kind] + by, *counts[kind + 1 :])


def after_call(hand: Sequence[int], move: Move, tile: int) -> tuple[int, ...]:
    """Return the concealed copies per kind after a chow, pong or kong of a tile on offer.

    Examples
    --------
    >>> after_call((1, 2, 1, 3), Move(Action.CHOW, 0), 1)
    (0, 2, 0, 3)
    """
    counts = list(hand)
    if move.action is Action.CHOW:
        for kind in range(move.kind, move.kind + 3):
            counts[kind] -= kind != tile
    else:
        counts[tile] -= 3 if move.action is Action.KONG else 2
    return tuple(counts)
