"""A reviewed game as a self-contained HTML file, with a step for each discard."""

from copy import copy
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from mjopt._internal.report_page import table_html
from mjopt.chances.advice.options import Advice
from mjopt.chances.advice.position import Position
from mjopt.hands.tiles import places_in_full
from mjopt.play.game.events import KIND_OF, TILE_NAMES
from mjopt.play.review.api import Review
from mjopt.play.review.chance import ChanceJudge
from mjopt.play.review.chance_evaluation import with_chances
from mjopt.play.review.cost import costliest, could_improve, is_costly
from mjopt.play.review.evaluate import Evaluation, best_discard
from mjopt.play.review.export import documents
from mjopt.play.review.rows import DiscardRow
from mjopt.play.review.summary import summarise
from mjopt.play.serve.board import TileView
from mjopt.play.serve.chance_chart import ChanceChart, MovePoint, draw_chances, move_point
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.language import gettext
from mjopt.play.serve.review_remarks import (
    Remark,
    describe_call,
    describe_calls,
    describe_cost,
    describe_discard,
    describe_wins,
    describe_yardstick,
    place_words,
    round_words,
    seat_words,
    translate_table,
)
from mjopt.play.serve.review_steps import DiscardStep, steps_of, tile_of
from mjopt.play.serve.step_view import JUMPS, jumps, player_words, sides_of
from mjopt.play.serve.templating import render_standalone
from mjopt.play.serve.tiles import tile_words

DECISION: Final = "/decision"
"""The page of one decision."""

LINKS: Final = JUMPS | {
    "previous-change": "costly before",
    "next-change": "next costly",
    "previous-call": "round before",
    "next-call": "next round",
}
"""The links of a step."""

MIN_HEIGHT: Final = 0.35
"""Height of the bar of a discard that keeps the deficiency but leaves no useful tiles."""


