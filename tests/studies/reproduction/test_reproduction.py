"""Reproduction at a tiny scale: tables agree with the rows and bytes are reproducible."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mjopt.errors import ArgumentError
from mjopt.studies import chunk, runner
from mjopt.studies.metrics import Spread
from mjopt.studies.reproduction import run
from mjopt.studies.reproduction.assumptions import ASSUMPTIONS, assumptions_table
from mjopt.studies.reproduction.paper_methods import labels_of
from mjopt.studies.reproduction.parameter_tables import accuracy_cells, table1
from mjopt.studies.reproduction.published_results import published_cell, published_spread
from mjopt.studies.reproduction.run import (
    PAGE,
    SCALES,
    TARGETS,
    Scale,
    configs_for,
    make_tables,
    read_targets,
    reproduce,
    write_outputs,
)
from mjopt.studies.reproduction.table_parts import standard_errors
from mjopt.studies.study import Study

TINY = Scale(
    hands={"one": "one-type@12", "two": "two-type:10", "three": "three-type:8"},
    runs=3,
    sample=3,
    timed=2,
)


@pytest.fixture(scope="module", autouse=True)
def _little() -> Iterator[None]:
    """Time each run twice and skip the report of the methods, which has its own tests.

    Nor are short searches repeated until they are long enough to be timed.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "TIMED_RUNS", 2)
        patch.setattr(runner, "PILOT_SECONDS", 0.0)
        patch.setattr(chunk, "BLOCK_SECONDS", 0.0)
        patch.setattr(run, "write_report", lambda *_, **__: None)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reproduction") / "all"
    tables = reproduce(TARGETS, TINY, folder)
    names = [table.name for table in tables]
    assert names == [
        "table1", "table1-cells", "table2", "table2-cells",
        "table3", "table4", "table5", "table6", "table7", "figure4", "choices",
    ]  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def studies(folder: Path) -> dict[str, Study]:
    return {name: Study(folder / name) for name in ("curves", "grid", "times", "methods")}


