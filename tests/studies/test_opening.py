"""A study grows, and nothing in it is stale: rows stand while the code that made them does."""

import json
import re
from pathlib import Path

import pytest
from helpers.own_method import SOURCE, write_method

from mjopt._internal.progress import Quiet
from mjopt.errors import FileError, StudyError
from mjopt.heuristics.registry import HEURISTICS
from mjopt.studies import running
from mjopt.studies.methods import plan_methods
from mjopt.studies.plan import Plan
from mjopt.studies.provenance import MADE_BY
from mjopt.studies.running import run_study
from mjopt.studies.study import PLAN
from mjopt.studies.study_hands import read_hand_set

GA = "ga:population=4,generations=1"
PSO = "pso:population=4,generations=1"


class Ear(Quiet):
    """Keeps what is said, but for what is said of hands."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, text: object, /) -> None:
        if "certified" not in str(text):
            self.heard.append(str(text))


def study(folder: Path, *methods: str, hands: str = "deals:6", jobs: int = 1, **more: int):
    """Run a small study; return it and what was said."""
    sets = [read_hand_set(text, seed=4, certificates=0) for text in hands.split()]
    plan = Plan(
        methods=plan_methods(methods or (GA,)),
        sets=tuple(one.planned for one in sets),
        **{"runs": 2, "seed": 1, "sample": 3, "curves": 2, **more},  # type: ignore[arg-type]
    )
    ear = Ear()
    return run_study(plan, sets, folder, watcher=ear, jobs=jobs), ear.heard


def raw(folder: Path, label: str = "") -> dict[str, tuple[bytes, int]]:
    """Return the files of raw rows, of one method perhaps, with the time they were written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*.parquet"))
        if label in str(path)
    }


def same(now: dict[str, tuple[bytes, int]], before: dict[str, tuple[bytes, int]]) -> bool:
    return {name: now.get(name) for name in before} == before


def test_methods_runs_and_hands_are_added_and_left_out(tmp_path: Path) -> None:
    """What stands stays as it is, and what is added is what a study of all would have made."""
    first, _ = study(tmp_path / "s")
    before = raw(first.folder)
    for grown in (
        {"methods": (GA, PSO)},
        {"methods": (PSO, GA)},
        {"runs": 3},
        {"hands": "deals:6 one-type@5"},
        {"hands": "one-type@5"},
        {},
    ):
        methods = grown.pop("methods", (GA,))
        now, heard = study(tmp_path / "s", *methods, **grown)
        assert heard == []
        assert now.is_complete
        curves = {name for name in before if name.startswith("curves") and "runs" in grown}
        assert same(raw(first.folder), {k: v for k, v in before.items() if k not in curves})
        before = raw(first.folder)
    whole, _ = study(tmp_path / "all", GA, PSO, hands="deals:6 one-type@5", runs=3)
    wanted = {name: rows for name, (rows, _) in raw(whole.folder).items() if "times" not in name}
    now, _ = study(tmp_path / "s", GA, PSO, hands="deals:6 one-type@5", runs=3)
    assert {name: rows for name, (rows, _) in raw(now.folder).items() if name in wanted} == wanted
    fewer, _ = study(tmp_path / "s")
    [label] = fewer.methods
    assert fewer.curves("deals-6", label)["run"].max() == 1
    assert len(fewer.rows("deals-6", label)) == 12


def test_a_set_of_another_digest_under_a_name_that_was_used_is_refused(tmp_path: Path) -> None:
    study(tmp_path / "s")
    study(tmp_path / "s", hands="one-type@5")  # deals-6 is not in the plan, but in the folder
    sets = [read_hand_set("deals:6", seed=5, certificates=0)]
    plan = Plan(
        methods=plan_methods((GA,)), sets=(sets[0].planned,), runs=2, seed=1, sample=3, curves=2
    )
    with pytest.raises(
        StudyError, match="holds another study .*sets: 4 there, deals-6 with seed 5"
    ):
        run_study(plan, sets, tmp_path / "s")


def test_an_edited_method_is_run_again_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_method(tmp_path)
    one, heard = study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert heard == []
    ga, own = raw(one.folder, "ga-4"), raw(one.folder, "sa-")
    assert study(tmp_path / "s", GA, "./sa.py:SA:tries=5")[1] == []
    write_method(tmp_path, ("evaluations=len(history)", "evaluations=len(history) + 7"))
    edited, heard = study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert heard == [
        "sa-tries-5: its code has changed since its rows were made (mjopt 0.1.0): they are made "
        "again",
        "the rows of ga-4-1 stand",
    ]
    assert same(raw(one.folder, "ga-4"), ga)
    assert raw(one.folder, "sa-").keys() == own.keys()
    assert edited.is_complete
    name = "rows/deals-6/sa-tries-5/run-00.parquet"
    assert raw(one.folder)[name][0] != own[name][0]
    (tmp_path / "sa.py").write_text(f"# Words only.\n{Path('sa.py').read_text()}")
    assert study(tmp_path / "s", GA, "sa.py:SA:tries=5")[1] == []
    write_method(tmp_path)
    back, _ = study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert raw(back.folder)[name][0] == own[name][0]


def test_a_run_that_was_stopped_does_not_go_on_with_edited_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_method(tmp_path, ("found, best =", "1 / 0; found, best ="))
    with pytest.raises(StudyError, match=r"method sa, run 0: sa fails: ZeroDivisionError.*line 27"):
        study(tmp_path / "s", GA, "sa.py:SA")
    write_method(tmp_path)
    fixed, _ = study(tmp_path / "s", GA, "sa.py:SA")
    assert fixed.is_complete


