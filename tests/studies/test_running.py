"""Running a study: the same rows however it is cut, killed and continued."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.toy_method import install_toy

from mjopt._internal.folder import hold_folder
from mjopt._internal.pool import open_pool
from mjopt._internal.registry import plug_ins
from mjopt.errors import FileError, StudyError
from mjopt.hands.tiles import M0
from mjopt.heuristics import run_batch
from mjopt.heuristics.stopping import StopReason
from mjopt.studies import running
from mjopt.studies.methods import make_method, plan_methods
from mjopt.studies.plan import Plan
from mjopt.studies.running import run_study
from mjopt.studies.study import Study
from mjopt.studies.study_hands import HandSet, read_hand_set

RAW = ("hands", "rows", "sample", "curves")


def planned(
    methods: tuple[str, ...] = ("ndde:generations=5", "ga:generations=4"),
    hands: tuple[str, ...] = ("one-type@90", "two-type:60"),
    **more: object,
) -> tuple[Plan, list[HandSet]]:
    sets = [read_hand_set(text, seed=4, certificates=9) for text in hands]
    plan = Plan(
        methods=plan_methods(methods),
        sets=tuple(one.planned for one in sets),
        **{"runs": 2, "seed": 11, "sample": 20, "curves": 3, **more},  # type: ignore[arg-type]
    )
    return plan, sets


def raw_bytes(folder: Path) -> dict[str, bytes]:
    """Every file of raw rows; times are measured anew each time and left out."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for name in RAW
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return run_study(*planned(), tmp_path_factory.mktemp("study") / "one")


