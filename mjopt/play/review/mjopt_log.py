"""Read the records of `mjopt battle --records` and `mjopt play --records`."""

from collections.abc import Iterator
from typing import Final

from mjopt.errors import FileError
from mjopt.play.game.events import DISCARDS, Event
from mjopt.play.game.log import LogGame, LogRound, LogRules
from mjopt.play.game.moves import Action
from mjopt.play.game.record import VERSION, read_record
from mjopt.play.game.replay import check_end, replay_steps
from mjopt.play.game.state import Ending, State

NAME: Final = "mjopt"
BEGINS: Final = VERSION


def read(line: str) -> LogGame:
    """Read the game of a record and check every move against the rules."""
    record = read_record(line)
    states, cut, flaws = list[tuple[State, tuple[Event, ...]]](), "", tuple[str, ...]()
    try:
        states.extend(replay_steps(record))  # keeps the states before an error
        check_end(record, states[-1][0])
    except FileError as error:
        if not states:
            raise
        if states[-1][0].is_over:
            flaws = (f"{error}: ignored",)
        else:
            cut = str(error)
    played = record.rules
    events: list[Event] = []
    before: State | None = None
    for state, new_events in states:
        for event in new_events:
            events += _events(event, before, state)
        before = state
    outcome = None if before is None else before.outcome
    reason, change = None, tuple[int, ...]()
    if outcome is not None:
        change = outcome.scores
        if not outcome.winners:
            reason = outcome.ending if outcome.is_drawn_game else None
            events.append(Event(-1, Action.DRAWN_GAME))
    deal = LogRound(
        wind=0,
        number=1,
        dealer=record.dealer,
        points=(0, 0, 0, 0),
        hands=tuple(tuple(sorted(hand)) for hand in record.hands),
        events=tuple(events),
        draw_reason=reason,
        change=change,
        flaws=flaws,
        cut=cut,
    )
    rules = LogRules(
        rule_set=played,
        reds=(0, 0, 0),
        ready_closed=False,
        kongs=played.tiles.num_kinds if played.kongs else 0,
    )
    return LogGame(form=NAME, names=tuple(record.names), rules=rules, rounds=(deal,))


def _events(event: Event, before: State | None, after: State) -> Iterator[Event]:
    """Yield an event of a game as events of a log."""
    if event.action not in DISCARDS:
        if event.action is not Action.FAULT:
            yield event
        return
    if event.action is Action.READY:
        yield Event(event.seat, Action.READY)
    is_drawn = before is not None and before.drawn == event.tile
    yield event._replace(action=Action.DISCARD, is_drawn=is_drawn)
    won = after.outcome is not None and after.outcome.ending is Ending.DISCARD
    if event.action is Action.READY and not won:
        yield Event(event.seat, Action.READY_STANDS)
