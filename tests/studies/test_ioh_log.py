"""Logs for IOHprofiler: exact improvements, and read back by its own package."""

import json
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjopt.cli.main import execute
from mjopt.errors import ArgumentError
from mjopt.heuristics import NDDE, run_batch
from mjopt.studies.api import make_config
from mjopt.studies.config import HandSet, StudyConfig
from mjopt.studies.ioh_log import HEADER, write_ioh_log
from mjopt.studies.method import Method
from mjopt.studies.study import Study

METHODS = ("ndde:population=10,generations=8", "tree-search", "scipy:dual_annealing:evaluations=60")
RUNS = 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("logged")
    words = ("--hands", "two-type:7", "--hands", "three-type:5", "--runs", str(RUNS), "--seed", "4")
    where = ("-o", str(found / "study"), "--log", "ioh", str(found / "log"))
    assert execute(["compare", *METHODS, *words, *where, "--jobs", "1"]) == 0
    return found


def logs(folder: Path) -> list[tuple[dict[str, Any], list[list[tuple[int, int]]]]]:
    """Return each document with the improvements of its runs."""
    found = []
    for path in sorted((folder / "log").rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        [scenario] = document["scenarios"]
        text = (path.parent / scenario["path"]).read_text(encoding="utf-8")
        parts = text.split(f"{HEADER}\n")
        assert parts[0] == ""
        runs = [
            [(int(a), int(b)) for a, b in (line.split() for line in part.splitlines())]
            for part in parts[1:]
        ]
        found.append((document, runs))
    return found


def test_last_improvements_are_those_of_the_study(folder: Path) -> None:
    study = Study(folder / "study")
    found = logs(folder)
    assert len(found) == len(study.methods) * len(study.sets)
    for document, runs in found:
        rows = study.rows(document["function_name"], document["algorithm"]["name"])
        listed = document["scenarios"][0]["runs"]
        assert len(rows) == len(runs) == len(listed)
        truths = study.hands(document["function_name"])["deficiency"].to_numpy()
        for row, steps, one in zip(rows.itertuples(), runs, listed, strict=True):
            assert steps[0][0] == 1
            assert steps == sorted(steps)
            assert all(a[1] > b[1] for a, b in pairwise(steps))
            assert steps[-1][1] == row.value == one["best"]["y"]
            assert (one["instance"], one["evals"]) == (row.hand + 1, row.evaluations)
            if row.value == truths[row.hand]:
                assert steps[-1][0] == row.hit_evaluations == one["best"]["evals"]


def test_improvements_are_exact(folder: Path) -> None:
    """A search with one evaluation less has not found the improvement yet."""
    config = make_config(["ndde:population=10,generations=8"], ["two-type:7"], runs=1, seed=4)
    [hands], [method] = config.sets, config.methods
    assert hands.counts is not None
    document, runs = next(
        each
        for each in logs(folder)
        if each[0]["function_name"] == hands.name and each[0]["algorithm"]["name"] == method.label
    )
    for hand, steps in enumerate(runs[: len(hands.counts)]):
        for (_, before), (at, cost) in pairwise(steps):
            for evaluations, value in ((at - 1, before), (at, cost)):
                batch = run_batch(
                    NDDE(population=10, generations=8, max_evaluations=evaluations),
                    hands.counts[hand : hand + 1],
                    seed=4,
                    method=f"{hands.name}/{method.stream or method.name}",
                    hand_numbers=np.array([hand]),
                    run=0,
                )
                assert batch.value.tolist() == [value]
    assert document["maximization"] is False


def test_log_is_read_by_its_own_package(folder: Path) -> None:
    # Not in the extra `test`: two packages that it needs install a package called `tests`.
    iohinspector = pytest.importorskip("iohinspector")
    manager = iohinspector.DataManager()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager.add_folder(str(folder / "log"))
        table = manager.load(monotonic=False, include_meta_data=True)
    study = Study(folder / "study")
    expected = sum(len(study.rows(s, m)) for s in study.sets for m in study.methods)
    assert len(manager.overview) == expected
    assert set(manager.overview["algorithm_name"]) == set(study.methods)
    assert set(manager.overview["function_name"]) == set(study.sets)
    lines = sum(len(steps) for _, runs in logs(folder) for steps in runs)
    assert len(table) == lines
    least = table.group_by("data_id").min().sort("data_id")["raw_y"]
    assert least.to_list() == manager.overview.sort("data_id")["best_y"].to_list()


def test_large_sets_and_unknown_formats_are_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = StudyConfig(
        methods=(Method(label="ndde-20-50", name="ndde"),),
        sets=(HandSet(name="many", recipe="one-type", seed=0, num_hands=118_800),),
        runs=1,
        seed=0,
    )
    with pytest.raises(ArgumentError, match="many: 118,800 hands, expected at most 65,535"):
        write_ioh_log(Study(folder / "study"), config, tmp_path)
    words = ["compare", "ndde", "--hands", "two-type:2", "-o", str(tmp_path / "x")]
    assert execute([*words, "--log", "csv", "y"]) == 2
    assert "--log csv, expected ioh, then a folder" in capsys.readouterr().err
