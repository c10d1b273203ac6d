"""Priors: weights of kinds of waits, and files of them."""

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import mjopt
from mjopt import PRIORS, Prior
from mjopt.chances.danger.prior import get_prior
from mjopt.chances.danger.ready_counts import WAITS
from mjopt.errors import ArgumentError, FileError, MjoptError

ONES = dict.fromkeys(WAITS, 1)
LINES = "\n".join(f"{wait} = 0.5" for wait in WAITS)


def test_published_weights() -> None:
    weights = ["1", "27/100", "21/100", "3/20", "11/25", "3/5", "17/100"]
    assert [*map(str, PRIORS["riichi-2022"].weights.values())] == weights
    assert {*PRIORS["uniform"].weights.values()} == {1}


def test_file_of_weights(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\nfitted_to = "my games"\n[weights]\n{LINES}\n')
    prior = get_prior(path)
    assert (prior.name, prior.fitted_to, prior.weights["single"]) == ("mine", "my games", 1 / 2)
    assert prior == get_prior(str(path)) == pickle.loads(pickle.dumps(prior))
    hand = "123m406p123789s11z"
    one, two = mjopt.danger(hand, "", prior=path), mjopt.danger(hand, "", prior="uniform")
    assert one.kinds == two.kinds
    assert one.assumptions[0] == "mine: fitted to my games"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no name, expected a text"),
        ("name = 1", "no name, expected a text"),
        ('name = "a"', "no weights, expected a table [weights]"),
        ('name = "a"\nweights = 3', "no weights, expected a table [weights]"),
        ('name = "a"\nfitted_to = 3\n[weights]', "fitted_to is 3, expected a text"),
        ('name = "a"\n[weights]\nsingle = 1', "weights: no two_sided"),
        (f'name = "a"\n[weights]\n{LINES}\ntwo = 1', "weights 'two': unknown, expected one of two"),
        (f'name = "a"\n[weights]\n{LINES}'.replace("0.5", "0", 1), "weights two_sided: 0, exp"),
        (f'name = "a"\n[weights]\n{LINES}'.replace("0.5", "-1", 1), "weights two_sided: -1, exp"),
        (f'name = "a"\n[weights]\n{LINES}'.replace("0.5", "true", 1), "weights two_sided: True"),
        (f'name = "a"\n[weights]\n{LINES}'.replace("0.5", "nan", 1), "not TOML: "),
        ('name = "a"\nwaits = 3\n[weights]', "unknown key 'waits', expected one of name, fitted"),
        ("a = [", "not TOML: "),
        ("#" * 70_000, "more than 65,536 bytes"),
    ],
)
def test_malformed_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(FileError) as refused:
        get_prior(path)
    assert str(refused.value).startswith(f"{path}: {message}")
    assert "\n" not in str(refused.value)


def test_missing_file_and_folder_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(FileError, match=str(path)):
            get_prior(path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(FileError, match="not TOML"):
        get_prior(tmp_path / "bytes.toml")


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), True, "1", None, 1e-12, 1e12])
def test_weights_are_positive_numbers(wrong: object) -> None:
    with pytest.raises(ArgumentError, match="weights single: .*a number above 0"):
        Prior(name="mine", weights=ONES | {"single": wrong})


def test_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError):
        Prior(name=3, weights=ONES)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Prior(name="mine", weights=[1])  # type: ignore[arg-type]
    with pytest.raises((TypeError, MjoptError)):
        get_prior(3)  # type: ignore[arg-type]


def test_only_ratios_of_weights_matter() -> None:
    weights = PRIORS["riichi-2022"].weights
    twice = Prior(name="twice", weights={wait: 2 * weight for wait, weight in weights.items()})
    one = mjopt.danger("123m406p123789s11z", "ready=yes")
    assert mjopt.danger("123m406p123789s11z", "ready=yes", prior=twice).kinds == one.kinds
    assert Prior(name="a", weights=ONES | {"single": 0.1}).weights["single"] == Fraction(1, 10)
