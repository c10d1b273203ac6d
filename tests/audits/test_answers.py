"""Answers are read in every way that engines write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt import FULL, M0, SANMA
from mjopt.audits.answers import SKIPPED, UNREAD, read_answer, read_answers
from mjopt.audits.exact_answers import kinds_in
from mjopt.audits.questions import QUESTIONS

USEFUL, DISCARD, WIN, SHANTEN = (
    QUESTIONS[name] for name in ("useful", "discard", "win", "shanten")
)


@pytest.mark.parametrize(
    ("written", "kinds"),
    [
        ("14m", [0, 3]),
        ("4m, 1m 1m", [0, 3]),
        ("['1m', '4m']", [0, 3]),
        (["1m", "4m"], [0, 3]),
        (str([1, 0, 0, 2] + [0] * 23), [0, 3]),
        (str([1.0, 0, 0, 2] + [0] * 30), [0, 3]),
        ([1, 0, 0, 2] + [0] * 23, [0, 3]),
        ("9", [0, 3]),
        (9, [0, 3]),
        ("0", []),
        ("[]", []),
        ([], []),
        ("", []),
        (None, None),
        ("none", []),
        (str([0] * 33 + [1]), None),
        ("[1, 2]", None),
        ("[1, 'x']", None),
        ("[[1]]", None),
        ("[", None),
        ("1z", None),
        ("x", None),
        ("-1", None),
        ("9" * 30, None),
        ({"1m": 2}, None),
    ],
)
def test_sets_of_tiles(written: object, kinds: list[int] | None) -> None:
    found = read_answer(written, USEFUL, M0)
    assert found == UNREAD if kinds is None else kinds_in(found) == kinds


def test_number_of_a_discard_is_its_kind() -> None:
    assert kinds_in(read_answer("26", DISCARD, M0)) == [26]
    assert read_answer("27", DISCARD, M0) == UNREAD
    assert kinds_in(read_answer("1m2z", DISCARD, FULL)) == [0, 28]


def test_counts_of_34_kinds_for_three_players() -> None:
    copies = [1] + [0] * 7 + [1] + [0] * 25
    assert kinds_in(read_answer(copies, USEFUL, SANMA)) == [0, 1]
    assert read_answer([0, 1] + [0] * 32, USEFUL, SANMA) == UNREAD


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        *((cell, 1) for cell in ("1", "yes", "True", True, 1, 1.0)),
        *((cell, 0) for cell in ("0", "no", "false", False, 0)),
        *((cell, UNREAD) for cell in ("2", "", None, "x", -1, [1])),
        ("-", SKIPPED),
    ],
)
def test_yes_or_no(written: object, answer: int) -> None:
    assert read_answer(written, WIN, M0) == answer


@pytest.mark.parametrize(
    ("written", "answer"),
    [("-1", -1), (2.0, 2), (" 3 ", 3), ("1e3", 1000), ("-", SKIPPED)]
    + [(cell, UNREAD) for cell in ("", "x", "1.5", True, None, "1_0", "1e300", "nan", [1])],
)
def test_numbers(written: object, answer: int) -> None:
    assert read_answer(written, SHANTEN, M0) == answer


@given(
    st.lists(st.sampled_from(["", "-", "1m", "14m", "1m4m", "x", "['1m']", "9", "1z", "none"])),
    st.sampled_from([M0, FULL]),
)
def test_many_answers_are_read_like_single_ones(cells: list[str], tiles: object) -> None:
    assert isinstance(tiles, type(M0))
    for question in (USEFUL, DISCARD, WIN, SHANTEN):
        found = read_answers(cells, question, tiles)
        assert found.tolist() == [read_answer(cell, question, tiles) for cell in cells]
