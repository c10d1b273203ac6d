"""The script that audits the paper's cost: what it prints and writes."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import paper_cost
from mjopt import Certificate, Hand
from mjopt.hands.symmetry import canonical_counts
from paper.audit import JudgedHands


class FakeAudit:
    """A few hands in place of all of them; the last is right with special case 2."""

    KONGS = ("222267m7777p3333s", "7777m7777p348888s")
    FOURTHS = "22233366669999s"
    num_hands, num_deals, num_different, deal_probability = 4, 40, 3, 0.25
    with_case_2 = (
        JudgedHands(deficiency=2, cost=2, hands=1, deals=10),
        JudgedHands(deficiency=3, cost=2, hands=3, deals=30),
    )
    without_case_2 = (
        JudgedHands(deficiency=2, cost=1, hands=1, deals=10),
        JudgedHands(deficiency=3, cost=2, hands=3, deals=30),
    )

    def different(self) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
        for text in self.KONGS:
            yield Hand.parse(text).counts, 3, 2, 2
        yield Hand.parse(self.FOURTHS, partial=True).counts, 2, 2, 1


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_cost, "audit_paper", FakeAudit)


def test_outcomes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    paper_cost.main([])
    out = capsys.readouterr().out
    assert "Eq. 8 with both special cases" in out
    assert "Eq. 8 without special case 2" in out
    assert out.count("| differs |") == 3
    assert "| 3 | 2 | 3 | 30 |" in out
    assert "3 of 4 hands cost less than their deficiency" in out
    assert "two single tiles that form a pchow" in out


@pytest.mark.parametrize("choice", ["representatives", "all", "none"])
def test_hands_and_certificates_are_written(tmp_path: Path, choice: str) -> None:
    folder = tmp_path / "out"
    paper_cost.main(["-o", str(folder), "--certificates", choice, "-j", "1"])
    document = json.loads((folder / "summary.json").read_text())
    assert document["hands"] == 4
    assert [row["hands"] for row in document["with_special_case_2"]] == [1, 3]
    assert document["representatives"] == 1
    assert document["representatives_without_special_case_2"] == 2
    rows = [*csv.DictReader((folder / "hands.csv").open())]
    assert [(r["in_family"], r["only_without_special_case_2"]) for r in rows] == [
        ("yes", "no"),
        ("yes", "no"),
        ("no", "yes"),
    ]
    for row in rows:
        hand = Hand.parse(row["hand"])
        assert Hand.parse(row["paper"], notation="paper") == hand
        like = Hand.parse(row["representative"]).counts
        assert like == canonical_counts(hand.counts, hand.tiles)
    records = [*map(json.loads, (folder / "representatives.jsonl").open())]
    assert [(r["deficiency"], r["cost"]) for r in records] == [(3, 2), (2, 1)]
    assert all(len(record["predecomposition"]) in (4, 5) for record in records)
    proofs = (folder / "certificates.jsonl").read_text().splitlines()
    assert len(proofs) == {"representatives": 2, "all": 3, "none": 0}[choice]
    for record in records if choice != "none" else []:
        certificate = Certificate.from_json(proofs[record["certificate"] - 1])
        assert certificate.hand == Hand.parse(record["hand"], partial=True)
        assert certificate.deficiency == record["deficiency"]
