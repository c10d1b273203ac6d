"""Evaluate every discard and call of games against the best alternative."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.draws.expected_draws import float_mean
from mjopt.analysis.useful_tiles import useful_tiles
from mjopt.game_review.events import KIND_OF, NO_TILE, ActionType, Event, Game
from mjopt.game_review.missed_calls import barred_discards, find_missed
from mjopt.game_review.round_state import RoundState, check_points, replay_round
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, FULL, TileSet
from mjopt.hands.winning_forms import UNREACHABLE
from mjopt.tables.useful import judge_discards, judge_waits

OWN_KONGS: Final = (ActionType.CLOSED_KONG, ActionType.ADDED_KONG)
CALLS: Final = (ActionType.CHOW, ActionType.PONG, ActionType.KONG, *OWN_KONGS)
THROWS: Final = (ActionType.CHOW, ActionType.PONG)  # calls after which a tile is thrown

Column = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Discards:
    """The discards of one or more games, a column each, N of them.

    ``game``, ``deal`` and ``event`` are positions from 0; ``mjopt.game_review.schema.MEANINGS``
    describes the other columns. ``hand``, ``unseen``, ``left`` and ``left_copies`` have shape
    ``(N, K)`` for K kinds, ``red`` has shape ``(N, 3)``.
    """

    game: Column
    deal: Column
    event: Column
    turn: Column
    seat: Column
    called: Column
    declared: Column
    hand: Column
    red: Column
    unseen: Column
    discard: Column
    is_drawn: Column
    before: Column
    deficiency: Column
    copies: Column
    best: Column
    best_copies: Column
    rank: Column
    left: Column
    left_copies: Column
    draws: Column
    best_draws: Column
    best_by_draws: Column

    def __len__(self) -> int:
        return len(self.game)

    @property
    def moves_away(self) -> NDArray[np.bool_]:
        """Whether the discard raised the deficiency, as folding does too; shape ``(N,)``."""
        return self.deficiency > self.before

    def where(self, rows: Column) -> "Discards":
        """Return some of the rows."""
        return Discards(**{item.name: getattr(self, item.name)[rows] for item in fields(self)})


class Call(NamedTuple):
    """A call or kong that was made or passed up, or a win passed up; with and without."""

    # game, deal, event: position; of a missed call, the position of the event that happened
    game: int
    deal: int
    event: int
    seat: int
    turn: int  # the discard of the seat that comes next, from 1
    called: Event  # the call, or the kong of its own tiles, as an event
    made: bool  # whether it was made
    # without, useful_without: deficiency and useful copies of the hand that passes, or instead of a
    # kong of its own tiles throws what is best
    without: int
    useful_without: int
    # with_it, useful_with: the same after the call and its best discard; 0 and 0 after a win
    with_it: int
    useful_with: int
    # draws_without, draws_with: expected draws of the hand that passes, and the least after the
    # call by a discard that keeps the least deficiency; NaN if not requested
    draws_without: float
    draws_with: float

    @property
    def is_nearer(self) -> bool:
        """Whether the call brings the hand nearer to a win."""
        return self.with_it < self.without

    @property
    def moves_away(self) -> bool:
        """Whether the call raises the deficiency."""
        return self.with_it > self.without


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Games and the evaluation of their decisions."""

    games: tuple[Game, ...]  # the games
    discards: Discards  # their discards
    calls: tuple[Call, ...]  # their calls, and those that were passed up
    forms: tuple[str, ...] | None = None  # the forms that were judged by; None: those of each game

    def forms_of(self, game: int) -> tuple[str, ...]:
        """Return the forms that a game was judged by."""
        return self.games[game].rules.forms if self.forms is None else self.forms


def judge(
    games: Iterable[Game],
    *,
    forms: Sequence[str] | None = None,
    draws: bool = False,
    seat: int | None = None,
) -> Evaluation:
    """Evaluate every discard, every call and every missed call of some games.

    The deficiency is that of the hand by itself; copies of useful tiles are those that the
    seat could not see. Yaku, value, danger and furiten are ignored.

    Parameters as for :func:`mjopt.review`; the games, of one or more tile sets, are replayed.
    """
    met = DecisionCollector(seat)
    for game in games:
        met.add(game)
    return met.judged(forms, draws=draws)


