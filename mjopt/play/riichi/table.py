"""A hand of riichi in play: the engine decides what is legal, and what a win pays."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import shorten
from mjopt._internal.user_module import describe_failure
from mjopt._internal.validation import expect, whole
from mjopt.errors import GameError
from mjopt.hands.tiles import as_list
from mjopt.play.game.engine import start
from mjopt.play.game.events import KIND_OF, Event, by_kind
from mjopt.play.game.log_sequence import DEPOSIT
from mjopt.play.game.mjai_messages import (
    DRAW_REASONS,
    WINDS,
    Message,
    messages_of,
    seen_message,
    sign_of,
)
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.observation import View, view_of
from mjopt.play.game.public_state import OpenTable, Phase, evolve
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, SEATS, GameRules, check_seat
from mjopt.play.game.state import Ending, Outcome, RoundState
from mjopt.play.game.table import GameTable, HandInPlay
from mjopt.play.game.wall import shuffle_wall
from mjopt.play.riichi.actions import DRAWS, answers_of, call_event, kong_event
from mjopt.play.riichi.record import write_messages
from mjopt.play.riichi.rules import ENGINE, EXTRA, START_POINTS
from mjopt.play.riichi.wall import check_riichi_wall, engine_wall, from_engine, riichi_wall

if TYPE_CHECKING:
    from jansou.game.flow import DealOutcome, DecisionPoint

MOST_TEXT: Final = 200
"""Maximum length of the text of a failure."""

MOST_COUNTERS: Final = 999


class RiichiTable:
    """A hand of riichi in play.

    Parameters
    ----------
    wall
        All tiles in order, ``0..36``; see :func:`riichi_wall`.
    dealer
        The seat that draws first.
    wind, number
        The prevailing wind, 0 for east, and the number of the round in it; by default that of
        the dealer's seat.
    honba, sticks
        Counters for repeated hands, and deposits on the table.
    points
        Points of each seat.

    Raises
    ------
    GameError
        If an argument is out of range.
    MissingExtraError
        If the engine is not installed.

    Attributes
    ----------
    messages
        The hand so far as mjai messages, without the start of the game.
    steps
        The state after each event, and the event, the deal first; a draw belongs to the discard
        before it.
    failure
        Why the engine failed, or an empty text. The hand is then over, and no points change.
    settled
        How the engine settled the finished hand, for the next one; None before.

    Examples
    --------
    >>> table = RiichiTable(riichi_wall(1, 0))
    >>> view = table.view(0)
    >>> sum(view.hand), len(view.indicators), view.points, view.wind
    (14, 1, (25000, 25000, 25000, 25000), 0)
    >>> while table.to_move is not None:
    ...     table.play(table.options()[-1])
    >>> table.outcome.ending.value, sum(table.outcome.scores)
    ('wall empty', 0)
    """

    rules: GameRules = RIICHI_GAME
    state: RoundState

    def __init__(
        self,
        wall: Sequence[int],
        *,
        dealer: int = 0,
        wind: int = 0,
        number: int | None = None,
        honba: int = 0,
        sticks: int = 0,
        points: Sequence[int] = (START_POINTS,) * NUM_SEATS,
    ) -> None:
        need(ENGINE, extra=EXTRA)
        from jansou.core.rules import preset
        from jansou.core.tiles import Wind
        from jansou.game.flow import Position, deal_steps, new_deal
        from jansou.game.wall import Wall

        check_seat(dealer, "dealer")
        tiles = check_riichi_wall(wall)
        number = dealer + 1 if number is None else number
        held = [whole(score, "points") for score in as_list(points, "points", "numbers")]
        if len(held) != NUM_SEATS:
            raise GameError(f"points of {len(held)} seats", expected=str(NUM_SEATS))
        for name, value, most in (
            ("wind", wind, NUM_SEATS - 1),
            ("number", number, NUM_SEATS),
            ("honba", honba, MOST_COUNTERS),
            ("sticks", sticks, MOST_COUNTERS),
        ):
            if not 0 <= whole(value, name) <= most:
                raise GameError(argument=name, value=str(value), expected=f"0..{most}")
        self.failure = ""
        self.messages: list[Message] = []
        self.steps: list[tuple[RoundState, tuple[Event, ...]]] = []
        self.settled: DealOutcome | None = None
        self._seen: list[list[Message]] = [[] for _ in SEATS]  # the messages, for each seat
        self._deal = new_deal(
            preset("tenhou"),
            Wall(engine_wall(tiles, dealer)),
            Position(dealer, Wind(wind), number, honba),
            held,
            sticks * DEPOSIT,
        )
        self._start = {"wind": wind, "honba": honba, "sticks": sticks}
        self._points = tuple(held)
        self._events: list[Event] = []
        self._wins: list[Any] = []
        self._draw: Any = None
        self._changes = [0] * NUM_SEATS
        self._point: DecisionPoint | None = None
        self._answers: dict[Move, Any] = {}
        self._steps = deal_steps(self._deal, self._receive)
        self._advance(lambda: next(self._steps))

    @property
    def to_move(self) -> int | None:
        """The seat to move, or None when the hand is over."""
        return None if self._point is None else self._point.seat

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the hand continues."""
        return self.state.outcome

    @property
    def actions(self) -> tuple[Any, ...]:
        """The actions that the engine allows; a move stands for one or several of them."""
        return () if self._point is None else self._point.actions

    def view(self, seat: int) -> View:
        """Return the observation of a seat, 0 to 3."""
        return replace(
            view_of(self.state, seat),
            wind=self._start["wind"],
            honba=self._start["honba"],
            sticks=self._deal.deposit_pool // DEPOSIT,
            points=tuple(self._deal.scores),
            messages=self._seen_by(seat),
        )

    def _seen_by(self, seat: int) -> tuple[Message, ...]:
        """Return the messages of the hand as a seat sees them."""
        seen = self._seen[seat]
        seen += [seen_message(message, seat) for message in self.messages[len(seen) :]]
        return tuple(seen)

    def options(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat to move; empty when the hand is over.

        A win first, then calls and kongs, discards and riichi by kind, the drawn game for nine
        kinds, and a pass.
        """
        return tuple(self._answers)

    def play(self, move: Move) -> None:
        """Make a move of the seat to move.

        Raises
        ------
        GameError
            If the move is not legal, or the hand is over.
        """
        if move not in self._answers:
            raise GameError(f"seat {self.to_move} cannot {move.text(self.rules.tiles.names)} now")
        self.act(self._answers[move])

    def act(self, action: Any) -> None:
        """Take one of the engine's actions for the seat to move."""
        assert self._point is not None
        if event := kong_event(action, self._point.seat, self.state):
            self._add(event)
        self._advance(lambda: self._steps.send(action))

    def forfeit(self, seat: int) -> None:
        """End the hand because a seat broke the rules; it pays a forfeit to each other seat.

        Raises
        ------
        GameError
            If the hand is over.
        """
        check_seat(seat)
        if self.outcome is not None:
            raise GameError("the game is over: no seat can forfeit it")
        points = self.rules.forfeit
        scores = tuple(-3 * points if other == seat else points for other in SEATS)
        outcome = Outcome(ending=Ending.FAULT, payer=seat, scores=scores)
        self._stop(Event(seat, Action.FAULT), outcome)

    def news(self, first: int = 0) -> tuple[Event, ...]:
        """Return the events from number ``first`` on, with the tiles of draws."""
        return tuple(self._events[first:])

    def record(
        self, names: Sequence[str], *, seed: int | None, game: int | None, fault: str = ""
    ) -> str:
        """Write the finished hand as one line: a list of mjai messages."""
        if self.outcome is None:
            raise GameError("the game is not over, so it has no record")
        return write_messages(self.messages, names, seed=seed, game=game, fault=fault)

    def _advance(self, step: Callable[[], "DecisionPoint"]) -> None:
        """Let the engine go on to the next decision or the end of the hand."""
        try:
            self._point = step()
            self._answers = answers_of(self._point.actions, self.state)
        except StopIteration as stop:
            self.settled = stop.value
            self._point, self._answers = None, {}
            self._end()
        except Exception as error:  # a failure of the engine must not stop the battle
            self.failure = shorten(f"{ENGINE}: {describe_failure(error)}", MOST_TEXT)
            self._stop(Event(-1, Action.DRAWN_GAME), Outcome(ending=Ending.FAULT))

    def _receive(self, event: Any) -> None:
        """Take in an event of the engine."""
        match type(event).__name__:
            case "DealStart":
                self._begin(event)
            case "Draw":
                self._add(Event(event.seat, Action.DRAW, from_engine(event.tile)))
            case "Discard":
                action = Action.READY if event.riichi else Action.DISCARD
                tile = from_engine(event.tile)
                self._add(Event(event.seat, action, tile, is_drawn=event.tsumogiri))
            case "Call":
                if call := call_event(event, self.state):
                    self._add(call)
            case "IndicatorReveal":
                tile = from_engine(event.tile)
                self.state = self.state.after(Event(-1, Action.DORA, tile))
                self.messages.append({"type": "dora", "dora_marker": sign_of(tile)})
            case "RiichiAccepted":
                self.messages += messages_of(Event(event.seat, Action.READY_STANDS))
            case "Win":
                self._wins.append(event)
            case "Ryuukyoku":
                self._draw = event
            case "ScoreChange":
                self._changes = list(event.deltas)
            case name:
                raise GameError(f"the engine reports {name}", expected="an event of this table")

    def _begin(self, deal: Any) -> None:
        """Note the deal."""
        hands = [by_kind(map(from_engine, hand)) for hand in deal.hands]
        tiles = self.rules.tiles.num_kinds
        table = OpenTable(
            rules=self.rules,
            dealer=deal.dealer,
            turn=deal.dealer,
            phase=Phase.DEALT,
            shown=(0,) * tiles,
            live=self.rules.draws,
        )
        state = RoundState(table=table, hands=((0,) * tiles,) * NUM_SEATS)
        for seat, hand in enumerate(hands):
            state = evolve(state, **state.with_tiles(seat, hand, 1))
        indicator = from_engine(deal.dora_indicator)
        self.state = state.after(Event(-1, Action.DORA, indicator))
        self.steps = [(self.state, ())]
        self.messages.append(
            {
                "type": "start_kyoku",
                "bakaze": WINDS[self._start["wind"]],
                "kyoku": deal.round_number,
                "honba": deal.honba,
                "kyotaku": self._start["sticks"],
                "oya": deal.dealer,
                "dora_marker": sign_of(indicator),
                "scores": list(deal.scores),
                "tehais": [[sign_of(tile) for tile in hand] for hand in hands],
            }
        )

    def _add(self, event: Event) -> None:
        """Apply an event, and write its messages."""
        if event.action is Action.READY:  # it stands only if nobody wins on the discard
            self.messages += messages_of(Event(event.seat, Action.READY))
            self.messages += messages_of(event._replace(action=Action.DISCARD))
        elif event.action is Action.ADDED_KONG:
            melds = self.state.table.melds[event.seat]
            [meld] = [m for m in melds if m.action is Action.PONG and m.kind == event.kind]
            [message] = messages_of(event)
            signs = [sign_of(tile) for tile in by_kind(meld.tiles)]
            self.messages.append({**message, "consumed": signs})
        elif event.action in (Action.WIN, Action.FAULT, Action.DRAWN_GAME):
            pass  # with the points
        else:
            self.messages += messages_of(event)
        if event.action is not Action.DRAWN_GAME:
            self._events.append(event._replace(is_drawn=False))
        self.state = self.state.after(event)
        joined: tuple[Event, ...] = ()
        if event.action is Action.DRAW and self.steps[-1][0].table.phase is Phase.CLAIM:
            joined = self.steps.pop()[1]
        self.steps.append((self.state, (*joined, event) if event.seat >= 0 else joined))

    def _end(self) -> None:
        """Note the outcome that the engine settled."""
        scores = list(self._deal.scores)
        winners, payer, kind = tuple(win.seat for win in self._wins), -1, NO_KIND
        if self._wins:
            before, tile = self.state.table, from_engine(self._wins[0].winning_tile)
            payer, kind = self._wins[0].from_seat, KIND_OF[tile]
            if payer is None:
                ending, payer = Ending.OWN_DRAW, -1
                ending = Ending.REPLACEMENT if before.on_replacement else ending
            else:
                ending = Ending.ROBBED_KONG if before.phase is Phase.ROB else Ending.DISCARD
            for number, win in enumerate(self._wins, start=1):
                other = win.seat if win.from_seat is None else win.from_seat
                self._add(Event(win.seat, Action.WIN, tile, other))
                # The last winner carries the points of all winners.
                is_last = number == len(self._wins)
                changes = self._changes if is_last else [0] * NUM_SEATS
                self.messages.append(_win_message(win, tile, changes, scores))
        else:
            reason = DRAWS[self._draw.kind.name]
            ending = DRAW_REASONS[reason]
            self._add(Event(-1, Action.DRAWN_GAME))
            self.messages.append(
                {"type": "ryukyoku", "reason": reason, "deltas": self._changes, "scores": scores}
            )
        change = tuple(now - at for now, at in zip(scores, self._points, strict=True))
        self._settle(
            Outcome(
                ending=ending,
                winners=winners,
                payer=payer,
                kind=kind,
                multipliers=(1,) * len(winners),
                scores=change,
                deposits=self._deal.deposit_pool - DEPOSIT * self._start["sticks"],
            )
        )

    def _settle(self, outcome: Outcome) -> None:
        """Note the outcome in the state of the last step."""
        self.state = evolve(self.state, outcome=outcome)
        self.steps[-1] = (self.state, self.steps[-1][1])

    def _stop(self, event: Event, outcome: Outcome) -> None:
        """End the hand by a fault."""
        self._steps.close()
        self._point, self._answers = None, {}
        self._add(event)
        self._settle(outcome)
        scores = [a + b for a, b in zip(self._points, outcome.scores, strict=True)]
        self.messages.append(
            {
                "type": "ryukyoku",
                "reason": "fault",
                "actor": outcome.payer,
                "deltas": list(outcome.scores),
                "scores": scores,
            }
        )


def _win_message(win: Any, tile: int, changes: Sequence[int], scores: Sequence[int]) -> Message:
    """Return the message of a win, with the value that the engine gives it."""
    other = win.seat if win.from_seat is None else win.from_seat
    [message] = messages_of(Event(win.seat, Action.WIN, tile, other))
    result, dora = win.result, win.result.dora
    bonus = {"dora": dora.dora, "uradora": dora.ura, "akadora": dora.aka}
    yakus = [[value.yaku.name.lower(), value.value] for value in result.yaku]
    return {
        **message,
        "uradora_markers": [sign_of(from_engine(found)) for found in win.ura_indicators],
        "yakus": [*yakus, *([name, han] for name, han in bonus.items() if han)],
        "fan": result.han,
        "fu": result.fu.total,
        "deltas": list(changes),
        "scores": list(scores),
    }


def deal_table(rules: GameRules, seed: int, game: int, *, dealer: int = 0) -> HandInPlay:
    """Return a hand in play by any rules, dealt from the wall of a game.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG
    >>> a, b = deal_table(GMJBG, 1, 0), deal_table(RIICHI_GAME, 1, 0)
    >>> a.state.hands == b.state.hands
    True
    """
    expect(rules, GameRules, "rules")
    if rules == RIICHI_GAME:
        return RiichiTable(riichi_wall(seed, game), dealer=dealer)
    return GameTable(start(rules, shuffle_wall(seed, game, rules.tiles), dealer=dealer))
