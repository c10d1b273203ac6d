"""The message for an accepted certificate of win chances."""

import json
from pathlib import Path

from reference_implementations.win_chance import World, certificate

from mjopt import Hand, certify
from mjopt.analysis.formats import verify_files
from mjopt.proofs import Limits

WORLD = World((1, 1, 2, 1) + (0,) * 23, 3, (1, 1, 1, 1, 3, 2) + (0,) * 21, 5, 1)
GIVEN = "12334m with 3 called and only 123455566m unseen, 5 draws: "
LOWER = (
    "some way to play wins with at least 0.860714 throwing 3m, 0.854365 throwing 1m, "
    "0.768121 throwing 2m, 0.767063 throwing 4m"
)
SMALL = certify(Hand.parse("12m", called=4))
UPPER = "with best discarding within waste 1 at most "


def statement(folder: Path, document: object) -> str:
    path = folder / "chance.json"
    path.write_text(json.dumps(document))
    [result] = verify_files([path])
    assert result.is_accepted, result.message
    return result.message


def without(document: dict, name: str, **more: None) -> dict:
    claims = [claim | {name: None} for claim in document["claims"]]
    return document | {"claims": claims, name: None, **more}


def test_discards_with_the_best_lower_bounds_are_first(tmp_path: Path) -> None:
    """Their order by upper bounds, like that in the file, is another."""
    document = certificate(WORLD)
    upper = "0.943982 throwing 3m, 0.951654 throwing 1m, 0.960847 throwing 2m, 0.841138 throwing 4m"
    assert statement(tmp_path, document) == f"{GIVEN}{LOWER}; {UPPER}{upper}"
    assert statement(tmp_path, without(document, "upper")) == f"{GIVEN}{LOWER}"


def test_discards_without_lower_bounds_are_in_order_of_the_upper(tmp_path: Path) -> None:
    document = without(certificate(WORLD), "lower", policy=None)
    upper = "0.960847 throwing 2m, 0.951654 throwing 1m, 0.943982 throwing 3m, 0.841138 throwing 4m"
    assert statement(tmp_path, document) == f"{GIVEN}{UPPER}{upper}"


def test_limit_on_a_line_is_one_of_bytes(tmp_path: Path) -> None:
    """A line of fewer characters is not read either."""
    path = tmp_path / "lines.jsonl"
    long = json.dumps({"a": "\u00e9" * 60_000}, ensure_ascii=False)
    path.write_text(f"{SMALL.to_json()}\n{long}\n", "utf-8")
    [result] = verify_files([path], limits=Limits(bytes=100_000))
    assert not result.is_accepted
    assert "line 2: JSON: past the limit of 100,000 bytes" in result.message
