"""Certificates of the forms of rule sets: what the checker accepts, and each reason to refuse."""

import copy
import json
import random
from dataclasses import fields
from functools import reduce
from typing import Any

import pytest
from helpers.mutated_forms import bases, is_true, large_rules, mutant, refit, resign
from helpers.small_forms import RULE_TEXTS, SMALL_FORMS, deal_hand, literal_deficiency, small_rules

from mjopt import FULL, RULE_SETS, UNREACHABLE, Certificate, Hand, RuleSet, certify, get_rules
from mjopt.errors import CertificateError
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.network import network_graph
from mjopt.proofs import Limits, check_native, read_native
from mjopt.proofs.graph import proof_graph
from mjopt.proofs.native_forms import read_forms, templates_beside

Document = dict[str, Any]

EVERY_TEMPLATE = [
    pytest.param(rules.tiles, template, id=f"{form}-{number}")
    for rules in (
        *map(get_rules, RULE_SETS),
        *map(small_rules, RULE_TEXTS),
        *map(RuleSet.of_form, SMALL_FORMS.values()),
    )
    for form in rules.forms
    for number, template in enumerate(form.templates[:2])
]


@pytest.mark.parametrize(("tiles", "template"), EVERY_TEMPLATE)
def test_graph_of_a_template_equals_that_of_the_network(tiles, template):
    """Two independent builders give the same nodes, arcs and order."""
    for called in range(min(template.melds, 2) + 1):
        ours, theirs = proof_graph(template, tiles, called), network_graph(template, tiles, called)

        assert ours.num_nodes == len(theirs.nodes)
        assert ours.tails.tolist() == [arc.tail for arc in theirs.arcs]
        assert ours.heads.tolist() == [arc.head for arc in theirs.arcs]
        assert ours.kinds.tolist() == [theirs.nodes[arc.tail].layer for arc in theirs.arcs]
        assert ours.uses.tolist() == [arc.use - arc.jokers[0] for arc in theirs.arcs]
        if template.jokers:
            assert ours.before.tolist() == [arc.jokers[1] for arc in theirs.arcs]
            assert ours.after.tolist() == [sum(arc.jokers) for arc in theirs.arcs]


@pytest.mark.parametrize("name", RULE_TEXTS)
def test_certificates_of_small_forms_agree_with_brute_force(name):
    rng = random.Random(name)
    rules = small_rules(name)
    deck = [kind for kind in range(rules.tiles.num_kinds) for _ in range(4)]
    values = set()
    for _ in range(25):
        called = rng.randint(0, min(1, rules.most_called))
        rng.shuffle(deck)
        size = rules.size - 3 * called
        held = [deck[:size].count(kind) for kind in range(rules.tiles.num_kinds)]
        rest = deck[size : rng.choice([size, size + 6, len(deck)])]
        unseen = [rest.count(kind) for kind in range(rules.tiles.num_kinds)]
        certificate = certify(Hand.from_counts(held, called=called, rules=rules), unseen=unseen)

        parts = [part for form in rules.forms for part in form.templates]
        least = literal_deficiency(parts, rules.tiles, held, unseen, called)
        assert certificate.deficiency == least
        assert Certificate.from_json(certificate.to_json()) == certificate
        values.add(least)
    assert len(values) > 1


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_certificates_of_every_part_agree_with_brute_force(name):
    """With called melds, named or not, limited unseen tiles and too few tiles."""
    rng = random.Random(name)
    form = SMALL_FORMS[name]
    for _ in range(8):
        hand, unseen = deal_hand(rng, form)
        certificate = certify(hand, unseen=unseen)

        melds = [meld.kinds for meld in hand.melds]
        query = hand.counts, certificate.unseen, hand.called, melds
        least = literal_deficiency(form.templates, form.tiles, *query)
        assert certificate.deficiency == least
        assert Certificate.from_json(certificate.to_json()) == certificate


@pytest.mark.parametrize(
    ("text", "forms", "value"),
    [
        ("12356789m123p12344s", "taiwan", 1),
        ("147m258p369s11123z", "mcr", 1),
        ("19m19p19s1234567z", "mcr.honours_and_knitted", 5),
        ("1111222233334m", "mcr.seven_pairs", 1),
        ("123456m789p11223s", "half-flush", 8),
        ("123456m789p11223s", "standard,full-flush", 1),
    ],
)
def test_certificates_of_shipped_forms_are_read_again(text, forms, value):
    certificate = certify(text, forms=forms)
    document = certificate.to_document()

    assert certificate.deficiency == value
    assert (document["format"], document["version"]) == ("mjopt certificate", 2)
    assert Certificate.from_json(json.dumps(document)) == certificate


