"""Evaluate every discard and call of games against the best alternative."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.analysis.useful_tiles import useful_tiles
from mjopt.chances.draws.expected_draws import float_mean
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, TileSet, places_in_full
from mjopt.play.game.events import KIND_OF, Event
from mjopt.play.game.legal import barred_discards
from mjopt.play.game.log import LogGame
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.rule_reading import judge_hands
from mjopt.play.review.chance import Chance
from mjopt.play.review.collector import (
    OWN_KONGS,
    DecisionCollector,
    SeenCall,
    SeenDiscard,
    Situation,
)
from mjopt.play.review.riichi_wins import WinBasis

DEFICIENCY: Final = "deficiency"
DRAWS: Final = "draws"
CHANCE: Final = "chance"
MEASURES: Final = (DEFICIENCY, DRAWS, CHANCE)
THROWS: Final = (Action.CHOW, Action.PONG)  # calls that are followed by a discard

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int8]
Copies = NDArray[np.int16]
Places = NDArray[np.int32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Discards:
    """The N discards of one or more games, as columns.

    ``game``, ``deal`` and ``event`` are positions from 0; ``mjopt.play.review.export.MEANINGS``
    describes the other columns, except ``draws_of_best``, expected draws after discarding ``best``,
    and ``drawable``, the copies of each kind that the hand can draw (``rule_reading``).
    ``hand``, ``unseen``, ``drawable``, ``left`` and ``left_copies`` have shape
    ``(N, K)`` for K kinds, ``red`` has shape ``(N, 3)``. ``lost`` is NaN where it is unknown.
    """

    game: Places
    deal: Places
    event: Places
    turn: Copies
    seat: Numbers
    called: Numbers
    declared: Bools
    hand: Bytes
    red: Bytes
    unseen: Bytes
    drawable: Bytes
    discard: Numbers
    is_drawn: Bools
    before: Numbers
    deficiency: Numbers
    copies: Copies
    best: Numbers
    best_copies: Copies
    rank: Numbers
    left: Numbers
    left_copies: Copies
    draws: Doubles
    best_draws: Doubles
    best_by_draws: Numbers
    draws_of_best: Doubles
    draws_left: Copies
    folds: Bools
    lost: Doubles

    def __len__(self) -> int:
        return len(self.game)

    @property
    def moves_away(self) -> Bools:
        """Whether each discard raised the deficiency (possibly by folding); shape ``(N,)``."""
        return self.deficiency > self.before

    @property
    def better_by_draws(self) -> Bools:
        """Whether a discard ranks lower but has fewer expected draws than ``best``; ``(N,)``."""
        fewer = self.draws < self.draws_of_best * (1 - 1e-12)  # False if not requested
        return fewer & (self.rank > 1)

    def where(self, rows: Bools) -> "Discards":
        """Return a selection of rows."""
        return Discards(**{item.name: getattr(self, item.name)[rows] for item in fields(self)})


class Call(NamedTuple):
    """A call or kong, made or passed up, or a missed win, compared with the alternative."""

    # game, deal, event: position; for a missed call, the position of the actual event
    game: int
    deal: int
    event: int
    seat: int
    turn: int  # number of the next discard of the seat, from 1
    called: Event  # the call, or the kong of own tiles, as an event
    made: bool  # whether it was made
    # without, useful_without: deficiency and useful copies after a pass, or after the best discard
    # instead of a kong of own tiles
    without: int
    useful_without: int
    # with_it, useful_with: the same after the call and its best discard; both 0 after a win
    with_it: int
    useful_with: int
    # draws_without, draws_with: expected draws after a pass, and the minimum after the call over
    # discards that keep the least deficiency; NaN if not requested
    draws_without: float
    draws_with: float
    win: WinBasis | None = None  # the words for a win passed up
    chance: Chance | None = None  # if judged by the chance to win

    @property
    def is_nearer(self) -> bool:
        """Whether the call reduces the deficiency."""
        return self.with_it < self.without

    @property
    def moves_away(self) -> bool:
        """Whether the call raises the deficiency."""
        return self.with_it > self.without


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Games and the evaluation of their decisions."""

    games: tuple[LogGame, ...]  # the games
    discards: Discards  # their discards
    calls: tuple[Call, ...]  # their calls, made or passed up
    forms: tuple[tuple[WinningForm, ...], ...]  # the winning forms of each game
    by: str = DEFICIENCY  # the measure, one of MEASURES
    chances: tuple[Chance | None, ...] = ()  # of each discard, if judged by the chance to win


def evaluate(collected: DecisionCollector, *, by: str = DEFICIENCY) -> Evaluation:
    """Evaluate all collected decisions at once; the games may differ in tiles and forms.

    The deficiency depends on the hand and its own melds; useful tiles count the copies that the
    seat could not see. Yaku, points and danger are ignored. The measure is the deficiency
    or expected draws; :func:`mjopt.play.review.chance_evaluation.with_chances` adds chances.
    """
    games, forms = tuple(collected.games), tuple(collected.forms)
    discards = _discards(games, collected.discards, forms)
    judged = Evaluation(games=games, discards=discards, calls=(), forms=forms, by=by)
    if by == DRAWS:
        _add_draws(judged)
    return replace(judged, calls=tuple(_calls(judged, collected.calls, draws=by == DRAWS)))


