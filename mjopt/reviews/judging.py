"""Every discard and call of a game judged: what it leaves, and what the best would have left."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.draws.expect import mean_draws
from mjopt.answers.useful import useful_tiles
from mjopt.hands.forms import UNREACHABLE
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, FULL, TileSet
from mjopt.reviews.events import KIND_OF, NO_TILE, Did, Event, Game
from mjopt.reviews.passed import barred_after, passed_up
from mjopt.reviews.round_table import RoundTable, replayed
from mjopt.tables.useful import judge_discards, judge_waits

CALLS: Final = (Did.CHOW, Did.PONG, Did.KONG)
CALLED: Final = (*CALLS, Did.WIN)
KONG: Final = CALLED.index(Did.KONG)  # before it stand the calls that throw a tile
JUDGEMENTS: Final = (
    "without",
    "useful_without",
    "with_it",
    "useful_with",
    "draws_without",
    "draws_with",
)

Column = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Discards:
    """The discards of one or more games, a column each; N of them, K kinds.

    Parameters
    ----------
    game, deal, event
        Where it stands: the game, its round, the event in the round; from 0.
    turn
        Which discard of the seat it is, from 1.
    seat
        Who threw.
    tile
        What was thrown, ``0..36``: a red five is none of the kinds.
    is_drawn
        Whether it was the tile just drawn.
    is_ready
        Whether the seat had declared itself ready before: then it had no choice.
    called
        Melds of the seat on the table.
    hand
        Concealed copies per kind before it, shape ``(N, K)``.
    red
        How many red fives of each suit are among them, shape ``(N, 3)``.
    unseen
        Copies of each kind that the seat could not see, shape ``(N, K)``.
    left, copies
        What each discard would have left, shape ``(N, K)``: the deficiency, and how many
        copies of useful tiles were unseen; 127 and 0 of kinds not held.
    before
        The least deficiency that any discard leaves, shape ``(N,)``.
    after, useful
        What the one thrown left.
    best, best_useful
        The kind to throw by deficiency, then copies (the lowest of equals), and its copies.
    rank
        Of the one thrown: one more than the kinds that are better.
    draws, best_draws, best_by_draws
        Expected draws after the one thrown, the least, and the kind that has it, among the
        discards that keep the least deficiency; NaN and -1 where that was not asked.
    """

    game: Column
    deal: Column
    event: Column
    turn: Column
    seat: Column
    tile: Column
    is_drawn: Column
    is_ready: Column
    called: Column
    hand: Column
    red: Column
    unseen: Column
    left: Column
    copies: Column
    before: Column
    after: Column
    useful: Column
    best: Column
    best_useful: Column
    rank: Column
    draws: Column
    best_draws: Column
    best_by_draws: Column

    def __len__(self) -> int:
        return len(self.game)

    @property
    def moves_away(self) -> NDArray[np.bool_]:
        """Whether the discard raised the deficiency, as folding does too; shape ``(N,)``."""
        return self.after > self.before

    def where(self, rows: Column) -> "Discards":
        """Return some of the rows."""
        return Discards(**{item.name: getattr(self, item.name)[rows] for item in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A chow, pong or kong that was called or passed up, or a win passed up; with and without.

    Parameters
    ----------
    game, deal, event, seat
        Where it stands, and whose it is; of what was passed up, the event that was told instead.
    turn
        The discard of the seat that comes next, from 1.
    called
        The call, as an event.
    made
        Whether it was made.
    without, useful_without
        Deficiency and useful copies of the hand that passes.
    with_it, useful_with
        The same after the call and its best discard; 0 and 0 after a win.
    draws_without, draws_with
        Expected draws of the hand that passes, and the least after the call by a discard that
        keeps the least deficiency; NaN where that was not asked.
    """

    game: int
    deal: int
    event: int
    seat: int
    turn: int
    called: Event
    made: bool
    without: int
    useful_without: int
    with_it: int
    useful_with: int
    draws_without: float
    draws_with: float

    @property
    def is_nearer(self) -> bool:
        """Whether the call brings the hand nearer to a win."""
        return self.with_it < self.without


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Games, and what is said of them.

    Parameters
    ----------
    games
        The games.
    discards
        Their discards.
    calls
        Their calls, and those that were passed up.
    forms
        The forms that were judged by; None: those of each game.
    """

    games: tuple[Game, ...]
    discards: Discards
    calls: tuple[Call, ...]
    forms: tuple[str, ...] | None = None

    def forms_of(self, game: int) -> tuple[str, ...]:
        """Return the forms that a game was judged by."""
        return self.games[game].ruling.forms if self.forms is None else self.forms


def judge(
    games: Iterable[Game],
    *,
    forms: Sequence[str] | None = None,
    draws: bool = False,
    seat: int | None = None,
) -> Judged:
    """Judge every discard of some games, every call, and every call that was passed up.

    The deficiency is that of the hand by itself; the copies of useful tiles are those that
    the seat could not see. Nothing is said of yaku, value or danger, and a win that was
    passed up is one by the forms alone: furiten is not looked at either.

    Parameters
    ----------
    games
        Games that were replayed; all of one tile set.
    forms
        The winning forms, by default those of each game.
    draws
        Also the expected draws of the discards that keep the least deficiency, and of hands
        with and without a call.
    seat
        Only what this seat did.
    """
    kept = tuple(games)
    chosen = None if forms is None else tuple(forms)
    rows: list[tuple[Any, ...]] = []
    calls: list[tuple[Any, ...]] = []
    for number, game in enumerate(kept):
        for deal, told in enumerate(game.rounds):
            for place, (table, event) in enumerate(replayed(told, game.ruling)):
                where = (number, deal, place)
                calls += [
                    (*where, call, False, *_call_hand(table, call))
                    for call in passed_up(table, event)
                    if seat in (None, call.seat)
                ]
                if seat not in (None, event.seat):
                    continue
                if event.did is Did.DISCARD:
                    rows.append((*where, *_seen(table, event)))
                elif event.did in CALLS:
                    calls.append((*where, event, True, *_call_hand(table, event)))
    judged = Judged(games=kept, discards=_judged(kept, rows, chosen), calls=(), forms=chosen)
    if draws:
        _add_draws(judged)
    made = tuple(_judge_calls(judged, calls, draws=draws))
    return Judged(games=kept, discards=judged.discards, calls=made, forms=chosen)


def _seen(table: RoundTable, event: Event) -> tuple[Any, ...]:
    seat = event.seat
    return (
        len(table.rivers[seat]) + 1,
        seat,
        event.tile,
        event.is_drawn,
        table.ready[seat],
        table.called(seat),
        table.concealed(seat),
        table.reds(seat),
        tuple(table.shown),
    )


def _judged(
    games: Sequence[Game], rows: list[tuple[Any, ...]], forms: tuple[str, ...] | None
) -> Discards:
    width = max((game.ruling.tiles.num_kinds for game in games), default=FULL.num_kinds)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 12
    game, deal, event, turn, seat, tile, is_drawn, is_ready, called, hand, red, shown = columns
    held = _counts(hand, width)
    away = _unseen(games, game, held, shown)
    melds = np.array(called, np.int64)
    left = np.full(held.shape, UNREACHABLE, np.int8)
    copies = np.zeros(held.shape, np.int16)
    for some, by, tiles in _alike(games, np.array(game, np.int64), forms):
        of = slice(tiles.num_kinds)
        found = judge_discards(held[some, of], away[some, of], called=melds[some], forms=by)
        left[some, of], copies[some, of] = found
    kinds = np.array(KIND_OF)[np.array(tile, np.int64)]
    every = np.arange(len(held))
    score = left.astype(np.int32) * 1000 - copies
    best = score.argmin(axis=1) if len(held) else np.zeros(0, np.int64)
    thrown = score[every, kinds]
    return Discards(
        game=np.array(game, np.int32),
        deal=np.array(deal, np.int16),
        event=np.array(event, np.int16),
        turn=np.array(turn, np.int16),
        seat=np.array(seat, np.int8),
        tile=np.array(tile, np.int8),
        is_drawn=np.array(is_drawn, np.bool_),
        is_ready=np.array(is_ready, np.bool_),
        called=melds.astype(np.int8),
        hand=held,
        red=_counts(red, 3),
        unseen=away,
        left=left,
        copies=copies,
        before=left[every, best],
        after=left[every, kinds],
        useful=copies[every, kinds],
        best=best.astype(np.int8),
        best_useful=copies[every, best],
        rank=(1 + (score < thrown[:, None]).sum(axis=1)).astype(np.int8),
        draws=np.full(len(held), np.nan),
        best_draws=np.full(len(held), np.nan),
        best_by_draws=np.full(len(held), -1, np.int8),
    )


def _counts(rows: Sequence[Any], width: int) -> NDArray[np.uint8]:
    """Return rows of counts, those of fewer kinds with none of the others."""
    return np.array([(*row, *[0] * (width - len(row))) for row in rows], np.uint8).reshape(
        len(rows), width
    )


def _unseen(
    games: Sequence[Game], game: Sequence[int], held: NDArray[np.uint8], shown: Sequence[Any]
) -> NDArray[np.uint8]:
    """Return the copies that a seat cannot see: neither held nor shown, and in the game."""
    kinds, width = held.shape[1], FULL.num_kinds
    in_game = np.full((len(games), width), COPIES, np.uint8)
    for number, one in enumerate(games):
        in_game[number, [*one.ruling.missing, *range(one.ruling.tiles.num_kinds, width)]] = 0
    open_tiles = np.array(shown, np.uint8).reshape(len(held), width)
    return (in_game[np.array(game, np.int64)] - open_tiles)[:, :kinds] - held


def _alike(
    games: Sequence[Game], game: Column, forms: tuple[str, ...] | None
) -> Iterator[tuple[Column, tuple[str, ...], TileSet]]:
    """Yield the rows that are judged by the same forms, with the same tiles."""
    asked = [(one.ruling.forms if forms is None else forms, one.ruling.tiles) for one in games]
    for kind in dict.fromkeys(asked):
        those = [number for number, one in enumerate(asked) if one == kind]
        some = np.flatnonzero(np.isin(game, those))
        if len(some):
            yield some, *kind


def _call_hand(table: RoundTable, call: Event) -> tuple[Any, ...]:
    """Return the turn, the melds and the hand that a call meets, and what everyone sees."""
    seat = call.seat
    held, shown = list(table.concealed(seat)), list(table.shown)
    if call.other == seat:  # a win that was drawn: to pass is to throw that tile
        held[KIND_OF[call.tile]] -= 1
        shown[KIND_OF[call.tile]] += 1
    return len(table.rivers[seat]) + 1, table.called(seat), tuple(held), tuple(shown)


def _judge_calls(judged: Judged, rows: list[tuple[Any, ...]], *, draws: bool) -> Iterator[Call]:
    """Judge all calls at once, those of the same forms and tiles together."""
    if not rows:
        return
    games, width = judged.games, judged.discards.hand.shape[1]
    game, deal, place, events, made, turn, called, hand, shown = zip(*rows, strict=True)
    held = _counts(hand, width)
    away = _unseen(games, game, held, shown)
    melds = np.array(called, np.int64)
    after = held.copy()
    for row, call in enumerate(events):
        for tile in call.tiles:
            after[row, KIND_OF[tile]] -= 1
    did = np.array([CALLED.index(call.did) for call in events])
    number = len(rows)
    passing, calling = np.zeros((2, number), np.int64), np.zeros((2, number), np.int64)
    left = np.full(held.shape, UNREACHABLE, np.int64)
    copies = np.zeros(held.shape, np.int64)
    for some, by, tiles in _alike(games, np.array(game, np.int64), judged.forms):
        of = slice(tiles.num_kinds)
        passing[:, some] = judge_waits(held[some, of], away[some, of], called=melds[some], forms=by)
        kongs, throws = some[did[some] == KONG], some[did[some] < KONG]
        calling[:, kongs] = judge_waits(
            after[kongs, of], away[kongs, of], called=melds[kongs] + 1, forms=by
        )
        left[throws, of], copies[throws, of] = judge_discards(
            after[throws, of], away[throws, of], called=melds[throws] + 1, forms=by
        )
    for row in np.flatnonzero(did < KONG).tolist():
        barred = list(barred_after(events[row], games[game[row]].ruling))
        left[row, barred], copies[row, barred] = UNREACHABLE, 0
    throws = np.flatnonzero(did < KONG)
    best = (left[throws] * 1000 - copies[throws]).argmin(axis=1)
    calling[:, throws] = left[throws, best], copies[throws, best]
    means = np.full((2, number), np.nan)
    if draws:
        for row, call in enumerate(events):
            thrown = np.flatnonzero(left[row] == calling[0, row]).tolist()
            where = (judged, game[row], away[row])
            means[0, row] = _least_draws(*where, held[row], called[row], ())
            if call.did is Did.WIN:
                means[1, row] = 0
            else:
                means[1, row] = _least_draws(*where, after[row], called[row] + 1, thrown)
    numbers = (each.tolist() for each in (*passing, *calling, *means))
    whole = zip(game, deal, place, turn, events, made, *numbers, strict=True)
    for number, in_deal, at, next_turn, call, was_made, *found in whole:
        yield Call(
            game=number,
            deal=in_deal,
            event=at,
            seat=call.seat,
            turn=next_turn,
            called=call,
            made=was_made,
            **dict(zip(JUDGEMENTS, found, strict=True)),
        )


def _least_draws(
    judged: Judged, game: int, unseen: Column, held: Column, called: int, thrown: Sequence[int]
) -> float:
    """Return the least expected draws of a hand, once one of some kinds is thrown, or none."""
    tiles = judged.games[game].ruling.tiles
    counts = held.tolist()[: tiles.num_kinds]
    hands = [
        Hand.from_counts(
            [copies - (one == kind) for one, copies in enumerate(counts)],
            tiles=tiles,
            called=called,
        )
        for kind in thrown or (NO_TILE,)
    ]
    wall = unseen.tolist()[: tiles.num_kinds]
    return float(mean_draws(hands, walls=[wall] * len(hands), forms=judged.forms_of(game)).min())


def _add_draws(judged: Judged) -> None:
    """Fill in the expected draws of the discards that keep the least deficiency."""
    found = judged.discards
    for row in range(len(found)):
        forms = judged.forms_of(int(found.game[row]))
        thrown = KIND_OF[int(found.tile[row])]
        keeping = np.flatnonzero(found.left[row] == found.before[row]).tolist()
        kinds = keeping if thrown in keeping else [*keeping, thrown]
        hands = [hand_after(judged, row, kind) for kind in kinds]
        walls = [found.unseen[row].tolist()[: hands[0].tiles.num_kinds]] * len(hands)
        means = dict(zip(kinds, mean_draws(hands, walls=walls, forms=forms), strict=True))
        found.draws[row] = means[thrown]
        best = min(keeping, key=lambda kind: (means[kind], kind))
        found.best_draws[row], found.best_by_draws[row] = means[best], best


def hand_after(judged: Judged, row: int, kind: int) -> Hand:
    """Return what a discard leaves, as a hand."""
    found = judged.discards
    tiles = judged.games[int(found.game[row])].ruling.tiles
    counts = found.hand[row].tolist()[: tiles.num_kinds]
    counts[kind] -= 1
    return Hand.from_counts(counts, tiles=tiles, called=int(found.called[row]))


def useful_after(judged: Judged, row: int, kind: int) -> dict[int, int]:
    """Return the useful kinds that a discard leaves, with the copies that the seat cannot see."""
    found = judged.discards
    forms = judged.forms_of(int(found.game[row]))
    wait = useful_tiles(hand_after(judged, row, kind), forms=forms)
    unseen = found.unseen[row]
    return {int(k): int(unseen[k]) for k, _ in wait.copies if unseen[k]}
