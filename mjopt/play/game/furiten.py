"""Furiten: which seats of a riichi round may not win on a discard."""

from typing import Final

from mjopt.play.game.events import Event
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.public_state import Phase

NO_ANSWERS: Final = (Action.DORA, Action.READY_STANDS)
"""Events that leave a tile on offer."""


class Furiten:
    """The seats that are furiten in a round, followed event by event.

    A seat is furiten, and may not win on a discard, while one of its own discards would complete
    its hand, or a tile that did has gone by: since its own last draw, or its discard after a call;
    after a declaration ever. Hands that are hidden are left out.
    """

    def __init__(self) -> None:
        self.missed: set[int] = set()  # seats whose winning tile has gone by

    def bars(self, state: LogState, seat: int) -> bool:
        """Return whether a seat may not win on a discard."""
        return seat in self.missed or state.has_discarded_wait(seat)

    def add(self, state: LogState, event: Event) -> None:
        """Note the event that follows a state."""
        turn, table = state.table.turn, state.table
        is_offered = state.offered != NO_KIND and event.action not in NO_ANSWERS
        if is_offered and (table.phase is Phase.CLAIM or state.can_be_robbed):
            self.missed.update(
                seat
                for seat in range(state.rules.seats)
                if seat != turn and not state.hidden[seat] and state.wins_with(seat, state.offered)
            )
        is_own = event.seat == turn and state.drawn != NO_KIND and event.action is Action.DISCARD
        if is_own and table.ready[turn] and state.wins_with(turn, state.drawn):
            self.missed.add(turn)
        if event.action in (Action.DRAW, Action.DISCARD) and not table.ready[event.seat]:
            self.missed.discard(event.seat)
