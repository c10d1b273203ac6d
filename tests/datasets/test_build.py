"""Dataset builds: reproducible bytes, resumption and errors."""

import json
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from helpers.dataset_folders import everything
from helpers.surroundings import disk_full_after
from helpers.waits import OLD

from mjopt import label
from mjopt._internal.files import lock_folder
from mjopt.datasets import LABELS, DatasetColumn, Label, build, make_plan, read_recipe
from mjopt.datasets.manifest import MANIFEST
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes import BLOCK_ROWS
from mjopt.errors import ArgumentError, FileError, SolverError, TileError, WorkerError
from mjopt.hands.tiles import FULL


def small_plan(**changes: Any) -> DatasetPlan:
    return make_plan(
        "deals:900",
        **{"seed": 4, "shards": 5, "labels": ("deficiency", "win"), "check": 2, **changes},
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("undisturbed")
    build(small_plan(), folder)
    return everything(folder)


class Reversed(Executor):
    """Run each task at once, on submission."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def test_dataset_has_the_expected_files(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    names = [f"data/train-{shard:05d}-of-00005.parquet" for shard in range(5)]
    assert sorted(undisturbed) == sorted(["LICENSE", "README.md", "manifest.json", *names])
    build(small_plan(), tmp_path)
    tables = [pq.read_table(tmp_path / name) for name in names]
    hands = np.array([row for table in tables for row in table["hand"].to_pylist()], np.uint8)
    assert (hands == read_recipe("deals:900").counts(seed=4)).all()
    assert [row for table in tables for row in table["row"].to_pylist()] == list(range(900))
    found = np.concatenate([table["deficiency"].to_numpy() for table in tables])
    assert (found == label(hands)).all()
    assert set(tables[0]["engine"].to_pylist()) == {small_plan().engine}


def test_schema_is_typed_and_has_metadata(tmp_path: Path) -> None:
    build(small_plan(tiles=FULL, labels=("deficiency", "useful")), tmp_path)
    file = pq.ParquetFile(tmp_path / "data/train-00002-of-00005.parquet")
    kinds = {field.name: str(field.type) for field in file.schema_arrow}
    assert kinds == {
        "row": "int64",
        "hand": "fixed_size_list<element: uint8 not null>[34]",
        "text": "string",
        "deficiency": "int8",
        "useful_tiles": "uint64",
        "engine": "string",
    }
    about = {k.decode(): v.decode() for k, v in file.schema_arrow.metadata.items()}
    assert about["mjopt.schema_version"] == "1"
    assert about["mjopt.recipe"] == "deals:900"
    assert about["mjopt.seed"] == "4"
    assert about["mjopt.tiles"] == "136"
    assert about["mjopt.mjopt"]
    assert (about["mjopt.split"], about["mjopt.shard"]) == ("train", "2")
    column = file.metadata.row_group(0).column(1)
    assert column.compression == "ZSTD"


@pytest.mark.parametrize("executor", [None, Reversed(), "processes"], ids=["alone", "odd", "two"])
def test_output_does_not_depend_on_the_executor(
    executor: Any, tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    done: list[int] = []
    if isinstance(executor, str):
        report = build(small_plan(), tmp_path, jobs=2, advance=done.append)
    else:
        report = build(small_plan(), tmp_path, executor=executor, advance=done.append)
    assert everything(tmp_path) == undisturbed
    assert sum(done) == report.rows == 900
    assert report.memory
    assert 0 < report.labelling_share < 1


def test_rows_do_not_depend_on_the_number_of_shards(tmp_path: Path) -> None:
    found = []
    for shards in (1, 3, 60):
        folder = tmp_path / str(shards)
        build(make_plan("deals:900", seed=4, shards=shards, splits="a=1,b=1"), folder)
        found.append(
            {
                split: [
                    row
                    for path in sorted((folder / "data").glob(f"{split}-*"))
                    for row in pq.read_table(path).to_pylist()
                ]
                for split in "ab"
            }
        )
    assert found[0] == found[1] == found[2]
    assert len(found[0]["a"]) + len(found[0]["b"]) == 900


def test_stopped_build_resumes(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    class StoppedError(Exception):
        pass

    def stop(rows: int) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        build(small_plan(), tmp_path, advance=stop)
    assert not (tmp_path / MANIFEST).exists()
    first = tmp_path / "data/train-00000-of-00005.parquet"
    assert first.exists()
    os.utime(first, OLD)
    report = build(small_plan(), tmp_path)
    assert (report.kept_shards, first.stat().st_mtime) == (1, OLD[1])
    assert everything(tmp_path) == undisturbed
    again = build(small_plan(), tmp_path)
    assert (again.kept_shards, again.rows) == (5, 0)
    assert everything(tmp_path) == undisturbed


def half_built(folder: Path) -> None:
    """Build shards 0 to 2 and no manifest."""

    class StoppedError(Exception):
        pass

    left = [3]

    def stop(rows: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise StoppedError

    with pytest.raises(StoppedError):
        build(small_plan(), folder, advance=stop)


def test_missing_file_is_rebuilt(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    half_built(tmp_path)
    (tmp_path / "data/train-00001-of-00005.parquet").unlink()
    assert build(small_plan(), tmp_path).kept_shards == 2
    assert everything(tmp_path) == undisturbed


def test_modified_file_of_a_complete_dataset_is_refused(tmp_path: Path) -> None:
    build(small_plan(), tmp_path)
    modified = tmp_path / "data/train-00001-of-00005.parquet"
    content = bytearray(modified.read_bytes())
    content[100] ^= 1
    modified.write_bytes(content)
    with pytest.raises(FileError, match=r"train-00001-of-00005.parquet: was modified"):
        build(small_plan(), tmp_path)
    modified.unlink()
    assert build(small_plan(), tmp_path).kept_shards == 4


def test_damaged_file_of_an_unfinished_dataset_is_refused(tmp_path: Path) -> None:
    half_built(tmp_path)
    path = tmp_path / "data/train-00001-of-00005.parquet"
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(FileError, match=r"train-00001-of-00005.parquet: was modified"):
        build(small_plan(), tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 5}, r"holds another dataset \(seed 4, not 5\)"),
        ({"shards": 6}, "shards 5, not 6"),
        ({"labels": ("win",)}, 'labels \\["deficiency", "win"\\], not \\["win"\\]'),
        ({"splits": "train=1,test=1"}, "splits"),
        ({"text": False}, "text true, not false"),
    ],
)
def test_changed_plan_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    half_built(tmp_path)
    before = everything(tmp_path)
    with pytest.raises(FileError, match=message):
        build(small_plan(**change), tmp_path)
    assert everything(tmp_path) == before


def test_changed_plan_of_a_complete_dataset_is_refused(tmp_path: Path) -> None:
    build(small_plan(), tmp_path)
    before = everything(tmp_path)
    with pytest.raises(FileError, match=r"holds another dataset \(seed 4, not 5\)"):
        build(small_plan(seed=5), tmp_path)
    assert everything(tmp_path) == before


def test_changed_file_of_hands_is_refused(tmp_path: Path) -> None:
    hands = tmp_path / "hands.npy"
    np.save(hands, read_recipe("deals:50").counts(seed=1))
    plan = make_plan(f"file:{hands}", shards=2)
    build(plan, tmp_path / "out")
    np.save(hands, read_recipe("deals:50").counts(seed=2))
    with pytest.raises(FileError, match="recipe_identity"):
        build(make_plan(f"file:{hands}", shards=2), tmp_path / "out")


def test_second_writer_is_refused(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(FileError, match="is writing here now"):
        build(small_plan(), tmp_path)


def test_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(FileError, match="holds thesis.tex and no dataset"):
        build(small_plan(), tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_unknown_file_in_the_folder_is_refused(tmp_path: Path) -> None:
    half_built(tmp_path)
    (tmp_path / "data/notes.txt").write_text("mine")
    with pytest.raises(FileError, match="notes.txt: not a file of this dataset"):
        build(small_plan(), tmp_path)


def test_full_disk_is_a_one_line_error(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    with disk_full_after(4_000), pytest.raises(FileError, match="File too large") as caught:
        build(small_plan(), tmp_path)
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "data").iterdir())  # no partial file remains
    build(small_plan(), tmp_path)
    assert everything(tmp_path) == undisturbed


def test_wrong_label_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mjopt.datasets.labels import hand_labels

    monkeypatch.setattr(
        hand_labels, "deficiencies", lambda hands, **_: np.zeros(len(hands), np.int8)
    )
    plan = make_plan("deals:50", seed=1, check=3)
    with pytest.raises(SolverError, match=r"row \d+, .*: deficiency is 0 by tables .*, but [1-6]"):
        build(plan, tmp_path)
    assert not list((tmp_path / "data").iterdir())


def test_label_outside_its_type_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = DatasetColumn("own", "int8", "too large in the last row")
    own = Label(
        name="own", engine="own 1", columns=(column,), compute=lambda rows: 1000 * (rows.rows == 49)
    )
    monkeypatch.setitem(LABELS, "own", own)
    plan = make_plan("deals:50", labels=("own",), splits="a=1,b=1")
    with pytest.raises(ArgumentError, match="^label own: own is 1000 in row 49, outside its type"):
        build(plan, tmp_path)
    assert not list((tmp_path / "data").iterdir())


class Dying(Executor):
    """An executor whose workers are killed."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("gone"))
        return future


def test_killed_worker_is_a_one_line_error(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="worker"):
        build(small_plan(), tmp_path, executor=Dying())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shards": 0}, "shards 0, expected 1..900"),
        ({"shards": 901}, "shards 901, expected 1..900"),
        ({"seed": -1}, "seed -1"),
        ({"check": -1}, "check -1"),
        ({"size": 15}, "hands of 15 tiles"),
    ],
)
def test_impossible_plans_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        small_plan(**change)