def test_certificate_of_classic_forms_has_no_definitions():
    document = certify("1122334455667m8p", forms="riichi", unseen=None).to_document()
    assert document["version"] == 1
    assert "definitions" not in document


@pytest.mark.parametrize(
    ("text", "melds", "value"),
    [
        ("147m258p369s12z", ["789p"], 1),
        ("147m258p369s11z", ["3333z"], 0),
        ("12345m1z", ["789p", "777z"], UNREACHABLE),
    ],
)
def test_called_melds_count_for_the_templates_that_allow_them(text, melds, value):
    hand = Hand.parse(text, tiles=FULL, melds=melds, partial=True, rules="mcr")
    certificate = certify(hand, forms="mcr.knitted_straight")
    assert certificate.deficiency == value
    assert Certificate.from_json(certificate.to_json()) == certificate


def test_called_meld_of_every_kind_of_a_template_is_allowed():
    template = Template(fixed=(0,) * 34, melds=2, kinds=(0, 1, 2))
    assert templates_beside(template, 1, ((0, 1, 2),), FULL) == (template,)


def test_red_fives_and_called_melds_are_read_again():
    hand = Hand.parse("12340m", melds=["111z", "789m", "222z"], rules="half-flush")
    certificate = certify(hand)
    again = Certificate.from_json(certificate.to_json())
    assert (again.hand, again.hand.red) == (hand, hand.red)
    parts = [part for _, evidence in certificate.bounds for part in evidence]
    assert [part is None for part in parts] == [False, True, True]  # 789m is of one suit


# 112d13e and two jokers 2z: the target 11d222d111e333e takes both for 3e and misses 4 tiles.
LAIZI = certify(
    Hand.from_counts([2, 1, 0, 1, 0, 1, 0, 2], rules=small_rules("laizi"), partial=True)
)
CARD = certify(
    Hand.from_counts([1, 1, 1, 1, 0, 1, 1, 1, 2], rules=small_rules("card")),
    forms=small_rules("card").forms[:1],
)
SINGLES = certify(
    Hand.from_counts([2, 0, 0, 0, 1, 0, 2, 2], rules=small_rules("knitted")),
    forms=small_rules("knitted").forms[1:2],
)
PAIRS = certify(
    Hand.from_counts([4, 2, 0, 0, 0, 0, 1, 0], rules=small_rules("knitted"), partial=True),
    forms=small_rules("knitted").forms[2:],
)
# 1111z, the pong 111d and the eye 2z, of which one tile is missing and may not be the joker.
SPARE = certify(
    Hand.from_counts([3, 0, 0, 0, 0, 0, 4, 1, 1], rules=small_rules("card")),
    forms=small_rules("card").forms[1:],
    unseen=[0, 0, 0, 0, 0, 0, 0, 2, 0],
)
# Only jokers can arrive, and the target takes three of them.
DRAWN = certify(
    Hand.from_counts([2, 2, 2, 1, 0, 1, 0, 0], rules=small_rules("laizi"), partial=True),
    unseen=[0] * 7 + [4],
)
CALLED = certify(
    Hand.parse("123m44z", melds=["111z", "222z", "456m"], rules="half-flush"),
)


def forged(certificate: Certificate, *changes: tuple[Any, ...]) -> Document:
    """Return a certificate with values changed and its checksums made again."""
    document = copy.deepcopy(certificate.to_document())
    for *path, value in changes:
        place = reduce(lambda inner, key: inner[key], path[:-1], document)
        place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    resign(document)
    return document


def message(document: Document, limits: Limits = Limits()) -> str:  # noqa: B008
    """Return why a certificate is refused, or an empty text."""
    try:
        check_native(read_native(json.dumps(document)), limits)
    except CertificateError as error:
        return str(error)
    return ""


TEMPLATE = ("definitions", "laizi", "templates", 0)
CARD_TEMPLATE = ("definitions", "card.steps", "templates", 0)
EVIDENCE = ("bounds", "laizi", "templates")
NESTED = reduce(lambda inner, _: [inner], range(300), [])

