"""`mjopt win-chance`: the table, certificates, refusals; `discards --draws`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import Ran

HAND = "22557m234p34789s3z"


@pytest.mark.parametrize("name", ["proof.json", "proof.json.gz"])
def test_its_certificate_is_accepted(mjopt: Callable[..., Ran], tmp_path: Path, name: str) -> None:
    """Packed or not; what it prints is rounded outwards."""
    path = tmp_path / name
    ran = mjopt("win-chance", HAND, "--draws", "6", "--waste", "0", "-o", str(path))
    assert ran.status == 0
    document = json.loads(mjopt("win-chance", HAND, "--draws", "6", "--waste", "0", "--json").out)
    assert document["discards"][0]["is_exact"]
    assert "for plays of waste 0: more waste may gain (10 hands)" in ran.out
    assert mjopt("verify", str(path)).status == 0


def test_seen_tiles_leave_the_wall(mjopt: Callable[..., Ran]) -> None:
    """And with them the chance falls; a tile too many is refused."""
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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--waste", "much"), "--waste much: expected 0, 1, ... or auto"),
        (("--draws", "-1"), "draws: -1, expected 0 or more"),
        (("-o", "proof.txt", "--waste", "0"), "expected a name that ends in .json or .json.gz"),
    ],
)
def test_what_cannot_be_is_refused(
    mjopt: Callable[..., Ran], given: tuple[str, ...], told: str
) -> None:
    """In one line, with status 2."""
    ran = mjopt("win-chance", HAND, *given)
    assert ran.status == 2
    assert told in ran.err


def test_discards_show_both_bounds(mjopt: Callable[..., Ran]) -> None:
    """As `win-chance` has them."""
    ran = mjopt("discards", HAND, "--draws", "3", "--json")
    rows = {row["discard"]: row["within"] for row in json.loads(ran.out)["discards"]}
    asked = json.loads(mjopt("win-chance", HAND, "--draws", "3", "--json").out)
    for row in asked["discards"]:
        assert rows[row["discard"]]["lower"] == row["lower"]
        assert rows[row["discard"]]["upper"] == row["upper"]
    assert "within 3: at least" in mjopt("discards", HAND, "--draws", "3").out
