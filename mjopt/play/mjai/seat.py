"""The view of one seat in a game that another program runs, built from mjai messages."""

from typing import Any, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import LogError
from mjopt.hands.blocks import chow, kong, pong
from mjopt.hands.tiles import COPIES, FULL
from mjopt.hands.winning_forms import RIICHI
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Event, Meld, OpenTable, Phase
from mjopt.play.game.rules import NUM_SEATS, SEATS, RuleSet
from mjopt.play.review import events as logged
from mjopt.play.review.events import KIND_OF, NO_TILE, ActionType, Round
from mjopt.play.review.mjai_log import MessageReader
from mjopt.play.review.round_state import RoundState

RIICHI_TABLE: Final = RuleSet(
    name="riichi",
    tiles=FULL,
    forms=RIICHI,
    dead_wall=14,
    all_winners=True,
    four_kongs_draw=True,
)
"""The rules that agents see: the tiles, forms and draws of riichi. Its yaku, declarations and
limits on wins and discards are left to :mod:`mjopt.play.mjai.legal`."""

ACTIONS: Final = {
    ActionType.DRAW: Action.DRAW,
    ActionType.CHOW: Action.CHOW,
    ActionType.PONG: Action.PONG,
    ActionType.KONG: Action.KONG,
    ActionType.CLOSED_KONG: Action.CLOSED_KONG,
    ActionType.ADDED_KONG: Action.ADDED_KONG,
}
CALLS: Final = (ActionType.CHOW, ActionType.PONG, ActionType.KONG)
KONGS: Final = (ActionType.KONG, ActionType.CLOSED_KONG, ActionType.ADDED_KONG)
RIICHI_COST: Final = 1000


class SeatRound(RoundState):
    """A round whose indicators are not counted as copies.

    A table without dora must send an indicator, which may then be a fifth copy.
    """

    def _turn_indicator(self, tile: int) -> None:
        self.shown[KIND_OF[tile]] += 1


