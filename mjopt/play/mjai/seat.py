"""The view of one seat in a game that another program runs, built from mjai messages."""

from dataclasses import replace
from typing import Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import FileError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.events import KIND_OF, Event
from mjopt.play.game.furiten import Furiten
from mjopt.play.game.log import LogRound
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.log_sequence import DEPOSIT
from mjopt.play.game.mjai_messages import Message, MessageReader, is_message
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS, RIICHI_TABLE, SEATS, GameRules

OWN_PHASES: Final = {
    Action.DRAW: Phase.TURN,
    Action.READY: Phase.TURN,
    Action.CHOW: Phase.CALLED,
    Action.PONG: Phase.CALLED,
}
"""The decision that an event of the own seat leaves to it."""
OFFERS: Final = {Action.DISCARD: Phase.CLAIM, Action.ADDED_KONG: Phase.ROB}
"""The same for an event of another seat."""


class Seat:
    """One seat of a game, as far as it sees."""

    def __init__(self) -> None:
        self.reader = MessageReader(hidden=True)
        self.number: int | None = None  # the seat, 0 to 3, or None until it is known
        self.in_game = False
        self.round: LogState | None = None  # the current one, or None between rounds
        self.deal: LogRound | None = None  # the current or last round as dealt
        self.num_rounds = 0  # rounds begun
        self.phase: Phase | None = None  # the decision that the last message gave the seat, or None
        self.declared = False  # whether the seat has just declared riichi: its discard comes next
        self.furiten = Furiten()  # of the current or last round

    def read(self, message: object) -> str:
        """Take in a message and return its type.

        FileError if it is malformed, impossible or out of order.
        """
        if is_message(message):
            kind = message["type"]
            if kind == "start_game":
                self._begin_game(message)
            elif not self.in_game and kind not in ("hello", "end_game"):
                raise FileError(f"{shorten(kind)} before start_game")
            if kind == "start_kyoku" and self.round is not None:
                raise FileError("start_kyoku before the end of the round")
        known = len(self.reader.events)
        kind = self.reader.read(message)
        if kind == "start_kyoku":
            self._begin_round()
        elif kind in ("end_kyoku", "end_game"):
            self.round = self.phase = None
            self.in_game = kind != "end_game"
        for event in self.reader.events[known:]:
            self._apply(event)
        return kind

    def _begin_game(self, message: Message) -> None:
        self.reader = MessageReader(hidden=True)
        self.round = self.phase = None
        self.in_game = True
        # Some servers give the game a text as its id: the dealt hand then shows the seat.
        number = message.get("id")
        self.number = number if type(number) is int else None
        if self.number is not None and self.number not in SEATS:
            raise FileError(f"start_game with id {short_repr(number)}", expected="0 to 3")

    def _begin_round(self) -> None:
        deal = self.deal = self.reader.deal
        assert deal is not None
        if len(deal.hands) != NUM_SEATS:
            raise FileError(f"{len(deal.hands)} hands: only games of four can be played")
        visible = [seat for seat in SEATS if NO_KIND not in deal.hands[seat]]
        if self.number is None:
            if len(visible) != 1:
                raise FileError(
                    f"{len(visible)} hands are visible and start_game has no id: which is the seat?"
                )
            self.number = visible[0]
        if self.number not in visible:
            raise FileError(f"the hand of seat {self.number}, the id of start_game, is hidden")
        assert self.reader.rules is not None
        # A table without dora must send an indicator, which may then be a fifth copy.
        rules = replace(self.reader.rules, counts_indicators=False)
        self.round = LogState.dealt(deal, rules)
        self.num_rounds += 1
        self.phase = None
        self.declared = False
        self.furiten = Furiten()

    def _apply(self, event: Event) -> None:
        if self.round is None:
            raise FileError(f"{event} outside of a round")
        if event.action is Action.NORTH:
            raise FileError(f"{event}: only games of four can be played")
        is_own = event.seat == self.number
        if is_own and event.action is Action.DRAW and event.tile == NO_KIND:
            raise FileError("the own draw is hidden")
        before, self.round = self.round, self.round.apply(event)
        self.furiten.add(before, event)
        if event.action in (Action.DORA, Action.READY_STANDS):
            return  # a decision before it is still open
        self.phase = (OWN_PHASES if is_own else OFFERS).get(event.action)
        self.declared = is_own and event.action is Action.READY

    @property
    def is_closed(self) -> bool:
        """Whether the own hand has no melds but closed kongs."""
        assert self.round is not None
        number = self.number or 0
        return all(meld.seat_from == number for meld in self.round.table.melds[number])

    @property
    def can_pay(self) -> bool:
        """Whether the seat had the points for a declaration when the round began."""
        assert self.deal is not None
        return self.deal.points[self.number or 0] >= DEPOSIT

    def view(self, rules: GameRules = RIICHI_TABLE) -> View:
        """Return the observation of the seat at its decision.

        ``shown`` also counts the dora indicators, so that ``unseen`` is exact.
        """
        state = self.round
        assert state is not None
        assert self.number is not None
        assert self.phase is not None
        is_turn = self.phase is Phase.TURN
        hand, shown = state.hands[self.number], state.table.shown
        table = replace(
            state.table,
            rules=rules,
            phase=self.phase,
            shown=tuple(min(n, COPIES - h) for n, h in zip(shown, hand, strict=True)),
        )
        drawn = KIND_OF[state.drawn] if is_turn and state.drawn != NO_KIND else NO_KIND
        return View(seat=self.number, table=table, hand=hand, drawn=drawn, wind=state.deal.wind)