class ReviewView:
    """View of a reviewed game, with a step for each discard of a seat or of all.

    Players are named as in the log, or by their seats.
    """

    def __init__(self, review: Review, seat: int | None = None, *, named: bool = False) -> None:
        self.review, self.named, [log] = review, named, review.judged.games
        self.names = tuple(
            player_words(log.names[s]) if named else seat_words(s) for s in range(log.rules.seats)
        )
        discards = review.judged.discards
        self.steps = [
            step
            for deal in range(len(log.rounds))
            for step in steps_of(review.judged, deal, self.names)
            if seat in (None, int(discards.seat[step.row]))
        ]
        self._opens = [
            i for i, step in enumerate(self.steps) if i and step.deal != self.steps[i - 1].deal
        ]
        self._judge(review.judged)

    def _judge(self, evaluation: Evaluation) -> None:
        """Take the values of the discards and calls from an evaluation."""
        self.evaluation = evaluation
        rows = list(documents(evaluation))
        self.rows: list[DiscardRow] = [rows[step.row] for step in self.steps]
        self._costly = [i for i, row in enumerate(self.rows) if is_costly(row)]

    def by_chance(self, judge: ChanceJudge) -> "ReviewView":
        """Return the view with the chances to win that are known."""
        view = copy(self)
        view._judge(with_chances(self.review.judged, judge.chances))
        return view

    def position(self, at: int) -> Position | None:
        """Return the position of a step, if positions were collected."""
        collected = self.review.collected
        decision = collected and collected.discards[self.steps[at].row].decision
        return decision.position if decision else None

    def _address(self, at: int, position: Position) -> str:
        """Return the address of the hand page, with what the one player in riichi let pass."""
        collected = self.review.collected
        decision = collected and collected.discards[self.steps[at].row].decision
        if not decision or len(decision.opponents) != 1:
            return position_address(position)
        kinds, tiles = decision.opponents[0].passed, position.hand.tiles
        return position_address(position, riichi="".join(tiles.names[int(kind)] for kind in kinds))

    def thrown(self, at: int) -> str:
        """Return the kind discarded at a step; a red five is a five."""
        return self.rows[at]["discard"].replace("0", "5")

    def step(self, at: int, advice: Advice | None = None) -> dict[str, object]:
        """Return the variables of one step, with reasons and links if there is an advice."""
        step, discards = self.steps[at], self.evaluation.discards
        row, seat = step.row, int(discards.seat[step.row])
        position = self.position(at)
        return {
            "at": at,
            "last": len(self.steps) - 1,
            "where": self.where(at),
            "draws_left": self.rows[at]["draws_left"],
            "away": bool(discards.moves_away[row]),
            "board": step.board,
            "happened": [
                {
                    "who": self.names[seat],
                    "verb": gettext("discarded"),
                    "tiles": [tile_of(int(discards.discard[row]))],
                }
            ],
            "end": None,
            "values": (),
            "refusal": "",
            "remarks": describe_discard(self.evaluation, row, self.rows[at], advice),
            "bars": self._hand(at, advice),
            "sides": sides_of(self._sides(step), step.away, step.before),
            "deal": step.deal,
            "x": step.x,
            "said_by": f"curve-{step.deal}-words",
            "jumps": jumps(at, len(self.steps) - 1, self._costly, (0, *self._opens)),
            "analyse": self._address(at, position) if position else "",
            "decision": position_address(position, DECISION, thrown=self.thrown(at))
            if position
            else "",
        }

    def overview(self) -> dict[str, Any]:
        """Return the variables of the lists and charts of the whole game."""
        summary = summarise([self.evaluation])
        away = [i for i, row in enumerate(self.rows) if row["moves_away"]]
        return {
            "said": describe_yardstick(self.evaluation.by),
            "shares": Markup(table_html(translate_table(summary.table("seat", self.names)))),
            "costly": [
                {
                    "at": at,
                    "where": self.where(at),
                    "hand": [tile for tile, _ in self._hand(at)],
                    "melds": self.steps[at].board.seats[0].melds,
                    "remark": describe_cost(self.rows[at]),
                }
                for at in costliest(self.rows)
            ],
            "departures": [(i, self.where(i), describe_cost(self.rows[i])) for i in away],
            "calls": self._calls(),
            "calls_told": describe_calls(summary),
            "wins_told": describe_wins(summary),
        }

    def _sides(self, step: DiscardStep) -> dict[int, str]:
        """Return the name, if there is one, and the wind of each seat in the round of a step."""
        sides = enumerate(zip(self.names, step.winds, strict=False))
        return {
            seat: gettext("%(player)s (%(wind)s)") % {"player": name, "wind": wind}
            if self.named
            else wind
            for seat, (name, wind) in sides
        }

    def where(self, at: int) -> str:
        """Return the position of a step in words."""
        row, deal = self.rows[at], self.steps[at].deal
        deals = self.evaluation.games[0].rounds
        return place_words(deals[deal], row["turn"], self.names[row["seat"]])

    def _calls(self) -> list[tuple[str, int | None, Remark]]:
        """Return for each call its position, the step of the next discard, and a description."""
        at = {
            (step.deal, row["seat"], row["turn"]): place
            for place, (step, row) in enumerate(zip(self.steps, self.rows, strict=True))
        }
        deals = self.evaluation.games[0].rounds
        return [
            (
                place_words(deals[call.deal], call.turn, self.names[call.seat]),
                at.get((call.deal, call.seat, call.turn)),
                describe_call(call),
            )
            for call in self.evaluation.calls
        ]

    def hands(self) -> list[tuple[str, list[MovePoint], ChanceChart | None]]:
        """Return name, discards and chart of each player in each hand."""
        hands = dict.fromkeys(
            (step.deal, row["seat"]) for step, row in zip(self.steps, self.rows, strict=True)
        )
        deals, found = self.evaluation.games[0].rounds, []
        for deal, seat in hands:
            points = self._moves(deal, seat)
            name = gettext(", ").join((round_words(deals[deal]), self.names[seat]))
            found.append((name, points, draw_chances(points)))
        return found

    def moves(self, at: int) -> list[MovePoint]:
        """Return the discards of the player of a step in its hand."""
        return self._moves(self.steps[at].deal, self.rows[at]["seat"])

    def _moves(self, deal: int, seat: int) -> list[MovePoint]:
        """Return the discards of a player in a hand."""
        chances = self.evaluation.chances
        return [
            move_point(i, row, chances[step.row] if chances else None, self.where(i))
            for i, (step, row) in enumerate(zip(self.steps, self.rows, strict=True))
            if step.deal == deal and row["seat"] == seat
        ]

    def _hand(self, at: int, advice: Advice | None = None) -> list[tuple[TileView, float]]:
        """Return the tiles of the hand, each with the quality of its discard, 0 to 1.

        One copy of the thrown kind and one of the best are marked.
        """
        step, discards = self.steps[at], self.evaluation.discards
        row = step.row
        thrown, best = int(discards.discard[row]), -1
        if could_improve(self.rows[at]):
            best = best_discard(self.evaluation, row)
        chances = {} if advice is None else _chances_of(advice)
        bars = []
        for tile in step.board.seats[0].concealed:
            number = TILE_NAMES.index(tile.name)
            kind, mark = KIND_OF[number], ""
            if number == thrown:
                mark, thrown = "thrown", -1
            elif kind == best:
                mark, best = "best", -1
            height = chances.get(kind, 0.0) if chances else _height(self.evaluation, row, kind)
            bars.append((replace(tile, mark=mark), height))
        return bars


