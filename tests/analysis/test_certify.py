"""Certificates of all forms, formulations and solvers against brute force."""

import dataclasses
import random

import numpy as np
import pytest
from helpers.support import AWKWARD, PAPER_HANDS, deal, hands, limits
from helpers.types_deal import types_deal
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import (
    FORMULATIONS,
    FULL,
    M0,
    SOLVERS,
    UNREACHABLE,
    Certificate,
    Hand,
    certify,
)
from mjopt.analysis.certify import BATCH_SIZE, certify_many
from mjopt.analysis.lower_bounds import lower_bounds
from mjopt.errors import ArgumentError, CertificateError, ModelError, SolverError
from mjopt.hands.blocks import eye
from mjopt.hands.rules.classic_forms import names_of, standard_template
from mjopt.hands.tiles import Suit, TileSet
from mjopt.models import brute_force, solve
from mjopt.models.formulation import Goal
from mjopt.models.shortest_path import path_arcs
from mjopt.models.solvers.base import SolveOptions, SolverResult, Termination

MODELS = [
    name
    for name, kind in FORMULATIONS.items()
    if kind().form == "standard" and kind().goal is Goal.DEFICIENCY
]
ALL_FORMS = ("standard", "seven_pairs", "thirteen_orphans")


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_awkward_hands_have_the_known_deficiency(known):
    cert = certify(known.hand)

    assert cert.deficiency == known.deficiency
    assert cert.certified
    assert sum(cert.draws) == known.deficiency
    assert Certificate.from_json(cert.to_json()) == cert


@pytest.mark.parametrize("text", PAPER_HANDS.values(), ids=list(PAPER_HANDS))
def test_published_hands_are_certified(text):
    hand = Hand.parse(text, notation="paper")
    assert certify(hand).deficiency == brute_force.deficiency(hand)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("model", MODELS)
def test_all_formulations_and_solvers_agree(model, solver):
    for hand, unseen in (
        (Hand.parse("1234m6p", called=3, partial=True), None),
        (Hand.parse("1278m", called=3), [0] * 27),
        (Hand.parse("1112223334444z", tiles=FULL), None),
    ):
        cert = certify(hand, unseen=unseen, model=model, solver=solver)
        assert cert.certified
        assert cert.deficiency == brute_force.deficiency(hand, unseen=unseen)
        assert (cert.claim.model, cert.claim.solver) == (model, solver)
        assert cert.claim.version
        assert Certificate.from_json(cert.to_json()) == cert


@settings(max_examples=40)
@given(st.data())
def test_random_hands_unseen_tiles_and_forms_match_brute_force(data):
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    allowed = ALL_FORMS if hand.tiles is FULL else ALL_FORMS[:2]
    forms = data.draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=3))

    cert = certify(hand, unseen=unseen, forms=forms)

    assert cert.deficiency == brute_force.deficiency(hand, unseen=unseen, forms=forms)
    assert names_of(cert.forms) == tuple(dict.fromkeys(forms))
    again = Certificate.from_json(cert.to_json())
    assert again == cert
    assert again.certified
    if cert.target is None:
        assert cert.deficiency == UNREACHABLE
        assert cert.draws == cert.discards == (0,) * hand.tiles.num_kinds
    else:
        assert sum(cert.draws) == cert.deficiency
        moved = np.array(hand.counts) + np.array(cert.draws) - np.array(cert.discards)
        assert tuple(moved.tolist()) == cert.target


@pytest.mark.parametrize(
    "tiles",
    [
        TileSet("one suit", (Suit("m", "characters", tuple(range(1, 10))),)),
        TileSet("gaps", (Suit("a", "low", (1, 2, 3, 5, 6, 7)), Suit("b", "high", (7, 8, 9)))),
        TileSet("winds", (Suit("z", "honours", (1, 2, 3, 4), has_chows=False),)),
        TileSet("tiny", (Suit("m", "characters", (1,)),)),
        TileSet("M0 by another name", M0.suits),
    ],
    ids=lambda tiles: tiles.name,
)
def test_custom_tile_sets_are_certified(tiles):
    rng = random.Random(5)
    for _ in range(4):
        hand = deal(rng, tiles, size=13)
        cert = certify(hand)
        assert cert.deficiency == brute_force.deficiency(hand)
        assert Certificate.from_json(cert.to_json()) == cert


