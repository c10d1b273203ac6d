"""Explanations of the forms of rule sets: the parts, jokers, and the bound of each template."""

import random

import pytest
from helpers.small_forms import SMALL_FORMS, deal_hand, small_rules

from mjopt import FULL, UNREACHABLE, Hand, certify, explain, get_rules
from mjopt.analysis.form_text import form_text, template_text
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.rules.rule_set import RuleSet

LAIZI = 'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1\n'


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("taiwan", "five melds and an eye"),
        ("mcr.seven_pairs", "seven pairs which may be equal"),
        (
            "mcr.knitted_straight",
            "147m 258p 369s, one meld and an eye, or one of 5 similar templates",
        ),
        (
            "mcr.honours_and_knitted",
            "14 different kinds of 147m 258p 369s 1234567z, or one of 5 similar templates",
        ),
        (
            "half-flush",
            "four melds and an eye of 123456789m 1234567z, or one of 2 similar templates",
        ),
    ],
)
def test_shipped_forms_are_described(form, text):
    rules = get_rules(form.partition(".")[0])
    [known] = [known for known in rules.forms if known.name == form]
    assert form_text(known) == text


def test_parts_of_templates_are_described():
    texts = {
        name: [template_text(part, form.tiles) for form in rules.forms for part in form.templates]
        for name in ("one-suit", "knitted", "laizi", "card")
        for rules in [small_rules(name)]
    }
    assert texts == {
        "one-suit": [
            "three melds and two eyes of 123d 12z",
            "three melds and two eyes of 123e 12z",
        ],
        "knitted": [
            "13d 2e, one meld and an eye",
            "2d 13e, one meld and an eye",
            "5 different kinds of 13d 2e 12z, three of them twice",
            "5 different kinds of 2d 13e 12z, three of them twice",
            "four pairs which may be equal",
        ],
        "laizi": ["three melds and an eye, jokers 2z"],
        "card": [
            "133d 222e, one pong of 123e 12z, jokers 1j",
            "222d 133e, one pong of 123d 12z, jokers 1j",
            "1111z, one meld and an eye of 123d 12z, jokers 1j",
        ],
    }


def test_jokers_are_named_where_they_are_used():
    hand = Hand.parse("12346789m1122s55z", rules=parse_rules(LAIZI))
    explanation = explain(hand)
    assert explanation.headline.endswith("(laizi) wins: it is complete (deficiency 0, shanten -1).")
    assert explanation.target == (
        "It is made of:",
        "  123m: a chow; held",
        "  456m: a chow; a joker as 5m",
        "  789m: a chow; held",
        "  11s: the eye; held",
        "  222s: a pong; a joker as 2s",
    )


def test_bound_of_each_template_is_named():
    explanation = explain("123456m789p11223s", forms="half-flush")
    text = "\n".join(explanation.reasons)
    assert text.startswith("Why not fewer than 8 as half-flush (four melds and an eye of ")
    assert "four melds and an eye of 123456789m 1234567z: misses 8 or more" in text
    assert "four melds and an eye of 123456789p 1234567z: misses 11 or more" in text


def test_many_templates_are_summed_up():
    rules = get_rules("mcr")
    knitted = rules.forms[3]
    many = type(knitted)("many", FULL, knitted.templates + rules.forms[4].templates)
    hand = Hand.parse("147m258p369s1123z", tiles=FULL)
    text = explain(hand, forms=(many,)).text
    assert "14 different kinds of 147m 258p 369s 1234567z: misses 2 or more" in text
    assert "    6 other templates: misses 8 or more" in text


def test_templates_that_the_called_melds_rule_out_are_counted():
    hand = Hand.parse("12345m", melds=["111z", "789m", "222z"], rules="half-flush")
    text = explain(hand).text
    assert "  The called melds leave no hand of 2 templates." in text


@pytest.mark.parametrize("name", SMALL_FORMS)
def test_lines_about_the_target_name_every_missing_tile(name):
    rng = random.Random(name)
    for _ in range(6):
        hand, unseen = deal_hand(rng, SMALL_FORMS[name])
        certificate = certify(hand, unseen=unseen)
        explanation = explain(certificate)
        if certificate.deficiency == UNREACHABLE:
            assert explanation.target == ()
            continue
        lines = explanation.target[1:]
        jokers = sum(line.count("a joker as") for line in lines)
        missing = [word for line in lines if "missing" in line for word in _missing(line)]
        drawn_jokers = sum(
            certificate.draws[kind] for kind in RuleSet.of_form(SMALL_FORMS[name]).jokers
        )
        assert len(missing) + drawn_jokers == certificate.deficiency
        assert jokers >= drawn_jokers


def _missing(line: str) -> list[str]:
    """Return the missing tiles of the line of a block."""
    words = line.partition("missing ")[2].split(",")[0]
    return words.split() if not line.startswith("Draw") else []
