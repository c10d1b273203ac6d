"""The worker process answers as the package does, once for each query."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import mjopt
from mjopt.play.serve.win_chances import ChanceQuery, WinChances, compute_chances

ALL = ("standard", "seven_pairs", "thirteen_orphans")
LONG = 120


@pytest.fixture
def chances() -> Iterator[WinChances]:
    opened = WinChances()
    yield opened
    opened.close()


def query_of(text: str, draws: int = 18) -> ChanceQuery:
    hand = mjopt.Hand.parse(text, tiles="136")
    return ChanceQuery.of(hand, ALL, hand.unseen, draws)


def test_answers_equal_the_package(chances: WinChances) -> None:
    text = "123456m789p1146s1z"
    play = mjopt.optimal_play(mjopt.Hand.parse(text, tiles="136"), forms=ALL, draws=6)
    found = chances.submit(query_of(text, 6)).result(LONG)

    assert found.discards == play.discards
    assert (found.waste, found.is_by_ceiling) == (play.waste, play.is_ranked_by_ceiling)
    means = {row.kind: float(row.mean) for row in mjopt.rank_discards(text, forms=ALL)}
    assert found.expected_draws == pytest.approx(means)


def test_equal_queries_are_answered_once(chances: WinChances) -> None:
    query = query_of("123456m789p1146s1z", 2)
    first, second = chances.submit(query), chances.submit(query)

    assert chances.known(query) is None
    assert second.result(LONG) is first.result(LONG) is chances.known(query)
    assert chances.known(query_of("123456m789p1146s1z", 3)) is None


def test_close_ends_the_search_and_the_next_query_starts_again(chances: WinChances) -> None:
    lost = chances.submit(query_of("147m258p369s12345z"))
    chances.close()

    assert lost.cancelled()
    assert chances.submit(query_of("123456m789p1146s1z", 1)).result(LONG).discards


def test_quick_answer_considers_fewer_plays() -> None:
    query = query_of("22557m234p34789s3z", 4)
    quick, full = compute_chances(replace(query, is_quick=True)), compute_chances(query)

    assert (quick.waste, full.waste > 0) == (0, True)
    assert full.discards[0].lower >= quick.discards[0].lower


def test_hand_too_far_from_a_win_has_no_answer() -> None:
    hand = mjopt.Hand.parse("119m19p19s1234567z")
    query = ChanceQuery.of(hand, ("standard",), hand.unseen)

    assert compute_chances(query).discards == ()
    assert len(compute_chances(query).expected_draws) == 13
