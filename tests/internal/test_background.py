"""Answers computed in the background: shared by equal queries, by several processes at once."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mjopt._internal.background import Background

LONG = 60
PAUSE = 0.01


def meet(query: tuple[str, str]) -> str:
    """Create a file, and wait until another one exists."""
    own, other = map(Path, query)
    own.touch()
    end = time.monotonic() + LONG
    while not other.exists():
        if time.monotonic() > end:
            raise TimeoutError(other)
        time.sleep(PAUSE)
    return own.name


@pytest.fixture
def answers() -> Iterator[Background[tuple[str, str], str]]:
    opened = Background(meet, 8, num_workers=2)
    yield opened
    opened.close()


def test_a_long_query_does_not_delay_another_one(
    answers: Background[tuple[str, str], str], tmp_path: Path
) -> None:
    """Each of two queries ends only while the other one runs, or has run."""
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    first = answers.submit((one, two))
    second = answers.submit((two, one))
    assert answers.submit((one, two)) is first
    assert (first.result(LONG), second.result(LONG)) == ("one", "two")


def test_close_forgets_the_answers(
    answers: Background[tuple[str, str], str], tmp_path: Path
) -> None:
    one = str(tmp_path / "one")
    first = answers.submit((one, one))
    assert first.result(LONG) == "one"
    answers.close()
    assert answers.submit((one, one)) is not first
