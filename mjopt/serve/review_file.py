"""A reviewed game as one HTML file: each discard with board, bars over tiles, and charts."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from mjopt._internal.report import table_html
from mjopt.game.rules import NUM_SEATS
from mjopt.game_review.api import Review
from mjopt.game_review.evaluate import Call, Discards, Evaluation, useful_after
from mjopt.game_review.events import KIND_OF, TILE_NAMES, ActionType, Event
from mjopt.game_review.round_state import RoundState, replay_round
from mjopt.game_review.summary import NO_FURITEN, NOT_SAID
from mjopt.serve.board import WINDS, BoardView, SeatView, TileView, tile_view
from mjopt.serve.deficiency_chart import Curve, curve
from mjopt.serve.game_replay import JUMPS, Away, jumps
from mjopt.serve.step_view import sides_of
from mjopt.serve.templating import render_standalone
from mjopt.serve.tiles import tile_words

LINKS: Final = JUMPS | {
    "previous-change": "departure before",
    "next-change": "next departure",
    "previous-call": "round before",
    "next-call": "next round",
}
"""The links of a step; departures are the discards that increase the deficiency."""

KEEPS: Final = 0.35
"""Height of the bar of a discard with the least deficiency and no useful tiles."""


class Discarded(NamedTuple):
    """View of one discard: its row, the board, and its position in the chart."""

    row: int
    deal: int
    board: BoardView
    curve: Curve
    away: Away
    before: Away
    x: float


def review_page(
    found: Review, *, game: int = 0, seat: int | None = None, named: bool = False
) -> str:
    """Return one reviewed game as a self-contained page.

    Parameters
    ----------
    found
        The review.
    game
        Index of the game in the review.
    seat
        Seat whose discards are shown; None for all.
    named
        Whether to show the player names of the log.
    """
    judged = found.judged
    told = judged.games[game]
    seats = range(told.rules.seats)
    names = tuple(told.names[s] if named else f"seat {s}" for s in seats)
    steps = [
        step
        for deal in range(len(told.rounds))
        for step in _steps(judged, game, deal, names)
        if seat in (None, int(judged.discards.seat[step.row]))
    ]
    away = [i for i, step in enumerate(steps) if judged.discards.moves_away[step.row]]
    opens = [i for i, step in enumerate(steps) if i and step.deal != steps[i - 1].deal]
    shown = [_shown(judged, names, steps, at, away, opens) for at in range(len(steps))]
    curves = {f"curve-{step.deal}": step.curve for step in steps}
    return render_standalone(
        "review.html",
        title="A game reviewed",
        said=NOT_SAID,
        steps=[*shown[1:], *shown[:1]],  # the page opens at this one by default
        names=LINKS,
        curves={name: each.body for name, each in curves.items()},
        curve_words={name: each.words for name, each in curves.items()},
        margin="1rem",
        has_text_tiles=True,
        words={name: tile_words(name) for name in TILE_NAMES},
        calls=_calls(judged, game, names, steps),
        calls_told=found.summary.calls_told,
        no_furiten=NO_FURITEN if found.summary.wins_passed else "",
        shares=Markup(table_html(found.summary.table("seat", names))),
        departures=[shown[i] for i in away],
    )


def _steps(judged: Evaluation, game: int, deal: int, names: Sequence[str]) -> Iterator[Discarded]:
    """Yield the discards of a round; the chart has a step for each of them."""
    told, found = judged.games[game], judged.discards
    rows = {
        int(found.event[row]): row
        for row in range(len(found))
        if found.game[row] == game and found.deal[row] == deal
    }
    kept: list[tuple[int, BoardView]] = []
    aways: list[Away] = []
    for place, (table, event) in enumerate(replay_round(told.rounds[deal], told.rules)):
        if event.action is ActionType.DISCARD and place in rows:
            kept.append((rows[place], _board(table, event, names)))
            now = [table.deficiency(s) for s in range(told.rules.seats)]
            now[event.seat] = int(found.deficiency[rows[place]])
            aways.append((*now, *[0] * (NUM_SEATS - len(now))))
    labels = [f"seat {s}" for s in range(NUM_SEATS)]
    drawn = curve(aways or [(0,) * NUM_SEATS], labels, range(told.rules.seats))
    befores = [*aways[:1], *aways]
    for at, (row, board) in enumerate(kept):
        yield Discarded(row, deal, board, drawn, aways[at], befores[at], drawn.xs[at])


def _tile(tile: int, mark: str = "") -> TileView:
    return tile_view(TILE_NAMES[tile], mark)


def _board(table: RoundState, event: Event, names: Sequence[str]) -> BoardView:
    """Return the board as seen by the discarding seat, with the other hands face down."""
    seats = [(event.seat + i) % table.rules.seats for i in range(table.rules.seats)]
    views = [_side(table, seat, names[seat], looks=seat == event.seat) for seat in seats]
    while len(views) < NUM_SEATS:  # a game of three players has one empty side
        views.insert(2, SeatView(seat=NUM_SEATS - 1, wind="nobody", name=""))
    return BoardView(
        seats=tuple(views), live=table.live, wall=table.live + table.rules.dead, offered=None
    )


def _side(table: RoundState, seat: int, name: str, *, looks: bool) -> SeatView:
    tiles, held = table.tiles(seat), list[TileView]()
    if not looks:  # as text: pictures of backs would be a third of the page
        name = f"{name}, {len(tiles)} tiles"
    elif table.drawn in tiles:
        tiles.remove(table.drawn)
        held = [*map(_tile, tiles), _tile(table.drawn, "drawn")]
    else:
        held = list(map(_tile, tiles))
    return SeatView(
        seat=seat,
        wind=WINDS[(seat - table.deal.dealer) % table.rules.seats],
        name=name,
        points=table.deal.points[seat] if table.deal.points else None,
        dealer=seat == table.deal.dealer,
        turn=looks,
        ready=table.ready[seat],
        concealed=tuple(held),
        melds=tuple(tuple(map(_tile, meld.tiles)) for meld in table.melds[seat]),
        river=tuple(map(_tile, table.rivers[seat])),
    )


def _shown(
    judged: Evaluation,
    names: Sequence[str],
    steps: Sequence[Discarded],
    at: int,
    away: Sequence[int],
    opens: Sequence[int],
) -> dict[str, Any]:
    step, found, last = steps[at], judged.discards, len(steps) - 1
    row, seat = step.row, int(found.seat[step.row])
    tile = _tile(int(found.discard[row]))
    game = judged.games[int(found.game[row])]
    sides = sides_of(dict(enumerate(names)), step.away, step.before)
    where = f"{game.rounds[step.deal].name}, turn {int(found.turn[row])}, {names[seat]}"
    return {
        "at": at,
        "last": last,
        "where": where,
        "away": bool(found.moves_away[row]),
        "board": step.board,
        "happened": [{"who": names[seat], "verb": "throws", "tiles": [tile]}],
        "end": None,
        "refusal": "",
        "remarks": _remarks(judged, row),
        "bars": _bars(found, row, step.board.seats[0]),
        "sides": sides,
        "deal": step.deal,
        "x": step.x,
        "said_by": f"curve-{step.deal}-words",
        "jumps": jumps(at, last, away, (0, *opens)),
    }


def _calls(
    judged: Evaluation, game: int, names: Sequence[str], steps: Sequence[Discarded]
) -> list[tuple[str, int | None, str]]:
    """Return for each call its position, the step of the next discard, and a description."""
    found = judged.discards
    at = {
        (step.deal, int(found.seat[step.row]), int(found.turn[step.row])): place
        for place, step in enumerate(steps)
    }
    told = []
    for call in judged.calls:
        if call.game == game:
            where = f"{judged.games[game].rounds[call.deal].name}, turn {call.turn}"
            step = at.get((call.deal, call.seat, call.turn))
            told.append((f"{where}, {names[call.seat]}", step, _call_told(call)))
    return told


def _call_told(call: Call) -> str:
    """Describe how a call, made or declined, changed the hand or would have changed it.

    Examples
    --------
    >>> how = {"game": 0, "deal": 0, "event": 9, "seat": 0, "turn": 2, "made": False}
    >>> before, after = {"without": 3, "useful_without": 17}, {"with_it": 2, "useful_with": 10}
    >>> event = Event(0, ActionType.CHOW, 1, 3, (2, 3))
    >>> _call_told(Call(called=event, **how, **before, **after, draws_with=9, draws_without=8.5))
    'Passed up chow 2m with 3m 4m: deficiency 3 to 2, copies 17 to 10, expected draws 8.50 to 9.00.'
    """
    verb = "Called" if call.made else "Passed up"
    line = f"{verb} {call.called.action} {TILE_NAMES[call.called.tile]}"
    if call.called.tiles:
        line += f" with {' '.join(TILE_NAMES[tile] for tile in call.called.tiles)}"
    line += f": deficiency {call.without} to {call.with_it}"
    if call.called.action is not ActionType.WIN:
        line += f", copies {call.useful_without} to {call.useful_with}"
    if call.draws_without == call.draws_without:  # not NaN: expected draws were requested
        line += f", expected draws {call.draws_without:.2f} to {call.draws_with:.2f}"
    return f"{line}."


def _remarks(judged: Evaluation, row: int) -> tuple[str, ...]:
    found = judged.discards
    at = tuple(int(each[row]) for each in (found.game, found.deal, found.seat, found.turn))
    told = (_call_told(c) for c in judged.calls if (c.game, c.deal, c.seat, c.turn) == at)
    return (*_of_discard(judged, row), *told)


def _of_discard(judged: Evaluation, row: int) -> tuple[str, ...]:
    found = judged.discards
    if found.declared[row]:
        return ("Declared ready: there was no choice.",)
    before, after, best = (int(each[row]) for each in (found.before, found.deficiency, found.best))
    moved = f"{before} to {after}: moves away" if after > before else f"stays {after}"
    lines = [f"Deficiency {moved}. {_useful(judged, row, KIND_OF[int(found.discard[row])])}"]
    if found.rank[row] == 1:
        lines.append("No discard is better by deficiency and copies.")
    else:
        lines.append(
            f"Rank {found.rank[row]}; best is {TILE_NAMES[best]}: deficiency {before}. "
            f"{_useful(judged, row, best)}"
        )
    if found.best_by_draws[row] >= 0:
        least = TILE_NAMES[int(found.best_by_draws[row])]
        lines.append(
            f"Expected draws {found.draws[row]:.2f}; the least among those that keep the "
            f"deficiency: {found.best_draws[row]:.2f} with {least}."
        )
    return tuple(lines)


def _useful(judged: Evaluation, row: int, kind: int) -> str:
    tiles = useful_after(judged, row, kind)
    told = " ".join(f"{TILE_NAMES[one]}({copies})" for one, copies in tiles.items())
    return f"Useful then: {sum(tiles.values())} copies unseen{': ' if told else ''}{told}."


def _bars(found: Discards, row: int, own: SeatView) -> list[tuple[TileView, float]]:
    """Return the tiles of the hand, each with the quality of its discard, 0 to 1."""
    most = max(int(found.left_copies[row][found.left[row] == found.before[row]].max()), 1)
    bars = []
    for tile in own.concealed:
        kind = KIND_OF[TILE_NAMES.index(tile.name)]
        more = int(found.left[row, kind]) - int(found.before[row])
        share = int(found.left_copies[row, kind]) / most
        height = KEEPS + (1 - KEEPS) * share if more == 0 else 0.2 * min(share, 1.0) / more
        bars.append((tile, min(height, 1.0)))
    return bars
