"""The proof of the tables is accepted; wrong entries, potentials and choices are refused."""

import json
import random
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from mjopt.analysis import table_proof
from mjopt.analysis.table_proof import certify_tables, prove_suits, verify_tables
from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet
from mjopt.models import brute_force
from mjopt.proofs.table_check import check_choices, check_potentials_of_suits
from mjopt.tables.bundles.rule_tables import rule_tables
from mjopt.tables.standard.table_file import DIGEST, Tables, load_tables

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
def test_entries_equal_brute_force(has_chows: bool) -> None:
    suit, width = SUITS[has_chows]
    states = some_states(width)
    potentials, choices = prove_suits(states, has_chows)
    lower = check_potentials_of_suits(states, has_chows, potentials)
    upper = check_choices(states, has_chows, choices)
    assert (lower == upper).all()
    for (melds, eyes), hands in brute_force.suit_choices(suit).items():
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
        (lambda c: c[0, 2, 1, :, 1].fill(0), "not m melds"),
        (lambda c: c[0, 0, 0, :1, 2].fill(1), "not m melds"),
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


def test_fifth_copy_is_refused() -> None:
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
def test_wrong_entry_is_detected(name: str, by: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The suits are correct in each case, so their proof is skipped.
    import mjopt.analysis.table_proof as module

    real = module._prove_kind
    monkeypatch.setattr(
        module,
        "_prove_kind",
        lambda kinds, *rest: (405_350, "") if kinds == 9 else real(kinds, *rest),
    )
    with pytest.raises(CertificateError, match="not proved|not the minimum"):
        certify_tables(changed(name, (7, 5), by))


@pytest.mark.parametrize(
    "change", [lambda a: a.astype(np.int64), lambda a: a[:-1]], ids=["type", "shape"]
)
@pytest.mark.parametrize("name", ["suit_class", "pair_size", "mixed_cost"])
def test_other_layout_is_refused(name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
    arrays = {field.name: getattr(load_tables(), field.name) for field in fields(Tables)}
    arrays[name] = change(arrays[name])
    with pytest.raises(CertificateError, match=f"{name}: u?int.* expected"):
        certify_tables(Tables(**arrays))


def test_summary_is_accepted(proof: dict[str, Any]) -> None:
    document = json.loads(json.dumps(proof))
    verify_tables(document)
    for name in ("tables", "suit_entries", "honour_entries"):
        with pytest.raises(CertificateError, match=name):
            verify_tables({**document, name: "0" * 64})
    with pytest.raises(CertificateError, match="unknown 'more'"):
        verify_tables({**document, "more": 1})
    del document["joins"]
    with pytest.raises(CertificateError, match="'joins' is missing"):
        verify_tables(document)
    with pytest.raises(CertificateError, match="not a mjopt table proof"):
        verify_tables({"format": "other"})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("suit_states", 7, "suit_states: 7, but this package holds 405350"),
        ("suit_states", 405_350.0, "suit_states: 405350.0, but"),
        ("honour_states", [{}], r"honour_states: \[\{\}\], but"),
        ("joins", None, "joins: None, but"),
        ("joins", True, "joins: True, but"),
        ("tables", ["x"], r"tables: \['x'\], but"),
        ("mjopt", 1, "mjopt: 1, expected a version"),
        ("mjopt", "", "mjopt: '', expected a version"),
        ("seconds", "4", "seconds: '4', expected 0 or more"),
        ("seconds", -1, "seconds: -1, expected 0 or more"),
        ("seconds", True, "seconds: True, expected"),
        ("seconds", float("nan"), "seconds: nan, expected"),
    ],
)
def test_every_field_of_a_summary_is_checked(proof, name, value, message) -> None:
    with pytest.raises(CertificateError, match=message):
        verify_tables({**proof, name: value})


@pytest.mark.parametrize("kind", ["suit", "honour", "pair", "mixed"])
def test_wrong_size_is_detected(kind: str) -> None:
    last = {"suit": 159, "honour": 137, "pair": 339, "mixed": 450}[kind]
    for place, by in (((7,), 1), ((last,), 1)):
        with pytest.raises(CertificateError, match=f"{kind}_size: "):
            certify_tables(changed(f"{kind}_size", place, by))
    with pytest.raises(CertificateError, match=f"{kind}_cost: an entry for more than 14 tiles"):
        certify_tables(changed(f"{kind}_cost", (last, 3), 1))


def test_first_state_of_a_wrong_size_is_named() -> None:
    tables = changed("honour_size", (7,), 1)
    first, *others = np.flatnonzero(tables.honour_class == 7).tolist()
    assert others
    with pytest.raises(CertificateError, match=rf"honour_size: .* tiles of \({first},\)"):
        certify_tables(tables)


def test_class_without_state_is_detected() -> None:
    tables = load_tables()
    for number, message in ((338, "pair_size: "), (339, "pair_class: 341 classes up to 340")):
        where = tuple(np.argwhere(tables.pair_class == number)[0].tolist())
        with pytest.raises(CertificateError, match=message):
            certify_tables(changed("pair_class", where, 1))


def test_the_digest_covers_the_proved_tables(
    proof: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exchange the numbers of two classes: still correct, but the bytes differ."""
    import mjopt.analysis.table_proof as module

    assert proof["tables"] == DIGEST
    monkeypatch.setattr(module, "_prove_kind", lambda *_: (0, ""))  # proved above
    tables = load_tables()
    arrays = {field.name: getattr(tables, field.name) for field in fields(tables)}
    renamed = np.arange(451, dtype=np.uint16)
    renamed[:2] = 1, 0
    arrays |= {
        "mixed_class": renamed[tables.mixed_class],
        "mixed_cost": tables.mixed_cost[renamed],
        "mixed_size": tables.mixed_size[renamed],
    }
    found = certify_tables(Tables(**arrays))
    assert found["joins"] == proof["joins"]
    assert found["tables"] != DIGEST


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA], ids=lambda tiles: tiles.name)
def test_tables_that_answer_are_compared_with_the_proved_ones(
    tiles: TileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_proof._prove_look_ups(tiles)
    tables = rule_tables((standard_template(tiles),), tiles)
    (bundle,) = tables.bundles
    answers = bundle.answers.copy()
    place = np.argwhere(answers[2] == 3)[-1]
    answers[2][tuple(place)] = 4
    wrong = replace(tables, bundles=(replace(bundle, answers=answers),))
    monkeypatch.setattr(table_proof, "rule_tables", lambda *_: wrong)
    with pytest.raises(CertificateError, match=f"{tiles.name}, 2 called melds: a look-up is not"):
        table_proof._prove_look_ups(tiles)
