"""Repair of logged rounds, one rule for every format.

Decisions need tiles and turns. All other events (declarations, their confirmations, indicators,
results) are repaired or left out if they are impossible, each with one line. A flaw in tiles or
turns ends the round there: the log does not say how it went on.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mjopt.errors import FileError
from mjopt.play.game.events import KIND_OF, TILE_NAMES, Event
from mjopt.play.game.log import LogGame, LogRound, LogRules
from mjopt.play.game.log_replay import LogState, replay_round
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.state import Ending

TILES_AND_TURNS: Final = frozenset(
    (
        *(Action.DRAW, Action.DISCARD, Action.CHOW, Action.PONG, Action.KONG),
        *(Action.CLOSED_KONG, Action.ADDED_KONG, Action.NORTH),
    )
)
"""Events that decisions need."""

ENDS: Final = (Action.WIN, Action.DRAWN_GAME)
CHECKED_LATER: Final = (Action.READY, *ENDS)
"""Events that the next tile may contradict."""

Step = tuple[LogState, Event]
"""The state before an event, and the event."""


def readable_steps(game: LogGame) -> Iterator[Step]:
    """Yield the steps of all rounds of a game; a round ends where it cannot be replayed."""
    for deal in game.rounds:
        try:
            _, steps = repair_round(deal, game.rules)
        except FileError:
            continue
        yield from steps


def repair_round(deal: LogRound, rules: LogRules) -> tuple[LogRound, list[Step]]:
    """Return a round whose events can all be replayed, and its replay.

    ``flaws`` of the round names what was repaired or left out, ``cut`` the flaw that ends it. An
    impossible deal is a FileError.

    Examples
    --------
    >>> hands = tuple(tuple(range(first, first + 13)) for first in (0, 13, 0, 13))
    >>> events = (Event(0, Action.DRAW, 33), Event(-1, Action.DORA, 1), Event(1, Action.DRAW, 33))
    >>> deal = LogRound(wind=0, number=1, dealer=0, points=(), hands=hands, events=events)
    >>> repaired, [(_, event)] = repair_round(deal, LogRules())
    >>> str(event), repaired.flaws
    ('seat 0 draw 7z', ('East 1, turn 1: dora 2m: more indicators than kongs: ignored',))
    >>> repaired.cut
    'East 1, turn 1: seat 1 draw 7z out of turn'
    """
    repair = _Repair(deal, rules)
    if repair.cut_at is not None:
        # An indicator that is wrong makes a later tile a fifth copy.
        for other in _without_indicators(deal, repair.cut_at):
            without = _Repair(other, rules)
            if not without.cut:
                repair = without
                break
    repaired = replace(
        repair.deal,
        events=tuple(event for _, event in repair.steps),
        flaws=tuple(repair.flaws),
        cut=repair.cut,
        change=() if repair.cut else repair.deal.change,
    )
    # States contain their round.
    steps = repair.steps if repaired == deal else list(replay_round(repaired, rules))
    return repaired, steps


def _without_indicators(deal: LogRound, event: Event) -> Iterator[LogRound]:
    """Yield the round without one of the indicators of the kind of an event."""
    kinds = {KIND_OF[tile] for tile in (event.tile, *event.tiles) if tile in range(len(KIND_OF))}
    for kind in kinds:
        text = f"{deal.name}: indicator {TILE_NAMES[kind]}: one of five copies: ignored"
        flagged = replace(deal, flaws=(*deal.flaws, text))
        if deal.dora != NO_KIND and KIND_OF[deal.dora] == kind:
            yield replace(flagged, dora=NO_KIND)
        for at, each in enumerate(deal.events):
            if each.action is Action.DORA and KIND_OF[each.tile] == kind:
                yield replace(flagged, events=(*deal.events[:at], *deal.events[at + 1 :]))


class _Repair:
    """One pass over the events of a round."""

    def __init__(self, deal: LogRound, rules: LogRules) -> None:
        self.deal, self.cut, self.flaws = deal, deal.cut, list(deal.flaws)
        self.steps: list[Step] = []
        self.cut_at: Event | None = None
        self.is_end_known = not deal.flaws  # whether a missing end is not what was ignored
        try:
            self.state = LogState.dealt(deal, rules)
        except FileError as error:
            if deal.dora == NO_KIND:
                raise
            self.deal = replace(deal, dora=NO_KIND)
            self.state = LogState.dealt(self.deal, rules)
            self._note(error)
        for event in deal.events:
            if flaw := self._read(event):
                self.cut, self.cut_at = str(flaw), event
                return
        if not self.cut and self.is_end_known and (text := self.state.end_flaw()):
            self.flaws.append(str(self.state.error(text)))

    def _note(self, error: FileError, done: str = "ignored") -> None:
        self.flaws.append(f"{error}: {done}")

    def _add(self, event: Event) -> None:
        before, seat = self.state, event.seat
        self.state = before.apply(event)
        self.steps.append((before, event))
        is_declaration = before.declares and event.action is Action.DISCARD
        is_visible = is_declaration and not self.state.hidden[seat]
        if is_visible and not self.state.is_ready_in_shape(seat):
            text = f"{event}: declared, but the hand is not ready"
            self.flaws.append(str(before.error(text)))

    def _undo(self) -> None:
        self.state, _ = self.steps.pop()

    def _read(self, event: Event) -> FileError | None:
        """Add an event as far as it is possible; return the flaw that ends the round."""
        if self.state.is_open and self._confirms(event):
            seat = self.state.table.turn
            text = f"the declaration of seat {seat} is not confirmed"
            self._note(self.state.error(text), "taken as confirmed")
            self._add(Event(seat, Action.READY_STANDS))
        try:
            self._check(event)
            self._add(event)
        except FileError as error:
            if event.action in TILES_AND_TURNS:
                return None if self._repair(event, error) else error
            if not self._declares(event):
                self._note(error)
            self.is_end_known &= event.action not in ENDS
        return None

    def _confirms(self, event: Event) -> bool:
        """Return whether an event shows that nobody won on the discard of a declaration."""
        if event.action is Action.DRAWN_GAME:
            return self.deal.draw_reason not in (None, Ending.THREE_WINNERS)
        return event.action in TILES_AND_TURNS

    def _check(self, event: Event) -> None:
        """Check what a state does not know: how often an event of its kind came before."""
        if event.action is Action.DORA:
            num_before = sum(each.action is Action.DORA for _, each in self.steps)
            if num_before >= self.state.table.num_kongs:
                raise self.state.error(f"{event}: more indicators than kongs")
        if event.action is Action.WIN and any(
            each.action is Action.WIN and each.seat == event.seat for _, each in self.steps
        ):
            raise self.state.error(f"{event}: it has won before")

    def _repair(self, event: Event, error: FileError) -> bool:
        """Try to add an event of tiles or turns without what no decision needs."""
        if event.is_drawn:
            try:
                self._add(event._replace(is_drawn=False))
            except FileError:
                pass
            else:
                self._note(error, "taken from the hand")
                return True
        undone = list[Step]()
        after = self.state
        while self.steps and self.steps[-1][1].action in CHECKED_LATER:
            undone.append(self.steps[-1])
            self._undo()
            try:
                self._add(event)
            except FileError:
                continue
            for before, each in reversed(undone):
                self._note(before.error(f"{each}, but {event} follows"))
                self.is_end_known &= each.action not in ENDS
            return True
        self.steps += reversed(undone)
        self.state = after
        if self.steps and self.steps[-1][1].action in ENDS:
            self._note(error)  # nothing was decided after the end
            return True
        return False

    def _declares(self, event: Event) -> bool:
        """Try to add a confirmation with the declaration that is missing before the discard."""
        seat = event.seat
        if event.action is not Action.READY_STANDS or not self.steps:
            return False
        after, (before, discard) = self.state, self.steps[-1]
        if discard.action is not Action.DISCARD or discard.seat != seat:
            return False
        if not after.is_ready_in_shape(seat):
            return False
        num = len(self.steps) - 1
        self._undo()
        try:
            for each in (Event(seat, Action.READY), discard, event):
                self._add(each)
        except FileError:
            del self.steps[num:]
            self.steps.append((before, discard))
            self.state = after
            return False
        text = f"seat {seat} is confirmed, but has not declared"
        self._note(before.error(text), "taken as declared")
        return True
