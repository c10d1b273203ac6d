"""Dataset checks detect and name every kind of damage."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mjopt.datasets import build, make_plan
from mjopt.datasets.check import check_dataset
from mjopt.datasets.manifest import MANIFEST, PLAN
from mjopt.errors import FileError, MjoptError

FILE = "data/train-00001-of-00003.parquet"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    plan = make_plan(
        "stratified:300", seed=4, shards=3, labels=("deficiency", "useful"), splits="train=2,test=1"
    )
    build(plan, folder)
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "copy")


def test_sound_dataset_passes(folder: Path) -> None:
    done: list[int] = []
    report = check_dataset(folder, sample=10, seed=3, advance=done.append)
    assert report.is_sound
    assert (report.rows, report.files, report.sampled) == (300, 6, 30)
    assert done == [100, 100, 100]


def test_damaged_file_with_matching_digest_is_a_one_line_error(tmp_path: Path) -> None:
    build(make_plan("deals:60", seed=1), tmp_path)
    path = sorted((tmp_path / "data").iterdir())[0]
    sound, manifest = path.read_bytes(), json.loads((tmp_path / MANIFEST).read_text())
    for place in range(0, len(sound), max(1, len(sound) // 40)):
        content = bytearray(sound)
        content[place] ^= 1
        path.write_bytes(content)
        for file in manifest["shards"][0]["files"]:
            if file["name"] == f"data/{path.name}":
                file["sha256"] = hashlib.sha256(content).hexdigest()
        (tmp_path / MANIFEST).write_text(json.dumps(manifest))
        assert all("\n" not in fault for fault in check_dataset(tmp_path, sample=1).faults)


def rewrite(folder: Path, change: Callable[[pa.Table], pa.Table], *, count: bool = True) -> None:
    """Change a file and update the manifest to match."""
    path = folder / FILE
    table = change(pq.read_table(path))
    pq.write_table(table, path)
    manifest = json.loads((folder / MANIFEST).read_text())
    for record in manifest["shards"]:
        for file in record["files"]:
            if file["name"] == FILE:
                content = path.read_bytes()
                file["bytes"], file["sha256"] = len(content), hashlib.sha256(content).hexdigest()
                if count:
                    file["rows"] = table.num_rows
    (folder / MANIFEST).write_text(json.dumps(manifest))


def with_column(name: str, new: Callable[[Any], Any]) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        at = table.schema.get_field_index(name)
        values = [new(value) for value in table[name].to_pylist()]
        return table.set_column(at, table.schema.field(at), pa.array(values, table.schema[at].type))

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (with_column("deficiency", lambda v: v + 1), r"deficiency is \d, proved to be \d"),
        (with_column("useful_tiles", lambda v: v ^ 1), "useful_tiles is .*, proved to be"),
        (
            with_column("hand", lambda v: v[::-1]),
            "the recipe draws .*, the file holds another hand",
        ),
        (with_column("text", lambda v: v + "9m"), "text '"),
        (with_column("weight", lambda v: v * 2), "weight "),
        (with_column("engine", lambda _: "oracle"), "engine 'oracle', expected 'mjopt "),
        (lambda table: table.slice(1), r"shard 1: row \d+ occurs 0 times, expected once"),
        (lambda table: pa.concat_tables([table, table.slice(0, 1)]), "occurs 2 times"),
        (lambda table: table.drop_columns(["row"]), "no column row"),
    ],
    ids=["label", "mask", "hand", "text", "weight", "engine", "lost", "twice", "no-row"],
)
def test_forged_file_is_detected(
    folder: Path, change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    rewrite(folder, change)
    report = check_dataset(folder, sample=100)
    assert not report.is_sound
    assert any(re.search(message, fault) for fault in report.faults), report.faults


def test_wrong_row_count_is_detected(folder: Path) -> None:
    rewrite(folder, lambda table: table.slice(1), count=False)
    assert any("rows, expected" in fault for fault in check_dataset(folder).faults)


def test_leak_between_splits_is_detected(folder: Path) -> None:
    moved = pq.read_table(folder / "data/test-00001-of-00003.parquet")
    # Move one row to the other split and update the manifest of both.
    rewrite(folder, lambda table: pa.concat_tables([table, moved.slice(0, 1)]))
    path = folder / "data/test-00001-of-00003.parquet"
    pq.write_table(moved.slice(1), path)
    manifest = json.loads((folder / MANIFEST).read_text())
    for file in manifest["shards"][1]["files"]:
        if file["name"].startswith("data/test"):
            content = path.read_bytes()
            file["bytes"], file["sha256"] = len(content), hashlib.sha256(content).hexdigest()
            file["rows"] -= 1
    (folder / MANIFEST).write_text(json.dumps(manifest))
    faults = check_dataset(folder, sample=100).faults
    assert any("is in split train, unlike equivalent hands" in f for f in faults)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[50] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (flip, "SHA-256 differs"),
        (Path.unlink, "missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), r"\d+ bytes, expected \d+"),
        (lambda path: path.with_name("more.txt").write_text(""), "more.txt: not in the manifest"),
    ],
)
def test_broken_file_is_detected(folder: Path, spoil: Callable[[Path], Any], message: str) -> None:
    spoil(folder / FILE)
    [fault] = check_dataset(folder).faults
    assert re.search(message, fault)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"datasets": ["a", "b"]}', "holds several datasets; name one of a, b"),
        ("{}", "not the manifest of a dataset"),
        ('{"plan": {}, "shards": []}', "not the plan of a dataset by mjopt"),
        ('{"plan": {"format": "mjopt-dataset"}, "shards": []}', "schema version None, expected 1"),
        (
            '{"plan": {"format": "mjopt-dataset", "schema_version": 1}, "shards": []}',
            "recipe None, expected str",
        ),
    ],
)
def test_invalid_manifest_is_refused(folder: Path, text: str, message: str) -> None:
    (folder / MANIFEST).write_text(text)
    with pytest.raises(FileError, match=message):
        check_dataset(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rows", "300", "rows '300', expected int"),
        ("seed", True, "seed True, expected int"),
        ("text", 1, "text 1, expected bool"),
        ("tiles", "m9", "unknown tiles 'm9'"),
        ("file_format", "csv", "file_format 'csv', expected 'parquet'"),
        ("labels", ["beauty"], "label 'beauty'"),
        ("splits", {}, "without rows, shards or splits"),
        ("shards", 0, "without rows, shards or splits"),
    ],
)
def test_impossible_plan_in_manifest_is_refused(
    folder: Path, key: str, value: Any, message: str
) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["plan"][key] = value
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(MjoptError, match=message):
        check_dataset(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "data/../../x"), ("name", "/etc/x"), ("rows", "5"), ("sha256", None)],
)
def test_invalid_shard_record_is_refused(folder: Path, key: str, value: Any) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["shards"][1]["files"][0][key] = value
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match="shard 1 is not the record of a shard"):
        check_dataset(folder)


def test_manifest_with_a_missing_shard_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    del manifest["shards"][1]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(FileError, match="does not list shards 0..2"):
        check_dataset(folder)


def test_missing_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no dataset, expected one with manifest.json"):
        check_dataset(tmp_path)
    (tmp_path / PLAN).write_text("{}")
    with pytest.raises(FileError, match="an unfinished dataset"):
        check_dataset(tmp_path)


def test_sampled_rows_depend_on_the_seed(folder: Path) -> None:
    rewrite(folder, with_column("deficiency", lambda v: v + 1))
    faults = [check_dataset(folder, sample=5, seed=seed).faults for seed in (1, 1, 2)]
    assert faults[0] == faults[1] != faults[2]
    assert check_dataset(folder, sample=0).is_sound  # no row was checked
    assert np.all([len(found) <= 5 for found in faults])
