"""The chart of the chance to win over a hand: what is proven, estimated and not searched."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.datastructures import QueryParams

from mjopt import advise, danger
from mjopt.chances.advice.estimate import Estimate
from mjopt.chances.advice.options import ESTIMATE, NOTHING
from mjopt.play.review.api import read_named, review_games
from mjopt.play.review.chance import chance_of
from mjopt.play.review.chance_evaluation import with_chances
from mjopt.play.review.log_danger import say_danger
from mjopt.play.review.log_positions import LoggedDecision
from mjopt.play.serve.chance_chart import BOTTOM, TOP, UNKNOWN, MovePoint, draw_chances, move_point
from mjopt.play.serve.hand_analysis import analyse
from mjopt.play.serve.hand_form import form_from_query
from mjopt.play.serve.review_file import ReviewView

ROW: Any = {
    "turn": 4, "discard": "7m", "best": "3z", "before": 2, "deficiency": 2, "copies": 12,
    "best_copies": 16, "rank": 2, "declared": False, "moves_away": False, "folds": False,
}  # fmt: skip


def test_points_show_proven_chances_and_what_was_lost() -> None:
    advice = advise("22557m234p34789s3z draws=2")
    decision = LoggedDecision(position=advice.position, discard=6)
    chance = chance_of(decision, advice)
    assert chance is not None
    point = move_point(3, ROW | {"lost": chance.lost}, chance, "East 1")
    assert (point.at, point.turn, point.tile.name, point.is_proven) == (3, 4, "7m", True)
    assert point.chance == chance.at_least
    assert point.best == chance.best_at_least
    assert point.lost == (chance.lost if (chance.lost or 0) >= 0.01 else 0)
    chart = draw_chances([point])
    assert chart is not None
    assert chart.most == max(point.chance, point.best)
    assert TOP <= chart.bests[0] <= chart.ys[0] <= BOTTOM


@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_estimates_are_no_proofs(effort: str) -> None:
    advice = advise("147m258p369s12345z draws=8", effort=effort)
    chance = chance_of(LoggedDecision(position=advice.position, discard=27), advice)
    assert chance is not None
    point = move_point(0, ROW | {"lost": chance.lost}, chance, "")
    row = advice.option(27)
    assert row is not None
    assert not point.is_proven
    assert point.chance == (row.estimate.mean if row.estimate else None)
    if effort == "quick":
        assert advice.measure != ESTIMATE
        assert draw_chances([point]) is None


def test_what_was_not_searched_is_not_zero() -> None:
    known = MovePoint(
        at=0, turn=1, tile=move_point(0, ROW, None, "").tile, lost=0.0, is_costly=False,
        chance=0.0, best=0.0, is_proven=True, words="",
    )  # fmt: skip
    chart = draw_chances([known, known._replace(chance=None, best=None, is_proven=False)])
    assert chart is not None
    assert chart.ys == (BOTTOM, UNKNOWN)
    assert draw_chances([known._replace(chance=None)]) is None


def test_nothing_to_win_is_proven_to_be_zero() -> None:
    advice = advise("2479m1368p159s127z draws=2", effort="quick")
    assert advice.measure == NOTHING
    kind = advice.options[0].kind
    assert kind is not None
    chance = chance_of(LoggedDecision(position=advice.position, discard=kind), advice)
    assert chance is not None
    point = move_point(0, ROW, chance, "")
    assert (point.chance, point.best, point.is_proven) == (0.0, 0.0, True)


def test_estimate_of_an_option_is_that_of_the_advice() -> None:
    advice = advise("22557m234p34789s3z draws=2", effort="quick")
    options = [replace(row, at_least=None, estimate=Estimate(1, 4)) for row in advice.options]
    advice = replace(advice, options=tuple(options))
    chance = chance_of(LoggedDecision(position=advice.position, discard=6), advice)
    assert chance is not None
    assert (chance.estimate, chance.best_estimate, chance.at_least) == (0.25, 0.25, None)
    assert Fraction(chance.estimate) == Fraction(1, 4)


def test_review_says_the_danger_that_python_counts() -> None:
    log = Path(__file__).parents[2] / "data" / "logs" / "tenhou-mjlog" / "game-15.mjlog"
    [entry] = read_named(log.name, log.read_bytes(), is_alone=True)
    reviewed = review_games([entry], has_positions=True)
    assert reviewed.collected is not None
    seen = reviewed.collected.discards
    at, decision = next(
        (row, each.decision)
        for row, each in enumerate(seen)
        if each.decision and len(each.decision.opponents) == 1 and each.seat == 1
    )
    chance = chance_of(decision, advise(decision.position, effort="quick"))
    assert chance is not None
    view = ReviewView(reviewed, 1)
    view._judge(with_chances(reviewed.judged, {at: chance}))
    step = next(number for number, each in enumerate(view.steps) if each.row == at)
    shown = view.step(step)
    words = say_danger(view.rows[step])
    found = danger(decision.position, decision.opponents).of(decision.discard)
    assert f": {found.text}" in words
    assert f"{words[:1].upper()}{words[1:]}." in [line.words for line in shown["remarks"]]
    riichi = parse_qs(urlsplit(str(shown["analyse"])).query)["riichi"][0]
    names = decision.position.hand.tiles.names
    assert riichi == "".join(names[kind] for kind in decision.opponents[0].passed)
    address = str(shown["analyse"])
    form = form_from_query(QueryParams(address.partition("?")[2]))
    query = form.parse()
    assert query.position == decision.position
    analysed = analyse(query).danger
    assert analysed is not None
    assert [row.share for row in analysed.kinds] == [
        row.share for row in danger(decision.position, decision.opponents).kinds
    ]
