"""Replay of a recorded game: states, events and deficiencies of each step."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mjopt.errors import FileError
from mjopt.play.game.events import Event
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.replay import check_end, replay_steps
from mjopt.play.game.rule_reading import away_with_melds
from mjopt.play.game.rules import SEATS
from mjopt.play.game.state import RoundState, State

Away = tuple[int, ...]

CALLS: Final = frozenset(Action) - {Action.DRAW, Action.DISCARD, Action.PASS}
"""Calls, kongs, declarations, wins and faults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedGame:
    """A replayed game."""

    names: tuple[str, ...]  # the name of the player on each seat
    states: tuple[RoundState, ...]  # the state after each step, the deal first
    # events of each step; a discard that no player could call is joined with the next draw
    events: tuple[tuple[Event, ...], ...]
    # exact deficiency of each seat's hand after each step, by the winning forms of the rules
    away: tuple[Away, ...]
    # the rule violation after the last step, or empty
    refusal: str = ""

    def changes(self, seat: int | None = None) -> list[int]:
        """Return the steps at which the deficiency of one seat, or of any, changes."""
        seats = SEATS if seat is None else (seat,)
        return [
            step
            for step, (before, now) in enumerate(pairwise(self.away), start=1)
            if any(now[one] != before[one] for one in seats)
        ]

    @property
    def calls(self) -> list[int]:
        """The steps with calls, kongs, declarations, wins and faults."""
        return [at for at, events in enumerate(self.events) if {e.action for e in events} & CALLS]


def watched(
    steps: Iterable[tuple[RoundState, tuple[Event, ...]]], names: Sequence[str]
) -> ReplayedGame:
    """Return the replay of steps, such as those of :func:`mjopt.play.game.replay_steps`."""
    states: list[RoundState] = []
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
    >>> len(game.states), game.away[0], game.changes()[0], game.refusal
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


def deficiencies(state: RoundState) -> Away:
    """Return the deficiency of each seat; a winner's hand includes the winning tile."""
    found = []
    for seat in SEATS:
        hand = state.winning_hand(seat)
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
