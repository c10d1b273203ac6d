"""A board as a page shows it: who sits where, and which tiles lie open."""

from dataclasses import dataclass
from typing import Final

from mjopt.game.state import State
from mjopt.game.view import View

WINDS: Final = ("East", "South", "West", "North")
"""The dealer is East, and the others follow in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """A tile as it is shown.

    Parameters
    ----------
    name
        Its picture: ``1m`` to ``7z``, ``0m``, ``0p`` or ``0s`` for a red five, ``back``.
    words
        What is read aloud.
    mark
        How it stands out: empty, ``drawn``, ``last``, ``called``, ``winning``.
    """

    name: str
    words: str
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One side of the board.

    Parameters
    ----------
    seat
        The seat, ``0..3``.
    wind
        Its wind in this hand.
    name
        Who plays.
    points
        The standing before this hand.
    dealer, turn, ready
        Whether it deals, is asked now, has declared.
    concealed
        Its tiles, the drawn one last and marked; backs where they are hidden.
    melds
        What it has on the table; the tile that was called is marked.
    river
        Its discards that still lie, in order; the last one is marked.
    """

    seat: int
    wind: str
    name: str
    points: int
    dealer: bool
    turn: bool
    ready: bool
    concealed: tuple[TileView, ...]
    melds: tuple[tuple[TileView, ...], ...]
    river: tuple[TileView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """A whole board, the seat that looks first.

    Parameters
    ----------
    seats
        The four sides, in turn order from the one that looks.
    live
        Tiles that may still be drawn; at 0 the game is drawn.
    wall
        Tiles that lie in the wall, the dead ones included.
    offered
        The tile on offer, or None.
    """

    seats: tuple[SeatView, ...]
    live: int
    wall: int
    offered: TileView | None


def board_of(view: View, *, names: tuple[str, ...], points: tuple[int, ...]) -> BoardView:
    """Return what one seat sees: made of its view, so nothing hidden can be in it."""
    raise NotImplementedError


def open_board(
    state: State, *, names: tuple[str, ...], points: tuple[int, ...], first: int = 0
) -> BoardView:
    """Return a board with all hands open, for when the hand has ended."""
    raise NotImplementedError