class DecisionCollector:
    """Replays games and collects the decisions to evaluate, of one seat or all."""

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat
        self.games: list[Game] = []
        self._discards: list[tuple[Any, ...]] = []
        self._calls: list[tuple[Any, ...]] = []

    def add(self, game: Game) -> None:
        """Replay a game and collect its discards and calls; nothing if it cannot be replayed."""
        seats = range(game.rules.seats) if self.seat is None else (self.seat,)
        discards, calls = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        for deal, round_ in enumerate(game.rounds):
            for number, (state, event) in enumerate(replay_round(round_, game.rules)):
                where = (len(self.games), deal, number)
                for call in find_missed(state, event):
                    if call.seat in seats:
                        calls.append((*where, *_situation(state, call), call, False))
                seat = event.seat
                if seat not in seats:
                    continue
                if event.action is ActionType.DISCARD:
                    more = (seat, event.tile, event.is_drawn, state.ready[seat], *state.reds(seat))
                    discards.append((*where, *_situation(state, event), *more))
                elif event.action in CALLS:
                    calls.append((*where, *_situation(state, event), event, True))
        check_points(game)
        self.games.append(game)
        self._discards += discards
        self._calls += calls

    def judged(self, forms: Sequence[str] | None = None, *, draws: bool = False) -> Evaluation:
        """Evaluate all collected decisions at once; parameters as for :func:`judge`."""
        kept, chosen = tuple(self.games), None if forms is None else tuple(forms)
        discards = _discards(kept, self._discards, chosen)
        judged = Evaluation(games=kept, discards=discards, calls=(), forms=chosen)
        if draws:
            _add_draws(judged)
        return replace(judged, calls=tuple(_calls(judged, self._calls, draws=draws)))


def _situation(state: RoundState, event: Event) -> tuple[int, int, bytes, bytes]:
    """Return the turn and the melds of a seat, its hand and the tiles shown to all, by kind."""
    seat = event.seat
    held, shown = state.counts[seat], state.shown
    if event.action is ActionType.WIN and event.other == seat:  # to pass is to discard the draw
        kind, held, shown = KIND_OF[event.tile], held.copy(), shown.copy()
        held[kind] -= 1
        shown[kind] += 1
    return len(state.rivers[seat]) + 1, state.called(seat), bytes(held), bytes(shown)


class _Hands(NamedTuple):
    """Hands to evaluate: game, melds, tiles held and tiles unseen by the seat."""

    games: tuple[Game, ...]
    game: Column
    called: Column
    held: NDArray[np.uint8]
    unseen: NDArray[np.uint8]

    def outcomes(self, throws: Column, forms: tuple[str, ...] | None) -> tuple[Column, Column]:
        """Return deficiency and useful copies that each discard leaves, shape ``(N, K)``.

        Of hands that throw nothing the first column has what they wait with, and no other.
        """
        left = np.full(self.held.shape, UNREACHABLE, np.int8)
        copies = np.zeros(self.held.shape, np.int16)
        rules = [one.rules for one in self.games]
        asked = [(one.forms if forms is None else forms, one.tiles) for one in rules]
        for by, tiles in dict.fromkeys(asked):
            those = [number for number, one in enumerate(asked) if one == (by, tiles)]
            is_one, of = np.isin(self.game, those), slice(tiles.num_kinds)
            for ask, some in ((judge_discards, is_one & throws), (judge_waits, is_one & ~throws)):
                if some.any():
                    held, unseen, called = self.held[some, of], self.unseen[some, of], self.called
                    to = of if ask is judge_discards else 0
                    left[some, to], copies[some, to] = ask(
                        held, unseen, called=called[some], forms=by
                    )
        return left, copies


def _hands(
    games: tuple[Game, ...], game: Any, called: Any, held: Sequence[bytes], shown: Sequence[bytes]
) -> _Hands:
    width = max((one.rules.tiles.num_kinds for one in games), default=FULL.num_kinds)
    in_game = np.full((len(games), FULL.num_kinds), COPIES, np.uint8)
    for number, one in enumerate(games):
        absent = range(one.rules.tiles.num_kinds, FULL.num_kinds)
        in_game[number, [*one.rules.missing, *absent]] = 0
    own, open_tiles = (
        np.frombuffer(b"".join(told), np.uint8).reshape(-1, FULL.num_kinds)[:, :width]
        for told in (held, shown)
    )
    where = np.array(game, np.int32)
    unseen = in_game[where, :width] - open_tiles - own
    return _Hands(games, where, np.array(called, np.int8), own, unseen)


def _score(left: Column, copies: Column) -> Column:
    """Return a score that is least for the best discard."""
    return left.astype(np.int32) * 1000 - copies


def _discards(
    games: tuple[Game, ...], rows: list[tuple[Any, ...]], forms: tuple[str, ...] | None
) -> Discards:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 14
    game, deal, event, turn, called, held, shown, seat, tile, is_drawn, declared, *reds = columns
    hands = _hands(games, game, called, held, shown)
    every = np.arange(len(rows))
    left, copies = hands.outcomes(np.ones(len(rows), np.bool_), forms)
    thrown = np.array(tile, np.int8)
    kinds = np.array(KIND_OF)[thrown]
    score = _score(left, copies)
    best = score.argmin(axis=1)
    return Discards(
        game=hands.game,
        deal=np.array(deal, np.int16),
        event=np.array(event, np.int16),
        turn=np.array(turn, np.int16),
        seat=np.array(seat, np.int8),
        called=hands.called,
        declared=np.array(declared, np.bool_),
        hand=hands.held,
        red=np.array(reds, np.uint8).T,
        unseen=hands.unseen,
        discard=thrown,
        is_drawn=np.array(is_drawn, np.bool_),
        before=left[every, best],
        deficiency=left[every, kinds],
        copies=copies[every, kinds],
        best=best.astype(np.int8),
        best_copies=copies[every, best],
        rank=(1 + (score < score[every, kinds, None]).sum(axis=1)).astype(np.int8),
        left=left,
        left_copies=copies,
        draws=np.full(len(rows), np.nan),
        best_draws=np.full(len(rows), np.nan),
        best_by_draws=np.full(len(rows), -1, np.int8),
    )


