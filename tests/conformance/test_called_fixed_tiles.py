"""Called melds that are a part of the fixed tiles: every route agrees with all whole hands."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product

import pytest
from helpers.small_forms import (
    FIVE,
    FIVE_AND_JOKER,
    THREES,
    choose_parts,
    largest_cuts,
    literal_deficiency,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import SOLVERS, UNREACHABLE, Certificate, Hand
from mjopt.analysis.formats.dual_proof import dual_proof
from mjopt.errors import CertificateError
from mjopt.hands.blocks import Block, chow, pong
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, TileSet
from mjopt.models import brute_force
from mjopt.models.shortest_path import distances
from mjopt.proofs.native_check import check_native

MODELS = ("completion", "blockwise", "network")


def form_of(name: str, tiles: TileSet, **parts: object) -> WinningForm:
    """Return a form of one template of any kinds."""
    kinds = tuple(kind for kind in range(tiles.num_kinds) if kind not in parts.get("jokers", ()))
    return WinningForm(name, tiles, (Template(kinds=kinds, **parts),))


FORMS = {
    form.name: form
    for form in (
        form_of("run", THREES, fixed=(1, 1, 1, 0, 0, 0, 0, 0), melds=2, eyes=1),
        form_of("two_groups", THREES, fixed=(1, 1, 1, 0, 0, 0, 3, 0), melds=1, eyes=1),
        form_of("squares", FIVE, fixed=(3, 3, 3, 0, 0), melds=1),
        form_of("five_runs", FIVE, fixed=(1, 1, 1, 1, 1), melds=1, eyes=1),
        form_of("no_melds", THREES, fixed=(3, 0, 0, 1, 1, 1, 0, 0), eyes=1),
        form_of("no_pongs", THREES, fixed=(0, 0, 0, 0, 0, 0, 3, 0), melds=2, has_pongs=False),
    )
}
CARD = form_of(
    "card",
    FIVE_AND_JOKER,
    fixed=(3, 1, 1, 0, 0, 0),
    melds=1,
    jokers=(5,),
    joker_parts=("melds",),
    joker_fixed=(3, 0, 0, 0, 0, 0),
)


def known_melds(tiles: TileSet) -> list[Block]:
    return [*map(chow, tiles.chow_starts), *map(pong, range(tiles.num_kinds))]


def whole_hands(form: WinningForm, melds: Sequence[Block]) -> Iterator[tuple[int, ...]]:
    """Yield the concealed tiles of every complete hand that can have the called melds."""
    called = Counter(meld.kinds for meld in melds)
    [template] = form.templates
    for parts, (use, _) in choose_parts(template, form.tiles):
        for cut in largest_cuts(template.fixed, form.tiles):
            if called <= Counter(chain(parts["melds"], cut)):
                taken = Counter(kind for meld in melds for kind in meld.kinds)
                yield tuple(copies - taken[kind] for kind, copies in enumerate(use))


@st.composite
def open_hands(draw: st.DrawFn, forms: Sequence[WinningForm]) -> Hand:
    """Return a hand of which some melds are on the table, those of the fixed part more often."""
    form = draw(st.sampled_from(forms))
    tiles, left = form.tiles, [4] * form.tiles.num_kinds
    jokers = form.templates[0].jokers
    every = [meld for meld in known_melds(tiles) if not set(jokers) & set(meld.kinds)]
    named = [m for m in every if all(form.templates[0].fixed[kind] for kind in m.kinds)]
    melds: list[Block] = []
    for _ in range(draw(st.integers(1, RuleSet.of_form(form).most_called))):
        meld = draw(st.sampled_from(named if draw(st.booleans()) else every))
        if all(left[kind] >= meld.kinds.count(kind) for kind in meld.kinds):
            melds.append(meld)
            for kind in meld.kinds:
                left[kind] -= 1
    wall = draw(st.permutations([k for k, copies in enumerate(left) for _ in range(copies)]))
    size = form.size - 3 * len(melds)
    held = wall[: max(0, size - draw(st.integers(0, 2)))]
    counts = [held.count(kind) for kind in range(tiles.num_kinds)]
    rules = RuleSet.of_form(form)
    return Hand.from_counts(counts, tiles=tiles, melds=melds, partial=True, rules=rules)


def literal(hand: Hand, form: WinningForm) -> int:
    melds = [meld.kinds for meld in hand.melds]
    query = hand.counts, hand.unseen, hand.called, melds
    return literal_deficiency(form.templates, form.tiles, *query)


def check_routes(hand: Hand, *, with_models: bool) -> None:
    [form] = hand.rules.forms
    expected = literal(hand, form)
    if not form.templates[0].jokers:
        near = (
            sum(max(0, use - held) for use, held in zip(whole, hand.counts, strict=True))
            for whole in whole_hands(form, hand.melds)
            if all(u <= h + n for u, h, n in zip(whole, hand.counts, hand.unseen, strict=True))
        )
        assert expected == min(near, default=UNREACHABLE)
    assert mjopt.deficiency(hand) == expected
    assert brute_force.deficiency(hand, forms=(form,)) == expected
    assert distances(HandQuery(hand, general=True)) == {form: expected}
    certificate = mjopt.certify(hand)
    assert certificate.deficiency == expected
    assert Certificate.from_json(certificate.to_json()) == certificate
    assert mjopt.is_win(hand) == (expected == 0 and hand.is_full)
    if with_models:
        for model, solver in product(MODELS, SOLVERS):
            assert mjopt.solve(hand, model=model, solver=solver).value == expected


@settings(max_examples=15, deadline=None)
@given(open_hands([*FORMS.values(), CARD]))
def test_tables_networks_certificates_and_brute_force_agree(hand: Hand) -> None:
    check_routes(hand, with_models=False)


@settings(max_examples=400, deadline=None)
@given(open_hands([*FORMS.values(), CARD]))
def test_integer_programs_agree_as_well(hand: Hand) -> None:
    check_routes(hand, with_models=True)


@pytest.mark.parametrize(
    ("text", "melds", "value"),
    [
        ("23m44p67s", ["777z", "123s"], 2),  # a pong of dragons is done
        ("456789m11p", ["555m", "123m"], 0),  # a chow of the straight is done, and a free pong
        ("156789m11p", ["555m", "234m"], 2),  # no straight is cut so: one suit
        ("55m", ["1111m", "123p", "123s", "777z"], 0),
        ("123p11z", ["123m", "123s", "789s"], 0),
        ("124p11z", ["123m", "123s", "789s"], 1),
    ],
)
def test_open_hands_of_riichi(text: str, melds: list[str], value: int) -> None:
    """The models and the solvers in turn answer as the tables and the certificates."""
    hand = Hand.parse(text, tiles=FULL, melds=melds, partial=True)
    forms = "riichi-open"
    assert mjopt.deficiency(hand, forms=forms) == value
    assert mjopt.deficiency(hand, forms=forms, model="blockwise", solver="cp-sat") == value
    certificate = mjopt.certify(hand, forms=forms)
    assert certificate.deficiency == value
    assert mjopt.is_win(hand, forms=forms) == (value == 0 and hand.is_full)


def test_called_melds_without_names_are_no_fixed_tiles() -> None:
    rules, counts = RuleSet.of_form(FORMS["run"]), [0, 0, 0, 0, 0, 0, 0, 2]
    assert mjopt.deficiency(Hand.from_counts(counts, called=3, partial=True, rules=rules)) == (
        UNREACHABLE
    )
    melds = [chow(0), chow(3), pong(6)]
    assert mjopt.deficiency(Hand.from_counts(counts, melds=melds, called=3, rules=rules)) == 0
    two = Hand.from_counts([0, 0, 0, 1, 1, 1, 0, 2], called=2, partial=True, rules=rules)
    assert mjopt.deficiency(two) == 3


def test_programs_of_proofs_have_the_called_tiles_of_no_fixed_part() -> None:
    hand = Hand.parse("456789m11p", tiles=FULL, melds=["555m", "123m"], partial=True)
    proof = mjopt.certify(hand, forms="riichi-open.straight")
    assert dual_proof(proof).value == 0
    assert "fixed" in mjopt.explain(hand, forms="riichi-open.straight").text


def test_splits_leave_out_called_fixed_tiles() -> None:
    hand = Hand.parse("456789m11p", tiles=FULL, melds=["555m", "123m"])
    query = HandQuery(hand, "riichi-open.straight", general=True)
    [form] = query.forms
    found = [find_splits(hand.counts, FULL, part, hand.called) for part in query.templates(form)]
    assert sum(map(len, found)) == 1
    assert len(mjopt.decompositions(hand, forms=form)) == 1


def test_checker_refuses_evidence_that_lacks_a_way_to_count_the_melds() -> None:
    rules = RuleSet.of_form(FORMS["run"])
    hand = Hand.from_counts([0, 0, 0, 1, 1, 0, 0, 2], melds=[chow(0)], partial=True, rules=rules)
    document = mjopt.certify(hand).to_document()
    parts = document["bounds"]["run"]["templates"]
    assert len(parts) == 2
    del parts[1]
    with pytest.raises(CertificateError, match="evidence for 1 templates, expected 2"):
        check_native(document)
