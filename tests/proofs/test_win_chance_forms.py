"""Certificates of win chances of any winning forms, and the deficiencies behind them."""

import copy
import json
from typing import Any

import numpy as np
import pytest

from mjopt import Hand, get_rules, optimal_play
from mjopt.analysis.formats import verify_files
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.models.shortest_path import template_distance
from mjopt.proofs import Limits, verify_win_chance
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_forms import FormDistances

LAIZI = parse_rules(
    'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1'
)
TWO_JOKERS = parse_rules(
    'name = "two"\ntiles = "136"\nsize = 11\n[jokers]\nkinds = "19m"\nparts = ["melds"]\n'
    '[[form]]\nname = "melds"\nmelds = 3\neyes = 1\n'
    '[[form]]\nname = "fixed"\nmelds = 2\neyes = 1\nfixed = "123z"\n'
)
RULES = [LAIZI, TWO_JOKERS, "taiwan", "mcr", "sichuan", "half-flush", "full-flush", "sanma"]


def counter() -> StepCounter:
    return StepCounter(Limits(), "win chance")


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: getattr(rules, "name", rules))
def test_deficiencies_are_those_of_shortest_paths(rules: Any) -> None:
    rules = get_rules(rules) if isinstance(rules, str) else rules
    rng, num_kinds = np.random.default_rng(3), rules.tiles.num_kinds
    deck = np.repeat(np.arange(num_kinds), 4)
    called = 1
    rows = [
        np.bincount(rng.permutation(deck)[: rules.size - 3 - n % 2], minlength=num_kinds)
        for n in range(6)
    ]
    forms = [[t for t in form.templates if t.melds >= called] for form in rules.forms]
    found = FormDistances(forms, (0,) * len(forms), rules.tiles, called, counter()).of(
        np.array(rows)
    )
    for row, missing in zip(rows, found.T.tolist(), strict=True):
        hand = Hand.from_counts(row.tolist(), tiles=rules.tiles, called=called, rules=rules)
        query = HandQuery(hand, rules, general=True)
        expected = [min([template_distance(query, t) for t in some], default=60) for some in forms]
        assert missing == expected


HANDS = {
    "mcr": ("147m258p369s1123z", "123z1m3z9m9p", {}),
    "taiwan": ("123456789m123p1244s5z", "345s4p3s", {}),
    "sichuan": ("1122334455667m1p", "17m1p7m", {}),
    "laizi": ("112345678m1234p5z", "59m4p5z", {"rules": LAIZI}),
    "half-flush": ("1356m1225z", "247m2z5z2m", {"melds": ["777m", "123m"]}),
    "riichi": ("1155m2288p37s126z", "37s126z3s", {}),
}


def certificate(name: str, waste: int = 1) -> dict[str, Any]:
    text, wall, words = HANDS[name]
    hand = Hand.parse(text, **({"rules": name} | words))
    copies = Hand.parse(wall, tiles=hand.tiles, partial=True).counts
    play = optimal_play(hand, wall=copies, draws=3, waste=waste, forms=hand.rules)
    return play.to_certificate(with_numbers=True)


@pytest.mark.parametrize("name", HANDS)
def test_certificates_of_every_rule_set_are_accepted(name, tmp_path):
    document = certificate(name)
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(document))

    [result] = verify_files([file])

    assert document["version"] == 3
    assert result.status == "accepted", result.message
    assert "3 draws" in result.message


def refused(document: dict[str, Any]) -> str:
    with pytest.raises(CertificateError) as error:
        verify_win_chance(json.dumps(document))
    return str(error.value)


CHANGES = {
    "fewer limits": (("limits",), [1], "limits: [1], expected a list of"),
    "a limit below the waste": (("limits", 0), 0, "limits[0]: 0, expected"),
    "a limit that takes in more": (("limits", 3), 4, "in the class and missing"),
    "another size": (("size",), 11, "forms: standard is 14 tiles"),
    "called melds that are named": (("melds",), ["123m"], "melds: 1 named, but 0 called"),
    "an unknown form": (("forms", 0), "own.form", "forms: unknown form 'own.form'"),
    "no definitions": (("definitions",), {}, "forms: unknown form"),
    "a form with other parts": (("definitions",), None, "SHA-256"),
    "another deficiency": (("deficiency",), 0, "deficiency: 0, but the hand's is 2"),
    "weights of another length": (("weights",), ["0"], "weights"),
    "a tile set by name": (("tiles",), "FULL", "tiles: 'FULL', expected an object"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_certificates_of_forms_are_refused(name: str) -> None:
    path, value, reason = CHANGES[name]
    document = certificate("mcr", waste=0)
    if value is None:
        value = copy.deepcopy(document["definitions"])
        form = next(form for form in value if form.endswith("knitted_straight"))
        value[form]["templates"][0]["has_pongs"] = False
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert reason in refused(document)


def test_bounds_without_weights_are_accepted() -> None:
    document = certificate("mcr") | {"weights": None, "upper": "recomputed", "lower": "recomputed"}
    for claim in document["claims"]:
        claim.update(lower=0, upper=1 << 48)
    assert verify_win_chance(json.dumps(document)).file.weights is None
