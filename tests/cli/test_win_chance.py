"""`mjopt win-chance`: table and certificates."""

import json
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.surroundings import environment

from mjopt.chances.ceiling import TableKey, build_ceiling
from mjopt.proofs import Limits

HAND = "22557m234p34789s3z"


@pytest.mark.parametrize("name", ["proof.json", "proof.json.gz"])
def test_certificate_is_accepted(mjopt: Call, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    ran = mjopt("win-chance", HAND, "--draws", "6", "--waste", "0", "-o", str(path))
    assert ran.status == 0
    document = json.loads(mjopt("win-chance", HAND, "--draws", "6", "--waste", "0", "--json").out)
    assert document["discards"][0]["is_exact"]
    text = " ".join(ran.out.split())
    assert (
        "No tile is named: only plays of waste 0 (10 hands) were searched, among which 3z" in text
    )
    assert "Another tile may be better; --waste 1 includes more plays" in text
    assert text.endswith(
        "`mjopt ceiling build --tiles 136 --draws 6` bounds all plays more closely."
    )
    assert mjopt("verify", str(path)).status == 0


def test_large_certificate_names_the_limit_that_verify_needs(
    mjopt: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjopt.cli.win_chance.LIMITS", Limits(bytes=500))
    path = tmp_path / "proof.json"
    ran = mjopt("win-chance", HAND, "--draws", "2", "--waste", "0", "-o", str(path))
    size = path.stat().st_size
    assert ran.status == 0
    assert ran.err.splitlines() == [
        f"mjopt: {path}: a certificate of {size:,} bytes; `mjopt verify` accepts it with "
        f"--limits bytes={size}"
    ]
    assert mjopt("verify", str(path), "--limits", f"bytes={size - 2}").status == 3
    assert mjopt("verify", str(path), "--limits", f"bytes={size}").status == 0


@pytest.mark.parametrize(
    ("hand", "more", "words"),
    [
        (HAND, ("--draws", "2", "--waste", "9"), "is proven against all plays ("),
        (HAND[:-2], ("--draws", "2"), "The chance to win within 2 draws is 0.0"),
        (
            "1124m1124p456789s",
            ("--draws", "8", "--waste", "1", "--tiles", "136"),
            "another discard may be better by at most 0.0000",
        ),
    ],
)
def test_summary_names_the_plays(mjopt: Call, hand: str, more: tuple[str, ...], words: str) -> None:
    assert words in " ".join(mjopt("win-chance", hand, *more).out.split())


def test_seen_tiles_leave_the_wall(mjopt: Call) -> None:
    documents = [
        json.loads(mjopt("win-chance", HAND, "--draws", "4", "--json", *more).out)
        for more in ((), ("--seen", "2222s"))
    ]
    first, second = (document["discards"][0]["lower_float"] for document in documents)
    assert second < first
    assert documents[1]["wall_size"] == documents[0]["wall_size"] - 4
    refused = mjopt("win-chance", HAND, "--seen", "333z3z")
    assert refused.status == 2
    assert "--seen" in refused.err


def test_ceiling_table_is_named_and_used(mjopt: Call, tmp_path: Path) -> None:
    key = TableKey(called=3, draws=5)
    line = ("win-chance", "1266m9p", "--called", "3", "--draws", "5", "--waste", "0")
    assert "mjopt ceiling build --tiles m0 --called 3 --draws 5" in mjopt(*line).out

    build_ceiling(tmp_path / key.file_name, key=key)
    with environment(MJOPT_DATA=tmp_path):
        assert "ceiling build" not in mjopt(*line).out
        assert "is a guide, not a bound" in " ".join(mjopt(*line, "--seen", "1p").out.split())
        assert "ceiling build" in mjopt(*line, "--ceiling", "none").out
        wrong = mjopt(*line, "--ceiling", __file__)
    assert (wrong.status, "not a ceiling table" in wrong.err) == (2, True)


@pytest.mark.parametrize("waste", ["1" * 5000, "x" * 5000, "-1", "1.5", "٣" * 10])
def test_waste_is_a_small_whole_number(mjopt: Call, waste: str) -> None:
    ran = mjopt("win-chance", HAND, f"--waste={waste}")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "expected 0, 1, ... or auto" in ran.err
    assert len(ran.err) < 200