def test_workers_have_the_file_as_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes: what they import beside the file goes along, and the rows are the same."""
    monkeypatch.chdir(tmp_path)
    write_method(
        tmp_path,
        ("int(rng.integers(len(found)))", "pick(rng, found)"),
        ("import numpy as np", "from beside import pick"),
    )
    (tmp_path / "beside.py").write_text(
        "def pick(rng, found): return int(rng.integers(len(found)))"
    )
    one, _ = study(tmp_path / "one", "sa.py:SA", sample=0, curves=0)
    monkeypatch.setattr(running, "MIN_SHARE", 0.0)
    two, _ = study(tmp_path / "two", "sa.py:SA", sample=0, curves=0, jobs=2)
    name = "rows/deals-6/sa/run-01.parquet"
    assert raw(one.folder)[name][0] == raw(two.folder)[name][0]
    (tmp_path / "beside.py").write_text("def pick(rng, found): return 0")
    _, heard = study(tmp_path / "two", "sa.py:SA", sample=0, curves=0)
    assert [line.partition(":")[0] for line in heard] == ["sa"]


def test_other_parameters_under_a_label_are_run_again(tmp_path: Path) -> None:
    study(tmp_path / "s", "mine=" + GA)
    _, heard = study(tmp_path / "s", "mine=" + PSO)
    assert len(heard) == 1
    assert heard[0].startswith("mine: ga has become pso since its rows were made (mjopt ")


def test_an_edited_parameter_is_told_with_its_old_and_new_value(tmp_path: Path) -> None:
    """A default changed in a file, another added, one gone: each is named."""
    file = write_method(tmp_path, ("tries: int = 3", "tries: int = 3\n    old: bool = True"))
    study(tmp_path / "s", f"mine={file}:SA")
    write_method(tmp_path, ("tries: int = 3", "tries: int = 5\n    heat: float = 0.5"))
    _, [line] = study(tmp_path / "s", f"mine={file}:SA")
    changes = "tries has changed from 3 to 5, heat=0.5 is new, old is gone"
    assert line.startswith(f"mine: {changes} since its rows were made (mjopt ")


def test_a_parameter_of_the_budget_is_told_too(tmp_path: Path) -> None:
    study(tmp_path / "s", "mine=" + GA)
    _, [line] = study(tmp_path / "s", f"mine={GA.replace('generations=1', 'generations=2')}")
    assert line.startswith("mine: generations has changed from 1 to 2 since its rows were made")


def test_rows_of_before_there_were_records_are_kept_and_it_is_said(tmp_path: Path) -> None:
    old, _ = study(tmp_path / "s")
    before = raw(old.folder)
    (old.folder / MADE_BY).unlink()
    again, heard = study(tmp_path / "s")
    assert heard == [
        f"{old.folder}: what code made the rows of ga-4-1 was not noted: they are kept"
    ]
    assert same(raw(again.folder), before)
    assert study(tmp_path / "s")[1] == []  # noted now


def test_a_release_alone_changes_no_row(tmp_path: Path) -> None:
    """Rows depend on the code of their method: what release it came with is only told."""
    old, _ = study(tmp_path / "s")
    record = json.loads((old.folder / MADE_BY).read_text())
    assert record["methods"]["ga-4-1"]["by"]["mjopt"] == "0.1.0"
    record["methods"]["ga-4-1"]["by"]["mjopt"] = "0.0.9"
    (old.folder / MADE_BY).write_text(json.dumps(record))
    plan = json.loads((old.folder / PLAN).read_text()) | {"version": "0.0.9"}
    (old.folder / PLAN).write_text(json.dumps(plan))
    before = raw(old.folder)
    assert study(tmp_path / "s")[1] == []
    assert same(raw(old.folder), before)
    record["methods"]["ga-4-1"]["by"]["code"] = "0" * 64
    (old.folder / MADE_BY).write_text(json.dumps(record))
    assert "ga-4-1: its code has changed since its rows were made (mjopt 0.0.9)" in str(
        study(tmp_path / "s")[1]
    )


@pytest.mark.parametrize("text", ["[]", '{"format": 9}', '{"format": 1, "sets": {"a": {"b": 1}}}'])
def test_a_damaged_record_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    made, _ = study(tmp_path / "s")
    (made.folder / MADE_BY).write_text(text)
    with pytest.raises(FileError, match=f"{MADE_BY}: .*remove it to keep"):
        study(tmp_path / "s")


def test_the_file_of_a_method_is_named_like_one_of_ours_only_with_an_alias(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sa.py").write_text(SOURCE.replace('"sa"', '"ga"'))
    with pytest.raises(ValueError, match=r"sa.py:SA is called ga as one of ours is: ALIAS=sa.py"):
        plan_methods(["sa.py:SA"])
    [method] = plan_methods(["other=sa.py:SA"])
    assert (method.label, method.stream) == ("other", "ga:tries=3")


def test_who_holds_the_name_of_a_method_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class that a file of one's own has registered is none of ours, and no other than itself."""
    monkeypatch.chdir(tmp_path)
    held = write_method(tmp_path)
    held.write_text(
        SOURCE + "\nfrom mjopt.heuristics.registry import HEURISTICS\nHEURISTICS['sa'] = SA\n"
    )
    write_method(tmp_path, name="mine.py")
    try:
        assert plan_methods(["sa.py:SA"])[0].label == "sa"
        told = f"mine.py:SA is called sa as SA of {held} is: ALIAS=mine.py:SA"
        with pytest.raises(ValueError, match=re.escape(told)):
            plan_methods(["mine.py:SA"])
    finally:
        del HEURISTICS["sa"]
