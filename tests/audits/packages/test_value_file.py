"""Files of hands with values: columns, formats, and rows that are not hands."""

from pathlib import Path
from typing import Any

import pytest
from helpers.surroundings import without_packages

from mjopt import FULL, M0
from mjopt.audits.packages import ValueFile
from mjopt.errors import FileError

COUNTS = [0] * 27
COUNTS[:9] = [3, 1, 1, 1, 1, 1, 1, 1, 3]
COUNTS[9] = 1


def rows(path: Path, text: str, **how: Any) -> list[tuple[Any, ...]]:
    path.write_text(text)
    return [
        (row.line, row.hand and row.hand.num_tiles, row.theirs, row.reason)
        for row in ValueFile.open(path, tiles=M0, **how).rows()
    ]


def parquet(path: Path, columns: dict[str, list[Any]]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(arrow.table(columns), path)
    return path


def test_csv_with_hands_is_read_row_by_row(tmp_path: Path) -> None:
    text = "id,hand,shanten\n1,1112345678999m1p,0\n\n2,11111m,0\n3,123m,1\n4\n5,,2\n"
    assert rows(tmp_path / "v.csv", text) == [
        (2, 14, 1, ""),
        (4, None, 1, "'1' at character 5: a fifth 1m, expected at most 4"),
        (5, None, 2, "3 tiles, expected 14 or 13"),
        (6, None, None, "1 cells, expected 3"),
        (7, None, 3, "no hand, expected its tiles"),
    ]


def test_csv_with_counts_is_read(tmp_path: Path) -> None:
    bad = [*map(str, COUNTS)]
    bad[0] = "x"
    lines = [[*M0.names, "deficiency"], [*map(str, COUNTS), "1"], [*bad, "1"]]
    found = rows(tmp_path / "v.csv", "\n".join(",".join(line) for line in lines))
    assert found == [(2, 14, 1, ""), (3, None, 1, "1m: 'x', expected a whole number")]


def test_called_melds_come_from_column_or_option(tmp_path: Path) -> None:
    text = "hand,called,deficiency\n11m,4,0\n11123m,3,0\n11m,,0\n11m,x,0\n"
    assert [row[3] for row in rows(tmp_path / "v.csv", text)] == [
        "",
        "",
        "called: no number, expected a whole number",
        "called: 'x', expected a whole number",
    ]
    assert [row[3] for row in rows(tmp_path / "v.csv", text, called=4)] == [
        "",
        "5 tiles, expected 2 or 1 with 4 called",
        "",
        "",
    ]


def test_notation_partial_hands_and_shanten_are_converted(tmp_path: Path) -> None:
    text = "hand,value\nC1C2,11\n"
    how = {"notation": "paper", "partial": True, "column": "value", "means": "shanten"}
    assert rows(tmp_path / "v.csv", text, **how) == [(2, 2, 12, "")]


def test_parquet_with_hands_is_read(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "v.parquet",
        {"hand": ["1112345678999m1p", None, "11m"], "deficiency": [1.0, 2.0, None]},
    )
    file = ValueFile.open(path, tiles=FULL)
    assert len(file) == 3
    assert [(row.line, row.theirs, row.reason) for row in file.rows()] == [
        (0, 1, ""),
        (1, 2, "no hand, expected its tiles"),
        (2, None, "2 tiles: 14 less four called melds, expected called 4"),
    ]


def test_parquet_with_counts_is_read(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        name: [held, 5] for name, held in zip(M0.names, COUNTS, strict=True)
    }
    path = parquet(tmp_path / "v.parquet", columns | {"shanten": [0, 0]})
    found = list(ValueFile.open(path, tiles=M0).rows())
    assert (found[0].text, found[0].theirs) == ("1112345678999m1p", 1)
    assert found[1].reason.startswith("counts: 5 copies of 1m")


@pytest.mark.parametrize(
    ("header", "how", "argument", "message"),
    [
        ("a,b", {}, "", "columns (a, b), expected one named 'hand', or one per kind (1m ... 9s)"),
        ("", {}, "", "columns (none), expected one named 'hand', or one per kind (1m ... 9s)"),
        (
            "hand,x",
            {},
            "column: ",
            "columns (hand, x), expected one named deficiency or shanten, or its name",
        ),
        (
            "hand,deficiency,shanten",
            {},
            "column: ",
            "has columns deficiency and shanten, expected the name of one",
        ),
        ("hand,x", {"column": "y"}, "", "no column 'y' among hand, x"),
        (
            "hand,x",
            {"column": "x"},
            "means: ",
            "column 'x', expected deficiency or shanten",
        ),
    ],
)
def test_missing_and_ambiguous_columns_are_refused(
    tmp_path: Path, header: str, how: dict[str, str], argument: str, message: str
) -> None:
    path = tmp_path / "v.csv"
    path.write_text(header)
    with pytest.raises(FileError) as error:
        ValueFile.open(path, tiles=M0, **how)  # type: ignore[arg-type]
    assert str(error.value) == f"{argument}{path}: {message}"


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        ValueFile.open(tmp_path / "v.csv", tiles=M0)
    (tmp_path / "v.xls").write_text("")
    with pytest.raises(FileError, match="ending '.xls', expected one of .csv, .parquet"):
        ValueFile.open(tmp_path / "v.xls", tiles=M0)
    (tmp_path / "v.csv").write_bytes(b"\xff")
    with pytest.raises(FileError, match="not UTF-8 text at byte 0"):
        ValueFile.open(tmp_path / "v.csv", tiles=M0)


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "v.parquet").write_text("hand,deficiency")
    with pytest.raises(FileError, match="not a Parquet file"):
        ValueFile.open(tmp_path / "v.parquet", tiles=M0)


@without_packages("pyarrow")
def test_missing_pyarrow_is_named(tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    path.write_text("")
    with pytest.raises(FileError) as error:
        ValueFile.open(path, tiles=M0)
    assert str(error.value) == (
        f"{path}: reading Parquet needs PyArrow: pip install 'mjopt[datasets]'"
    )
