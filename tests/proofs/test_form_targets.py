"""Targets of the forms of rule sets: a target that a template forbids is refused.

Every target here is as near as the true one, and its numbers fit; only the blocks may be wrong.
"""

import copy
import json
import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from helpers.mutated_forms import refit, resign
from helpers.small_forms import FOUR, Parts, choose_parts

from mjopt import M0, UNREACHABLE, Certificate, Hand, RuleSet, certify
from mjopt.errors import CertificateError
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import Suit, TileSet
from mjopt.proofs import check_native, read_native

Blocks = list[list[Any]]
Counts = tuple[int, ...]

TILES = '[tiles]\nsuits = "d"\nhonours = 2\nwithout = "6789d"\n'


def rules_of(size: int, form: str, jokers: str = "") -> RuleSet:
    """Return a rule set of one form, over 12345d and 12z, which are the kinds 0 to 6."""
    return parse_rules(f'name = "tested"\nsize = {size}\n{TILES}{jokers}[[form]]\n{form}')


def reason(certificate: Certificate, blocks: Blocks) -> str | None:
    """Return why another target is refused; empty if it is not, None if it is not as near."""
    document = copy.deepcopy(certificate.to_document())
    document["target"]["blocks"] = blocks
    refit(document)
    if document["deficiency"] != certificate.deficiency:
        return None
    resign(document)
    try:
        check_native(read_native(json.dumps(document)))
    except CertificateError as error:
        return str(error)
    return ""


FORBIDDEN = "target.blocks: the eyes and singles are not those of the template"


def eyes(*kinds: int) -> Blocks:
    return [["eye", [kind] * 2] for kind in kinds]


@pytest.mark.parametrize(
    ("form", "counts", "right", "wrong"),
    [
        # An eye of 1z or 2z, which is not allowed.
        (
            'melds = 1\neyes = 1\nkinds = "12345d1z"',
            [1, 1, 1, 0, 0, 1, 1],
            [["chow", [0, 1, 2]], *eyes(5)],
            [["chow", [0, 1, 2]], *eyes(6)],
        ),
        # The same for one of three pairs.
        (
            'pairs = 3\nkinds = "12345d1z"',
            [2, 2, 0, 0, 0, 1, 1],
            eyes(0, 1, 5),
            eyes(0, 1, 6),
        ),
        # For a kind that is twice there, of three different ones.
        (
            'distinct = 3\ndoubled = 2\nof = "123d1z"',
            [1, 2, 0, 0, 0, 1, 1],
            [["single", [0]], *eyes(1, 5)],
            [["single", [0]], *eyes(1, 6)],
        ),
        # And for a kind that is there once.
        (
            'distinct = 3\nof = "123d1z"',
            [1, 1, 0, 0, 0, 0, 1],
            [["single", [0]], ["single", [1]], ["single", [5]]],
            [["single", [0]], ["single", [1]], ["single", [3]]],
        ),
    ],
    ids=["eye", "pair", "doubled", "single"],
)
def test_kind_that_a_template_forbids_is_refused(form, counts, right, wrong):
    size = sum(len(kinds) for _, kinds in right)
    certificate = certify(Hand.from_counts(counts, rules=rules_of(size, form), partial=True))
    assert reason(certificate, right) == ""
    assert reason(certificate, wrong) == FORBIDDEN


NOTHING = (0,) * 6
JOKER = {"fixed": NOTHING, "jokers": (5,)}
TEMPLATES = {
    "melds": Template(melds=1, eyes=1, kinds=(0, 1, 2, 3), joker_parts=("melds",), **JOKER),
    "eyes": Template(eyes=2, melds=1, kinds=(0, 1, 2, 3), joker_parts=("eyes",), **JOKER),
    "pairs": Template(eyes=1, pairs=2, kinds=(0, 1, 3), joker_parts=("pairs",), **JOKER),
    "only pairs": Template(pairs=3, kinds=(0, 1, 3), joker_parts=("pairs",), **JOKER),
    "equal pairs": Template(
        pairs=2, has_equal_pairs=True, kinds=(0, 1, 4), joker_parts=("pairs",), **JOKER
    ),
    "distinct": Template(
        distinct=2,
        doubled=1,
        of=(0, 2, 4),
        eyes=1,
        kinds=(0, 4),
        joker_parts=("distinct",),
        **JOKER,
    ),
    "fixed": Template(
        fixed=(1, 2, 0, 0, 0, 0),
        joker_fixed=(1, 1, 0, 0, 0, 0),
        eyes=1,
        kinds=(0, 1, 3),
        jokers=(5,),
    ),
    "chows": Template(
        melds=2, has_pongs=False, kinds=(0, 1, 2, 3), joker_parts=("melds",), **JOKER
    ),
    "pongs": Template(melds=1, eyes=1, has_chows=False, kinds=(0, 1, 2, 4), fixed=NOTHING),
}


