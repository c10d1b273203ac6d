"""A reviewed game as a self-contained HTML file, with a step for each discard."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from markupsafe import Markup

from mjopt._internal.report_page import table_html
from mjopt.chances.advice.position import Position
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import places_in_full
from mjopt.play.game.events import KIND_OF, TILE_NAMES, Event
from mjopt.play.game.log_replay import LogState, replay_round
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.review.api import Review
from mjopt.play.review.cost import cost_of, costliest, could_improve
from mjopt.play.review.evaluate import Discards, Evaluation
from mjopt.play.serve.board import WINDS, BoardView, SeatView, TileView, tile_view
from mjopt.play.serve.deficiency_chart import Curve, draw_curve
from mjopt.play.serve.game_replay import JUMPS, Away, jumps
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.language import gettext
from mjopt.play.serve.review_remarks import (
    Remark,
    describe_call,
    describe_calls,
    describe_cost,
    describe_discard,
    describe_furiten,
    describe_yardstick,
    place_words,
    seat_words,
    translate_table,
)
from mjopt.play.serve.step_view import player_words, sides_of
from mjopt.play.serve.templating import render_standalone
from mjopt.play.serve.tiles import tile_words

LINKS: Final = JUMPS | {
    "previous-change": "costly before",
    "next-change": "next costly",
    "previous-call": "round before",
    "next-call": "next round",
}
"""The links of a step; costly discards move further from a win."""

MOST_COPIES_HEIGHT: Final = 0.7
"""Height of the bar of the discard that gives up the most copies at the same deficiency."""

MIN_HEIGHT: Final = 0.35
"""Height of the bar of a discard that keeps the deficiency but leaves no useful tiles."""


class DiscardStep(NamedTuple):
    """A discard with its board and its position in the chart."""

    row: int  # row of the discard in the evaluation
    deal: int  # number of the round
    melds: tuple[Block, ...]  # of the seat
    board: BoardView
    curve: Curve  # chart of the round
    away: Away  # deficiency of each seat after the discard
    before: Away  # the same one step earlier
    x: float  # position in the chart


class CostBar(NamedTuple):
    """A bar in the chart of costs: one discard."""

    at: int  # the step
    height: float  # 0 to 1
    is_away: bool  # whether the deficiency rose
    words: str


class ReviewView:
    """View of a reviewed game, with a step for each discard.

    Parameters
    ----------
    review
        The review of one game.
    seat
        Seat whose discards are shown; None for all.
    named
        Whether to show the player names of the log.
    """

    def __init__(self, review: Review, seat: int | None = None, *, named: bool = False) -> None:
        self.review, self.evaluation = review, review.judged
        self.rows = list(review.discards)
        [log] = self.evaluation.games
        self.names = tuple(
            player_words(log.names[s]) if named else seat_words(s) for s in range(log.rules.seats)
        )
        discards = self.evaluation.discards
        self.steps = [
            step
            for deal in range(len(log.rounds))
            for step in _steps(self.evaluation, deal, self.names)
            if seat in (None, int(discards.seat[step.row]))
        ]
        rows = [step.row for step in self.steps]
        self._away = [i for i, row in enumerate(rows) if discards.moves_away[row]]
        self._opens = [
            i for i, step in enumerate(self.steps) if i and step.deal != self.steps[i - 1].deal
        ]
        self._place = {row: i for i, row in enumerate(rows)}

    def step(self, at: int, *, is_linked: bool = True) -> dict[str, object]:
        """Return the variables of one step; `is_linked`: with a link to the hand page."""
        context = _context(
            self.evaluation, self.names, self.steps, at, self._away, (0, *self._opens)
        )
        step = self.steps[at]
        address = _position(self.evaluation, step) if is_linked else ""
        return context | {"analyse": address}

    def overview(self) -> dict[str, object]:
        """Return the variables of the lists and charts of the whole game."""
        summary = self.review.summary
        return {
            "said": describe_yardstick(),
            "shares": Markup(table_html(translate_table(summary.table("seat", self.names)))),
            "costly": [self._costly(row) for row in self._costliest()],
            "bars": self._bars(),
            "departures": [
                (i, self._where(i), describe_cost(self.rows[self.steps[i].row])) for i in self._away
            ],
            "calls": _calls(self.evaluation, self.names, self.steps),
            "calls_told": describe_calls(summary),
            "no_furiten": describe_furiten(summary),
        }

    def _costliest(self) -> list[int]:
        rows = [step.row for step in self.steps]
        return [rows[at] for at in costliest([self.rows[row] for row in rows])]

    def _costly(self, row: int) -> dict[str, object]:
        """Return the entry of a costly discard: position, hand with marks, remark."""
        at = self._place[row]
        own = self.steps[at].board.seats[0]
        hand = [tile for tile, _ in _bars(self.evaluation.discards, row, own)]
        return {
            "at": at,
            "where": self._where(at),
            "hand": hand,
            "melds": own.melds,
            "remark": self._cost(at),
        }

    def _where(self, at: int) -> str:
        return _where(self.evaluation, self.names, self.steps[at])

    def _cost(self, at: int) -> str:
        return describe_cost(self.rows[self.steps[at].row])

    def _bars(self) -> list[CostBar]:
        """Return the cost of each discard; a rise of the deficiency has the full height."""
        rows = [self.rows[step.row] for step in self.steps]
        costs = [cost_of(row) if could_improve(row) else (0, 0) for row in rows]
        most = max((copies for rise, copies in costs if not rise), default=0) or 1
        return [
            CostBar(
                at=at,
                height=1.0 if rise else MOST_COPIES_HEIGHT * max(copies, 0) / most,
                is_away=rise > 0,
                words=f"{self._where(at)}: {rows[at]['discard']}",
            )
            for at, (rise, copies) in enumerate(costs)
        ]


def review_page(review: Review, *, seat: int | None = None, named: bool = False) -> str:
    """Return a reviewed game as a self-contained page.

    Parameters
    ----------
    review
        The review of one game.
    seat
        Seat whose discards are shown; None for all.
    named
        Whether to show the player names of the log.
    """
    view = ReviewView(review, seat, named=named)
    contexts = [view.step(at, is_linked=False) for at in range(len(view.steps))]
    curves = {f"curve-{step.deal}": step.curve for step in view.steps}
    return render_standalone(
        "review.html",
        title=gettext("A game reviewed"),
        steps=[*contexts[1:], *contexts[:1]],  # the page opens at this one by default
        names=LINKS,
        curves={name: each.body for name, each in curves.items()},
        curve_words={name: each.words for name, each in curves.items()},
        margin="1rem",
        has_text_tiles=True,
        words={name: tile_words(name) for name in TILE_NAMES},
        told={
            "drawn": gettext(", just drawn"),
            "last": gettext(", just last"),
            "thrown": f", {gettext('thrown')}",
            "best": f", {gettext('best')}",
        },
        r=view.overview(),
    )


def _steps(evaluation: Evaluation, deal: int, names: Sequence[str]) -> Iterator[DiscardStep]:
    """Yield the discards of a round; the chart has a step for each of them."""
    log, discards = evaluation.games[0], evaluation.discards
    rows = {
        int(discards.event[row]): row for row in range(len(discards)) if discards.deal[row] == deal
    }
    kept: list[tuple[int, tuple[Block, ...], BoardView]] = []
    aways: list[Away] = []
    for number, (state, event) in enumerate(replay_round(log.rounds[deal], log.rules)):
        if event.action is Action.DISCARD and number in rows:
            melds = state.table.melds[event.seat]
            blocks = tuple(meld.block for meld in melds if meld.action is not Action.NORTH)
            kept.append((rows[number], blocks, _board(state, event, names)))
            now = [state.deficiency(s) for s in range(log.rules.seats)]
            now[event.seat] = int(discards.deficiency[rows[number]])
            aways.append((*now, *[0] * (NUM_SEATS - len(now))))
    labels = [seat_words(s) for s in range(NUM_SEATS)]
    drawn = draw_curve(aways or [(0,) * NUM_SEATS], labels, range(log.rules.seats))
    befores = [*aways[:1], *aways]
    for at, (row, blocks, board) in enumerate(kept):
        yield DiscardStep(row, deal, blocks, board, drawn, aways[at], befores[at], drawn.xs[at])


def _tile(tile: int, mark: str = "") -> TileView:
    return tile_view(TILE_NAMES[tile], mark)


def _board(state: LogState, event: Event, names: Sequence[str]) -> BoardView:
    """Return the board as seen by the discarding seat, with the other hands face down."""
    seats = [(event.seat + i) % state.rules.seats for i in range(state.rules.seats)]
    views = [_side(state, seat, names[seat], is_observer=seat == event.seat) for seat in seats]
    while len(views) < NUM_SEATS:  # a game of three players has one empty side
        views.insert(2, SeatView(seat=NUM_SEATS - 1, wind="nobody", name=""))
    live = state.table.live
    wall = live + state.rules.rule_set.dead_wall
    return BoardView(seats=tuple(views), live=live, wall=wall, offered=None)


def _side(state: LogState, seat: int, name: str, *, is_observer: bool) -> SeatView:
    # Not the hands of others: images of backs would be a third of the page.
    table, tiles, held = state.table, state.tiles(seat) if is_observer else [], list[TileView]()
    if state.drawn in tiles:
        tiles.remove(state.drawn)
        held.append(_tile(state.drawn, "drawn"))
    return SeatView(
        seat=seat,
        wind=WINDS[(seat - table.dealer) % state.rules.seats],
        name=name,
        points=state.deal.points[seat] if state.deal.points else None,
        dealer=seat == table.dealer,
        turn=is_observer,
        ready=table.ready[seat],
        concealed=(*map(_tile, tiles), *held),
        melds=tuple(tuple(map(_tile, meld.tiles)) for meld in table.melds[seat]),
        river=tuple(map(_tile, table.discards_of(seat))),
    )


def _context(
    evaluation: Evaluation,
    names: Sequence[str],
    steps: Sequence[DiscardStep],
    at: int,
    away: Sequence[int],
    opens: Sequence[int],
) -> dict[str, object]:
    step, discards, last = steps[at], evaluation.discards, len(steps) - 1
    row, seat = step.row, int(discards.seat[step.row])
    tile = _tile(int(discards.discard[row]))
    sides = sides_of(dict(enumerate(names)), step.away, step.before)
    where = _where(evaluation, names, step)
    return {
        "at": at,
        "last": last,
        "where": where,
        "away": bool(discards.moves_away[row]),
        "board": step.board,
        "happened": [{"who": names[seat], "verb": gettext("throws"), "tiles": [tile]}],
        "end": None,
        "refusal": "",
        "remarks": describe_discard(evaluation, row),
        "bars": _bars(discards, row, step.board.seats[0]),
        "sides": sides,
        "deal": step.deal,
        "x": step.x,
        "said_by": f"curve-{step.deal}-words",
        "jumps": jumps(at, last, away, (0, *opens)),
    }


def _where(evaluation: Evaluation, names: Sequence[str], step: DiscardStep) -> str:
    """Return the position of a step in words."""
    discards = evaluation.discards
    turn, seat = int(discards.turn[step.row]), int(discards.seat[step.row])
    return place_words(evaluation.games[0].rounds[step.deal], turn, names[seat])


def _position(evaluation: Evaluation, step: DiscardStep) -> str:
    """Return the address of the hand page for the hand before a discard."""
    discards, tiles = evaluation.discards, evaluation.games[0].rules.tiles
    places, forms = places_in_full(tiles), evaluation.forms[0]
    hand, unseen = (
        tuple(int(each[step.row, kind]) for kind in places)
        for each in (discards.hand, discards.unseen)
    )
    melds = [replace(meld, kinds=tuple(map(places.index, meld.kinds))) for meld in step.melds]
    known = Hand.from_counts(hand, tiles=tiles, melds=melds)
    return position_address(Position(hand=known, wall=unseen, forms=forms))


def _calls(
    evaluation: Evaluation, names: Sequence[str], steps: Sequence[DiscardStep]
) -> list[tuple[str, int | None, Remark]]:
    """Return for each call its position, the step of the next discard, and a description."""
    discards = evaluation.discards
    at = {
        (step.deal, int(discards.seat[step.row]), int(discards.turn[step.row])): place
        for place, step in enumerate(steps)
    }
    entries = []
    for call in evaluation.calls:
        deal = evaluation.games[0].rounds[call.deal]
        where = place_words(deal, call.turn, names[call.seat])
        step = at.get((call.deal, call.seat, call.turn))
        entries.append((where, step, describe_call(call)))
    return entries


def _bars(discards: Discards, row: int, own: SeatView) -> list[tuple[TileView, float]]:
    """Return the tiles of the hand, each with the quality of its discard, 0 to 1.

    One copy of the thrown kind and one of the best are marked.
    """
    thrown, best = int(discards.discard[row]), -1
    if discards.rank[row] > 1 and not discards.declared[row]:
        best = int(discards.best[row])
    most = max(int(discards.left_copies[row][discards.left[row] == discards.before[row]].max()), 1)
    bars = []
    for tile in own.concealed:
        number = TILE_NAMES.index(tile.name)
        kind, mark = KIND_OF[number], ""
        if number == thrown:
            mark, thrown = "thrown", -1
        elif kind == best:
            mark, best = "best", -1
        more = int(discards.left[row, kind]) - int(discards.before[row])
        share = int(discards.left_copies[row, kind]) / most
        height = (
            MIN_HEIGHT + (1 - MIN_HEIGHT) * share if more == 0 else 0.2 * min(share, 1.0) / more
        )
        bars.append((replace(tile, mark=mark), min(height, 1.0)))
    return bars
