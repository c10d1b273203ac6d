"""Collect the decisions of logged games, with what each seat saw."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mjopt.errors import FileError
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import Event
from mjopt.play.game.furiten import Furiten
from mjopt.play.game.log import LogGame, LogRound
from mjopt.play.game.log_repair import Step, repair_round
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.log_sequence import sequence_flaws
from mjopt.play.game.moves import Action, with_copies
from mjopt.play.game.rule_reading import copies_in
from mjopt.play.review.log_positions import (
    LoggedDecision,
    call_decision,
    discard_decision,
    draws_left,
    is_fold,
    threats,
)
from mjopt.play.review.missed_calls import find_missed
from mjopt.play.review.riichi_wins import WinBasis, judge_win

OWN_KONGS: Final = (Action.CLOSED_KONG, Action.ADDED_KONG)
CALLS: Final = (Action.CHOW, Action.PONG, Action.KONG, *OWN_KONGS)


class Situation(NamedTuple):
    """What a seat saw before a decision."""

    turn: int  # the number of its next discard, from 1
    called: int  # melds
    held: bytes  # copies of each kind of the full set in its hand
    shown: bytes  # the same of all visible tiles
    gone: bytes  # the same of its own melds


class SeenDiscard(NamedTuple):
    """A discard, and what the seat saw before it."""

    game: int
    deal: int
    event: int
    before: Situation
    seat: int
    tile: int
    is_drawn: bool
    declared: bool
    reds: tuple[int, ...]
    draws_left: int  # own draws left afterwards, if nothing is called
    folds: bool  # whether it is safe from a player close to a win
    decision: LoggedDecision | None  # only if positions are collected

    @property
    def player(self) -> tuple[int, int]:
        """The game and the seat."""
        return self.game, self.seat

    @property
    def is_spared(self) -> bool:
        """Whether it is not counted among the costliest decisions."""
        return self.folds

    @property
    def is_forced(self) -> bool:
        """Whether there was no choice."""
        return self.declared


class SeenCall(NamedTuple):
    """A call, made or missed, and what the seat saw before it."""

    game: int
    deal: int
    event: int
    before: Situation
    call: Event
    made: bool
    is_threatened: bool  # whether another player is close to a win
    decision: LoggedDecision | None
    win: WinBasis | None = None  # the words for a win passed up

    @property
    def player(self) -> tuple[int, int]:
        """The game and the seat."""
        return self.game, self.call.seat

    @property
    def is_spared(self) -> bool:
        """Whether it is not counted among the costliest decisions."""
        return self.is_threatened and not self.made

    @property
    def is_forced(self) -> bool:
        """Whether there was no choice: never."""
        return False


class DecisionCollector:
    """Replays games and collects the decisions of one seat, or of all if the seat is None.

    Without ``forms`` the winning forms are those of the rules. A strict collector refuses a game
    with any flaw; otherwise all decisions are collected that come before a flaw in the tiles or
    turns of their round.
    """

    def __init__(
        self,
        seat: int | None = None,
        forms: str | Iterable[str | WinningForm] | None = None,
        *,
        has_positions: bool = False,
        is_strict: bool = False,
    ) -> None:
        self.seat, self._given, self.is_strict = seat, forms, is_strict
        self.has_positions = has_positions  # whether to collect the position of each decision
        self.games: list[LogGame] = []  # with the rounds that were replayed
        self.forms: list[tuple[WinningForm, ...]] = []  # the winning forms of each game
        self.discards: list[SeenDiscard] = []
        self.calls: list[SeenCall] = []
        self.num_unread = 0  # rounds of these games that cannot be read or replayed to their end

    def add(self, game: LogGame) -> list[str]:
        """Replay a game, collect its decisions, and return its flaws; on an error, collect none.

        FileError if no round can be replayed, or the collector is strict and the game has a flaw;
        HandError if the tiles of the game lack a winning form.
        """
        rules = game.rules.rule_set
        forms = rules.forms if self._given is None else check_forms(self._given, rules.tiles)
        rounds, unread = list[LogRound](), list(game.unread)
        discards, calls, num_judged = list[SeenDiscard](), list[SeenCall](), 0
        for deal in game.rounds:
            try:
                repaired, steps = repair_round(deal, game.rules)
            except FileError as error:
                unread.append(str(error))
                continue
            if repaired.cut and all(event.action is not Action.DISCARD for _, event in steps):
                unread.append(repaired.cut)
                continue
            if not rounds or repaired != rounds[-1]:
                more = self._decisions(steps, game, num_judged, forms)
                num_judged += 1
                discards += more[0]
                calls += more[1]
            rounds.append(repaired)
        kept, sequence = sequence_flaws(replace(game, rounds=tuple(rounds), unread=tuple(unread)))
        cuts = [deal.cut for deal in kept if deal.cut]
        every = [f"not judged: {why}" for why in unread]
        every += [f"judged up to here: {why}" for why in cuts]
        every += [*game.flaws, *(flaw for deal in kept for flaw in deal.flaws), *sequence]
        if not kept or (self.is_strict and every):
            raise FileError([*unread, *cuts, *every][0])
        self.games.append(replace(game, rounds=kept))
        self.forms.append(forms)
        self.discards += discards
        self.calls += calls
        self.num_unread += len(unread) + len(cuts)
        return every

    def _decisions(
        self,
        steps: Iterable[Step],
        game: LogGame,
        number: int,
        forms: tuple[WinningForm, ...],
    ) -> tuple[list[SeenDiscard], list[SeenCall]]:
        """Return the discards and calls of a replay of the round of this number of its game."""
        seats = range(game.rules.seats) if self.seat is None else (self.seat,)
        discards, calls = list[SeenDiscard](), list[SeenCall]()
        furiten = Furiten()
        for at, (state, event) in enumerate(steps):
            where, seat = (len(self.games), number, at), event.seat
            made = [event] if event.action in CALLS else []
            for call in (*find_missed(state, event), *made):
                if call.seat in seats:
                    is_win = call.action is Action.WIN
                    win = judge_win(state, call, furiten) if is_win else None
                    if is_win and win is None:
                        continue
                    decision = None
                    if self.has_positions and win is not WinBasis.NO_YAKU:
                        decision = call_decision(state, call, forms, event)
                    calls.append(
                        SeenCall(
                            *where,
                            _situation(state, call),
                            call,
                            made=call is event,
                            is_threatened=bool(threats(state, call.seat)),
                            decision=decision,
                            win=win,
                        )
                    )
            furiten.add(state, event)
            if seat in seats and event.action is Action.DISCARD:
                discards.append(
                    SeenDiscard(
                        *where,
                        _situation(state, event),
                        seat=seat,
                        tile=event.tile,
                        is_drawn=event.is_drawn,
                        declared=state.table.ready[seat],
                        reds=state.reds[seat],
                        draws_left=draws_left(state, seat),
                        folds=is_fold(state, event),
                        decision=discard_decision(state, event, forms)
                        if self.has_positions
                        else None,
                    )
                )
        return discards, calls


def _situation(state: LogState, event: Event) -> Situation:
    """Return what the seat of an event saw before it."""
    seat, table = event.seat, state.table
    held, shown = state.hands[seat], table.shown
    gone = copies_in(table.melds[seat], state.rules.rule_set.tiles)
    if event.action is Action.WIN and event.other == seat:  # passing means discarding the draw
        changes = (held, -1), (shown, 1), (gone, 1)
        held, shown, gone = (with_copies(n, event.kind, by) for n, by in changes)
    turn = table.num_discards(seat) + 1
    return Situation(turn, state.called(seat), *map(_of_full, (held, shown, gone)))


def _of_full(counts: Sequence[int]) -> bytes:
    """Return counts for all kinds of the full set."""
    return bytes(counts).ljust(FULL.num_kinds, b"\0")
