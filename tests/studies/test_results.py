"""Parquet files of a study: reproducible bytes and detection of damage."""

from pathlib import Path

import numpy as np
import pytest
from helpers.made_study import make_study

from mjopt.errors import FileError
from mjopt.studies.study import Study
from mjopt.studies.study_files import (
    CURVES,
    HANDS,
    ROWS,
    UNITS,
    Columns,
    merge_units,
    read_parquet,
    write_parquet,
)

SCHEMAS = {"hands": HANDS, "rows": ROWS, "curves": CURVES}


def random_columns(schema: dict[str, str], rows: int) -> Columns:
    rng = np.random.default_rng(rows)
    return {
        name: np.array([f"{i % 9 + 1}m" for i in range(rows)], dtype=object)
        if kind == "string"
        else rng.integers(0, 2, rows).astype(kind)
        for name, kind in schema.items()
    }


@pytest.mark.parametrize("rows", [0, 1, 5000])
@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_round_trip(tmp_path: Path, name: str, rows: int) -> None:
    columns = random_columns(SCHEMAS[name], rows)
    write_parquet(tmp_path / "a", SCHEMAS[name], [columns], metadata={"key": "value"})
    again, texts = read_parquet(tmp_path / "a", SCHEMAS[name])
    assert texts["key"] == "value"
    assert list(again) == list(columns)
    for column, kind in SCHEMAS[name].items():
        assert again[column].tolist() == columns[column].tolist()
        assert again[column].dtype == np.dtype("object" if kind == "string" else kind)


def test_same_columns_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_parquet(tmp_path / name, ROWS, [random_columns(ROWS, 3000)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_truncation_and_bit_flips_are_detected(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    columns = random_columns(ROWS, 200)
    write_parquet(path, ROWS, [columns])
    whole = path.read_bytes()
    for size in range(0, len(whole), 37):
        path.write_bytes(whole[:size])
        with pytest.raises(FileError, match=r"rows\.parquet"):
            read_parquet(path, ROWS)
    rng = np.random.default_rng(1)
    for place in rng.integers(0, len(whole) - 8, 150):
        flipped = bytearray(whole)
        flipped[place] ^= 0x10
        path.write_bytes(bytes(flipped))
        try:
            again, _ = read_parquet(path, ROWS)
        except FileError:
            continue
        # No checksum covers the unused bytes of the footer.
        assert all((again[name] == columns[name]).all() for name in ROWS)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    with pytest.raises(FileError, match="no such file"):
        read_parquet(path, ROWS)
    path.write_text("not parquet at all")
    with pytest.raises(FileError, match="damaged .*delete it and run the study again"):
        read_parquet(path, ROWS)
    write_parquet(path, CURVES, [random_columns(CURVES, 3)])
    with pytest.raises(FileError, match=r"columns \(hand, .*\), expected hand, value"):
        read_parquet(path, ROWS)
    with pytest.raises(FileError, match="does not exist"):
        write_parquet(tmp_path / "no" / "x", ROWS, [random_columns(ROWS, 3)])


def test_merged_rows_are_read_back(tmp_path: Path) -> None:
    study = make_study(tmp_path / "s", hands=12, runs=2, sample=5, curves=2)
    assert study.is_complete
    rows = study.rows("one-type", "ndde-20-50")
    assert rows["run"].tolist() == [0] * 12 + [1] * 12
    assert rows["hand"].tolist() == [*range(12)] * 2
    assert study.rows("one-type", "ndde-20-50", run=1)["run"].unique().tolist() == [1]
    assert len(study.sample_rows("one-type", "tree-search")) == 5
    assert len(study.times("one-type", "tree-search")) == 3
    assert study.curves("one-type", "ndde-20-50").columns.tolist() == ["run", *CURVES]
    assert eval(repr(study), {"Study": Study}).config == study.config


def test_merging_again_changes_nothing(tmp_path: Path) -> None:
    """A run killed after the merge merges again when resumed."""
    study = make_study(tmp_path / "s", hands=12, runs=2)
    before = {path.name: path.read_bytes() for path in study.folder.glob("*.parquet")}
    merge_units(study.folder, study.config)
    assert {path.name: path.read_bytes() for path in study.folder.glob("*.parquet")} == before


def test_a_damaged_list_of_units_is_one_line(tmp_path: Path) -> None:
    study = make_study(tmp_path / "s", hands=5, runs=1)
    path = study.folder / UNITS
    for text in (path.read_text().replace("rows,", "words,"), "a,b\n1,2\n"):
        path.write_text(text)
        with pytest.raises(FileError, match=r"units\.csv: damaged; delete it"):
            study.missing()
