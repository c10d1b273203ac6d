"""The command compare: from methods and hands to a folder, and its report again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.surroundings import package_folder, without_packages
from helpers.toy_method import install_toy
from helpers.waits import LONG, wait_until

from mjopt.studies.study import Study

TINY = ("--hands", "two-type:12", "--runs", "2", "--jobs", "1")


def test_compare_writes_a_study_and_rebuilds_its_report(
    mjopt: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "study"
    words = ("compare", "ndde", "tree-search", *TINY, "-o", str(folder))
    ran = mjopt(*words, "--json", "--seed", "3")
    assert ran.status == 0
    assert "seed 3" in ran.err
    [hands] = ran.json["sets"]
    assert (hands["hands"], hands["certified"]) == (12, 12)
    ndde, tree = hands["methods"]
    assert (ndde["method"], ndde["runs"]) == ("ndde-20-50", 2)
    assert (tree["runs"], tree["accuracy"], tree["undershoots"]) == (1, 1.0, 0)
    assert ndde["accuracy_low"] <= ndde["accuracy"] <= ndde["accuracy_high"]
    assert min(ndde["seconds_with_early_stop"], ndde["seconds_without_early_stop"]) > 0
    for method, tries in ((ndde, 24), (tree, 12)):
        assert (method["proof_tries"], method["proof_share"]) == (tries, method["accuracy"])
    assert 0 < tree["proof_seconds_median_parallel"] <= tree["proof_seconds_median"]
    assert tree["proof_seconds_median"] <= tree["proof_seconds_ninety_five"]
    files = {path.name for path in folder.rglob("*") if path.is_file()}
    assert files - {path.name for path in (folder / "export").iterdir()} == {
        *("study.json", "units.csv", "blocks.csv", "rows.parquet", "curves.parquet"),
        "two-type-12.parquet",
        "two-type-12.certificates.csv",
        *("summary.json", "tables.md", "report.html"),
    }
    tables = (folder / "tables.md").read_bytes()

    again = mjopt(*words, "--json", "--seed", "3")
    assert again.json == ran.json
    assert "writing report.html" in ran.err
    assert "writing report.html" not in again.err

    (folder / "tables.md").unlink()
    monkeypatch.setattr("mjopt._internal.report_page.to_svg", lambda _: "<svg></svg>")
    ran = mjopt("compare", "-o", str(folder))
    assert ran.status == 0
    assert "ndde-20-50" in ran.out
    assert hands["baseline"] in ran.out
    assert (folder / "tables.md").read_bytes() == tables
    endings = {path.suffix for path in (folder / "export").iterdir()}
    assert endings == {".csv", ".tex", ".svg"}


@pytest.mark.usefixtures("short_reports")
@pytest.mark.parametrize(("prefix", "separator"), [("", ";"), ("file:", ",")])
def test_hands_of_a_file_are_compared(
    mjopt: Call, tmp_path: Path, prefix: str, separator: str
) -> None:
    file = tmp_path / "hands.csv"
    rows = ("hand,note", "123m456p789s1122s1s,a", "1112345678999m1p,b", "11223344556677m,c")
    file.write_text("\n".join(rows).replace(",", separator))
    words = ("--hands", f"{prefix}{file}@2", *TINY[2:], "-o", str(tmp_path / "study"))
    ran = mjopt("compare", "tree-search", *words, "--json")
    [hands] = ran.json["sets"]
    assert (ran.status, hands["name"], hands["hands"]) == (0, "hands-2", 2)


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[Path]:
    """Install a method as a plugin, for this process and its workers."""
    folder = install_toy(tmp_path / "plugin")
    with package_folder(folder):
        yield folder


@pytest.mark.usefixtures("plugin", "short_reports")
def test_installed_method_is_compared(mjopt: Call, tmp_path: Path) -> None:
    words = ("compare", "toy:generations=3", "ndde", *TINY[:-1], "2")
    assert mjopt(*words, "-o", str(tmp_path / "s")).status == 0
    study = Study(tmp_path / "s")
    assert study.is_complete
    label = next(label for label in study.methods if label.startswith("toy"))
    rows = study.rows("two-type-12", label)
    assert rows["evaluations"].between(1, 4).all()
    assert (rows["value"].to_numpy() >= 0).all()


@pytest.mark.usefixtures("plugin")
def test_failing_method_is_named_in_one_line(mjopt: Call, tmp_path: Path) -> None:
    words = ("compare", "toy:fails=true", "--hands", "deals:9", "--jobs", "1")
    ran = mjopt(*words, "-o", str(tmp_path / "s"))
    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("mjopt: method toy")
    assert "RuntimeError: out of ideas" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("short_reports")
def test_another_study_in_the_folder_is_refused(mjopt: Call, tmp_path: Path) -> None:
    words = ("compare", *TINY, "-o", str(tmp_path / "s"))
    assert mjopt(*words, "ga").status == 0
    ran = mjopt(*words, "ga", "--seed", "1")
    assert ran.status == 2
    assert "seed: 0 there, 1 here; seed of two-type-12: 0 there, 1 here); name an" in ran.err
    (tmp_path / "s" / "units.csv").unlink()
    ran = mjopt("compare", "-o", str(tmp_path / "s"))
    assert ran.status == 2
    assert "not complete, ga-20-50 on two-type-12, run 0 is missing" in ran.err


@without_packages("pyarrow")
def test_missing_extra_is_named(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("compare", "ndde", *TINY, "-o", str(tmp_path / "s"))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "mjopt: pyarrow is not installed: pip install 'mjopt[experiments]'\n"
    assert not (tmp_path / "s").exists()


@pytest.mark.usefixtures("short_reports")
def test_interrupted_comparison_resumes(tmp_path: Path, plugin: Path, mjopt: Call) -> None:
    """Only the first process is slow, so that it starts workers, and stops after the first unit."""
    folder = tmp_path / "s"
    environment = {**os.environ, "PYTHONPATH": str(plugin), "TOY_FOLDER": str(folder)}
    words = ["compare", "toy:generations=2", "--hands", "deals:8", "--runs", "20"]
    words += ["-o", str(folder), "--certificates", "0", "--jobs"]
    own = [sys.executable, "-m", "mjopt", *words, "2"]
    run = subprocess.Popen(own, env=environment, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: list(folder.glob("units/*.unit")), "no unit is finished")
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=LONG)
    assert run.returncode == 130
    assert "interrupted; the same command resumes" in err
    assert "Traceback" not in err
    assert not Study(folder).is_complete
    assert mjopt(*words, "1").status == 0
    assert Study(folder).is_complete
    assert json.loads((folder / "study.json").read_text())["runs"] == 20