class Seat:
    """One seat of a game, as far as it sees.

    Attributes
    ----------
    number
        The seat, 0 to 3, or None until it is known.
    round
        The current round, or None between rounds.
    deal
        The current or last round as dealt.
    num_rounds
        Number of rounds begun.
    phase
        The decision that the last message gave the seat, or None.
    declared
        Whether the seat has just declared riichi: its discard comes next.
    on_replacement
        Whether the last tile drawn was the replacement of a kong.
    missed, was_missed
        Whether a tile that completes the hand went by since the last draw (for good after a
        declaration), so that no discard may be won; with and without the tile on offer.
    """

    def __init__(self) -> None:
        self.reader = MessageReader(hidden=True)
        self.number: int | None = None
        self.in_game = False
        self.round: RoundState | None = None
        self.deal: Round | None = None
        self.num_rounds = 0
        self.phase: Phase | None = None
        self.declared = False
        self.on_replacement = self.missed = self.was_missed = False
        self._melds: list[list[Meld]] = []
        self._rivers: list[list[int]] = []
        self._events: list[Event] = []

    def read(self, message: Any) -> str:
        """Take in a message and return its type.

        Raises
        ------
        LogError
            If it is malformed, impossible or out of order.
        """
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "start_game":
            self._begin_game(message)
        elif isinstance(kind, str) and not self.in_game and kind not in ("hello", "end_game"):
            raise LogError(f"{shorten(kind)} before start_game")
        if kind == "start_kyoku" and self.round is not None:
            raise LogError("start_kyoku before the end of the round")
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

    def _begin_game(self, message: dict[str, Any]) -> None:
        self.reader = MessageReader(hidden=True)
        self.round = self.phase = None
        self.in_game = True
        # Some servers give the game a text as its id: the dealt hand then shows the seat.
        number = message.get("id")
        self.number = number if type(number) is int else None
        if self.number is not None and self.number not in SEATS:
            raise LogError(f"start_game with id {short_repr(number)}, expected 0 to 3")

    def _begin_round(self) -> None:
        assert self.reader.deal is not None
        deal = self.deal = Round(**self.reader.deal, events=())
        if len(deal.hands) != NUM_SEATS:
            raise LogError(f"{len(deal.hands)} hands: only games of four can be played")
        visible = [seat for seat in SEATS if NO_TILE not in deal.hands[seat]]
        if self.number is None:
            if len(visible) != 1:
                raise LogError(
                    f"{len(visible)} hands are visible and start_game has no id: which is the seat?"
                )
            self.number = visible[0]
        if self.number not in visible:
            raise LogError(f"the hand of seat {self.number}, the id of start_game, is hidden")
        assert self.reader.rules is not None
        self.round = SeatRound(deal, self.reader.rules)
        self.num_rounds += 1
        self.phase = None
        self.declared = self.missed = self.was_missed = self.on_replacement = False
        self._melds = [[] for _ in SEATS]
        self._rivers = [[] for _ in SEATS]
        self._events = []

    def _apply(self, event: logged.Event) -> None:
        if self.round is None:
            raise LogError(f"{event} outside of a round")
        if event.action is ActionType.NORTH:
            raise LogError(f"{event}: only games of four can be played")
        is_own = event.seat == self.number
        if is_own and event.action is ActionType.DRAW and event.tile == NO_TILE:
            raise LogError("the own draw is hidden")
        self.round.apply(event)
        self._update_table(event)
        if event.action in (ActionType.DORA, ActionType.READY_STANDS):
            return  # a decision before it is still open
        self.phase = None
        self.declared = is_own and event.action is ActionType.READY
        if is_own:
            self._act(event)
        elif event.action in (ActionType.DISCARD, ActionType.ADDED_KONG):
            self._offer(event)

    def _act(self, event: logged.Event) -> None:
        """Note the decision after an event of the own seat."""
        assert self.round is not None
        if event.action is ActionType.DRAW:
            self.phase = Phase.TURN
            self.missed = self.missed and self.round.ready[event.seat]
        elif event.action is ActionType.READY:
            self.phase = Phase.TURN
        elif event.action in (ActionType.CHOW, ActionType.PONG):
            self.phase = Phase.CALLED

    def _offer(self, event: logged.Event) -> None:
        """Note the decision about a tile of another seat."""
        assert self.round is not None
        assert self.number is not None
        self.phase = Phase.CLAIM if event.action is ActionType.DISCARD else Phase.ROB
        self.was_missed = self.missed
        # If the seat does not win now, later discards are barred.
        self.missed = self.missed or self.round.deficiency(self.number, event.tile) == 0

    def _update_table(self, event: logged.Event) -> None:
        kind, seat = KIND_OF[event.tile], event.seat
        if event.action is ActionType.DISCARD:
            assert self.round is not None
            self._rivers[seat].append(kind)
            declares = self.round.ready[seat] and not any(
                known.seat == seat and known.action is Action.READY for known in self._events
            )
            self._events.append(Event(seat, Action.READY if declares else Action.DISCARD, kind))
        if event.action not in ACTIONS:
            return
        if event.action in CALLS:
            self._rivers[event.other].pop()
        if event.action is ActionType.CHOW:
            first = min(kind, *(KIND_OF[tile] for tile in event.tiles))
            self._melds[seat].append(Meld(chow(first), event.other, kind))
            kind = first
        elif event.action is ActionType.PONG:
            self._melds[seat].append(Meld(pong(kind), event.other, kind))
        elif event.action is ActionType.ADDED_KONG:
            self._melds[seat] = [
                meld._replace(block=kong(kind)) if meld.block == pong(kind) else meld
                for meld in self._melds[seat]
            ]
        elif event.action in KONGS:
            is_closed = event.action is ActionType.CLOSED_KONG
            self._melds[seat].append(Meld(kong(kind), seat if is_closed else event.other, kind))
        if event.action is ActionType.DRAW:
            kind = NO_KIND
            self.on_replacement = bool(self._events) and self._events[-1].action in (
                Action.KONG,
                Action.CLOSED_KONG,
                Action.ADDED_KONG,
            )
        self._events.append(Event(seat, ACTIONS[event.action], kind))

    @property
    def is_closed(self) -> bool:
        """Whether the own hand has no melds but closed kongs."""
        return all(meld.seat_from == self.number for meld in self._melds[self.number or 0])

    @property
    def can_pay(self) -> bool:
        """Whether the seat had the points for a declaration when the round began."""
        assert self.deal is not None
        return self.deal.points[self.number or 0] >= RIICHI_COST

    def view(self, rules: RuleSet = RIICHI_TABLE) -> View:
        """Return the observation of the seat at its decision.

        ``shown`` also counts the dora indicators, so that ``unseen`` is exact.
        """
        state = self.round
        assert state is not None
        assert self.number is not None
        assert self.phase is not None
        is_offer = self.phase in (Phase.CLAIM, Phase.ROB)
        hand = tuple(state.concealed(self.number))
        table = OpenTable(
            rules=rules,
            dealer=state.deal.dealer,
            turn=state.turn,
            phase=self.phase,
            tile=KIND_OF[state.offered] if is_offer else NO_KIND,
            melds=tuple(map(tuple, self._melds)),
            rivers=tuple(map(tuple, self._rivers)),
            ready=tuple(state.ready),
            shown=tuple(min(n, COPIES - h) for n, h in zip(state.shown, hand, strict=True)),
            live=state.live,
            on_replacement=self.on_replacement and not is_offer,
            events=tuple(self._events),
        )
        is_drawn = self.phase is Phase.TURN and state.drawn != NO_TILE
        return View(
            seat=self.number,
            table=table,
            hand=hand,
            drawn=KIND_OF[state.drawn] if is_drawn else NO_KIND,
        )
