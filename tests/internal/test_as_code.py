"""What is shown of a record: one short line that reads as code, and is it where it can be."""

import numpy as np
import pytest
from helpers.support import hands
from hypothesis import given

import mjopt
from mjopt import FULL, M0, Hand, TileSet, heuristics
from mjopt.game import GMJBG, RULE_SETS, RuleSet
from mjopt.game.rules import Multipliers
from mjopt.hands.blocks import Shape, kong
from mjopt.hands.tiles import Suit
from mjopt.heuristics import NDDE, TLBO, StopReason
from mjopt.heuristics.tree_search import TreeSearch
from mjopt.models.solvers import SolveOptions, Termination

HAND = Hand.parse("1112345678999m1p")
OTHER = TileSet("three", (Suit("m", "characters", (1, 9), has_chows=False), *FULL.suits[1:]))
NAMES = {name: getattr(mjopt, name) for name in mjopt.__all__} | {
    kind.__name__: kind
    for kind in (Shape, StopReason, Termination, Suit, RuleSet, Multipliers, NDDE, TLBO, TreeSearch)
}


@given(hand=hands())
def test_hands_are_read_again(hand):
    assert eval(repr(hand), NAMES) == hand
    assert len(repr(hand)) < 90


@pytest.mark.parametrize(
    "record",
    [
        *(M0, FULL, OTHER, kong(0)),
        *(Hand.parse("123m1s", melds=["111p", "234p", "7777s"]), Hand.parse("", partial=True)),
        *(Hand.parse("0m", partial=True), Hand.from_counts([1] * 13 + [0] * 14, tiles=OTHER)),
        *(NDDE(), NDDE(population=8, max_evaluations=50), TLBO(repair="random"), TreeSearch()),
        *(SolveOptions(), mjopt.Predecomposition(HAND, (kong(0),) * 0), *RULE_SETS.values()),
        *(mjopt.useful_tiles("1112345678999m"), mjopt.discards(HAND)[0], mjopt.targets(HAND)),
        heuristics.run(TreeSearch(), HAND, rng=1),
        heuristics.evaluations(5),
    ],
    ids=lambda record: f"{type(record).__name__} {str(record)[:40]}",
)
def test_records_are_made_again(record):
    names = NAMES | {"Stop": heuristics.Stop, "Result": heuristics.Result}
    assert eval(repr(record), names) == record
    assert len(repr(record)) < 500
    assert " object at " not in repr(record)


def test_the_longest_are_cut():
    for record in (mjopt.certify(HAND), mjopt.solve(HAND)):
        assert repr(record).startswith(
            f"{type(record).__name__}(hand=Hand.parse('1112345678999m1p')"
        )
        assert "deficiency=1" in repr(record) or "value=1" in repr(record)
        assert len(repr(record)) < 350
    assert (
        repr(mjopt.useful_tiles_many(np.array([[1] * 13 + [0] * 14]))) == "<UsefulBatch of 1 hands>"
    )
    assert repr(GMJBG).startswith("RuleSet(name='gmjbg', tiles=FULL, forms=('standard', ")


def test_a_battle_is_fought_again():
    fought = mjopt.battle(["l1", "l3", "l1", "l2"], games=3, seed=7, rounds=1)
    assert repr(fought) == "battle(['l1', 'l3', 'l1', 'l2'], seed=7, games=3, rounds=1)"
    assert (eval(repr(fought), NAMES).rows == fought.rows).all()
