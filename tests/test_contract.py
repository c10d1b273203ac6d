"""Every Python name of the public contract, called once as its definition is written."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from helpers.surroundings import environment

import mjopt
from mjopt.chances.ceiling.build import build_ceiling
from mjopt.chances.ceiling.table import TableKey
from mjopt.errors import MjoptError

LOGS = Path(__file__).parent / "data" / "logs" / "tenhou-mjlog"
LEFT = [4 - copies for copies in mjopt.Hand.parse("123m406p123789s11z", tiles=mjopt.FULL).counts]


def test_hands() -> None:
    hand = mjopt.Hand.parse("123m406p123789s11z", tiles=mjopt.FULL)
    assert mjopt.Hand.from_counts(hand.counts).counts == hand.counts
    assert (hand.to_text(notation="mpsz"), hand.called) == ("123m406p123789s11z", 0)
    paper = mjopt.Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper")
    assert mjopt.Hand.from_counts(list(paper.counts)).tiles == mjopt.M0
    assert mjopt.Hand.from_counts([1, 1, 2, *[0] * 31], called=3, partial=True).called == 3
    assert mjopt.Hand.parse("19m19p19s1234z", tiles="sanma", called=1).called == 1
    assert mjopt.Hand.parse("123456789m123p12358s", rules="taiwan").num_tiles == 17


def test_deficiency() -> None:
    hand = mjopt.Hand.parse("123m406p123789s11z", tiles=mjopt.FULL)
    assert mjopt.deficiency(hand) == 0
    assert mjopt.deficiency(hand, model="network", solver="cp-sat") == 0
    forms = ("standard", "seven_pairs", "thirteen_orphans")
    assert mjopt.deficiency(hand, unseen=LEFT, forms=forms) == 0
    nothing = mjopt.deficiency("1112345678999m", unseen=[0] * 27)
    assert nothing == mjopt.UNREACHABLE
    assert mjopt.is_win(hand)
    assert len(mjopt.decompositions(hand)) == 1
    assert mjopt.label(np.array([hand.counts], np.uint8), threads=1).tolist() == [0]
    assert mjopt.deficiency("123456m789p1146s1z") == 1
    assert mjopt.shanten("123456m789p1146s1z") == 0
    assert mjopt.deficiency(hand, forms="mcr") == 0


def test_one_hand() -> None:
    hand = mjopt.Hand.parse("123456m789p1146s1z")
    assert mjopt.discards(hand)
    assert mjopt.useful_tiles("123456m789p1146s")
    assert mjopt.targets(hand)
    cert = mjopt.certify(hand)
    assert (cert.deficiency, cert.certified) == (1, True)
    assert cert.target
    assert cert.decomposition
    cert.verify()
    assert mjopt.Certificate.from_json(cert.to_json()) == cert


def test_finders(tmp_path: Path) -> None:
    hand = mjopt.Hand.parse("123456m789p1146s1z")
    rng = np.random.default_rng(1)
    result = mjopt.heuristics.run("ndde", hand, rng=rng, population=20, generations=50)
    assert result.value >= 1
    assert result.history
    mjopt.export(hand, tmp_path / "hand.mps.gz", model="network")
    assert (tmp_path / "hand.mps.gz").stat().st_size


def test_chances() -> None:
    hand = mjopt.Hand.parse("123456m789p1146s1z")
    wall = [*hand.unseen]
    draws = mjopt.expected_draws(hand, wall=wall, forms=("standard",))
    assert isinstance(draws.mean, Fraction)
    assert draws.curve[-1] == 1
    assert draws.quantile(0.5)
    play = mjopt.optimal_play(hand, wall=wall, draws=18)
    for row in play.discards:
        assert row.kind is not None
        assert row.lower <= row.upper
        assert row.upper_any >= row.lower
        assert row.is_exact in (True, False)


def test_ceilings(tmp_path: Path) -> None:
    with environment(MJOPT_DATA=tmp_path):
        with pytest.raises(MjoptError, match="no ceiling table for this hand"):
            mjopt.ceiling("123456m789p1146s1z", draws=18, table=None)
        table = build_ceiling(tmp_path / "small", key=TableKey(called=3, draws=6))
    hand = mjopt.Hand.parse("1267m9p", called=3)
    c = mjopt.ceiling(hand, draws=6, table=table)
    assert 0 < c.value <= 1
    assert c.discards
    assert (
        len(mjopt.ceiling_many(np.array([hand.counts], np.uint8), called=3, draws=6, table=table))
        == 1
    )


def test_advice() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    advice = mjopt.advise(hand, draws=7, seen="115m9s", offered="4m")
    assert advice.options[0].action == "chow"
    for row in advice.options:
        assert row.at_least <= row.at_most
        assert row.lost is not None
        assert row.deficiency
        assert row.useful


def test_danger() -> None:
    position = mjopt.Position.parse("2378m345p6688s11z seen=115m9s")
    opponents = [mjopt.Opponent(discards="15m", is_ready=True), "passed=9s"]
    danger = mjopt.danger(position, opponents=opponents, prior="riichi-2022")
    assert danger.of("1m").verdict == "possible"
    assert {row.kind for row in danger.discards} <= {*range(34)}
    for row in danger.kinds:
        assert 0 <= row.share <= 1


def test_review() -> None:
    review = mjopt.play.review(LOGS / "game-15.mjlog")
    assert review.judged.discards


def test_lengths_of_hands_with_called_melds() -> None:
    with pytest.raises(MjoptError, match="expected 8 or 7"):
        mjopt.Hand.from_counts([1, 1, 1, *[0] * 24], called=2)
