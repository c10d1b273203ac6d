"""Advice on random positions, against the bounds of wider classes of plays."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from chances.advice.random_positions import random_position

from mjopt import Advice, Hand, MjoptError, Position, advise, optimal_play
from mjopt.chances.advice.options import MEASURES
from mjopt.chances.advice.search import EFFORTS, Effort

FAR = "1479m1479p147s127z"


def check_rows(advice: Advice) -> None:
    """Check what holds for every advice: all options once, bounds in order, losses."""
    position, first = advice.position, advice.options[0]
    found = Counter(
        (row.action, None if row.meld else row.kind, row.meld)
        for row in advice.options
        if row.action != "win"
    )
    hand = position.hand
    if hand.is_full:
        own = [("discard", kind, None) for kind, held in enumerate(hand.counts) if held]
    else:
        own = [("draw" if position.offered is None else "pass", None, None)]
    calls = [(call.meld.shape.value, None, call.meld) for call in position.calls or ()]
    assert found == Counter([*own, *calls])
    assert sum(row.action == "win" for row in advice.options) <= 1
    assert advice.measure in MEASURES
    for row in advice.options:
        assert row.at_most is not None
        assert 0 <= row.at_most <= 1
        assert row.at_least is None or 0 <= row.at_least <= row.at_most
        assert row.in_class is None or row.at_least <= row.in_class
        assert row.at_most or row.at_least == 0
        assert row.draws or row.action == "win" or row.at_most == 0
        assert row.num_useful == sum(row.useful.values())
        assert all(position.wall[kind] >= copies > 0 for kind, copies in row.useful.items())
        assert row.is_lost_proven == (first.at_least is not None and row.at_most < first.at_least)
        if advice.measure == "chance" and row.at_least is not None:
            assert row.lost == max(0, first.at_least - row.at_least)
    if all(row.at_most == 0 for row in advice.options):
        assert advice.measure == "nothing"
        assert advice.best is None


def check_against_wider_classes(advice: Advice) -> int:
    """Compare the bounds with those of the next waste; return the number of comparisons."""
    position, compared = advice.position, 0
    calls = [(call.meld, position.after(call), call.draws) for call in position.calls or ()]
    for meld, hand, draws in [(None, position.hand, position.draws), *calls]:
        rows = [row for row in advice.options if row.meld == meld and row.action != "win"]
        if advice.waste is None or not draws:
            continue
        play = optimal_play(
            hand,
            wall=position.wall,
            draws=draws,
            waste=advice.waste + 1,
            forms=("standard",) if hand.called else position.forms,
            table=False,
        )
        by_kind = {row.kind: row for row in play.discards}
        for row in rows:
            wider = by_kind[row.kind]
            assert row.at_least is None or row.at_least <= wider.upper_any, row.name
            if wider.is_searched:
                assert row.at_most >= wider.lower, row.name
                assert row.at_least is None or row.at_least <= wider.upper, row.name
                compared += 1
    return compared


@pytest.mark.parametrize(("called", "number"), [((3, 4), 14), ((2,), 6), ((0, 1), 3), ((0, 1), 5)])
def test_no_bound_is_contradicted_by_a_wider_class(called: tuple[int, ...], number: int) -> None:
    compared = 0
    for seed in range(number):
        position = random_position(random.Random(seed), called=called, most_draws=8)
        advice = advise(position, effort="quick")
        check_rows(advice)
        compared += check_against_wider_classes(advice)
    assert compared >= 4


def test_more_effort_never_lowers_a_bound() -> None:
    """The plays of a narrow class are among those of a wide one."""
    for seed in range(8):
        position = random_position(random.Random(seed), called=(3,), most_draws=6)
        quick, normal, deep = (advise(position, effort=effort) for effort in EFFORTS)
        for less, more in ((quick, normal), (normal, deep)):
            check_rows(more)
            assert (less.waste or 0) <= (more.waste or 0)
            by_kind = {row.kind: row for row in more.options if row.meld is None}
            for row in less.options:
                if row.meld is None and row.at_least is not None:
                    assert by_kind[row.kind].at_least >= row.at_least


def test_nothing_is_won_without_draws() -> None:
    for text in ("22557m234p34789s3z draws=0", "2378m345p6688s11z offered=4m draws=0"):
        advice = advise(text)
        check_rows(advice)
        assert advice.measure == "nothing"
        assert advice.best is None
        assert {row.at_least for row in advice.options} == {0}
    won = advise("11m123p melds=345m,678m,111z draws=0")
    assert (won.best, won.measure) == (won.options[0], "nothing")
    assert won.best.action == "win"


def test_too_few_draws_are_nothing_as_well() -> None:
    """Three tiles are missing, and two draws are left."""
    assert advise("1m4m7m2p5p8p3s6s9s1m9p6m4s8s draws=2").measure == "nothing"


def test_discard_outside_the_class_is_not_searched() -> None:
    """At waste 0 discards that step back are in no play; that is no chance of 0."""
    advice = advise("122347m34p124s567z", effort="quick")
    assert (advice.waste, advice.is_closed) == (0, False)
    outside = [row for row in advice.options if row.at_least is None]
    assert outside
    assert all(row.at_most > 0 for row in outside)
    assert all(row.lost is None for row in outside)
    assert [row.to_document()["at_least"] for row in outside] == [None] * len(outside)


def test_quick_names_no_best_at_waste_0() -> None:
    advice = advise("122347m34p124s567z", effort="quick")
    assert (advice.measure, advice.waste, advice.best) == ("draws", 0, None)
    assert all(row.lost is None for row in advice.options)
    normal = advise("122347m34p124s567z")
    assert (normal.measure, normal.waste) == ("chance", 1)
    assert normal.best.at_least > Fraction(199, 1000)


def test_estimate_where_no_class_can_be_compared() -> None:
    advice = advise(f"{FAR} draws=7")
    check_rows(advice)
    assert (advice.measure, advice.waste) == ("estimate", 0)
    assert advice.best == advice.options[0]
    estimated = [row for row in advice.options if row.estimate]
    assert 6 <= len(estimated) <= 7
    assert advice.best in estimated
    assert advise(f"{FAR} draws=7") == advice


def test_nothing_is_searched_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every option keeps its bound over all play, and its draws."""
    monkeypatch.setitem(EFFORTS, "quick", Effort(first=1, more=1))
    advice = advise("1266m3p12s melds=444z,555z draws=4 offered=3m", effort="quick")
    check_rows(advice)
    assert (advice.measure, advice.waste, advice.states) == ("draws", None, 0)
    assert all(row.at_least is None for row in advice.options)
    assert all(row.at_most > 0 for row in advice.options)
    won = advise("11m123p melds=345m,678m,111z draws=4", effort="quick").options
    assert (won[0].action, won[0].lost) == ("win", 0)
    assert {row.lost for row in won[1:]} == {None}


def test_search_ends_at_the_class_of_all_hands() -> None:
    """More waste would add no play, also where more draws are left."""
    advice = advise(Hand.parse("1m9p", called=4), draws=17)
    assert (advice.is_closed, advice.waste) == (True, 1)


@pytest.mark.parametrize("effort", ["", "slow", None, 3])
def test_unknown_effort_is_refused(effort: str) -> None:
    with pytest.raises((MjoptError, TypeError), match="effort"):
        advise(Position.parse("11m called=4"), effort=effort)
