"""The proof of the tables: it holds, and wrong entries, potentials and choices are refused."""

import json
import random
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from mjopt.answers.table_proof import certify_tables, prove_suits, verify_tables
from mjopt.errors import CertificateError
from mjopt.hands.tiles import FULL, M0
from mjopt.models import exhaustive
from mjopt.proofs.suit_tables import check_choices, check_potentials_of_suits
from mjopt.tables.store import Tables, load_tables

SUITS = {True: (M0.suits[0], 9), False: (FULL.suits[3], 7)}


@pytest.fixture(scope="module")
def proof() -> dict[str, Any]:
    return certify_tables()


def some_states(width: int) -> np.ndarray:
    rng = np.random.default_rng(width)
    states = rng.integers(0, 5, size=(400, width), dtype=np.int8)
    return states[states.sum(axis=1) <= 14]


def test_every_state_is_proved(proof: dict[str, Any]) -> None:
    assert (proof["suit_states"], proof["honour_states"]) == (405_350, 43_130)
    assert proof["joins"] > 100_000


@pytest.mark.parametrize("has_chows", [True, False])
def test_entries_are_what_brute_force_finds(has_chows: bool) -> None:
    suit, width = SUITS[has_chows]
    states = some_states(width)
    potentials, choices = prove_suits(states, has_chows)
    lower = check_potentials_of_suits(states, has_chows, potentials)
    upper = check_choices(states, has_chows, choices)
    assert (lower == upper).all()
    for (melds, eyes), hands in exhaustive.suit_choices(suit).items():
        for i in range(0, len(states), 9):
            least = int(np.maximum(hands - states[i], 0).sum(axis=1).min())
            assert lower[i, melds, eyes] == least


def test_raised_potentials_are_refused() -> None:
    states = some_states(9)
    potentials, _ = prove_suits(states, True)
    rng = random.Random(1)
    for _ in range(40):
        wrong = potentials.copy()
        place = (0, rng.randrange(len(states)), rng.randrange(5), rng.randrange(2), 0)
        wrong[place] += 1
        with pytest.raises(CertificateError, match="rank 0: a potential falls by more"):
            check_potentials_of_suits(states, True, wrong)
    wrong = potentials.copy()
    wrong[9, 3, 0, 0, 0] = 1
    with pytest.raises(CertificateError, match="at the end is above 0"):
        check_potentials_of_suits(states, True, wrong)
    with pytest.raises(CertificateError, match="potentials of shape"):
        check_potentials_of_suits(states, True, potentials[:-1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c[0, 2, 1, :, 1].fill(0), "other than m melds"),
        (lambda c: c[0, 0, 0, :1, 2].fill(1), "other than m melds"),
        (lambda c: c[0, 1, 0, 8, :1].fill(1), "a chow begins where none can"),
        (lambda c: c[0, 1, 0, :1, 1].fill(2), "above one"),
        (lambda c: c[0, 1, 0, :1, 0].fill(-1), "negative"),
    ],
)
def test_wrong_choices_are_refused(change: Callable[[np.ndarray], None], message: str) -> None:
    states = np.array([[3, 3, 3, 0, 0, 0, 0, 0, 2]], dtype=np.int8)
    _, choices = prove_suits(states, True)
    choices[0, 2, 1] = 0
    choices[0, 2, 1, 0, 1] = choices[0, 2, 1, 1, 1] = 1
    choices[0, 2, 1, 8, 2] = 1
    check_choices(states, True, choices)
    change(choices)
    with pytest.raises(CertificateError, match=message):
        check_choices(states, True, choices)


def test_a_fifth_copy_is_refused() -> None:
    states = np.zeros((1, 9), dtype=np.int8)
    _, choices = prove_suits(states, True)
    choices[0, 2, 0] = 0
    choices[0, 2, 0, 0, 0] = 2  # two chows 123
    check_choices(states, True, choices)
    choices[0, 3, 0] = 0
    choices[0, 3, 0, 0] = (2, 1, 0)  # and a pong of 1: five copies
    with pytest.raises(CertificateError, match="more than four times"):
        check_choices(states, True, choices)


def changed(name: str, place: tuple[int, ...], by: int) -> Tables:
    tables = load_tables()
    arrays = {field.name: getattr(tables, field.name) for field in fields(tables)}
    arrays[name] = arrays[name].copy()
    arrays[name][place] += by
    return Tables(**arrays)


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("name", ["honour_cost", "pair_cost", "mixed_cost"])
def test_a_wrong_entry_is_found(name: str, by: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The suits are right in each case: proving them once more would only take time.
    import mjopt.answers.table_proof as module

    real = module._prove_kind
    monkeypatch.setattr(
        module,
        "_prove_kind",
        lambda kinds, *rest: (405_350, "") if kinds == 9 else real(kinds, *rest),
    )
    with pytest.raises(CertificateError, match="not proved|not the minimum"):
        certify_tables(changed(name, (7, 5), by))


def test_summaries(proof: dict[str, Any]) -> None:
    document = json.loads(json.dumps(proof))
    verify_tables(document)
    for name in ("tables", "suit_entries", "honour_entries"):
        with pytest.raises(CertificateError, match=name):
            verify_tables({**document, name: "0" * 64})
    with pytest.raises(CertificateError, match="missing or unknown"):
        verify_tables({**document, "more": 1})
    with pytest.raises(CertificateError, match="not a mjopt table proof"):
        verify_tables({"format": "other"})