def test_tile_sets_have_names() -> None:
    assert make_plan("deals:9", tiles="136") == make_plan("deals:9", tiles=FULL)
    with pytest.raises(TileError, match="tiles 144, expected one of m0, 136"):
        make_plan("deals:9", tiles="144")


def test_zero_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="jobs 0"):
        build(small_plan(), tmp_path, jobs=0)


def test_shards_end_at_block_boundaries() -> None:
    plan = make_plan("deals:10_000_000")
    assert plan.num_shards == 11
    edges = [plan.shard_rows(shard) for shard in range(11)]
    assert edges[0][0] == 0
    assert edges[-1][1] == 10_000_000
    assert all(a[1] == b[0] and a[1] % BLOCK_ROWS == 0 for a, b in pairwise(edges))


def test_manifest_contains_no_time_or_path(tmp_path: Path) -> None:
    build(small_plan(), tmp_path)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    assert set(manifest) == {"plan", "rows", "shards"}
    assert manifest["rows"] == {"train": 900}
    assert [record["checked"] for record in manifest["shards"]] == [2] * 5
    assert str(tmp_path) not in (tmp_path / MANIFEST).read_text()


@pytest.mark.parametrize("checked", ["\N{ARABIC-INDIC DIGIT THREE}", 2.0, True, None])
def test_number_of_checked_rows_in_the_manifest_is_whole(tmp_path: Path, checked: object) -> None:
    plan = make_plan("deals:20", seed=1)
    build(plan, tmp_path, jobs=1)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["shards"][0]["checked"] = checked
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match=MANIFEST):
        build(plan, tmp_path, jobs=1)


def test_folder_that_pyarrow_cannot_open_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the name is not UTF-8"):
        build(make_plan("deals:20", seed=1), tmp_path / "\udcff", jobs=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("field", ["shard", "first_row", "rows"])
def test_rows_of_a_shard_are_those_of_the_plan(tmp_path: Path, field: str) -> None:
    plan = make_plan("deals:20", seed=1, shards=2)
    build(plan, tmp_path, jobs=1)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["shards"][1][field] -= 1
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match="shard 1 does not have the rows of the plan"):
        build(plan, tmp_path, jobs=1)


def test_slow_labels_report_each_row(tmp_path: Path) -> None:
    reports: list[int] = []
    plan = make_plan("deals:6", seed=1, shards=2, labels=("deficiency", "win_within:1", "advice:1"))
    build(plan, tmp_path / "slow", advance=reports.append)
    assert len(reports) > 4
    assert sum(reports) == 6
    assert min(reports) == 1