def test_two_workers_write_the_same_bytes(
    finished: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MIN_SHARE", 0.0)
    other = run_study(*planned(), tmp_path / "two", jobs=2)
    assert raw_bytes(other.folder) == raw_bytes(finished.folder)
    assert other.is_complete


def test_a_small_study_needs_no_workers(
    finished: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []

    def hear(jobs: int, **how: Any) -> Any:
        given.append(jobs)
        return open_pool(jobs, **how)

    monkeypatch.setattr(running, "open_pool", hear)
    monkeypatch.setattr(running, "MIN_SHARE", 600.0)
    other = run_study(*planned(), tmp_path / "two", jobs=2)
    assert given == [1]
    assert raw_bytes(other.folder) == raw_bytes(finished.folder)


def test_lots_of_any_size_write_the_same_bytes(
    finished: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LARGEST_LOT", 7)
    other = run_study(*planned(), tmp_path / "small")
    assert raw_bytes(other.folder) == raw_bytes(finished.folder)
    lots = other.times("one-type-90", "ndde-20-5")
    assert lots["hands"].max() == 7
    per_run = lots[~lots["stop_at_target"]].groupby("run")["hands"].sum()
    assert per_run.tolist() == [90, 90]


def test_rows_are_those_of_the_heuristic_itself(finished: Study) -> None:
    plan = finished.plan
    method, hands = plan.methods[0], plan.sets[0]
    counts = read_hand_set("one-type@90", seed=4).counts
    truth = finished.hands(hands.name)["deficiency"].to_numpy()
    batch = run_batch(
        make_method(method),
        counts[40:50],
        seed=plan.seed,
        method=plan.stream_name(hands, method),
        hand_numbers=np.arange(40, 50),
        run=1,
        targets=truth[40:50],
        tiles=M0,
    )
    rows = finished.rows(hands.name, method.label, run=1)
    for name in ("value", "evaluations", "hit_evaluations", "hit_generation", "stopped"):
        assert rows[name].to_numpy()[40:50].tolist() == getattr(batch, name).tolist()


def test_the_sample_is_the_same_search_stopped_early(finished: Study) -> None:
    for name in finished.sets:
        for label in finished.methods:
            whole = finished.rows(name, label, run=0).set_index("hand")
            some = finished.sample_rows(name, label).set_index("hand")
            assert len(some) == 20
            same = whole.loc[some.index]
            assert (some["hit_evaluations"] == same["hit_evaluations"]).all()
            hit = some["hit_evaluations"] >= 0
            assert (some["evaluations"][hit] == some["hit_evaluations"][hit]).all()
            assert (some["stopped"][hit] == StopReason.REACHED).sum() > 0
            assert (some["value"][~hit] == same["value"][~hit]).all()


def test_curves_end_at_the_value(finished: Study) -> None:
    for name in finished.sets:
        for label in finished.methods:
            curves = finished.curves(name, label)
            of_hand = curves.groupby(["run", "hand"])["best"]
            assert (of_hand.diff().dropna() <= 0).all()
            last = of_hand.last()
            rows = finished.rows(name, label).set_index(["run", "hand"])
            assert (last == rows.loc[last.index, "value"]).all()
            assert len(last) == 2 * 3


def test_a_smaller_budget_is_the_beginning_of_a_larger(tmp_path: Path) -> None:
    methods = ("ndde:generations=4", "ndde:generations=30")
    plan, sets = planned(methods, ("one-type@200",), runs=1, early_stop=True, sample=0, curves=0)
    study = run_study(plan, sets, tmp_path / "s")
    few, many = (study.rows("one-type-200", label) for label in study.methods)
    in_time = (many["hit_generation"] >= 0) & (many["hit_generation"] <= 5)
    assert 0 < in_time.sum() < 200
    assert ((few["hit_generation"] >= 0) == in_time).all()
    columns = ["value", "hit_evaluations", "hit_generation"]
    assert (few[columns][in_time] == many[columns][in_time]).all(axis=None)


def test_a_finished_study_is_left_alone(finished: Study) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.folder.rglob("*.parquet")}
    run_study(*planned(), finished.folder)
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_another_plan_is_refused_by_what_differs(finished: Study) -> None:
    plan, sets = planned()
    with pytest.raises(StudyError, match="holds another study .*seed: 11 there, 12 here"):
        run_study(replace(plan, seed=12), sets, finished.folder)
    with pytest.raises(StudyError, match="sample: 20 there, 21 here"):
        run_study(replace(plan, sample=21), sets, finished.folder)
    other = replace(plan, sets=(replace(plan.sets[0], certificates=8), plan.sets[1]))
    with pytest.raises(StudyError, match="sets: 9 there, one-type-90 with certificates 8 here"):
        run_study(other, sets, finished.folder)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(StudyError, match=r"holds letters.txt but no study"):
        run_study(*planned(), tmp_path)
    with pytest.raises(StudyError, match="is a file, expected a folder"):
        run_study(*planned(), tmp_path / "letters.txt")
    with pytest.raises(StudyError, match="0 jobs, expected at least 1"):
        run_study(*planned(), tmp_path / "new", jobs=0)


def test_damage_is_found_and_mended(finished: Study, tmp_path: Path) -> None:
    study = run_study(*planned(), tmp_path / "s")
    path = study.path("rows", "two-type-60", "ga-20-4", 1)
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[: len(whole) // 2], b"", whole[:90] + b"?" + whole[91:]):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=r"ga-20-4/run-01.parquet: .*again"):
            run_study(*planned(), study.folder)
    path.unlink()
    assert not study.is_complete
    with pytest.raises(FileError, match="no such file"):
        study.rows("two-type-60", "ga-20-4")
    run_study(*planned(), study.folder)
    assert raw_bytes(study.folder) == raw_bytes(finished.folder)


def test_rows_of_another_run_are_refused(tmp_path: Path) -> None:
    """They are sound by themselves; only the digests know that they stand in a wrong place."""
    study = run_study(*planned(), tmp_path / "s")
    one, other = (study.path("rows", "two-type-60", "ga-20-4", run) for run in (0, 1))
    one.write_bytes(other.read_bytes())
    with pytest.raises(FileError, match=r"run-00.parquet: not the bytes that were written"):
        run_study(*planned(), study.folder)
    with pytest.raises(FileError, match=r"run-00.parquet: not the bytes that were written"):
        Study(study.folder).rows("two-type-60", "ga-20-4")


def test_rows_without_their_times_are_refused(tmp_path: Path) -> None:
    study = run_study(*planned(), tmp_path / "s")
    study.path("times", "two-type-60", "ga-20-4", 1).unlink()
    with pytest.raises(FileError, match="times/.*no such file; delete .*rows/"):
        run_study(*planned(), study.folder)


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from experiments.studies.test_running import BUSY, planned
from mjopt.studies import running
if __name__ == "__main__":
    running.LOT_SECONDS = 0.02  # several lots a file
    running.MIN_SHARE = 0.0
    running.run_study(*planned(BUSY), Path(sys.argv[1]), jobs=2)
"""
BUSY = ("ndde:generations=5", "toy:tries=3,pause=0.0025")


@pytest.mark.parametrize("most_kills", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(
    tmp_path: Path, most_kills: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL to the parent: no orphan stays, and the next run ends where one run would."""
    plugin = install_toy(tmp_path / "plugin")
    monkeypatch.syspath_prepend(plugin)
    plug_ins.cache_clear()
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run_study(*planned(BUSY), whole)
    script = tmp_path / "run.py"
    script.write_text(RUN)
    words = [sys.executable, str(script), str(killed), str(Path(__file__).parents[2])]
    environment = {**os.environ, "PYTHONPATH": str(plugin)}
    random, kills = np.random.default_rng(), 0
    while kills < most_kills:
        before, deadline = _written(killed), time.monotonic() + 120
        run = subprocess.Popen(words, env=environment, start_new_session=True)
        while run.poll() is None and _written(killed) == before:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        try:  # from the first lot on, so that something is there to lose
            run.wait(timeout=float(random.uniform(0.0, 0.25)))
            break
        except subprocess.TimeoutExpired:
            os.kill(run.pid, signal.SIGKILL)
            run.wait()
            _wait_for_orphans(run.pid)
            kills += 1
    assert kills >= 1
    run_study(*planned(BUSY), killed)
    plug_ins.cache_clear()
    assert raw_bytes(killed) == raw_bytes(whole)
    assert [path.name for path in killed.rglob(".*") if path.name != ".lock"] == []


def _written(folder: Path) -> set[tuple[str, int]]:
    """Return the raw files and journals there are, with their sizes."""
    found = set()
    for path in [*folder.rglob(".*.journal"), *folder.rglob("run-*.parquet")]:
        with suppress(FileNotFoundError):  # a journal may become rows meanwhile
            found.add((path.name, path.stat().st_size))
    return found


def _wait_for_orphans(session: int) -> None:
    """Wait until no process of a killed run is left."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("worker processes outlive a killed run")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with (
        hold_folder(tmp_path),
        pytest.raises(FileError, match=f"process {os.getpid()} is writing here now"),
    ):
        run_study(*planned(), tmp_path)
    run_study(*planned(("ga:generations=1",), ("deals:3",)), tmp_path)
