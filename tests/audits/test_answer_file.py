"""Files of hands with answers: columns, formats, and rows that are not hands."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.surroundings import without_packages

from mjopt import FULL, M0
from mjopt.audits.answer_columns import read_columns
from mjopt.audits.answer_file import AnswerFile
from mjopt.audits.answers import UNREAD
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.files.hand_file import HandFile

COUNTS = [0] * 27
COUNTS[:9] = [3, 1, 1, 1, 1, 1, 1, 1, 3]
COUNTS[9] = 1


def open_file(path: Path, columns: dict[str, str] | None = None, **how: Any) -> AnswerFile:
    how = {"tiles": M0, "format": path.suffix[1:]} | how
    return AnswerFile.open(HandFile(path=path, **how), columns)


def rows_of(file: AnswerFile, name: str = "") -> list[tuple[int, int | None, int | None, str]]:
    """Return line, tiles, answer and reason of each row, in order."""
    found: list[tuple[int, int | None, int | None, str]] = []
    for block in file.blocks():
        found += [(line, None, None, reason) for line, _, reason in block.not_hands]
        assert block.hands is not None
        name = name or next(iter(file.columns))
        for place, answer in enumerate(block.given[name].tolist()):
            read = None if answer == UNREAD else answer
            size = block.hands.hand(place).num_tiles
            found.append((int(block.lines[place]), size, read, ""))
    return sorted(found)


def rows(path: Path, text: str, **how: Any) -> list[tuple[Any, ...]]:
    path.write_text(text)
    return rows_of(open_file(path, **how))


def parquet(path: Path, columns: dict[str, list[Any]]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(arrow.table(columns), path)
    return path


def test_csv_with_hands_is_read_row_by_row(tmp_path: Path) -> None:
    text = "id,hand,shanten\n1,1112345678999m1p,0\n\n2,11111m,0\n3,123m,1\n4\n5,,2\n"
    assert rows(tmp_path / "v.csv", text) == [
        (2, 14, 0, ""),
        (4, None, None, "'1' at character 5: a fifth 1m, expected at most 4"),
        (5, None, None, "3 tiles, expected 14 or 13"),
        (6, None, None, "1 cells, expected 3"),
        (7, None, None, "no hand, expected its tiles"),
    ]


def test_csv_with_counts_is_read(tmp_path: Path) -> None:
    bad = [*map(str, COUNTS)]
    bad[0] = "x"
    lines = [[*M0.names, "deficiency"], [*map(str, COUNTS), "1"], [*bad, "1"]]
    found = rows(tmp_path / "v.csv", "\n".join(",".join(line) for line in lines))
    assert found == [(2, 14, 1, ""), (3, None, None, "1m: 'x', expected a whole number")]


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


def test_notation_and_column_with_another_name(tmp_path: Path) -> None:
    text = "hand,value\nC1C2,11\n"
    how: dict[str, Any] = {"notation": "paper", "called": 4, "columns": {"value": "shanten"}}
    assert rows(tmp_path / "v.csv", text, **how) == [(2, 2, 11, "")]


def test_parquet_with_hands_is_read(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "v.parquet",
        {"hand": ["1112345678999m1p", None, "11m"], "deficiency": [1.0, 2.0, None]},
    )
    file = open_file(path, tiles=FULL)
    assert len(file) == 3
    assert rows_of(file) == [
        (0, 14, 1, ""),
        (1, None, None, "no hand, expected its tiles"),
        (2, None, None, "2 tiles: 14 less four called melds, expected called 4"),
    ]


def test_parquet_with_counts_is_read(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        name: [held, 5] for name, held in zip(M0.names, COUNTS, strict=True)
    }
    path = parquet(tmp_path / "v.parquet", columns | {"shanten": [0, 0]})
    [block] = open_file(path).blocks()
    assert (block.text(0), block.given["shanten"].tolist()) == ("1112345678999m1p", [0])
    [(line, _, reason)] = block.not_hands
    assert (line, reason[:22]) == (1, "counts: 5 copies of 1m")


@pytest.mark.parametrize("cell", ["111z 6666s", "111z;6666s", "6666s/111z"])
def test_melds_have_tiles(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "v.csv"
    path.write_text(f"hand,melds,ukeire\n23m11p55s5s,{cell},8\n")
    [block] = open_file(path, tiles=FULL).blocks()
    assert block.not_hands == []
    assert block.hands is not None
    hand = block.hands.hand(0)
    assert (hand.called, len(hand.melds)) == (2, 2)
    assert block.hands.copies[0, [27, 23]].tolist() == [1, 0]


def test_melds_and_called_must_agree(tmp_path: Path) -> None:
    text = "hand,called,melds,shanten\n23m11p555s,1,111m 222m,0\n23m11p555s,2,,0\n1m,1,9x,0\n"
    found = rows(tmp_path / "v.csv", text)
    assert [row[3] for row in found] == [
        "2 melds, but called 1, expected the same number",
        "",
        "'x' at character 2: not a suit of M0, expected m, p or s",
    ]


def test_unseen_tiles_are_text_or_copies(tmp_path: Path) -> None:
    copies = [4] * 27
    copies[0] = 1
    lines = ["hand\tunseen\tshanten", f"1112345678999m\t{copies}\t0", "1112345678999m\t9m1p\t0"]
    (tmp_path / "v.tsv").write_text("\n".join([*lines, "1112345678999m\t\t0", "11m\t9x\t0"]))
    blocks = [*open_file(tmp_path / "v.tsv", format="csv").blocks()]
    copies = [block.hands.copies[:, [0, 8, 9]] for block in blocks if block.hands]
    assert np.concatenate(copies).tolist() == [[1, 1, 4], [0, 1, 1], [1, 1, 4]]
    assert [line for block in blocks for line, *_ in block.not_hands] == [5]


def test_columns_are_found_named_and_skipped(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("hand,Shanten,waits,value,num_copies,note\n")
    file = open_file(path)
    assert file.columns == {"shanten": "shanten"}
    assert file.similar == {"waits": "useful", "num_copies": "ukeire"}
    given = {"value": "deficiency", "waits": "useful", "Shanten": "skip"}
    assert open_file(path, given).columns == {"waits": "useful", "value": "deficiency"}
    with pytest.raises(ArgumentError, match="expected value=QUESTION with win, shanten"):
        read_columns(["value"])
    with pytest.raises(ArgumentError, match="value=x"):
        read_columns(["value=x"])


def test_discard_beside_the_best_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("hand,discard,best\n")
    with pytest.raises(FileError, match="has columns discard and best, expected the one to audit"):
        open_file(path)
    assert open_file(path, {"best": "discard", "discard": "skip"}).columns == {"best": "discard"}


@pytest.mark.parametrize(
    ("header", "how", "argument", "message"),
    [
        ("a,b", {}, "", "columns (a, b), expected one named 'hand', or one per kind (1m ... 9s)"),
        ("", {}, "", "columns (none), expected one named 'hand', or one per kind (1m ... 9s)"),
        (
            "hand,x",
            {},
            "column: ",
            "columns (hand, x), expected one named win, shanten, deficiency, useful, ukeire, "
            "discard or decompositions, or NAME=QUESTION",
        ),
        ("hand,x", {"y": "win"}, "", "no column 'y' among hand, x"),
    ],
)
def test_missing_columns_are_refused(
    tmp_path: Path, header: str, how: dict[str, str], argument: str, message: str
) -> None:
    path = tmp_path / "v.csv"
    path.write_text(header)
    with pytest.raises(FileError) as error:
        open_file(path, how)
    assert str(error.value) == f"{argument}{path}: {message}"


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        open_file(tmp_path / "v.csv")
    (tmp_path / "v.csv").write_bytes(b"\xff")
    with pytest.raises(FileError, match="not UTF-8 text at byte 0"):
        open_file(tmp_path / "v.csv")


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "v.parquet").write_text("hand,deficiency")
    with pytest.raises(FileError, match="not a Parquet file"):
        open_file(tmp_path / "v.parquet")


@without_packages("pyarrow")
def test_missing_pyarrow_is_named(tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    path.write_text("")
    with pytest.raises(FileError) as error:
        open_file(path)
    assert str(error.value) == (
        f"{path}: reading Parquet needs PyArrow: pip install 'mjopt[datasets]'"
    )
