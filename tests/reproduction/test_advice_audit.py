"""The audit of advice: counts, resumption and output files."""

import csv
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.ceiling_tables import ALL_KEYS, install_flat_tables
from helpers.dataset_folders import everything

from advice.audit import ROWS, AdviceAudit, audit_advice
from advice.report import FEW, advice_table, plot_advice, write_report
from mjopt import rank_discards
from mjopt._internal.plot_style import to_svg
from mjopt.datasets import read_recipe
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.hand import Hand
from mjopt.statistics import wilson
from mjopt.tables.useful import best_discard_masks, judge_discards

RECIPES = ("stratified:30:1=1", "stratified:4:0=0.5,2=0.5")
HOW = {"draws": 2, "seed": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("advice")


@pytest.fixture(scope="module")
def audit(folder: Path) -> AdviceAudit:
    found = audit_advice(RECIPES, folder, **HOW)
    write_report(found, folder)
    return found


def test_verdicts_cover_every_rule_deficiency_and_number_of_draws(
    audit: AdviceAudit,
) -> None:
    keys = [(one.advice, one.deficiency, one.draws, one.hands) for one in audit.judged]
    hands = {1: 30, 2: 2}  # complete hands need no advice
    assert keys == [
        (a, d, n, hands[d]) for a in ("useful", "draws") for d in (1, 2) for n in (1, 2)
    ]
    for one in audit.judged:
        assert 0 <= one.wrong_for_all <= one.wrong <= one.hands - one.right
        assert one.right_for_all <= one.right
        assert one.interval == wilson(one.wrong, one.hands)
        if one.draws <= one.deficiency + audit.waste:
            assert (one.wrong_for_all, one.right_for_all) == (one.wrong, one.right)


def test_verdicts_for_one_draw_equal_a_direct_count(
    audit: AdviceAudit,
) -> None:
    counts = read_recipe(RECIPES[0]).counts(seed=3)
    left, copies = judge_discards(counts, 4 - counts)
    wins = np.where((left == 1) & (counts > 0), copies, 0)
    masks = best_discard_masks(counts).tolist()
    wrong = []
    for row, mask in zip(range(len(counts)), masks, strict=True):
        best = wins[row].max()
        assert all(wins[row][kind] == best for kind in range(27) if mask >> kind & 1)
        ranked = rank_discards(Hand.from_counts(counts[row].tolist()))
        chosen = max(wins[row][one.kind] for one in ranked if one.rank == 1)
        wrong += [(best - chosen) / 94] * bool(chosen < best)
    useful, _, draws, _ = audit.at(1)
    assert (useful.wrong, useful.right) == (0, 30)
    assert draws.wrong == len(wrong) > 0


def test_losses_are_those_for_the_largest_number_of_draws(audit: AdviceAudit) -> None:
    for one in audit.judged:
        assert len(one.losses) == (one.wrong if one.draws == 2 else 0)
        assert all(0 < loss < 1 for loss in one.losses)
        document = one.to_document()
        assert document["most_lost"] == (max(one.losses) if one.losses else None)
        assert (document["wrong_low"], document["wrong_high"]) == tuple(one.interval)
    assert any(one.losses for one in audit.judged)


def test_interrupted_audit_resumes(audit: AdviceAudit, folder: Path, tmp_path: Path) -> None:
    rows: list[int] = []

    def stop(number: int) -> None:
        rows.append(number)
        if sum(rows) > 15:  # in the second shard
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit_advice(RECIPES, tmp_path, **HOW, advance=stop)
    calls: list[int] = []
    again = audit_advice(RECIPES, tmp_path, **HOW, begin=calls.append, advance=calls.append)
    assert (calls[0], sum(calls[1:])) == (34, 34)  # all deals, then row by row
    assert calls[1] == 15  # the first shard is kept
    assert again == audit
    assert everything(tmp_path / ROWS) == everything(folder / ROWS)
    with pytest.raises(FileError, match="holds another dataset"):
        audit_advice(RECIPES, tmp_path, **HOW | {"waste": 0})


def test_report_depends_only_on_the_rows(audit: AdviceAudit, folder: Path, tmp_path: Path) -> None:
    write_report(audit_advice(RECIPES, folder, **HOW), tmp_path)
    names = ["figures/advice.svg", "summary.json"]
    names += [f"tables/advice.{ending}" for ending in ("csv", "md", "tex")]
    written = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert [path.relative_to(tmp_path).as_posix() for path in written] == names
    for name in names:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), name
    assert json.loads((folder / "summary.json").read_text()) == audit.to_document()
    with (folder / "tables" / "advice.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(audit.judged)
    shares = [one.wrong / one.hands for one in audit.judged]
    assert [float(row["wrong"]) for row in rows] == pytest.approx(shares)


def test_figure_names_rules_and_deficiencies(audit: AdviceAudit) -> None:
    svg = to_svg(plot_advice(audit))
    texts = ["".join(node.itertext()) for node in ET.fromstring(svg).iter() if "text" in node.tag]
    assert {"most useful tiles", "fewest expected draws", "draws to come"} <= set(texts)
    assert {"deficiency 1, 30 hands", "deficiency 2, 2 hands"} <= set(texts)


def test_figure_omits_lines_of_few_hands(audit: AdviceAudit) -> None:
    many = tuple(
        replace(one, hands=FEW, right=0) if one.deficiency == 2 else one for one in audit.judged
    )
    svg = to_svg(plot_advice(replace(audit, judged=many)))
    assert f"deficiency 2, {FEW} hands" in svg
    assert "deficiency 1" not in svg


def test_complete_hands_need_no_advice(tmp_path: Path) -> None:
    audit = audit_advice("stratified:2:0=1", tmp_path, **HOW)
    assert audit.judged == ()
    assert not advice_table(audit, audit.judged).rows
    write_report(audit, tmp_path)


@pytest.mark.parametrize(
    ("recipes", "how", "message"),
    [
        ((), {}, "no recipes of deals"),
        ("none", {}, "recipe 'none', expected one of"),
        ("deals:3", {"draws": 0}, "expected advice:N"),
        ("deals:3", {"draws": 99}, "99 draws, but 94 tiles are left"),
        ("deals:3", {"waste": -1}, "waste=-1"),
    ],
)
def test_invalid_recipes_and_options_are_refused(
    recipes: object, how: dict[str, int], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ArgumentError, match=message):
        audit_advice(recipes, tmp_path / "none", **HOW | how)  # type: ignore[arg-type]
    assert not (tmp_path / "none").exists()


CEILING_HOW = HOW | {"ceiling": True, "rules": ("deficiency", "second-order")}


def judged_by(audit: AdviceAudit, rule: str) -> list[tuple[int, int, int, int, int]]:
    return [
        (one.draws, one.wrong, one.right, one.wrong_for_all, one.right_for_all)
        for one in audit.judged
        if one.advice == rule
    ]


def test_useless_ceilings_change_nothing(
    audit: AdviceAudit, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_flat_tables(monkeypatch, tmp_path, other=65535)
    found = audit_advice(RECIPES, folder, **CEILING_HOW)
    assert found.rules == ("useful", "draws", "deficiency", "second-order")
    for rule in ("useful", "draws"):
        assert judged_by(found, rule) == judged_by(audit, rule)
    for rule in ("deficiency", "second-order"):
        assert all(row[1:] == (0, 0, 0, 0) for row in judged_by(found, rule))
    assert found.ceilings == dict.fromkeys((1, 2), "m0-called0-draws18-all.ceiling")


def test_close_ceilings_decide_every_hand(
    audit: AdviceAudit, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ceilings of 0, a rule is right if it names the discard with the best lower bound."""
    install_flat_tables(monkeypatch, tmp_path)
    found = audit_advice(RECIPES, folder, **CEILING_HOW)
    for one in found.judged:
        assert one.wrong == one.wrong_for_all
        assert one.right == one.right_for_all
        if one.deficiency <= one.draws:  # the best lower bound is not 0
            assert one.wrong + one.right == one.hands
    wrong = {rule: sum(row[1] for row in judged_by(found, rule)) for rule in found.rules}
    assert wrong["deficiency"] > wrong["second-order"] >= wrong["useful"]
    for one in found.at(2):
        if one.advice in CEILING_HOW["rules"]:
            assert len(one.losses) == one.wrong
            assert all(0 < loss <= 1 for loss in one.losses)

    assert audit_advice(RECIPES, folder, **HOW) == audit  # the rows do not depend on tables


def test_report_names_tables_and_rules(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_flat_tables(monkeypatch, tmp_path)
    calls: list[int] = []
    found = audit_advice(RECIPES, folder, **CEILING_HOW, begin=calls.append, advance=calls.append)
    assert calls[0] == 3 * 34
    assert sum(calls[1:]) == 3 * 34
    write_report(found, tmp_path / "out")
    text = (tmp_path / "out" / "tables" / "advice.md").read_text(encoding="utf-8")
    assert "Ceilings of m0-called0-draws18-all.ceiling" in text
    assert "| second-order " in text
    document = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert set(document["ceilings"]) == {"1", "2"}
    assert "second-order" in to_svg(plot_advice(found))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rules": ("second-order",)}, ArgumentError, "only ceilings judge it"),
        ({"ceiling": True, "tiles": "136"}, FileError, r"no ceiling table \(tiles 136, draws"),
        (
            {"ceiling": True, "rules": ("draws",)},
            ArgumentError,
            "rule draws is judged without being",
        ),
        ({"ceiling": True, "rules": ("best",)}, ArgumentError, "rule 'best': unknown"),
        ({"ceiling": True, "rules": ("mixture",) * 2}, ArgumentError, "'mixture' is named twice"),
        ({"ceiling": True, "rules": ("own.py:rule",)}, FileError, "own.py: no such file"),
    ],
)
def test_wrong_rules_are_refused_before_the_work(
    options: dict[str, object],
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = [key for key in ALL_KEYS if key.tiles == "m0"]
    install_flat_tables(monkeypatch, tmp_path, keys)
    with pytest.raises(error, match=message):
        audit_advice(RECIPES, tmp_path / "none", **HOW | options)  # type: ignore[arg-type]
    assert not (tmp_path / "none").exists()