CONDITIONS: dict[str, tuple[Certificate, list[tuple[Any, ...]], str]] = {
    # the definition
    "no definitions": (LAIZI, [("definitions", {})], "forms: unknown form 'laizi'"),
    "definitions as a list": (LAIZI, [("definitions", [])], "definitions: [], expected an object"),
    "one more definition": (
        LAIZI, [("definitions", lambda d: {**d, "more": d["laizi"]})],
        "definitions: unknown 'more'",
    ),
    "a classic name defined": (
        LAIZI, [("forms", ["standard"]), ("definitions", lambda d: {"standard": d["laizi"]})],
        "forms: standard is 14 tiles, expected 11, the size",
    ),
    "a name that is no name": (
        LAIZI, [("forms", ["La\nizi"]), ("definitions", lambda d: {"La\nizi": d["laizi"]})],
        "forms: 'La\\nizi', expected RULES or RULES.FORM",
    ),
    "a shipped name with another definition": (
        LAIZI, [("forms", ["mcr.x"]), ("definitions", lambda d: {"mcr.x": d["laizi"]})],
        "definitions.mcr.x: not the form mcr.x that mjopt knows",
    ),
    "a shipped rule set's name": (
        LAIZI, [("forms", ["taiwan"]), ("definitions", lambda d: {"taiwan": d["laizi"]})],
        "definitions.taiwan: not the form taiwan that mjopt knows",
    ),
    "templates as a text": (
        LAIZI, [(*TEMPLATE[:-1], "4")], "definitions.laizi.templates: '4', expected 1 to 1,000",
    ),
    "no templates": (
        LAIZI, [(*TEMPLATE[:-1], [])], "definitions.laizi.templates: [], expected 1 to 1,000",
    ),
    "1,001 templates": (
        LAIZI, [(*TEMPLATE[:-1], lambda t: t * 1001)], "definitions.laizi.templates: [{'fixed'",
    ),
    "a template as a list": (LAIZI, [(*TEMPLATE, [])], "definitions.laizi.templates: [], expected"),
    "an unknown part": (LAIZI, [(*TEMPLATE, "kongs", 1)], "definitions.laizi.templates: unknown"),
    "melds below 0": (LAIZI, [(*TEMPLATE, "melds", -1)], "definitions.laizi.templates.melds: -1"),
    "melds true": (LAIZI, [(*TEMPLATE, "melds", True)], "definitions.laizi.templates.melds: True"),
    "33 pairs": (LAIZI, [(*TEMPLATE, "pairs", 33)], "definitions.laizi.templates.pairs: 33, exp"),
    "eyes of 30 digits": (
        LAIZI, [(*TEMPLATE, "eyes", 10**30)], "definitions.laizi.templates.eyes: 1000000",
    ),
    "another size": (
        LAIZI, [(*TEMPLATE, "melds", 2)], "definitions.laizi.templates: 8 tiles, expected 11",
    ),
    "chows as 1": (
        LAIZI, [(*TEMPLATE, "has_chows", 1)], "definitions.laizi.templates.has_chows: 1, expected",
    ),
    "kinds that do not ascend": (
        LAIZI, [(*TEMPLATE, "kinds", [1, 0])], "definitions.laizi.templates.kinds: [1, 0], expect",
    ),
    "a kind twice": (
        LAIZI, [(*TEMPLATE, "of", [1, 1])], "definitions.laizi.templates.of: [1, 1], expected",
    ),
    "a kind beyond the last": (
        LAIZI, [(*TEMPLATE, "jokers", [8])], "definitions.laizi.templates.jokers: [8], expected",
    ),
    "a kind that is false": (
        LAIZI, [(*TEMPLATE, "kinds", [False])], "definitions.laizi.templates.kinds: [False], exp",
    ),
    "kinds nested 300 deep": (
        LAIZI, [(*TEMPLATE, "kinds", NESTED)], "definitions.laizi.templates.kinds: [[[",
    ),
    "kinds as a number": (
        LAIZI, [(*TEMPLATE, "kinds", 3)], "definitions.laizi.templates.kinds: 3, expected kinds",
    ),
    "a kind below the first": (
        LAIZI, [(*TEMPLATE, "kinds", [-1, 0])], "definitions.laizi.templates.kinds: [-1, 0], exp",
    ),
    "fixed as a number": (
        LAIZI, [(*TEMPLATE, "fixed", 3)], "definitions.laizi.templates.fixed: expected 8 numbers",
    ),
    "fixed false": (
        LAIZI, [(*TEMPLATE, "fixed", 0, False)], "definitions.laizi.templates.fixed: expected 8",
    ),
    "fixed below 0": (
        LAIZI, [(*TEMPLATE, "fixed", 0, -1)], "definitions.laizi.templates.fixed: expected 8",
    ),
    "fixed of another length": (
        LAIZI, [(*TEMPLATE, "fixed", [0] * 7)], "definitions.laizi.templates.fixed: expected 8",
    ),
    "five fixed": (
        CARD, [(*CARD_TEMPLATE, "fixed", 0, 5)], "definitions.card.steps.templates.fixed: expect",
    ),
    "more jokers for fixed than fixed": (
        CARD, [(*CARD_TEMPLATE, "joker_fixed", 7, 1)],
        "definitions.card.steps.templates.joker_fixed: 1 copies of 2z, expected at most 0",
    ),
    "an unknown part for jokers": (
        LAIZI, [(*TEMPLATE, "joker_parts", ["fixed"])],
        "definitions.laizi.templates.joker_parts: ['fixed'], expected some of melds, eyes",
    ),
    "parts for jokers as a number": (
        LAIZI, [(*TEMPLATE, "joker_parts", 3)],
        "definitions.laizi.templates.joker_parts: 3, expected some of melds, eyes",
    ),
    "fixed tiles for jokers, but none": (
        LAIZI, [(*TEMPLATE, "jokers", []), (*TEMPLATE, "joker_parts", [])],
        "definitions.laizi.templates.jokers: parts for jokers, but no jokers",
    ),
    "other parts for jokers, but none": (
        LAIZI, [(*TEMPLATE, "jokers", []), (*TEMPLATE, "joker_fixed", [])],
        "definitions.laizi.templates.jokers: parts for jokers, but no jokers",
    ),
    "parts for jokers, but none": (
        LAIZI, [(*TEMPLATE, "jokers", [])],
        "definitions.laizi.templates.jokers: parts for jokers, but no jokers",
    ),
    "fixed and a joker": (
        CARD, [(*CARD_TEMPLATE, "jokers", [0])],
        "definitions.card.steps.templates.jokers: a kind is fixed and a joker",
    ),
    "size 33": (LAIZI, [("size", 33)], "size: 33, expected 1..32"),
    "size as a text": (LAIZI, [("size", "11")], "size: '11', expected 1..32"),
    "four called of 11 tiles": (LAIZI, [("called", 4)], "called: 4, expected 0..3"),
    "more held than the size": (LAIZI, [("called", 2)], "held: 7 tiles, expected at most 5"),
    "version 1": (LAIZI, [("version", 1)], "version: 1, expected 2..2"),
    # evidence
    "no evidence": (LAIZI, [(*EVIDENCE, [])], "bounds.laizi: evidence for 0 templates, expected 1"),
    "evidence of the standard form": (
        LAIZI, [("bounds", "laizi", lambda b: b["templates"][0])],
        "bounds.laizi, expected evidence for templates",
    ),
    "evidence null": (
        LAIZI, [(*EVIDENCE, 0, None)], "bounds.laizi: template 0: evidence, expected one kind",
    ),
    "a least number as evidence": (
        LAIZI, [(*EVIDENCE, 0, {"least": 2})], "bounds.laizi: template 0: evidence: {'least': 2}",
    ),
    "templates as a number": (
        LAIZI, [(*EVIDENCE, 3)], "bounds.laizi, expected evidence for templates",
    ),
    "least numbers as evidence": (
        LAIZI, [(*EVIDENCE, 0, {"least": [2]})], "bounds.laizi: template 0: evidence: {'least': [2",
    ),
    "potentials as a number": (
        LAIZI, [(*EVIDENCE, 0, {"potentials": 2})],
        "bounds.laizi: template 0: evidence: {'potentials': 2}, expected a list named potenti",
    ),
    "a cut as a number": (
        LAIZI, [(*EVIDENCE, 0, {"cut": 0})], "bounds.laizi: template 0: evidence: {'cut': 0}, ",
    ),
    "evidence for what is ruled out": (
        CALLED, [("bounds", "half-flush", "templates", 1, {"cut": [0]})],
        "bounds.half-flush: template 1: {'cut': [0]}, but the called melds leave no such hand",
    ),
    "null for what is not ruled out": (
        CALLED, [("bounds", "half-flush", "templates", 0, None)],
        "bounds.half-flush: template 0: evidence, expected one kind of evidence",
    ),
    "start raised": (
        LAIZI, [(*EVIDENCE, 0, "potentials", 0, lambda phi: phi + 1)],
        "bounds.laizi: template 0: arc ",
    ),
    "a cut of what is reached": (
        LAIZI, [(*EVIDENCE, 0, {"cut": [0]})], "bounds.laizi: template 0: arc 0 of kind 0 leaves",
    ),
    "potentials for what is called unreachable": (
        LAIZI, [("deficiency", None), ("target", None)],
        "bounds.laizi: template 0: potentials do not prove that it is unreachable",
    ),
    "one joker less": (
        LAIZI, [("held", 7, 1)], "target.draws: not what the target takes beyond the hand",
    ),
    # the target
    "no template": (
        LAIZI, [("target", lambda t: {k: v for k, v in t.items() if k != "template"})],
        "target: 'template' is missing",
    ),
    "a template beyond the last": (
        LAIZI, [("target", "template", 1)], "target.template: 1, expected 0..0",
    ),
    "a template that is ruled out": (
        CALLED, [("target", "template", 1)],
        "target.template: the called melds leave no such hand",
    ),
    "the joker forgotten": (
        LAIZI, [("target", "blocks", lambda b: [x for x in b if x[0] != "joker"])],
        "target.draws: ",
    ),
    "more tiles than can arrive": (
        LAIZI, [("unseen", 1, 1)], "target.draws: 2 of 2d, but 1 can arrive",
    ),
    "more jokers than can arrive": (
        DRAWN, [("unseen", 7, 2)],
        "target.draws: 3 jokers, but 0 are held and 2 can arrive",
    ),
    "a joker drawn but not counted": (
        DRAWN, [("target", "draws", 7, 2)],
        "target.draws: not what the target takes beyond the hand",
    ),
    "a joker for an eye of the card": (
        SPARE, [
            ("deficiency", lambda d: d - 1),
            ("target", "blocks", [
                ["fixed", [6] * 4], ["pong", [0] * 3], ["eye", [7] * 2], ["joker", [7]],
            ]),
        ],
        "target.blocks: the eyes and singles are not those of the template",
    ),
    "two joker blocks of a kind": (
        LAIZI,
        [("target", "blocks", lambda b: [*b, next(x for x in b if x[0] == "joker")])],
        "target.blocks: ['joker', ",
    ),
    "a joker of two kinds": (
        LAIZI, [("target", "blocks", lambda b: [*b, ["joker", [0, 1]]])],
        "target.blocks: ['joker', [0, 1]] is not joker",
    ),
    "a joker beside the blocks": (
        LAIZI, [("target", "blocks", lambda b: [*b, ["joker", [6]]])],
        "target.blocks: the eyes and singles are not those of the template",
    ),
    "five jokers": (
        LAIZI, [("target", "blocks", lambda b: [
            *(x for x in b if x[0] != "joker"),
            *(["joker", [x[1][0]]] for x in b if x[0] != "joker"), ["joker", [1, 1]],
        ])],
        "target.blocks: ",
    ),
    "a meld short": (LAIZI, [("target", "blocks", lambda b: b[1:])], "target.blocks: "),
    "a fixed tile short": (
        CARD, [("target", "blocks", lambda b: [x for x in b if x != ["fixed", [3]]])],
        "target.blocks: not the fixed tiles of the template",
    ),
    "a pong of another suit": (
        CARD, [("target", "blocks", lambda b: [
            ["pong", [4, 4, 4]] if x[0] == "pong" else x for x in b
        ])],
        "target.blocks: a meld from 2e",
    ),
    "a chow without chows": (
        CARD, [("target", "blocks", lambda b: [
            ["chow", [3, 4, 5]] if x[0] == "pong" else x for x in b
        ])],
        "target.blocks: a meld from 1e",
    ),
    "a single kind twice": (
        SINGLES, [("target", "blocks", lambda b: [
            *(x for x in b if x[0] != "single"), *[next(x for x in b if x[0] == "single")] * 2,
        ])],
        "target.blocks: the eyes and singles are not those of the template",
    ),
    "a kind that is not of the template": (
        SINGLES, [("target", "blocks", lambda b: [
            ["single", [1]] if x[0] == "single" else x for x in b
        ])],
        "target.blocks: the eyes and singles are not those of the template",
    ),
    "three equal pairs": (
        PAIRS, [("target", "blocks", [["eye", [0, 0]]] * 3 + [["eye", [1, 1]]])],
        "target.blocks: 6 copies of 1d",
    ),
    "counts as truth values": (
        PAIRS, [("target", "counts", 5, False)], "target.counts: not the tiles of target.blocks",
    ),
    "counts of other tiles": (
        PAIRS, [("target", "counts", 5, 1)], "target.counts: not the tiles of target.blocks",
    ),
    "a discard left out": (
        LAIZI, [("unseen", lambda u: u), ("target", "discards", 0, 3)],
        "target.discards: not what the hand holds beyond the target",
    ),
    "a deficiency below": (
        LAIZI, [("deficiency", lambda d: d - 1)], "target: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition_alone_refuses_a_forged_certificate(name):
    certificate, changes, start = CONDITIONS[name]
    assert message(forged(certificate)) == ""
    reason = message(forged(certificate, *changes))
    assert reason.startswith(start)
    assert "\n" not in reason


def test_two_equal_pairs_need_a_template_that_allows_them():
    document = forged(
        PAIRS, ("definitions", "knitted.pairs", "templates", 0, "has_equal_pairs", False)
    )
    assert message(document).startswith("bounds.knitted.pairs: template 0: ")


def test_target_of_one_kind_fewer_is_refused():
    """It would be nearer, and all its numbers fit."""
    draws = SINGLES.draws
    document = forged(
        SINGLES,
        ("target", "blocks", lambda b: [x for x in b if x[0] != "single" or not draws[x[1][0]]]),
    )
    refit(document)
    resign(document)
    assert document["deficiency"] < SINGLES.deficiency
    reason = "target.blocks: the eyes and singles are not those of the template"
    assert message(document) == reason


def test_checksum_of_a_definition_must_be_its_own():
    document = copy.deepcopy(LAIZI.to_document())
    document["definitions"]["laizi"]["sha256"] = "0" * 64
    digest = small_rules("laizi").forms[0].digest
    assert message(document) == (
        f"definitions.laizi.sha256: '{'0' * 56}... is not the SHA-256 of the templates, {digest}"
    )


def test_digest_covers_the_size_and_the_definitions():
    """Removing a template with its evidence needs another digest."""
    document = copy.deepcopy(certify("123456m789p11223s", forms="half-flush").to_document())
    document["digest"] = certify("123456m789p11223s").to_document()["digest"]
    assert message(document) == "digest: does not match the hand"


def test_shipped_definition_cannot_lack_a_template():
    document = copy.deepcopy(certify("123456m789p11223s", forms="half-flush").to_document())
    for part in (document["definitions"], document["bounds"]):
        del part["half-flush"]["templates"][1]
    resign(document)
    reason = "definitions.half-flush: not the form half-flush that mjopt knows"
    assert message(document) == reason


def test_templates_of_all_forms_are_limited_together():
    [form] = small_rules("laizi").forms
    part = LAIZI.to_document()["definitions"]["laizi"]["templates"][0]

    def forms(*numbers: int) -> tuple[str, ...]:
        definitions = {
            name: {
                "sha256": WinningForm(name, form.tiles, form.templates * number).digest,
                "templates": [part] * number,
            }
            for name, number in zip(("one", "two"), numbers, strict=False)
        }
        return read_forms([*definitions], definitions, form.tiles, form.size)

    for numbers in ((1000,), (400, 600)):
        assert [len(known.templates) for known in forms(*numbers)] == [*numbers]
    reason = "^definitions: 1,001 templates, expected at most 1,000$"
    with pytest.raises(CertificateError, match=reason):
        forms(401, 600)


def test_classic_forms_alone_are_of_version_1():
    document = certify("1122334455667m8p").to_document()
    document |= {"version": 2, "size": 14, "definitions": {}}
    assert message(document) == ("definitions: empty, expected a form, or no such key in version 1")


@pytest.mark.parametrize("document", [None, [], 2, "definitions"])
def test_certificate_that_is_no_object_is_refused(document):
    with pytest.raises(CertificateError, match=r"^certificate: .*, expected an object$"):
        check_native(document)


def test_every_field_of_a_template_is_in_a_definition():
    definition = LAIZI.to_document()["definitions"]["laizi"]["templates"][0]
    assert set(definition) == {field.name for field in fields(Template)}


def test_steps_of_all_templates_are_limited():
    document = certify("147m258p369s11123z", forms="mcr.knitted_straight").to_document()
    assert message(document) == ""
    reason = message(document, Limits(steps=2000))
    assert reason == "certificate: past the limit of 2,000 steps"


def test_graph_that_is_too_large_is_refused():
    """A template with parts of every sort over 90 kinds has hundreds of millions of states."""
    ranks = list(range(1, 10))
    suits = [
        {"letter": letter, "name": letter, "ranks": ranks, "has_chows": True}
        for letter in "defghiklmn"
    ]
    every = list(range(90))
    template = {
        "fixed": [0] * 90,
        "melds": 3,
        "eyes": 2,
        "distinct": 6,
        "doubled": 3,
        "pairs": 4,
        "has_chows": True,
        "has_pongs": True,
        "has_equal_pairs": True,
        "has_fifth": True,
        "kinds": every,
        "of": every,
        "jokers": every[-2:],
        "joker_fixed": [],
        "joker_parts": ["melds", "eyes", "distinct", "pairs"],
    }
    document = {
        **LAIZI.to_document(),
        "tiles": {"name": "wide", "suits": suits},
        "held": [0] * 90,
        "unseen": [4] * 90,
        "size": 30,
        "called": 0,
        "forms": ["wide"],
        "definitions": {"wide": {"sha256": "", "templates": [template]}},
        "bounds": {"wide": {"templates": [{"cut": [0]}]}},
        "deficiency": None,
        "target": None,
    }
    resign(document)
    reason = message(document)
    assert reason == "bounds.wide: template 0: its graph takes more than 3,000,000 steps to build"


SMALL_RULES = [small_rules(name) for name in RULE_TEXTS]


def refused_or_true(number: int, rules: list[RuleSet], seed: int) -> tuple[int, int]:
    """Check mutants; return how many are accepted, and how many of these claim something else."""
    rng = random.Random(seed)
    originals = bases(max(min(number, 60), number // 20), rules, seed)
    num_accepted = num_others = num_lines = 0
    for index in range(number):
        base = originals[index % len(originals)]
        document = mutant(base, rng)
        text = json.dumps(document)
        try:
            check_native(read_native(text))
        except CertificateError as error:
            num_lines += "\n" in str(error)
            continue
        assert is_true(document)
        Certificate.from_json(text).verify()
        num_accepted += 1
        num_others += any(document[key] != base[key] for key in document if key != "bounds")
    assert num_lines == 0
    return num_accepted, num_others


def test_mutated_certificate_is_refused_or_true():
    num_accepted, num_others = refused_or_true(600, SMALL_RULES, seed=46)
    assert num_others > 20
    assert num_accepted < 200


def test_mutated_certificate_of_136_tiles_is_refused_or_true():
    num_accepted, _ = refused_or_true(60, large_rules(), seed=46)
    assert num_accepted < 30


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_mutated_certificates_are_refused_or_true(seed):
    num_accepted, num_others = refused_or_true(5000, SMALL_RULES, seed)
    assert num_others > 200
    assert num_accepted < 1500


@pytest.mark.slow
def test_thousands_of_mutated_certificates_of_136_tiles_are_refused_or_true():
    num_accepted, num_others = refused_or_true(5000, large_rules(), seed=0)
    assert num_others > 100
    assert num_accepted < 1500


def test_forms_of_equal_names_and_other_templates_are_told_apart():
    """The name of a form is its text; the definition decides."""
    rules = small_rules("laizi")
    [form] = rules.forms
    other = WinningForm(str(form), rules.tiles, small_rules("one-suit").forms[0].templates)
    assert form.digest != other.digest
    document = copy.deepcopy(LAIZI.to_document())
    document["definitions"]["laizi"]["sha256"] = other.digest
    assert message(document).startswith("definitions.laizi.sha256: ")
