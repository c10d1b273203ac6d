"""The record of a player: spaced repetition, the streak, and its stored form."""

import json
from datetime import date, timedelta

import pytest

from mjopt.errors import FileError
from mjopt.play.puzzles.record import MAX_ANSWERS, PlayerRecord, PuzzleAnswer, read_record

DAY = 86_400.0


def record(*answers):
    """Return a record of answers, each a puzzle, whether it was right, and a time in seconds."""
    return PlayerRecord(
        answers=tuple(
            PuzzleAnswer(puzzle=puzzle, tile="1m", is_right=is_right, time=time)
            for puzzle, is_right, time in answers
        )
    )


def test_wrong_answer_returns_after_ten_minutes():
    failed = record(("a", False, 100.0))

    assert failed.due(699.0) == []
    assert failed.due(700.0) == ["a"]


def test_right_answer_never_returns():
    assert record(("a", True, 0.0)).due(1e9) == []


def test_intervals_grow_until_the_puzzle_is_learnt():
    answers = [("a", False, 0.0), ("a", True, 600.0)]
    assert record(*answers).due(600 + DAY - 1) == []
    assert record(*answers).due(600 + DAY) == ["a"]

    answers.append(("a", True, 600 + DAY))
    assert record(*answers).due(600 + 5 * DAY - 1) == []
    assert record(*answers).due(600 + 5 * DAY) == ["a"]

    answers.append(("a", True, 600 + 5 * DAY))
    assert record(*answers).due(1e9) == []


def test_another_failure_begins_again():
    answers = (("a", False, 0.0), ("a", True, 600.0), ("a", False, DAY * 2))

    assert record(*answers).due(DAY * 2 + 600) == ["a"]


def test_longest_overdue_comes_first():
    assert record(("a", False, 50.0), ("b", False, 0.0)).due(1e6) == ["b", "a"]


@pytest.mark.parametrize(
    ("days", "today", "streak"),
    [
        ([], 5, 0),
        ([5], 5, 1),
        ([3, 4, 5], 5, 3),
        ([3, 4], 5, 2),  # today is still to come
        ([3], 5, 0),
        ([1, 3, 4], 4, 2),
        ([4, 4, 4], 4, 1),
    ],
)
def test_streak_counts_days_in_a_row(days, today, streak):
    answered = record(*(("a", True, DAY * day + 1) for day in days))

    assert answered.streak(DAY * today + 2) == streak


def test_daily_hand_continues_the_streak():
    begun = record(("a", True, 0.0)).with_daily(date(1970, 1, 2), ("1m",))

    assert begun.streak(DAY * 1.5) == 2


def test_oldest_answers_are_dropped():
    full = record(*(("a", True, float(n)) for n in range(MAX_ANSWERS)))
    more = full.with_answer(PuzzleAnswer(puzzle="b", tile="1m", is_right=True, time=1e6))

    assert len(more.answers) == MAX_ANSWERS
    assert (more.answers[0].time, more.answers[-1].puzzle) == (1.0, "b")


def test_stored_form_is_read_back():
    kept = record(("123m draws=4", False, 1.5)).with_daily(date(2026, 11, 26), ("1m", "7z"))
    kept = kept.with_daily(date(2026, 11, 26) - timedelta(days=1), ("2m",))

    assert read_record(json.loads(json.dumps(kept.to_document()))) == kept


ANSWER = {"puzzle": "a", "tile": "1m", "is_right": True, "time": 0}


@pytest.mark.parametrize(
    "document",
    [
        [],
        None,
        {},
        {"version": 2, "answers": [], "daily": {}},
        {"version": 1, "answers": 3, "daily": {}},
        {"version": 1, "answers": [[]], "daily": {}},
        {"version": 1, "answers": [ANSWER | {"time": "now"}], "daily": {}},
        {"version": 1, "answers": [ANSWER | {"time": -1}], "daily": {}},
        {"version": 1, "answers": [ANSWER | {"is_right": 1}], "daily": {}},
        {"version": 1, "answers": [ANSWER | {"more": 1}], "daily": {}},
        {"version": 1, "answers": [], "daily": []},
        {"version": 1, "answers": [], "daily": {"today": "1m"}},
        {"version": 1, "answers": [], "daily": {"2026-11-26": 5}},
    ],
)
def test_other_documents_are_refused(document):
    with pytest.raises(FileError) as refused:
        read_record(document)
    assert "\n" not in str(refused.value)
