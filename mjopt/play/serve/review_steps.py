"""The steps of a reviewed game: each discard with its board and the chart of its round."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mjopt.play.game.events import TILE_NAMES, Event
from mjopt.play.game.game_replay import Away
from mjopt.play.game.log_replay import LogState, replay_round
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import NUM_SEATS
from mjopt.play.review.evaluate import Evaluation
from mjopt.play.serve.board import WINDS, BoardView, SeatView, TileView, points_words, tile_view
from mjopt.play.serve.deficiency_chart import Curve, draw_curve
from mjopt.play.serve.language import gettext


class DiscardStep(NamedTuple):
    """A discard with its board and its position in the chart."""

    row: int  # row of the discard in the evaluation
    deal: int  # number of the round
    board: BoardView
    curve: Curve  # chart of the round
    winds: Sequence[str]  # the labels of the chart, by seat
    away: Away  # deficiency of each seat after the discard
    before: Away  # the same one step earlier
    x: float  # position in the chart


def steps_of(evaluation: Evaluation, deal: int, names: Sequence[str]) -> Iterator[DiscardStep]:
    """Yield the discards of a round; the chart has a step for each of them."""
    log, discards = evaluation.games[0], evaluation.discards
    seats, dealer = log.rules.seats, log.rounds[deal].dealer
    winds = [gettext(WINDS[(s - dealer) % seats]) for s in range(NUM_SEATS)]
    rows = {
        int(discards.event[row]): row for row in range(len(discards)) if discards.deal[row] == deal
    }
    kept: list[tuple[int, BoardView]] = []
    aways: list[Away] = []
    for number, (state, event) in enumerate(replay_round(log.rounds[deal], log.rules)):
        if event.action is Action.DISCARD and number in rows:
            kept.append((rows[number], _board(state, event, names)))
            now = [state.deficiency(s) for s in range(seats)]
            now[event.seat] = int(discards.deficiency[rows[number]])
            aways.append((*now, *[0] * (NUM_SEATS - len(now))))
    drawn = draw_curve(aways or [(0,) * NUM_SEATS], winds, range(seats))
    befores = [*aways[:1], *aways]
    for at, (row, board) in enumerate(kept):
        yield DiscardStep(row, deal, board, drawn, winds, aways[at], befores[at], drawn.xs[at])


def tile_of(tile: int, mark: str = "") -> TileView:
    """Return the view of a tile of a log."""
    return tile_view(TILE_NAMES[tile], mark)


def _board(state: LogState, event: Event, names: Sequence[str]) -> BoardView:
    """Return the board as seen by the discarding seat, with the other hands face down."""
    seats = [(event.seat + i) % state.rules.seats for i in range(state.rules.seats)]
    views = [_side(state, seat, names[seat], is_observer=seat == event.seat) for seat in seats]
    while len(views) < NUM_SEATS:  # a game of three players has one empty side
        views.insert(2, SeatView(seat=NUM_SEATS - 1, wind="nobody", name=""))
    live = state.table.live
    wall = live + state.rules.rule_set.dead_wall
    indicators = tuple(map(tile_of, state.table.indicators))
    return BoardView(seats=tuple(views), live=live, wall=wall, offered=None, indicators=indicators)


def _side(state: LogState, seat: int, name: str, *, is_observer: bool) -> SeatView:
    # Not the hands of others: images of backs would be a third of the page.
    table, tiles, held = state.table, state.tiles(seat) if is_observer else [], list[TileView]()
    if state.drawn in tiles:
        tiles.remove(state.drawn)
        held.append(tile_of(state.drawn, "drawn"))
    return SeatView(
        seat=seat,
        wind=WINDS[(seat - table.dealer) % state.rules.seats],
        name=name,
        points=points_words(state.deal.points[seat], table.rules) if state.deal.points else "",
        dealer=seat == table.dealer,
        turn=is_observer,
        ready=table.ready[seat],
        concealed=(*map(tile_of, tiles), *held),
        melds=tuple(tuple(map(tile_of, meld.tiles)) for meld in table.melds[seat]),
        river=tuple(map(tile_of, table.discards_of(seat))),
    )