def _calls(judged: Evaluation, rows: list[tuple[Any, ...]], *, draws: bool) -> Iterator[Call]:
    """Judge all calls at once."""
    if not rows:
        return
    game, deal, place, turn, called, held, shown, events, made = zip(*rows, strict=True)
    passing = _hands(judged.games, game, called, held, shown)
    is_win = np.array([call.action is ActionType.WIN for call in events])
    adds = np.array([call.action is ActionType.ADDED_KONG for call in events])
    own = [(call.tile,) if call.action is ActionType.ADDED_KONG else call.tiles for call in events]
    laid = [(row, KIND_OF[tile]) for row, tiles in enumerate(own) for tile in tiles]
    after = passing.held.copy()
    np.subtract.at(after, tuple(np.array(laid, np.int64).reshape(-1, 2).T), 1)
    calling = passing._replace(held=after, called=passing.called + ~(is_win | adds))
    sides = (
        (passing, np.array([call.action in OWN_KONGS for call in events])),
        (calling, np.array([call.action in THROWS for call in events])),
    )
    found = list[Any]()
    means = np.full((2, len(rows)), np.nan)
    for side, (hands, throws) in enumerate(sides):
        left, copies = hands.outcomes(throws, judged.forms)
        if hands is calling:
            for row in np.flatnonzero(throws).tolist():
                barred = list(barred_discards(events[row], judged.games[game[row]].rules))
                left[row, barred], copies[row, barred] = UNREACHABLE, 0
        best = _score(left, copies).argmin(axis=1)[:, None]
        least, most = (np.take_along_axis(each, best, axis=1)[:, 0] for each in (left, copies))
        if hands is calling:
            least[is_win] = most[is_win] = 0
        for row in range(len(rows)) if draws else ():
            kinds = np.flatnonzero(left[row] == least[row]).tolist() if throws[row] else [NO_TILE]
            told = (hands.held[row], int(hands.called[row]), hands.unseen[row])
            is_over = hands is calling and is_win[row]
            means[side, row] = 0 if is_over else min(_means(judged, game[row], *told, kinds))
        found += [least.tolist(), most.tolist()]
    who = [call.seat for call in events]
    yield from map(Call, game, deal, place, who, turn, events, made, *found, *means.tolist())


def _means(
    judged: Evaluation, game: int, held: Column, called: int, unseen: Column, kinds: Sequence[int]
) -> list[float]:
    """Return the expected draws of a hand, once one of each of some kinds is thrown, or none."""
    tiles = judged.games[game].rules.tiles
    hands = [_without(held, called, kind, tiles) for kind in kinds]
    wall, forms = unseen.tolist()[: tiles.num_kinds], judged.forms_of(game)
    return [float_mean(hand, wall=wall, forms=forms) for hand in hands]


def _add_draws(judged: Evaluation) -> None:
    """Fill in the expected draws of the discards that keep the least deficiency."""
    found = judged.discards
    for row in range(len(found)):
        thrown = KIND_OF[int(found.discard[row])]
        keeping = np.flatnonzero(found.left[row] == found.before[row]).tolist()
        kinds = keeping if thrown in keeping else [*keeping, thrown]
        told = (found.hand[row], int(found.called[row]), found.unseen[row], kinds)
        means = dict(zip(kinds, _means(judged, int(found.game[row]), *told), strict=True))
        best = min(keeping, key=lambda kind: (means[kind], kind))
        found.draws[row] = means[thrown]
        found.best_draws[row], found.best_by_draws[row] = means[best], best


def _without(held: Column, called: int, kind: int, tiles: TileSet) -> Hand:
    counts = held.tolist()[: tiles.num_kinds]
    if kind != NO_TILE:
        counts[kind] -= 1
    return Hand.from_counts(counts, tiles=tiles, called=called)


def hand_after(judged: Evaluation, row: int, kind: int) -> Hand:
    """Return what a discard leaves, as a hand."""
    found = judged.discards
    tiles = judged.games[int(found.game[row])].rules.tiles
    return _without(found.hand[row], int(found.called[row]), kind, tiles)


def useful_after(judged: Evaluation, row: int, kind: int) -> dict[int, int]:
    """Return the useful kinds that a discard leaves, with the copies that the seat cannot see."""
    found = judged.discards
    forms = judged.forms_of(int(found.game[row]))
    wait = useful_tiles(hand_after(judged, row, kind), forms=forms)
    unseen = found.unseen[row]
    return {int(k): int(unseen[k]) for k, _ in wait.copies if unseen[k]}
