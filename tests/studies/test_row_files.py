"""Parquet files: the same columns, the same bytes; every damage is noticed."""

from pathlib import Path

import numpy as np
import pytest

from mjopt.errors import FileError
from mjopt.studies.row_files import (
    CURVES,
    HANDS,
    ROWS,
    TIMES,
    Columns,
    read_columns,
    write_columns,
)

SCHEMAS = {"hands": HANDS, "rows": ROWS, "times": TIMES, "curves": CURVES}


def made(schema: dict[str, str], rows: int) -> Columns:
    rng = np.random.default_rng(rows)
    columns: Columns = {}
    for name, kind in schema.items():
        if kind == "string":
            columns[name] = np.array([f"{i % 9 + 1}m" for i in range(rows)], dtype=object)
        elif kind == "float64":
            columns[name] = rng.random(rows)
        else:
            columns[name] = rng.integers(0, 2, rows).astype(kind)
    return columns


@pytest.mark.parametrize("rows", [0, 1, 5000])
@pytest.mark.parametrize("name", SCHEMAS)
def test_there_and_back(tmp_path: Path, name: str, rows: int) -> None:
    columns = made(SCHEMAS[name], rows)
    write_columns(tmp_path / "a.parquet", SCHEMAS[name], columns)
    found = read_columns(tmp_path / "a.parquet", SCHEMAS[name], rows=rows)
    assert list(found) == list(columns)
    for column, kind in SCHEMAS[name].items():
        assert found[column].tolist() == columns[column].tolist()
        assert found[column].dtype == np.dtype("object" if kind == "string" else kind)


def test_same_columns_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_columns(tmp_path / name, ROWS, made(ROWS, 3000))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_every_cut_and_most_flips_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "run-00.parquet"
    columns = made(ROWS, 200)
    write_columns(path, ROWS, columns)
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(FileError, match="run-00.parquet"):
            read_columns(path, ROWS, rows=200)
    rng = np.random.default_rng(1)
    for place in rng.integers(0, len(whole) - 8, 150):
        flipped = bytearray(whole)
        flipped[place] ^= 0x10
        path.write_bytes(bytes(flipped))
        try:
            found = read_columns(path, ROWS, rows=200)
        except FileError:
            continue
        # What no checksum covers are words of the footer that nothing reads.
        assert all((found[name] == columns[name]).all() for name in ROWS)


def test_what_is_not_such_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    with pytest.raises(FileError, match="no such file"):
        read_columns(path, ROWS)
    path.write_text("not parquet at all")
    with pytest.raises(FileError, match="damaged .*delete it and run the study again"):
        read_columns(path, ROWS)
    write_columns(path, TIMES, made(TIMES, 3))
    with pytest.raises(FileError, match="columns first_hand, .*; expected hand, value"):
        read_columns(path, ROWS)
    write_columns(path, ROWS, made(ROWS, 3))
    with pytest.raises(FileError, match="3 rows, expected 4"):
        read_columns(path, ROWS, rows=4)
    with pytest.raises(FileError, match="does not exist"):
        write_columns(tmp_path / "no" / "x", ROWS, made(ROWS, 3))