@pytest.mark.slow
def test_same_rows_give_the_same_page(
    folder: Path, studies: dict[str, Study], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    for name in studies:
        shutil.copytree(folder / name, again / name)
    copied = {name: Study(again / name) for name in studies}
    write_outputs(again, TARGETS, copied, make_tables(TARGETS, copied))
    for name in (PAGE, "figure2.svg", "figure3.svg", "figure4.svg"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()
    assert {path.name for path in (again / "export").glob("*3.*")} == {
        *("figure3.svg", "table3.csv", "table3.tex")
    }


def test_table_1_agrees_with_separate_runs_of_each_budget(studies: dict[str, Study]) -> None:
    """Cells derived from the run of 500 generations equal separate runs of each budget."""
    timed = studies["times"]
    for name in timed.sets:
        truth = timed.hands(name)["deficiency"].to_numpy()
        rows_of = {label: timed.rows(name, label, run=0) for label in timed.methods}
        for label, rows in rows_of.items():
            longest = rows_of[f"{label.rpartition('-')[0]}-500"]
            budget = int(label.rpartition("-")[2]) + 1
            hit = longest["hit_generation"].to_numpy()
            right = (hit >= 0) & (hit <= budget) & (longest["value"].to_numpy() == truth)
            assert ((rows["value"].to_numpy() == truth) == right).all()


def test_table_1_counts_the_rows(studies: dict[str, Study]) -> None:
    grid = studies["grid"]
    cells = {(t, p, g): found for t, p, g, *found in accuracy_cells(grid)}
    assert len(cells) == 72
    rows, hands = grid.rows("one-type", "ndde-20-500"), grid.hands("one-type")
    right = (rows["value"] == hands["deficiency"]) & rows["hit_generation"].between(0, 51)
    assert cells["one", 20, 50][::2] == [right.sum(), 12]
    layout, by_cell = table1(grid)
    rows = {(row["hands"], row["NP"], row["Gmax"]): row for row in by_cell.rows}
    row = rows["one type", 20, 50]
    assert row["ours"] == right.mean()
    assert row["published"] == published_cell(1, "one", 20, 50) == 0.93325
    marked = [cell for row in layout.rows for cell in row.values() if str(cell).endswith("*")]
    assert len(marked) == sum(row["published inside"] == "no" for row in by_cell.rows)


def test_tables_3_to_6_summarise_the_runs(studies: dict[str, Study]) -> None:
    study = studies["methods"]
    tables = {table.name: table for table in make_tables(["table5", "table6"], studies)}
    truth = study.hands("two-type")["deficiency"].to_numpy()
    label = labels_of(study.config)["PSO"]
    values = study.rows("two-type", label)["value"].to_numpy().reshape(3, -1)
    shares = (values == truth).mean(axis=1)
    ours, published = (
        row
        for row in tables["table5"].rows
        if (row["hands"], row["method"]) == ("two types", "PSO")
    )
    wanted = (shares.max(), shares.min(), np.median(shares), shares.mean(), shares.std(ddof=1))
    assert [ours[name] for name in Spread._fields] == pytest.approx(wanted, abs=1e-12)
    assert tuple(published[name] for name in Spread._fields) == published_spread(5, "two", "PSO")
    assert published["ours less published"] == pytest.approx(shares.mean() - 0.944, abs=1e-12)
    times = study.times("two-type", label)
    stopped = times[times["early_stop"]]
    mean = (stopped["seconds"] / stopped["hands"]).mean()
    rows = {(row["hands"], row["method"], row["whose"]): row for row in tables["table6"].rows}
    assert rows["two types", "PSO", "ours"]["mean"] == pytest.approx(mean)


def test_tree_search_is_exact_and_timed_once_per_run(
    studies: dict[str, Study],
) -> None:
    study = studies["methods"]
    label = labels_of(study.config)["tree search"]
    for name in study.sets:
        rows = study.rows(name, label)
        assert (rows["value"] == study.hands(name)["deficiency"]).all()
        times = study.times(name, label)
        own = times[~times["early_stop"]]
        assert sorted(own["run"].unique()) == [0, 1, 2]


def test_the_page_names_every_table_and_figure(folder: Path) -> None:
    page = (folder / PAGE).read_text()
    for number in range(1, 8):
        assert f"## Table {number}:" in page
    for number in (2, 3, 4):
        assert f"(figure{number}.svg)" in page
    assert "do not follow from the published Table 5" in page
    assert "Section 4.3" in page


def test_each_target_selects_its_studies() -> None:
    names = {target: list(configs_for([target], TINY, seed=0)) for target in TARGETS}
    assert names["table1"] == names["figure2"] == ["grid"]
    assert names["table2"] == names["figure3"] == ["times"]
    assert names["figure4"] == ["curves"]
    assert all(names[f"table{n}"] == ["methods"] for n in range(3, 8))
    config, labels = configs_for(["table3"], TINY, seed=0)["methods"]
    assert labels == {"tree-search", "ndde-20-50", "ndde-50-500"}
    same, labels = configs_for(["table3", "table7"], TINY, seed=0)["methods"]
    assert len(labels) == 6
    assert same == config


def test_paper_scale_matches_the_paper() -> None:
    config, _ = configs_for(["table5"], SCALES["paper"], seed=0)["methods"]
    assert sum(hands.num_hands for hands in config.sets) == 318_800
    assert config.runs == 30
    assert config.early_stop


def test_wrong_targets_are_refused() -> None:
    with pytest.raises(ArgumentError, match="'table8', expected table1 ... table7"):
        read_targets(["table8"])
    with pytest.raises(ArgumentError, match="name a table or a figure"):
        read_targets([])


def test_every_assumption_names_an_existing_parameter() -> None:
    table = assumptions_table()
    assert len(table.rows) == len(ASSUMPTIONS)
    assert any("pmelds" in str(row["parameter"]) for row in table.rows)


def test_standard_errors() -> None:
    assert standard_errors(0.3, 0.09, 0.0) == pytest.approx(1.0)
    assert standard_errors(0.3, 0.0) == float("inf")
    assert standard_errors(-0.3, 0.0) == float("-inf")