@pytest.mark.parametrize(
    ("parts", "held", "right", "wrong", "start"),
    [
        # A joker for the eye, beside a chow; the joker may stand for tiles of melds only.
        (
            ("melds",),
            [1, 1, 1, 0, 0, 1],
            [["chow", [0, 1, 2]], ["eye", [2, 2]], ["joker", [2]]],
            [["chow", [0, 1, 2]], ["eye", [3, 3]], ["joker", [3]]],
            FORBIDDEN,
        ),
        (
            ("melds",),
            [0, 1, 1, 1, 0, 1],
            [["chow", [1, 2, 3]], ["eye", [1, 1]], ["joker", [1]]],
            [["chow", [1, 2, 3]], ["eye", [0, 0]], ["joker", [0]]],
            FORBIDDEN,
        ),
        # Four jokers for three tiles.
        (
            ("melds",),
            [1, 0, 0, 0, 0, 4],
            [["pong", [2] * 3], ["eye", [0, 0]], ["joker", [2] * 3]],
            [["pong", [2] * 3], ["eye", [0, 0]], ["joker", [2] * 4]],
            FORBIDDEN,
        ),
        # A fifth copy.
        (
            ("melds", "eyes"),
            [3, 0, 0, 0, 0, 1],
            [["pong", [0] * 3], ["eye", [1, 1]], ["joker", [1]]],
            [["pong", [0] * 3], ["eye", [0, 0]], ["joker", [0]]],
            "target.blocks: 5 copies of 1m",
        ),
    ],
    ids=["chow before", "chow after", "four for three", "fifth"],
)
def test_joker_that_a_template_forbids_is_refused(parts, held, right, wrong, start):
    template = Template(melds=1, eyes=1, kinds=(0, 1, 2, 3), joker_parts=parts, **JOKER)
    rules = RuleSet.of_form(WinningForm("tested", FOUR, (template,)))
    certificate = certify(Hand.from_counts(held, rules=rules, partial=True))
    assert reason(certificate, right) == ""
    assert reason(certificate, wrong) == start


@pytest.mark.parametrize(
    "parts",
    [
        {"distinct": 1, "doubled": 1, "of": (1, 2), "joker_parts": ("distinct",)},
        {"pairs": 1, "joker_parts": ("pairs",)},
    ],
    ids=["doubled", "pair"],
)
def test_three_jokers_for_two_tiles_are_refused(parts):
    """The third is of no use, since the eye is not of the parts for which jokers stand."""
    template = Template(eyes=1, kinds=(0, 1, 2), **parts, **JOKER)
    rules = RuleSet.of_form(WinningForm("tested", FOUR, (template,)))
    certificate = certify(Hand.from_counts([1, 0, 0, 0, 0, 3], rules=rules))
    assert reason(certificate, [*eyes(0, 2), ["joker", [2] * 2]]) == ""
    assert reason(certificate, [*eyes(0, 2), ["joker", [2] * 3]]) == FORBIDDEN


TWO_JOKERS = Template(
    melds=1, eyes=1, kinds=(0, 1, 2, 3), fixed=NOTHING, jokers=(4, 5), joker_parts=("melds",)
)


def test_hands_with_spare_jokers_of_two_kinds_have_certificates():
    rules = RuleSet.of_form(WinningForm("tested", FOUR, (TWO_JOKERS,)))
    for natural in product(range(2), repeat=4):
        if sum(natural) < 4:
            certificate = certify(Hand.from_counts([*natural, 1, 1], rules=rules, partial=True))
            assert Certificate.from_json(certificate.to_json()) == certificate


@pytest.mark.parametrize(
    ("held", "unseen", "blocks"),
    [
        # Two jokers to draw, of which only one is 1z.
        (
            [2, 1, 0, 0, 0, 0],
            [0, 0, 0, 0, 1, 2],
            [["chow", [1, 2, 3]], ["eye", [0, 0]], ["joker", [2]], ["joker", [3]]],
        ),
        # One joker to discard, of 1z and 2z.
        (
            [1, 1, 1, 0, 1, 1],
            [4] * 6,
            [["chow", [0, 1, 2]], ["eye", [0, 0]], ["joker", [0]]],
        ),
    ],
    ids=["draw", "discard"],
)
def test_jokers_of_the_first_kind_stand_in_first(held, unseen, blocks):
    rules = RuleSet.of_form(WinningForm("tested", FOUR, (TWO_JOKERS,)))
    hand = Hand.from_counts(held, rules=rules, partial=True)
    assert reason(certify(hand, unseen=unseen), blocks) == ""


