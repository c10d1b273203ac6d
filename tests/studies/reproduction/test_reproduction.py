"""Reproducing at a tiny scale: the tables say what the rows say, and rebuild to the byte."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from helpers.on_screen import SCREEN

from mjopt.cli.output import print_tables
from mjopt.cli.reproduce import LONG
from mjopt.errors import StudyError
from mjopt.studies.reproduction import plans, reproducing
from mjopt.studies.reproduction.left_open import LEFT_OPEN, left_open_table
from mjopt.studies.reproduction.plans import (
    SCALES,
    TARGETS,
    Scale,
    read_targets,
    studies_behind,
)
from mjopt.studies.reproduction.published import published_cell, published_spread
from mjopt.studies.reproduction.reproducing import (
    PAGE,
    reproduce,
    tables_of,
    write_outputs,
)
from mjopt.studies.reproduction.tables import (
    accuracy_cells,
    labels_of,
    standard_errors,
    table1,
)
from mjopt.studies.study import Study

TINY = Scale(
    hands={"one": "one-type@40", "two": "two-type:30", "three": "three-type:20"},
    runs=3,
    sample=5,
    timed=4,
)


@pytest.fixture(scope="module", autouse=True)
def _little() -> Iterator[None]:
    """Time twice, and leave out the report of the methods: `mjopt compare` has its tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "TIMED_RUNS", 2)
        patch.setattr(reproducing, "write_report", lambda _: None)
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


def outputs(folder: Path) -> dict[str, bytes]:
    files = [*folder.glob("tables/*"), *folder.glob("figures/*"), folder / PAGE]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_tables_and_figures_rebuild_from_raw_rows_alone(
    folder: Path, studies: dict[str, Study], tmp_path: Path
) -> None:
    first = outputs(folder)
    assert len([name for name in first if name.startswith("figures/")]) == 6
    again = tmp_path / "again"
    for name in studies:
        for part in ("hands", "rows", "times", "sample", "curves"):
            if (folder / name / part).exists():
                shutil.copytree(folder / name / part, again / name / part)
        shutil.copy(folder / name / "plan.json", again / name / "plan.json")
    copied = {name: Study(again / name) for name in studies}
    write_outputs(again, TARGETS, copied, tables_of(TARGETS, copied))
    assert outputs(again) == first


