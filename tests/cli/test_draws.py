"""The command draws."""

from fractions import Fraction
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.surroundings import without_packages

from mjopt import FULL, Hand, expected_draws, rank_discards

EXAMPLE = ("draws", "113399s", "--called", "2", "--partial", "--wall", "1223s2z", "--tiles", "136")


def test_mean_and_curve_are_printed(mjopt: Call) -> None:
    ran = mjopt(*EXAMPLE)
    assert (ran.status, ran.err) == (0, "")
    assert "3.2000 = 16/5" in ran.out
    assert "least, most" in ran.out
    assert "60.00%" in ran.out
    assert ran.out.count("█") > 40


def test_json_has_the_exact_distribution(mjopt: Call) -> None:
    document = mjopt(*EXAMPLE, "--json").json
    assert document["mean"] == "16/5"
    assert document["mean_float"] == 3.2
    assert document["ways"] == ["1", "5", "8", "4", "0", "0"]
    assert document["curve"] == [0, 0, 0.2, 0.6, 1, 1]
    assert (document["deficiency"], document["most"], document["wall_size"]) == (2, 4, 5)
    assert document["wall"] == "1223s2z"
    assert document["quantiles"] == {"0.1": 2, "0.5": 3, "0.9": 4}


def test_discards_are_ranked(mjopt: Call) -> None:
    hand = Hand.parse("4569m13445788p2s4z", tiles=FULL)
    words = ("draws", hand.to_text(), "--tiles", "136", "--forms", "standard,seven_pairs")
    ranked = rank_discards(hand, forms=("standard", "seven_pairs"))
    document = mjopt(*words, "--json").json
    assert document["best"] == ["4z"]
    for row, known in zip(document["discards"], ranked, strict=True):
        assert row["discard"] == FULL.names[known.kind]
        assert Fraction(row["mean"]) == known.mean
        assert Fraction(row["change"]) == known.change
        assert row["rank"] == known.rank
        assert row["useful"] == {FULL.names[kind]: copies for kind, copies in known.useful}
    ran = mjopt(*words)
    lines = ran.out.splitlines()
    [best] = [line for line in lines if "best" in line]
    assert "4z" in best
    assert "11.4180" in best
    assert "2468p" in best


def test_ties_are_marked(mjopt: Call) -> None:
    ran = mjopt("draws", "123m456p789s11m567z", "--tiles", "136")
    tied = [line for line in ran.out.splitlines() if "1=" in line]
    assert len(tied) == 3
    assert all("best" in line for line in tied)


def test_tiles_seen_elsewhere_are_not_in_the_wall(mjopt: Call) -> None:
    hand = Hand.parse("1112345678999m")
    seen = Hand.parse("2233m19p", partial=True).counts
    wall = [left - gone for left, gone in zip(hand.unseen, seen, strict=True)]
    words = ("draws", "1112345678999m", "--seen", "2233m19p", "--json")
    assert Fraction(mjopt(*words).json["mean"]) == expected_draws(hand, wall=wall).mean
    document = mjopt(*words, "--wall", "2233345m19p").json
    assert document["wall"] == "345m"


def test_hopeless_wall_never_completes_the_hand(mjopt: Call) -> None:
    ran = mjopt("draws", "1112345678999m", "--wall", "")
    assert ran.status == 0
    assert "never" in ran.out
    document = mjopt("draws", "1112345678999m", "--wall", "", "--json").json
    assert (document["mean"], document["mean_float"], document["is_certain"]) == (None, None, False)
    ranked = mjopt("draws", "1112345678999m1p", "--wall", "", "--json").json
    assert {row["change"] for row in ranked["discards"]} <= {"0", None}
    assert mjopt("draws", "1112345678999m1p", "--wall", "").status == 0


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_curve_is_plotted(mjopt: Call, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"curve.{ending}"
    assert mjopt(*EXAMPLE, "-o", str(path)).status == 0
    assert path.stat().st_size > 1000
    ranked = ("draws", "1112345678999m1p", "-o", str(path))
    assert mjopt(*ranked).status == 0
    if ending == "svg":
        assert "1p: mean" in path.read_text()


@without_packages("matplotlib")
def test_missing_matplotlib_is_named(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt(*EXAMPLE, "-o", str(tmp_path / "curve.png"))
    assert ran.status == 2
    assert ran.err == "mjopt: matplotlib is not installed: pip install 'mjopt[experiments]'\n"