def test_no_target_has_more_than_64_blocks():
    """That is 32 tiles, each a block, and for each of them a joker."""
    honours = Suit("z", "honours", (1, 2, 3, 4), has_chows=False)
    tiles = TileSet("wide", (*M0.suits, Suit("d", "more", tuple(range(1, 10))), honours))
    template = Template(
        fixed=(0,) * 40,
        distinct=32,
        of=tuple(range(32)),
        jokers=tuple(range(32, 40)),
        joker_parts=("distinct",),
    )
    rules = RuleSet.of_form(WinningForm("tested", tiles, (template,)))
    certificate = certify(Hand.from_counts([0] * 32 + [4] * 8, rules=rules))
    blocks = [[str(block.shape), [*block.kinds]] for block in certificate.decomposition]
    assert len(blocks) == 64
    assert reason(certificate, blocks) == ""
    document = certificate.to_document()
    for wrong in (blocks + blocks[:1], {}, None):
        document["target"]["blocks"] = wrong
        with pytest.raises(CertificateError, match=r"^target\.blocks: .*expected a list"):
            check_native(document)


def blocks_of(parts: dict[str, Parts], fixed: Counts) -> Blocks:
    """Return the blocks of a choice of parts."""
    blocks: Blocks = [["fixed", [k] * copies] for k, copies in enumerate(fixed) if copies]
    blocks += [["chow" if a < b else "pong", [a, b, c]] for a, b, c in parts["melds"]]
    blocks += [["eye", [*pair]] for name in ("eyes", "pairs") for pair in parts[name]]
    singles = Counter(kind for (kind,) in parts["distinct"])
    blocks += [["single" if n == 1 else "eye", [kind] * n] for kind, n in singles.items()]
    return sorted(blocks)


@pytest.mark.parametrize("name", TEMPLATES)
def test_target_is_accepted_exactly_if_its_parts_are_those_of_the_template(name):
    """Candidates have parts of any kinds, and jokers for any tiles."""
    template, rng = TEMPLATES[name], random.Random(name)
    every = tuple(range(FOUR.num_kinds))
    loose = replace(
        template,
        kinds=every if template.kinds else (),
        of=every if template.of else (),
        has_chows=True,
        has_pongs=True,
        has_equal_pairs=True,
        has_fifth=True,
    )
    allowed: dict[str, list[Counts]] = defaultdict(list)
    for parts, (_, eligible) in choose_parts(template, FOUR):
        allowed[str(blocks_of(parts, template.fixed))].append(eligible)
    candidates = [
        (blocks_of(parts, template.fixed), use) for parts, (use, _) in choose_parts(loose, FOUR)
    ]
    rules = RuleSet.of_form(WinningForm("tested", FOUR, (template,)))
    accepted = refused = 0
    while accepted < 10 or refused < 10:
        parts, use = rng.choice(candidates)
        jokers = [0] * FOUR.num_kinds
        if template.jokers:
            jokers[rng.choice(every)] += rng.choice([0, 0, 0, 1])
            jokers[rng.choice([kind for kind in every if use[kind]])] += rng.randint(0, 3)
        held = [min(4, max(0, n - stand_in)) for n, stand_in in zip(use, jokers, strict=True)]
        held[5] = min(4, sum(jokers)) if template.jokers else held[5]
        for kind in rng.choices(every, k=2):
            held[kind] = max(0, held[kind] - 1)
        while sum(held) > rules.size:
            held[rng.choice([kind for kind in every if held[kind]])] -= 1
        certificate = certify(Hand.from_counts(held, rules=rules, partial=True))
        blocks = [*parts, *(["joker", [k] * n] for k, n in enumerate(jokers) if n)]
        why = None if certificate.deficiency == UNREACHABLE else reason(certificate, blocks)
        if why is None:
            continue
        is_allowed = any(
            all(n <= able for n, able in zip(jokers, eligible, strict=True))
            for eligible in allowed[str(parts)]
        )
        assert (why == "") == is_allowed, (blocks, held, why)
        accepted += is_allowed
        refused += not is_allowed