def test_on_80_columns_tables_drop_columns_and_never_cut_a_name(
    studies: dict[str, Study], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mjopt.cli.grid.sys", SCREEN)
    for name, value in {"COLUMNS": "80", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    for table in tables_of(TARGETS, studies):
        if table.name.endswith(LONG) or table.name == "choices":
            continue
        print_tables([table])
        shown = capsys.readouterr().out
        assert max(map(len, shown.splitlines())) <= 80
        for row in table.written_rows():
            assert any(all(f" {name} " in line for name in row[:2]) for line in shown.splitlines())
        if table.less and table.name != "table7":
            assert "leave out" in shown
        print_tables([table], wide=True)
        assert "leave out" not in capsys.readouterr().out


def test_table_1_is_what_runs_of_each_budget_find(studies: dict[str, Study]) -> None:
    """Cells read from the run at 500 generations are the timed runs, each made on its own."""
    timed = studies["times"]
    for name in timed.sets:
        truth = timed.hands(name)["deficiency"].to_numpy()
        for label in timed.methods:
            rows = timed.rows(name, label, run=0)
            longest = timed.rows(name, f"{label.rpartition('-')[0]}-500", run=0)
            budget = int(label.rpartition("-")[2]) + 1
            hit = longest["hit_generation"].to_numpy()
            right = (hit >= 0) & (hit <= budget) & (longest["value"].to_numpy() == truth)
            assert ((rows["value"].to_numpy() == truth) == right).all()


def test_table_1_counts_the_rows(studies: dict[str, Study]) -> None:
    grid = studies["grid"]
    cells = {(t, p, g): found for t, p, g, found in accuracy_cells(grid)}
    assert len(cells) == 72
    rows, hands = grid.rows("one-type", "ndde-20-500"), grid.hands("one-type")
    right = (rows["value"] == hands["deficiency"]) & rows["hit_generation"].between(0, 51)
    assert cells["one", 20, 50].right == right.sum()
    assert cells["one", 20, 50].tries == 40
    layout, by_cell = table1(grid)
    row = next(row for row in by_cell.rows if row[:3] == ("one type", 20, 50))
    assert row[3] == right.mean()
    assert row[7] == published_cell(1, "one", 20, 50) == 0.93325
    marked = [cell for row in layout.rows for cell in row[2:] if str(cell).endswith("*")]
    assert len(marked) == sum(row[-1] == "no" for row in by_cell.rows)


def test_tables_3_to_6_describe_the_runs(studies: dict[str, Study]) -> None:
    study = studies["methods"]
    tables = {table.name: table for table in tables_of(["table5", "table6"], studies)}
    truth = study.hands("two-type")["deficiency"].to_numpy()
    label = labels_of(study.plan)["PSO"]
    values = study.rows("two-type", label)["value"].to_numpy().reshape(3, -1)
    shares = (values == truth).mean(axis=1)
    ours, published = (
        row for row in tables["table5"].rows if row[:2] == ("two types", "PSO")
    )  # fmt: skip
    wanted = (shares.max(), shares.min(), np.median(shares), shares.mean(), shares.std(ddof=1))
    assert ours[3:8] == pytest.approx(wanted, abs=1e-12)
    assert published[3:8] == published_spread(5, "two", "PSO")
    assert published[-3] == pytest.approx(shares.mean() - 0.944, abs=1e-12)
    times = study.times("two-type", label)
    stopped = times[times["stop_at_target"]].groupby("run")[["seconds", "hands"]].sum()
    mean = (stopped["seconds"] / stopped["hands"]).mean()
    row = next(row for row in tables["table6"].rows if row[:3] == ("two types", "PSO", "ours"))
    assert row[6] == pytest.approx(mean)


def test_the_tree_search_is_exact_and_timed_as_often_as_others_run(
    studies: dict[str, Study],
) -> None:
    study = studies["methods"]
    label = labels_of(study.plan)["tree search"]
    for name in study.sets:
        rows = study.rows(name, label)
        assert (rows["value"] == study.hands(name)["deficiency"]).all()
        times = study.times(name, label)
        own = times[~times["stop_at_target"]]
        assert sorted(own["run"].unique()) == [0, 1, 2]


def test_the_page_names_every_table_and_figure(folder: Path) -> None:
    page = (folder / PAGE).read_text()
    for number in range(1, 8):
        assert f"## Table {number}:" in page
    for number in (2, 3, 4):
        assert f"(figures/figure{number}.svg)" in page
    assert "do not follow from the published Table 5" in page
    assert "Section 4.3" in page


def test_what_a_target_needs() -> None:
    names = {target: [n.name for n in studies_behind([target], TINY, seed=0)] for target in TARGETS}
    assert names["table1"] == names["figure2"] == ["grid"]
    assert names["table2"] == names["figure3"] == ["times"]
    assert names["figure4"] == ["curves"]
    assert all(names[f"table{n}"] == ["methods"] for n in range(3, 8))
    [three] = studies_behind(["table3"], TINY, seed=0)
    assert three.only == {"tree-search", "ndde-20-50", "ndde-50-500"}
    [all_] = studies_behind(["table3", "table7"], TINY, seed=0)
    assert len(all_.only) == 6
    assert all_.plan == three.plan


def test_the_paper_scale_is_the_papers() -> None:
    [needed] = studies_behind(["table5"], SCALES["paper"], seed=0)
    assert sum(hands.num_hands for hands in needed.plan.sets) == 318_800
    assert needed.plan.runs == 30
    assert needed.plan.early_stop


def test_targets_that_are_none() -> None:
    with pytest.raises(StudyError, match="'table8', expected table1 ... table7"):
        read_targets(["table8"])
    with pytest.raises(StudyError, match="name a table or a figure"):
        read_targets([])


def test_every_choice_names_a_parameter_that_exists() -> None:
    table = left_open_table()
    assert len(table.rows) == len(LEFT_OPEN)
    assert any("pmelds" in str(row[2]) for row in table.rows)


def test_standard_errors() -> None:
    assert standard_errors(0.3, 0.09, 0.0) == pytest.approx(1.0)
    assert standard_errors(0.3, 0.0) == float("inf")
    assert standard_errors(-0.3, 0.0) == float("-inf")
