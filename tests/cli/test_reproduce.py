"""The command reproduce: targets, scales and output."""

from pathlib import Path

import pytest
from cli.conftest import Call

from mjopt.studies.reproduction.run import SCALES, Scale

TINY = Scale(
    hands={"one": "one-type@9", "two": "two-type:9", "three": "three-type:9"},
    runs=2,
    sample=3,
    timed=2,
)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, in_tmp_path: Path) -> None:
    monkeypatch.setitem(SCALES, "quick", TINY)


def test_tables_are_printed_and_written(
    mjopt: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("reproduce", "table1", "figure4", "--jobs", "1", "--seed", "5")
    ran = mjopt(*words, "--json")
    assert ran.status == 0, ran.err
    assert "seed 5" in ran.err
    assert ran.json["targets"] == ["table1", "figure4"]
    tables = {table["name"]: table for table in ran.json["tables"]}
    assert list(tables) == ["table1", "table1-cells", "figure4", "choices"]
    assert len(tables["table1-cells"]["rows"]) == 72
    assert tables["figure4"]["rows"][0]["hand"] == "H1"
    folder = tmp_path / "reproduction-quick"
    assert [path.name for path in folder.glob("*.svg")] == ["figure4.svg"]
    first = (folder / "reproduction.md").read_text()

    monkeypatch.setattr("mjopt.studies.reproduction.run.to_svg", lambda _: "<svg></svg>")
    ran = mjopt("--quiet", *words)
    assert ran.err == ""
    assert "### Table 1: accuracy of NDDE in percent, ours / published" in ran.out
    assert (folder / "reproduction.md").read_text() == first


def test_only_the_methods_of_the_table_run(mjopt: Call, tmp_path: Path) -> None:
    assert mjopt("reproduce", "table3", "--jobs", "1", "-o", "out").status == 0
    assert "pso" not in (tmp_path / "out" / "methods" / "units.csv").read_text()


def test_another_scale_in_the_folder_is_refused(
    mjopt: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjopt.studies.reproduction.run.to_svg", lambda _: "<svg></svg>")
    words = ("reproduce", "figure4", "--jobs", "1", "-o", "out")
    assert mjopt(*words).status == 0
    ran = mjopt(*words, "--seed", "1")
    assert ran.status == 2
    assert "out/curves: holds another study (" in ran.err
    assert "seed: 0 there, 1 here" in ran.err