class _Hands(NamedTuple):
    """Hands to evaluate, with one row each and the kinds of the widest tile set."""

    games: tuple[LogGame, ...]
    game: Places
    called: Numbers
    held: Bytes  # concealed copies
    unseen: Bytes  # copies that the seat cannot see
    drawable: Bytes  # copies that the hand can draw; see mjopt.play.game.rule_reading

    def outcomes(
        self, is_discard: Bools, forms: Sequence[tuple[WinningForm, ...]]
    ) -> tuple[Numbers, Copies]:
        """Return deficiency and useful copies after each discard, shape ``(N, K)``.

        For hands without a discard, only the first column has values.
        """
        left = np.full(self.held.shape, UNREACHABLE, np.int8)
        copies = np.zeros(self.held.shape, np.int16)
        groups = [(of, game.rules.tiles) for of, game in zip(forms, self.games, strict=True)]
        for by, tiles in dict.fromkeys(groups):
            members = [number for number, group in enumerate(groups) if group == (by, tiles)]
            in_group, kinds = np.isin(self.game, members), np.array(places_in_full(tiles))
            for discards in (True, False):
                rows = np.flatnonzero(in_group & (is_discard == discards))
                if not len(rows):
                    continue
                some = np.ix_(rows, kinds)
                away, useful = judge_hands(
                    self.held[some],
                    self.drawable[some],
                    self.unseen[some],
                    called=self.called[rows],
                    forms=by,
                    tiles=tiles,
                    is_discard=discards,
                )
                columns = np.ix_(rows, kinds if discards else kinds[:1])
                left[columns], copies[columns] = away, useful
        return left, copies


def _hands(games: tuple[LogGame, ...], game: Sequence[int], before: Sequence[Situation]) -> _Hands:
    """Return the hands before decisions."""
    width = max((played.rules.rule_set.tiles.num_kinds for played in games), default=FULL.num_kinds)
    in_game = np.zeros((len(games), FULL.num_kinds), np.uint8)
    for number, played in enumerate(games):
        in_game[number, : played.rules.rule_set.tiles.num_kinds] = played.rules.copies

    def rows(counts: Iterable[bytes]) -> Bytes:
        return np.frombuffer(b"".join(counts), np.uint8).reshape(-1, FULL.num_kinds)[:, :width]

    where, called = np.array(game, np.int32), np.array([each.called for each in before], np.int8)
    held = rows(each.held for each in before)
    others = in_game[where, :width] - held
    unseen = others - rows(each.shown for each in before)
    drawable = others - rows(each.gone for each in before)
    return _Hands(games, where, called, held, unseen, drawable)


def _score(left: Numbers, copies: Copies) -> Places:
    """Return a score that is lowest for the best discard."""
    return left.astype(np.int32) * 1000 - copies


def _discards(
    games: tuple[LogGame, ...], rows: list[SeenDiscard], forms: Sequence[tuple[WinningForm, ...]]
) -> Discards:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 12
    game, deal, event, before, seat, tile, is_drawn, declared, reds, left_draws, folds, _ = columns
    hands = _hands(games, game, before)
    every = np.arange(len(rows))
    left, copies = hands.outcomes(np.ones(len(rows), np.bool_), forms)
    discarded = np.array(tile, np.int8)
    kinds = np.array(KIND_OF)[discarded]
    score = _score(left, copies)
    best = score.argmin(axis=1)
    return Discards(
        game=hands.game,
        deal=np.array(deal, np.int32),
        event=np.array(event, np.int32),
        turn=np.array([each.turn for each in before], np.int16),
        seat=np.array(seat, np.int8),
        called=hands.called,
        declared=np.array(declared, np.bool_),
        hand=hands.held,
        red=np.array(reds, np.uint8).reshape(-1, 3),
        unseen=hands.unseen,
        drawable=hands.drawable,
        discard=discarded,
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
        draws_of_best=np.full(len(rows), np.nan),
        draws_left=np.array(left_draws, np.int16),
        folds=np.array(folds, np.bool_),
        lost=np.full(len(rows), np.nan),
    )


