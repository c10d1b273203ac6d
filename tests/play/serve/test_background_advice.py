"""The worker processes advise as the package does, once for each position and effort."""

from collections.abc import Iterator

import pytest

import mjopt
from mjopt.play.serve.background_advice import BackgroundAdvice

LONG = 120


@pytest.fixture
def advice() -> Iterator[BackgroundAdvice]:
    opened = BackgroundAdvice()
    yield opened
    opened.close()


def position(draws: int) -> mjopt.Position:
    return mjopt.Position.parse(f"123456m789p1146s1z draws={draws}")


@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_answers_equal_the_package(advice: BackgroundAdvice, effort: str) -> None:
    found = advice.submit(position(6), effort).result(LONG)

    assert found == mjopt.advise(position(6), effort=effort)
    assert advice.latest(position(6)) is found


def test_equal_queries_are_answered_once(advice: BackgroundAdvice) -> None:
    first, second = advice.submit(position(2)), advice.submit(position(2))

    assert advice.known(position(2)) is None
    assert second.result(LONG) is first.result(LONG) is advice.known(position(2))
    assert advice.known(position(3)) is None
    assert advice.known(position(2), "quick") is None


def test_close_ends_the_search_and_the_next_query_starts_again(advice: BackgroundAdvice) -> None:
    lost = advice.submit(mjopt.Position.parse("147m258p369s12345z"))
    advice.close()

    assert lost.cancelled()
    assert advice.submit(position(1)).result(LONG).options
