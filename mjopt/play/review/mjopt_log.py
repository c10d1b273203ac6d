"""Read the records of `mjopt battle --records` and `mjopt play --records`."""

from collections.abc import Iterator
from typing import Final

from mjopt.errors import LogError, RecordError
from mjopt.play.game import public_state
from mjopt.play.game.moves import Action
from mjopt.play.game.record import VERSION, read_record
from mjopt.play.game.replay import check_end, replay_steps
from mjopt.play.game.state import Ending, State
from mjopt.play.review.events import ActionType, DrawReason, Event, Game, LogRules, Round

NAME: Final = "mjopt"
BEGINS: Final = VERSION
ACTIONS: Final = {
    Action.DRAW: ActionType.DRAW,
    Action.CHOW: ActionType.CHOW,
    Action.PONG: ActionType.PONG,
    Action.KONG: ActionType.KONG,
    Action.ADDED_KONG: ActionType.ADDED_KONG,
    Action.CLOSED_KONG: ActionType.CLOSED_KONG,
}
DRAW_REASONS: Final = {
    Ending.WALL_EMPTY: DrawReason.WALL_EMPTY,
    Ending.FOUR_KONGS: DrawReason.FOUR_KONGS,
}


def read(line: str) -> Game:
    """Read the game of a record and check every move against the rules."""
    try:
        record = read_record(line)
        states = list(replay_steps(record))
        check_end(record, states[-1][0])
    except RecordError as error:
        raise LogError(str(error)) from None
    played = record.rules
    events: list[Event] = []
    before: State | None = None
    for state, new_events in states:
        for event in new_events:
            events += _events(event, before, state)
        before = state
    outcome = None if before is None else before.outcome
    assert outcome is not None
    if not outcome.winners:
        events.append(Event(-1, ActionType.DRAWN))
    deal = Round(
        wind=0,
        number=1,
        dealer=record.dealer,
        points=(0, 0, 0, 0),
        hands=tuple(tuple(sorted(hand)) for hand in record.hands),
        events=tuple(events),
        draw_reason=None
        if outcome.winners
        else DRAW_REASONS.get(outcome.ending, DrawReason.UNTOLD),
        change=outcome.scores,
    )
    rules = LogRules(
        tiles=played.tiles,
        forms=played.forms,
        dead=played.dead_wall,
        reds=(0, 0, 0),
        ready_closed=False,
        kongs=played.tiles.num_kinds if played.kongs else 0,
        robbing=played.robbing,
        last_calls=played.calls_on_last_discard,
        swaps=True,
    )
    return Game(form=NAME, names=tuple(record.names), rules=rules, rounds=(deal,))


def _events(event: public_state.Event, before: State | None, after: State) -> Iterator[Event]:
    seat, kind = event.seat, event.kind
    if event.action in (Action.DISCARD, Action.READY):
        declares = event.action is Action.READY
        if declares:
            yield Event(seat, ActionType.READY)
        yield Event(
            seat, ActionType.DISCARD, kind, is_drawn=before is not None and before.drawn == kind
        )
        won = after.outcome is not None and after.outcome.ending is Ending.DISCARD
        if declares and not won:
            yield Event(seat, ActionType.READY_STANDS)
    elif event.action is Action.WIN:
        outcome = after.outcome
        assert outcome is not None
        yield Event(
            seat, ActionType.WIN, kind, other=seat if outcome.by_own_draw else outcome.payer
        )
    elif event.action in (Action.CHOW, Action.PONG, Action.KONG):
        meld = after.table.melds[seat][-1]
        held = list(meld.block.kinds)
        held.remove(meld.kind)
        yield Event(seat, ACTIONS[event.action], meld.kind, meld.seat_from, tuple(held))
    elif event.action is Action.CLOSED_KONG:
        yield Event(seat, ActionType.CLOSED_KONG, kind, tiles=(kind,) * 4)
    elif event.action in ACTIONS:
        yield Event(seat, ACTIONS[event.action], kind)