def test_red_fives_and_called_melds_are_kept():
    red = certify(Hand.parse("0m", melds=["123p", "111z", "7777s", "456s"], tiles=FULL))
    again = Certificate.from_json(red.to_json())
    assert again.hand.red == red.hand.red
    assert sum(again.hand.red) == 1
    assert again.hand.melds == red.hand.melds
    assert again.hand == red.hand


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"is_infeasible": True}, "liar says unreachable with the model network, the shortest"),
        ({}, "answer open"),
        ({"values": "path", "objective": 2, "bound": 1}, "answer open"),
        ({"values": "path", "objective": 2, "bound": 2}, "liar claims 2 with network"),
        ({"values": "path", "objective": 1, "bound": 1}, "target: 2 tiles away, not 1"),
    ],
)
def test_false_solver_result_is_refused(monkeypatch, result, words):
    hand = Hand.parse("12m", called=4)
    arcs = path_arcs(standard_template(M0), M0, 4, (eye(20),))
    if "values" in result:
        result = {**result, "values": tuple(int(i in arcs) for i in range(79))}

    class Liar:
        @staticmethod
        def solve(*_):
            return SolverResult(
                solver="liar", version="1", termination=Termination.FINISHED, **result
            )

    monkeypatch.setattr(solve, "get_solver", lambda _: Liar())

    with pytest.raises((SolverError, CertificateError), match=words):
        certify(hand, model="network", solver="liar")


def test_interrupted_solver_gives_no_certificate():
    hand = Hand.parse("245568m245568p77s")
    with pytest.raises(SolverError):
        certify(hand, model="completion", options=SolveOptions(time_limit=1e-6))


@pytest.mark.parametrize("model", ["predecomposition", "partition"])
def test_models_of_other_quantities_are_refused(model):
    with pytest.raises(ModelError, match="does not find the deficiency"):
        certify(Hand.parse("12m", called=4), model=model)


def test_model_requires_the_standard_form():
    with pytest.raises(ModelError, match="about the standard form"):
        certify(Hand.parse("12m", called=4), model="network", forms=("seven_pairs",))


def test_unchecked_certificate_is_not_certified():
    """Only the checker sets the flag; it is not a field."""
    cert = certify(Hand.parse("12m", called=4))
    forged = dataclasses.replace(cert, deficiency=0)

    assert not forged.certified
    with pytest.raises(CertificateError):
        forged.verify()
    with pytest.raises(dataclasses.FrozenInstanceError):
        cert.deficiency = 0


def test_certify_many_yields_in_order(monkeypatch):
    monkeypatch.setattr("mjopt.analysis.certify.MIN_HANDS", 40)
    drawn = list(types_deal(2, 2 * BATCH_SIZE + 40, rng=np.random.default_rng(3)))

    alone = [cert.deficiency for cert in certify_many(drawn[:40])]
    shared = list(certify_many(iter(drawn), jobs=2))

    assert [cert.hand for cert in shared] == drawn
    assert [cert.deficiency for cert in shared[:40]] == alone
    assert list(certify_many([], jobs=2)) == []


@pytest.mark.parametrize("jobs", [0, -1, "2", 1.5])
def test_jobs_must_be_positive(jobs):
    with pytest.raises(ArgumentError, match="expected at least 1"):
        list(certify_many(["1112345678999m"], jobs=jobs))


def test_certify_many_raises_the_errors_of_certify():
    bad = [Hand.parse("12m", called=4)]
    with pytest.raises(ModelError):
        list(certify_many(bad, model="partition"))


@given(hands())
def test_lower_bounds_rise_to_the_deficiency(hand):
    bounds = [bound for _, bound in lower_bounds(hand)]

    assert bounds == sorted(set(bounds))
    assert bounds[0] == 0
    assert bounds[-1] == certify(hand).deficiency
