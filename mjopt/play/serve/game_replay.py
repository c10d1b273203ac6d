"""Replay of a recorded game: states, events and deficiencies of each step."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mjopt.errors import FileError
from mjopt.play.game.events import Event
from mjopt.play.game.moves import NO_KIND, Action, with_copies
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.replay import check_end, replay_steps
from mjopt.play.game.rule_reading import away_with_melds
from mjopt.play.game.rules import SEATS
from mjopt.play.game.state import State

Away = tuple[int, ...]

JUMPS: Final = {
    "first": "first",
    "previous": "back",
    "next": "on",
    "last": "last",
    "previous-change": "change before",
    "next-change": "next change",
    "previous-call": "call before",
    "next-call": "next call or win",
}
"""The links below a board, in order."""

CALLS: Final = frozenset(Action) - {Action.DRAW, Action.DISCARD, Action.PASS}
"""Actions with links: calls, kongs, declarations, wins and faults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedGame:
    """A replayed game."""

    names: tuple[str, ...]  # the name of the player on each seat
    states: tuple[State, ...]  # the state after each step, the deal first
    # events of each step; a discard that no player could call is joined with the next draw
    events: tuple[tuple[Event, ...], ...]
    # exact deficiency of each seat's hand after each step, by the winning forms of the rules
    away: tuple[Away, ...]
    # the rule violation after the last step, or empty
    refusal: str = ""

    def jumps(self, at: int, seat: int | None = None) -> dict[str, int | None]:
        """Return the targets of the links at a step, for one seat or all seats."""
        seats = SEATS if seat is None else (seat,)
        changes = [
            step
            for step, (before, now) in enumerate(pairwise(self.away), start=1)
            if any(now[one] != before[one] for one in seats)
        ]
        called = [at for at, events in enumerate(self.events) if {e.action for e in events} & CALLS]
        return jumps(at, len(self.states) - 1, changes, called)


def jumps(
    at: int, last: int, changes: Sequence[int], calls: Sequence[int]
) -> dict[str, int | None]:
    """Return the target step of each link by name; None if there is none."""
    steps = [0 if at else None, at - 1 if at else None]
    steps += [at + 1 if at < last else None, last if at < last else None]
    for some in (changes, calls):
        steps.append(max((step for step in some if step < at), default=None))
        steps.append(min((step for step in some if step > at), default=None))
    return dict(zip(JUMPS, steps, strict=True))


def watched(steps: Iterable[tuple[State, tuple[Event, ...]]], names: Sequence[str]) -> ReplayedGame:
    """Return the replay of steps from :func:`mjopt.play.game.replay_steps`."""
    states: list[State] = []
    happened: list[tuple[Event, ...]] = []
    refusal = ""
    try:
        for state, events in steps:
            states.append(state)
            happened.append(events)
    except FileError as error:
        if not states:
            raise
        refusal = str(error)
    return ReplayedGame(
        names=tuple(names),
        states=tuple(states),
        events=tuple(happened),
        away=tuple(map(deficiencies, states)),
        refusal=refusal,
    )


@lru_cache(maxsize=32)
def watch(line: str) -> ReplayedGame:
    """Replay a record as far as the rules allow.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> game = watch(write_record(state, names=["last"] * 4, seed=1, game=0))
    >>> len(game.states), game.away[0], game.jumps(0)["next-change"], game.refusal
    (70, (3, 3, 4, 4), 2, '')
    """
    record = read_record(line)
    return watched(checked_steps(record), record.names)


def checked_steps(record: Record) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the replayed steps of a record, and check its end."""
    state = None
    for state, events in replay_steps(record):
        yield state, events
    assert state is not None  # the deal is always present
    check_end(record, state)


def deficiencies(state: State) -> Away:
    """Return the deficiency of each seat; a winner's hand includes the winning tile."""
    found, outcome = [], state.outcome
    for seat in SEATS:
        hand = state.hands[seat]
        if outcome is not None and seat in outcome.winners and not outcome.by_own_draw:
            hand = with_copies(hand, outcome.kind, 1)
        found.append(away_with_melds(hand, state.table.melds[seat], state.table.rules))
    return tuple(found)


def seen_by(events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
    """Return events as a seat sees them: tiles drawn by others are hidden."""
    return tuple(
        event._replace(tile=NO_KIND)
        if event.action is Action.DRAW and seat not in (None, event.seat)
        else event
        for event in events
    )