def review_page(review: Review, *, seat: int | None = None, named: bool = False) -> str:
    """Return a reviewed game as a self-contained page."""
    return standalone_page(ReviewView(review, seat, named=named))


def standalone_page(view: ReviewView) -> str:
    """Return the view of a reviewed game as a self-contained page."""
    contexts = [view.step(at) for at in range(len(view.steps))]
    curves = {f"curve-{step.deal}": step.curve for step in view.steps}
    return render_standalone(
        "review.html",
        title=gettext("A game reviewed"),
        steps=[*contexts[1:], *contexts[:1]],  # the page opens at this one by default
        names=LINKS,
        hands=view.hands(),
        curves={name: each.body for name, each in curves.items()},
        curve_words={name: each.words for name, each in curves.items()},
        margin="1rem",
        has_text_tiles=True,
        words={name: tile_words(name) for name in TILE_NAMES},
        told={
            "drawn": gettext(", just drawn"),
            "last": gettext(", just last"),
            "thrown": gettext(", ") + gettext("thrown"),
            "best": gettext(", ") + gettext("best"),
        },
        r=view.overview(),
    )


def _height(evaluation: Evaluation, row: int, kind: int) -> float:
    """Return the quality of a discard by deficiency and useful tiles, 0 to 1."""
    discards = evaluation.discards
    most = max(int(discards.left_copies[row][discards.left[row] == discards.before[row]].max()), 1)
    more = int(discards.left[row, kind]) - int(discards.before[row])
    share = int(discards.left_copies[row, kind]) / most
    if more:
        return 0.2 * min(share, 1.0) / more
    return min(MIN_HEIGHT + (1 - MIN_HEIGHT) * share, 1.0)


def _chances_of(advice: Advice) -> dict[int, float]:
    """Return the chance of each discard as a share of the best one, by kind of the full set."""
    kinds = places_in_full(advice.position.hand.tiles)
    chances = {
        kinds[row.kind]: float(row.at_least or 0) or (row.estimate.mean if row.estimate else 0.0)
        for row in advice.options
        if row.kind is not None and row.meld is None
    }
    most = max(chances.values(), default=0.0)
    return {kind: chance / most for kind, chance in chances.items()} if most else {}
