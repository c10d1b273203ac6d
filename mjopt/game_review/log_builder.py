"""Builder shared by the log readers.

Every reader has a function ``read``, which raises LogError with the position of the error.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from mjopt.errors import LogError
from mjopt.game_review.events import NO_TILE, ActionType, DrawReason, Event, Game, LogRules, Round


def last_tile(events: Sequence[Event]) -> int:
    """Return the last tile that a seat drew, discarded or added to a kong: the winning tile."""
    for event in reversed(events):
        if event.tile != NO_TILE and event.seat >= 0:
            return event.tile
    raise LogError("a win, but nothing was drawn")


class LogBuilder:
    """Collects the rounds and events of a game."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()  # names of the players
        self.rules: LogRules | None = None  # None until known
        self.rounds: list[Round] = []
        self.deal: dict[str, Any] | None = None  # fields of the current round
        self.events: list[Event] = []
        self.change: list[int] = []
        self.draw_reason: DrawReason | None = None

    def add(self, seat: int, action: ActionType, tile: int = NO_TILE, **more: Any) -> None:
        """Add an event to the current round."""
        self.events.append(Event(seat, action, tile, **more))

    def score(self, changes: Iterable[int]) -> None:
        """Add point changes; several winners have separate changes."""
        more = list(changes)
        before = self.change or [0] * len(more)
        self.change = [a + b for a, b in zip(before, more, strict=True)]

    def close(self) -> None:
        """End the current round, if any."""
        if self.deal is not None:
            change = tuple(self.change[: len(self.deal["hands"])])
            values: dict[str, Any] = self.deal | {"events": tuple(self.events), "change": change}
            self.rounds.append(Round(**values, draw_reason=self.draw_reason))
        self.deal, self.events, self.change, self.draw_reason = None, [], [], None

    def game(self, form: str) -> Game:
        """Return the game.

        Raises
        ------
        LogError
            If there is no round.
        """
        self.close()
        if self.rules is None or not self.rounds:
            raise LogError("no round in it")
        names = (*self.names, "", "", "", "")[: self.rules.seats]
        return Game(form=form, names=names, rules=self.rules, rounds=tuple(self.rounds))
