"""Limits on the size and the work of certificates, and values in messages."""

import json

import pytest
from helpers.certificate_corpus import small

from mjopt.errors import CertificateError
from mjopt.proofs import Limits, read_native
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.native_schema import quoted


def test_default_limits():
    assert Limits() == Limits(bytes=4_000_000, steps=40_000_000)


@pytest.mark.parametrize(("name", "values"), [("bytes", (0, -1, True, 1.0)), ("steps", (0, None))])
def test_limit_that_is_no_positive_number_is_refused(name, values):
    assert getattr(Limits(**{name: 1}), name) == 1
    for value in values:
        with pytest.raises(CertificateError, match=f"^limit {name}={value}, expected a whole"):
            Limits(**{name: value})


def test_text_of_the_size_of_the_limit_is_read():
    text = json.dumps(small())
    assert read_native(text, Limits(bytes=len(text))) == small()
    with pytest.raises(CertificateError, match=f"^JSON: past the limit of {len(text) - 1:,} bytes"):
        read_native(text, Limits(bytes=len(text) - 1))


@pytest.mark.parametrize("arguments", [(b"{}",), (None,), ("{}", 5), ("{}", None)])
def test_arguments_of_another_type_are_refused(arguments):
    with pytest.raises(TypeError, match="^(text|limits): "):
        read_native(*arguments)


def test_json_of_another_kind_is_refused_before_its_keys_are_read():
    with pytest.raises(CertificateError, match=r"^\[\], expected an object$"):
        read_native("[]")


def test_steps_of_all_parts_are_counted_together():
    counter = StepCounter(Limits(steps=10), "one")
    for _ in range(2):
        counter.spend(5)
    with pytest.raises(CertificateError, match="^one: past the limit of 10 steps") as caught:
        counter.spend(1)
    assert caught.value.limit == "steps"


def test_values_in_messages_are_short_and_on_one_line():
    assert quoted("a" * 58) == repr("a" * 58)
    assert quoted("a" * 59) == f"'{'a' * 56}..."
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted(Spaced(498)) == "a b"
    assert quoted(Spaced(499)) == "a"
    assert quoted(10**5000) == "some int"


class Spaced:
    """A value whose text has blanks up to the 500 characters that are looked at."""

    def __init__(self, blanks: int) -> None:
        self.blanks = blanks

    def __repr__(self) -> str:
        return f"a{' ' * (self.blanks - 1)}\nb"
