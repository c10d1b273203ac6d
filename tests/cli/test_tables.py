"""The command tables: summaries are checked, and the output lists the checked parts."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Call
from helpers.table_summary import table_summary

import mjopt.cli.tables as module


@pytest.fixture(scope="module")
def summary() -> dict[str, Any]:
    return table_summary()


def test_verification_lists_checked_and_unchecked_parts(
    mjopt: Call, tmp_path: Path, summary, monkeypatch
) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(summary))
    ran = mjopt("tables", "verify", str(path))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == f"{path}: accepted"
    assert "not checked: the proofs of entries, joins and sizes, which --again runs" in ran.out
    row = mjopt("tables", "verify", str(path), "--json").json
    assert row["accepted"]
    assert "digests and counts" in row["checked"]
    assert "which --again runs" in row["not_checked"]
    monkeypatch.setattr(module, "verify_tables", lambda *_, **__: None)  # takes seconds
    again = mjopt("tables", "verify", str(path), "--again").out
    assert "every entry, join and size was proved again" in again
    assert "not checked: the version" in again


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("405350", "7"), "suit_states: 7, but this package holds 405350"),
        (lambda text: f"[{text}]", "expected an object"),
        (lambda text: text.replace("{", '{"joins": 1, ', 1), "'joins' is given twice"),
        (lambda text: text.replace("4.5", "NaN"), "NaN, expected a finite number"),
        (lambda text: text + " " * 70_000, "more than 65,536 bytes"),
        (lambda text: text + "\udcff", "not UTF-8 text"),
    ],
)
def test_wrong_summary_is_refused(
    mjopt: Call, tmp_path: Path, summary, change, reason: str
) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(change(json.dumps(summary)).encode(errors="surrogateescape"))
    ran = mjopt("tables", "verify", str(path))
    assert ran.status == 3
    assert ran.out.startswith(f"{path}: refused: ")
    assert reason in ran.out
    assert len(ran.out.splitlines()) == 1
    assert mjopt("tables", "verify", str(path), "--json").json["accepted"] is False
