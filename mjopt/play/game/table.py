"""The interface of a hand in play for loops that play, and its version for this package's rules."""

from collections.abc import Sequence
from typing import Protocol

from mjopt.errors import GameError
from mjopt.play.game.engine import forfeit, legal_moves, step
from mjopt.play.game.events import Event
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View, view_of
from mjopt.play.game.record import full_events, write_record
from mjopt.play.game.rules import GameRules
from mjopt.play.game.state import Outcome, RoundState, State


class HandInPlay(Protocol):
    """A hand in play. Loops that play know nothing else of the rules."""

    failure: str  # why the engine behind the table failed, or empty; the hand is then over

    @property
    def state(self) -> RoundState:
        """What is on the table, and all hands."""

    @property
    def rules(self) -> GameRules:
        """The rules of the hand."""

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None when the hand is over."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the hand continues."""

    def view(self, seat: int) -> View:
        """Return the observation of a seat."""

    def options(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat to move; empty when the hand is over."""

    def play(self, move: Move) -> None:
        """Make a move of the seat to move."""

    def forfeit(self, seat: int) -> None:
        """End the hand because a seat broke the rules."""

    def news(self, first: int = 0) -> tuple[Event, ...]:
        """Return the events from number ``first`` on, with the tiles of draws."""

    def record(
        self, names: Sequence[str], *, seed: int | None, game: int | None, fault: str = ""
    ) -> str:
        """Write the finished hand as one line."""


class GameTable:
    """A hand by the rules of this package, on an immutable :class:`State`.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, shuffle_wall, start
    >>> table = GameTable(start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles)))
    >>> while table.to_move is not None:
    ...     table.play(table.options()[-1])
    >>> table.outcome.ending.value, len(table.news())
    ('wall empty', 112)
    """

    failure = ""

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def rules(self) -> GameRules:
        """The rules of the hand."""
        return self.state.table.rules

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None when the hand is over."""
        return self.state.to_move

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the hand continues."""
        return self.state.outcome

    def view(self, seat: int) -> View:
        """Return the observation of a seat."""
        return view_of(self.state, seat)

    def options(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat to move; empty when the hand is over."""
        return legal_moves(self.state)

    def play(self, move: Move) -> None:
        """Make a move of the seat to move."""
        self.state = step(self.state, move)

    def forfeit(self, seat: int) -> None:
        """End the hand because a seat broke the rules."""
        self.state = forfeit(self.state, seat)

    def news(self, first: int = 0) -> tuple[Event, ...]:
        """Return the events from number ``first`` on, with the tiles of draws."""
        return tuple(full_events(self.state, first))

    def record(
        self, names: Sequence[str], *, seed: int | None, game: int | None, fault: str = ""
    ) -> str:
        """Write the finished hand as one line."""
        if self.outcome is None:
            raise GameError("the game stopped without an end")
        return write_record(self.state, names=names, seed=seed, game=game, fault=fault)
