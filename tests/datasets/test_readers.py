"""Other packages read a dataset directly and without network access."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.fresh_process import run_python
from helpers.surroundings import environment

from mjopt import label
from mjopt.datasets import (
    build,
    check_dataset,
    make_plan,
    read_recipe,
    to_numpy,
    to_pandas,
)
from mjopt.datasets.collection import build_collection
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import FULL

LABELS = ("deficiency", "win", "useful", "targets")


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    return read_recipe("deals:500", tiles=FULL).counts(seed=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hands")
    plan = make_plan(
        "deals:500", tiles=FULL, seed=6, shards=3, labels=LABELS, splits="train=3,test=1"
    )
    build(plan, folder)
    return folder


# In another process, because DuckDB prints its leaks when the process ends.
DUCKDB = """
import json, duckdb
rows = duckdb.sql(
    "select hand, deficiency, win, useful_tiles from '{folder}/data/*.parquet' order by row"
).fetchall()
by = duckdb.sql("select count(*) from '{folder}/data/train-*.parquet' group by deficiency")
print(json.dumps([rows, by.fetchall()]))
"""


def test_split_without_rows_is_read(tmp_path: Path) -> None:
    build(make_plan("deals:1", splits="a=1,b=1"), tmp_path)
    shapes = {
        split: {name: values.shape for name, values in to_numpy(tmp_path, split=split).items()}
        for split in "ab"
    }
    assert sorted(found["hand"] for found in shapes.values()) == [(0, 27), (1, 27)]
    assert sorted(found["text"] for found in shapes.values()) == [(0,), (1,)]
    assert check_dataset(tmp_path, sample=3).is_sound


def test_duckdb_reads_the_dataset(folder: Path, hands: np.ndarray) -> None:
    if find_spec("duckdb") is None:
        pytest.skip("duckdb is not installed")
    rows, by = json.loads(run_python(DUCKDB.format(folder=folder)).stdout)
    assert np.array_equal([hand for hand, *_ in rows], hands)
    assert [value for _, value, *_ in rows] == label(hands).tolist()
    assert sum(count for (count,) in by) < 500


def test_polars_reads_the_dataset(folder: Path, hands: np.ndarray) -> None:
    pl = pytest.importorskip("polars")
    found = pl.scan_parquet(f"{folder}/data/*.parquet").sort("row").collect()
    assert found.schema["hand"] == pl.Array(pl.UInt8, 34)
    assert found.schema["useful_tiles"] == pl.UInt64
    assert np.array_equal(found["hand"].to_numpy(), hands)


def test_pandas_reads_the_dataset(folder: Path, hands: np.ndarray) -> None:
    pd = pytest.importorskip("pandas")
    found = pd.read_parquet(folder / "data").sort_values("row")
    assert np.array_equal(np.stack(found["hand"]), hands)
    assert found["deficiency"].dtype == np.int8
    assert found["deficiency"].tolist() == label(hands).tolist()


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Any]:
    with environment(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HOME=tmp_path / "hf"):
        yield pytest.importorskip("datasets")


def test_hugging_face_reads_the_dataset(
    folder: Path, hands: np.ndarray, offline: Any, tmp_path: Path
) -> None:
    found = offline.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert set(found) == {"train", "test"}
    assert found["train"].features["hand"].length == 34
    rows = sorted((row["row"], row["hand"]) for split in found.values() for row in split)
    assert np.array_equal([hand for _, hand in rows], hands)


def test_the_papers_sets_are_configurations(tmp_path: Path, offline: Any) -> None:
    plans = [
        (name, make_plan(f"{name}:60", seed=1, splits="train=1,test=1"))
        for name in ("two-type", "three-type")
    ]
    build_collection(plans, tmp_path / "paper")
    cache = str(tmp_path / "cache")
    assert offline.get_dataset_config_names(str(tmp_path / "paper")) == ["two-type", "three-type"]
    found = offline.load_dataset(str(tmp_path / "paper"), "three-type", cache_dir=cache)
    assert sum(len(split) for split in found.values()) == 60


def test_to_numpy_and_to_pandas(folder: Path, hands: np.ndarray) -> None:
    values = to_numpy(folder)
    assert np.array_equal(values["hand"], hands)
    assert np.array_equal(values["row"], np.arange(500))
    assert (values["deficiency"] == label(hands)).all()
    train, test = (to_numpy(folder, ["row"], split=split)["row"] for split in ("train", "test"))
    assert sorted([*train, *test]) == list(range(500))
    frame = to_pandas(folder, ["deficiency", "hand"])
    assert list(frame) == ["deficiency", "hand"]
    assert np.array_equal(np.stack(frame["hand"]), hands)
    with pytest.raises(ArgumentError, match="split 'dev', expected one of train, test"):
        to_numpy(folder, split="dev")
    with pytest.raises(FileError, match="no column colour"):
        to_numpy(folder, ["colour"])
