"""The worker processes advise as the package does, once for each position and effort."""

from collections.abc import Iterator

import pytest
from helpers.endless_advice import ANSWERED, compute_without_end
from helpers.waits import LONG

import mjopt
from mjopt.play.serve import background_advice
from mjopt.play.serve.background_advice import BackgroundAdvice


@pytest.fixture(scope="module")
def advice() -> Iterator[BackgroundAdvice]:
    opened = BackgroundAdvice()
    yield opened
    opened.close()


def position(draws: int) -> mjopt.Position:
    return mjopt.Position.parse(f"{ANSWERED} draws={draws}")


@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_answers_equal_the_package(advice: BackgroundAdvice, effort: str) -> None:
    found = advice.submit(position(6), effort).result(LONG)

    assert found == mjopt.advise(position(6), effort=effort)
    assert advice.latest(position(6)) is found


def test_equal_queries_are_answered_once(advice: BackgroundAdvice) -> None:
    assert advice.known(position(2)) is None
    first, second = advice.submit(position(2)), advice.submit(position(2))

    assert second.result(LONG) is first.result(LONG) is advice.known(position(2))
    assert advice.known(position(3)) is None
    assert advice.known(position(2), "quick") is None


def test_close_ends_the_search_and_the_next_query_starts_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background_advice, "compute_advice", compute_without_end)
    advice = BackgroundAdvice()
    lost = advice.submit(mjopt.Position.parse("147m258p369s12345z"))
    advice.close()

    assert lost.cancelled()
    assert advice.submit(position(1)).result(LONG).position == position(1)
    advice.close()