def _calls(judged: Evaluation, rows: list[SeenCall], *, draws: bool) -> Iterator[Call]:
    """Evaluate all calls in one batch."""
    if not rows:
        return
    game, deal, position, before, events, made, *_, wins = zip(*rows, strict=True)
    passing, turn = _hands(judged.games, game, before), [each.turn for each in before]
    is_win = np.array([call.action is Action.WIN for call in events])
    adds = np.array([call.action is Action.ADDED_KONG for call in events])
    own = [(call.tile,) if call.action is Action.ADDED_KONG else call.tiles for call in events]
    laid = [(row, KIND_OF[tile]) for row, tiles in enumerate(own) for tile in tiles]
    after, drawable = passing.held.copy(), passing.drawable.copy()
    np.subtract.at(after, tuple(np.array(laid, np.int64).reshape(-1, 2).T), 1)
    for row, call in enumerate(events):
        if call.action in (*THROWS, Action.KONG):  # the called tile is now in a meld of the hand
            drawable[row, call.kind] -= drawable[row, call.kind] > 0
    called = passing.called + ~(is_win | adds)
    calling = passing._replace(held=after, drawable=drawable, called=called)
    sides = (
        (passing, np.array([call.action in OWN_KONGS for call in events])),
        (calling, np.array([call.action in THROWS for call in events])),
    )
    results = list[list[int]]()
    means = np.full((2, len(rows)), np.nan)
    for side, (hands, is_discard) in enumerate(sides):
        left, copies = hands.outcomes(is_discard, judged.forms)
        if hands is calling:
            for row in np.flatnonzero(is_discard).tolist():
                call, rules = events[row], judged.games[game[row]].rules.rule_set
                barred = list(barred_discards(call, KIND_OF[call.tile], rules))
                left[row, barred], copies[row, barred] = UNREACHABLE, 0
        best = _score(left, copies).argmin(axis=1)[:, None]
        least, most = (np.take_along_axis(each, best, axis=1)[:, 0] for each in (left, copies))
        if hands is calling:
            least[is_win] = most[is_win] = 0
        for row in range(len(rows)) if draws else ():
            best_kinds = np.flatnonzero(left[row] == least[row]).tolist()
            kinds = best_kinds if is_discard[row] else [NO_KIND]
            hand = (hands.held[row], int(hands.called[row]), hands.unseen[row])
            is_over = hands is calling and is_win[row]
            means[side, row] = 0 if is_over else min(_means(judged, game[row], *hand, kinds))
        results += [least.tolist(), most.tolist()]
    seats = [call.seat for call in events]
    columns = [game, deal, position, seats, turn, events, made, *results, *means.tolist(), wins]
    yield from map(Call, *columns)


def _means(
    judged: Evaluation, game: int, held: Bytes, called: int, unseen: Bytes, kinds: Sequence[int]
) -> list[float]:
    """Return the expected draws of a hand after each of the discards (``NO_KIND``: none)."""
    tiles = judged.games[game].rules.tiles
    hands = [_without(held, called, kind, tiles) for kind in kinds]
    wall, forms = _of_set(unseen, tiles), judged.forms[game]
    return [float_mean(hand, wall=wall, forms=forms) for hand in hands]


def _add_draws(judged: Evaluation) -> None:
    """Fill in the expected draws of the discards that keep the least deficiency."""
    discards = judged.discards
    for row in range(len(discards)):
        discarded = KIND_OF[int(discards.discard[row])]
        keeping = np.flatnonzero(discards.left[row] == discards.before[row]).tolist()
        kinds = keeping if discarded in keeping else [*keeping, discarded]
        hand = (discards.hand[row], int(discards.called[row]), discards.unseen[row])
        values = _means(judged, int(discards.game[row]), *hand, kinds)
        means = dict(zip(kinds, values, strict=True))
        best = min(keeping, key=lambda kind: (means[kind], kind))
        discards.draws[row] = means[discarded]
        discards.draws_of_best[row] = means[int(discards.best[row])]
        discards.best_draws[row], discards.best_by_draws[row] = means[best], best


def _without(held: Bytes, called: int, kind: int, tiles: TileSet) -> Hand:
    counts = held.tolist()
    if kind != NO_KIND:
        counts[kind] -= 1
    return Hand.from_counts(_of_set(counts, tiles), tiles=tiles, called=called)


def _of_set(counts: Bytes | list[int], tiles: TileSet) -> list[int]:
    """Return the counts of the kinds of a tile set."""
    return [int(counts[kind]) for kind in places_in_full(tiles)]


def best_discard(judged: Evaluation, row: int) -> int:
    """Return the best discard by the measure of the evaluation; -1 if it is a call or unknown."""
    if judged.by != CHANCE:
        return int(judged.discards.best[row])
    chance = judged.chances[row]
    if chance is None or chance.best_discard == NO_KIND:
        return NO_KIND
    tiles = judged.games[int(judged.discards.game[row])].rules.tiles
    return places_in_full(tiles)[chance.best_discard]


def hand_after(judged: Evaluation, row: int, kind: int) -> Hand:
    """Return the hand after a discard."""
    discards = judged.discards
    tiles = judged.games[int(discards.game[row])].rules.tiles
    return _without(discards.hand[row], int(discards.called[row]), kind, tiles)


def useful_after(judged: Evaluation, row: int, kind: int) -> dict[int, int]:
    """Return the useful kinds after a discard, with the copies that the seat cannot see."""
    discards = judged.discards
    forms, hand = judged.forms[int(discards.game[row])], hand_after(judged, row, kind)
    drawable, unseen = discards.drawable[row], discards.unseen[row]
    wait = useful_tiles(hand, unseen=_of_set(drawable, hand.tiles), forms=forms)
    kinds = map(places_in_full(hand.tiles).__getitem__, wait.kinds)
    return {kind: int(unseen[kind]) for kind in kinds if unseen[kind]}
