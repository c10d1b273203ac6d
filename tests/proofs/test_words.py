"""Numbers are read as every reader reads them, or not at all."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import CertificateError
from mjopt.proofs import Accepted
from mjopt.proofs.words import Words, line_finder, show


def words(*spelled):
    return Words(spelled, "test", lambda at: at + 1)


@pytest.mark.parametrize(
    ("word", "value"),
    [("0", 0), ("-0", 0), ("12", 12), ("-7", -7), ("3/6", Fraction(1, 2)), ("-8/4", -2)],
)
def test_numbers(word, value):
    found = words(word).rational("it")

    assert found == value
    assert isinstance(found, int) == (value == int(value))


# Python's int or Fraction would take the first ten.
@pytest.mark.parametrize(
    "word",
    [
        *("1_0", "+1", "007", "1.5", "1e3", ".5", "1_0/3", "+1/2", "01/2", "1/02"),
        *("1/-2", "-1/0", "-", "/", "1/", "/2", "1//2", "1/2/3", "--1", "0x1", "inf", "nan", ""),
        "1" * 601,
    ],
)
def test_other_spellings_are_refused(word):
    with pytest.raises(CertificateError, match="test, line 1: it should be an integer or p/q"):
        words(word).rational("it")
    with pytest.raises(CertificateError, match="test, line 1: it should be an integer"):
        words(word).integer("it")


def test_the_first_bad_word_among_many_is_named():
    cursor = words("1", "2", "x", "y")

    with pytest.raises(CertificateError, match="line 3: it should be an integer, found 'x'"):
        cursor.integers(["1", "x"], range(0, 4, 2), "it")


@given(st.lists(st.lists(st.sampled_from(["a", "b"]), max_size=3), min_size=1))
def test_lines_are_found(lines):
    text = "\n".join(" ".join(line) for line in lines)
    line_of = line_finder(text)

    at = 0
    for number, line in enumerate(lines, 1):
        for _ in line:
            assert line_of(at) == number
            at += 1


@given(st.integers() | st.fractions() | st.integers(10**5000, 10**5001))
def test_any_number_can_be_shown(value):
    assert len(show(value)) < 90


def test_a_record_that_contradicts_itself_cannot_be():
    parts = {"format": "VIPR", "version": "1.1", "claim": "range", "final": ""}
    sizes = {"num_variables": 1, "num_constraints": 1, "num_derivations": 1}

    with pytest.raises(CertificateError, match="lower bound 3 above upper 2"):
        Accepted(**parts, **sizes, infeasible=False, lower=3, upper=2)
    with pytest.raises(CertificateError, match="infeasible, and yet with bounds"):
        Accepted(**parts, **sizes, infeasible=True, lower=3, upper=None)
