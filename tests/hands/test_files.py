"""The reader of hand files: CSV, text, NumPy and Parquet, with or without a header."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.answer_files import open_answers, read_answers, rows_without_hand

from mjopt import FULL, M0, SANMA, Hand, label
from mjopt.datasets import build, make_plan, read_recipe
from mjopt.datasets.label_file import label_by_tables
from mjopt.errors import FileError, MjoptError
from mjopt.hands.files.file_tiles import tiles_in
from mjopt.hands.files.formats import READABLE, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.files.labelled_files import write_labels

TEXTS = ("1112345678999m1p", "11122233344455s", "1133557799m1133p")
HANDS = [Hand.parse(text) for text in TEXTS]
COPIES = [",".join(map(str, hand.counts)) for hand in HANDS]
KINDS = ",".join(M0.names)


def hand_file(path: Path, content: str | None = None, **how: Any) -> HandFile:
    if content is not None:
        path.write_text(content)
    return HandFile(path=path, format=file_format(path, READABLE), tiles=M0, **how)


def counts_of(file: HandFile) -> list[tuple[int, ...]]:
    return [tuple(counts) for block in file.count_blocks() for counts in block.tolist()]


def lines(*rows: str, by: str = ",") -> str:
    return "\n".join(row.replace(",", by) for row in rows) + "\n"


NAMED = ["id,hand", *(f"{i},{text}" for i, text in enumerate(TEXTS))]
COUNTED = ["id," + KINDS, *(f"{i},{copies}" for i, copies in enumerate(COPIES))]


@pytest.mark.parametrize("by", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["h.csv", "h.tsv"])
@pytest.mark.parametrize("rows", [NAMED, COUNTED], ids=["text", "copies"])
@pytest.mark.parametrize("skipped", [0, 1], ids=["header", "no-header"])
def test_tables_of_any_delimiter_are_read(
    tmp_path: Path, by: str, name: str, rows: list[str], skipped: int
) -> None:
    if skipped and rows is COUNTED:
        rows = [row.partition(",")[2] for row in rows]  # counts without a name column
    file = hand_file(tmp_path / name, lines(*rows[skipped:], by=by))
    assert list(file.rows()) == HANDS
    assert len(file) == 3
    assert counts_of(file) == [hand.counts for hand in HANDS]
    assert [len(cells) for cells in file.cells()] == [len(file.header)] * 3
    recipe = read_recipe(f"file:{tmp_path / name}")
    assert recipe.counts().tolist() == [list(hand.counts) for hand in HANDS]


@pytest.mark.parametrize("start", range(5))
def test_rows_begin_at_a_number(tmp_path: Path, start: int) -> None:
    file = hand_file(tmp_path / "h.txt", lines(*TEXTS))
    assert list(file.rows(start)) == HANDS[start:]
    assert list(file.rows(start, only={0, 2})) == [HANDS[n] for n in (0, 2) if n >= start]


def test_columns_without_a_header_are_numbered(tmp_path: Path) -> None:
    file = hand_file(tmp_path / "h.csv", lines(*NAMED[1:]))
    assert file.header == ("1", "hand")
    assert next(file.cells()) == ("0", TEXTS[0])
    answers = open_answers(tmp_path / "h.csv", tiles=M0, columns={"1": "shanten"})
    assert (answers.columns, answers.similar) == ({"1": "shanten"}, {})
    found = read_answers(answers, "1")
    assert found == {line: (hand, line - 1) for line, hand in enumerate(HANDS, 1)}


@pytest.mark.parametrize(
    ("name", "rows", "tiles", "why"),
    [
        ("h.txt", TEXTS, "M0", "no honours"),
        ("h.txt", ["# mine", *TEXTS, "123456M789P1146S1Z"], "FULL", "line 5 holds honours"),
        ("h.txt", [TEXTS[0], "123456m789p1146s東"], "FULL", "line 2 holds honours"),
        ("h.txt", ["zzz", "東", "123m4z5x"], "FULL", "line 2 holds honours"),
        ("h.csv", NAMED, "M0", "no honours"),
        ("h.csv", ["id;hand", "1z;19m"], "M0", "no honours"),
        ("h.csv", ["hand;id", "11z, 234m;x"], "FULL", "line 2 holds honours"),
        ("h.csv", COUNTED, "M0", "no honours"),
        ("h.csv", [",".join(FULL.names), ",".join(["0"] * 34)], "FULL", "columns of 34 kinds"),
        ("h.csv", [",".join(["1"] * 14 + ["0"] * 20)], "FULL", "columns of 34 kinds"),
        ("h.csv", ["nothing,here", "1,2"], "M0", "no honours"),
    ],
)
def test_tile_set_of_a_file_is_inferred(
    tmp_path: Path, name: str, rows: list[str], tiles: str, why: str
) -> None:
    path = tmp_path / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found, told = tiles_in(path, file_format(path, READABLE))
    assert (found.name, told) == (tiles, why)


def test_tile_set_of_arrays_and_parquet_is_inferred(tmp_path: Path) -> None:
    for num_kinds, tiles in ((27, M0), (34, FULL)):
        np.save(tmp_path / "h.npy", np.ones((2, num_kinds), np.int8))
        assert tiles_in(tmp_path / "h.npy", "npy")[0] is tiles
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(arrow.table({"id": [1, 2], "hand": [TEXTS[0], "5mr E"]}), tmp_path / "h.parquet")
    assert tiles_in(tmp_path / "h.parquet", "parquet")[0] is M0
    found = tiles_in(tmp_path / "h.parquet", "parquet", "mjai")
    assert found == (FULL, "row 1 holds honours")


def test_text_may_have_a_header(tmp_path: Path) -> None:
    file = hand_file(tmp_path / "h.txt", lines("# mine", "", "hand", *TEXTS))
    assert list(file.rows()) == HANDS
    assert len(file) == 3
    with pytest.raises(MjoptError, match="line 2: 'hand'"):
        list(hand_file(tmp_path / "h.txt", lines(TEXTS[0], "hand")).rows())


def test_parquet_is_read(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "h.parquet"
    pq.write_table(arrow.table({"id": [1, 2, 3], "hand": TEXTS}), path)
    assert list(hand_file(path).rows()) == HANDS
    assert list(hand_file(path).cells()) == [(1, TEXTS[0]), (2, TEXTS[1]), (3, TEXTS[2])]
    columns = {name: [hand.counts[k] for hand in HANDS] for k, name in enumerate(M0.names)}
    pq.write_table(arrow.table(columns), path)
    assert read_recipe(f"file:{path}").num_hands == 3
    columns["5m"][1] = 0.5  # type: ignore[call-overload]
    pq.write_table(arrow.table({n: [*map(float, c)] for n, c in columns.items()}), path)
    with pytest.raises(FileError, match=r"h.parquet row 1: 5m: 0.5, expected a whole number"):
        counts_of(hand_file(path))


def test_parquet_with_any_column_types_is_labelled(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "h.parquet"
    days = [date(2023, 5, 3)] * 3
    pq.write_table(arrow.table({"day": days, "hand": TEXTS, "raw": [b"a"] * 3}), path)
    out = io.BytesIO()
    write_labels(out, "jsonl", hand_file(path), np.array([1, 0, 4], np.int8), "deficiency")
    first = json.loads(out.getvalue().splitlines()[0])
    assert first == {"day": "2023-05-03", "hand": TEXTS[0], "raw": "b'a'", "deficiency": 1}


def lists(path: Path, cells: list[Any], kind: Any = None, **columns: Any) -> Path:
    """Write a Parquet file with lists of copies."""
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    hands = arrow.array(cells, kind or arrow.list_(arrow.uint8()))
    pq.write_table(arrow.table({"hand": hands, **columns}), path)
    return path


@pytest.mark.parametrize("kind", ["uint8", "int64", "float", "double"])
@pytest.mark.parametrize("size", [-1, 27])
def test_lists_of_copies_are_hands(tmp_path: Path, kind: str, size: int) -> None:
    arrow = pytest.importorskip("pyarrow")
    cells = [hand.counts for hand in HANDS]
    shape = arrow.list_(arrow.type_for_alias(kind), size)
    path = lists(tmp_path / "h.parquet", cells, shape, id=[1, 2, 3])
    file = hand_file(path)
    assert list(file.rows()) == HANDS
    assert counts_of(file) == cells
    assert list(file.cells()) == [(TEXTS[0], 1), (TEXTS[1], 2), (TEXTS[2], 3)]
    assert tiles_in(path, "parquet") == (M0, "no honours")
    assert read_recipe(f"file:{path}").counts().tolist() == [list(row) for row in cells]


IDS = [8, 16, 24, 36, 41, 52, 76, 80, 84, 100, 108, 109, 110, 135]


@pytest.mark.parametrize(
    ("cells", "notation", "text"),
    [
        (["1m", "2m", "0p", "7s", "東"], "mpsz", "12m0p7s1z"),
        (["111m", "E", "E"], "mpsz", "111m11z"),
        (IDS, "mpsz", "307m120p2348s1117z"),
        (IDS[:4], "ids136", "307m1p"),
        ([1, 2, 3, 61], "codes121", "123m1z"),
    ],
)
def test_lists_of_tiles_are_hands_written_apart(
    tmp_path: Path, cells: list[Any], notation: str, text: str
) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = lists(tmp_path / "h.parquet", [cells], arrow.array([cells]).type)
    lines = tmp_path / "h.jsonl"
    lines.write_text(json.dumps({"hand": cells}) + "\n")
    for name in (path, lines):
        how: Any = {"notation": notation, "partial": True}
        file = HandFile(path=name, format=file_format(name, READABLE), tiles=FULL, **how)
        [hand] = file.rows()
        assert hand == Hand.parse(text, tiles=FULL, partial=True)
        assert tiles_in(name, file.format, notation)[0] is (FULL if "z" in text else M0)


def test_numbers_of_tiles_that_may_be_codes_need_a_notation(tmp_path: Path) -> None:
    path = lists(tmp_path / "h.parquet", [[1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33, 41]])
    with pytest.raises(FileError, match="13 numbers, expected 27 or 34.* need a notation"):
        list(hand_file(path).rows())


@pytest.mark.parametrize(
    ("name", "place"), [("h.csv", "line 3"), ("h.jsonl", "line 2"), ("h.parquet", "row 1")]
)
def test_row_has_the_same_number_in_all_messages(tmp_path: Path, name: str, place: str) -> None:
    path, texts = tmp_path / name, [TEXTS[0], "123m"]
    if name == "h.parquet":
        lists(path, texts, "string", deficiency=[1, 1])
    else:
        rows = [{"hand": text, "deficiency": 1} for text in texts]
        path.write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
            if name == "h.jsonl"
            else "hand,deficiency\n" + "".join(f"{text},1\n" for text in texts)
        )
    file = hand_file(path)
    works: list[Any] = [
        lambda: list(file.rows()),
        lambda: label_by_tables(file),
        lambda: read_recipe(f"file:{path}"),
    ]
    for work in works:
        with pytest.raises(MjoptError, match=f"{name} {place}: "):
            work()
    [(line, text, _)] = rows_without_hand(open_answers(path, tiles=M0))
    assert (f"{file.unit} {line}", text) == (place, "123m")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (None, "row 0: no hand, expected its tiles"),
        ([], "row 0: 0 numbers, expected 27 or 34, one per kind"),
        ([1] * 14 + [0] * 12, "row 0: 26 numbers, expected 27 or 34, one per kind"),
        ([5, 9] + [0] * 25, "row 0: counts: 5 copies of 1m at position 0, expected 0..4"),
        ([0.5] * 27, "row 0: 1m: 0.5, expected a whole number"),
        ([1] * 13 + [0] * 20 + [1], "row 0: counts: 1 copy of 7z, but M0 has no 7z"),
    ],
)
def test_lists_that_are_not_hands_are_refused(tmp_path: Path, cell: Any, message: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = lists(tmp_path / "h.parquet", [cell], arrow.list_(arrow.float64()))
    with pytest.raises(MjoptError) as error:
        list(hand_file(path).rows())
    assert str(error.value) == f"{path} {message}"


def test_missing_list_is_a_row_that_is_no_hand(tmp_path: Path) -> None:
    path = lists(tmp_path / "h.parquet", [None, HANDS[0].counts], shanten=[1, 1])
    answers = open_answers(path, tiles=M0)
    assert rows_without_hand(answers) == [(0, "", "no hand, expected its tiles")]
    assert read_answers(answers, "shanten") == {1: (HANDS[0], 1)}


def test_absent_item_of_a_list_is_a_dash_and_no_hand(tmp_path: Path) -> None:
    path = lists(tmp_path / "h.parquet", [[1, None, *[0] * 25]], shanten=[1])
    [(_, text, reason)] = rows_without_hand(open_answers(path, tiles=M0))
    assert text == "1 -" + 25 * " 0"
    assert reason == "2m: no number, expected a whole number"


def test_copies_of_27_kinds_are_hands_of_136_tiles(tmp_path: Path) -> None:
    in_full = [hand.in_full() for hand in HANDS]
    path = lists(tmp_path / "h.parquet", [hand.counts for hand in HANDS])
    for name in (path, tmp_path / "named.csv", tmp_path / "bare.csv"):
        if name.suffix == ".csv":
            name.write_text(lines(*([KINDS] if "named" in name.name else []), *COPIES))
        file = HandFile(path=name, format=file_format(name, READABLE), tiles=FULL)
        assert list(file.rows()) == in_full


def test_dataset_names_the_kinds_of_its_lists(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    build(make_plan("deals:9", tiles="sanma", called=1, seed=1), tmp_path)
    [path] = (tmp_path / "data").iterdir()
    assert tiles_in(path, "parquet") == (SANMA, "")
    hands = read_recipe("deals:9", tiles="sanma", called=1).counts(seed=1).tolist()
    file = HandFile(path=path, format="parquet", tiles=SANMA)
    assert {hand.called for hand in file.rows()} == {1}
    assert [list(hand.counts) for hand in file.rows()] == hands
    full = HandFile(path=path, format="parquet", tiles=FULL, called=1)
    assert list(full.rows()) == [hand.in_full() for hand in file.rows()]
    concealed = HandFile(path=path, format="parquet", tiles=SANMA, called=0, partial=True)
    assert {hand.called for hand in concealed.rows()} == {0}


def test_other_column_types_of_the_hand(tmp_path: Path) -> None:
    """Files of a study have the number of the hand in ``hand``, and its text in ``text``."""
    arrow = pytest.importorskip("pyarrow")
    numbers = arrow.array([1, 2, 3], arrow.int32())
    path = lists(tmp_path / "h.parquet", [1, 2, 3], arrow.int32(), text=TEXTS)
    assert list(hand_file(path).rows()) == HANDS
    path = lists(tmp_path / "h.parquet", [1, 2, 3], arrow.int32(), other=numbers)
    with pytest.raises(FileError, match="column 'hand' holds int32, expected text, or lists of"):
        hand_file(path).header  # noqa: B018 - read when asked


def test_unnamed_index_of_pandas_is_not_a_column(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "h.parquet"
    frame = pandas.DataFrame({"hand": TEXTS, "id": [1, 2, 3]}, index=["a", "b", "c"])
    frame.to_parquet(path)
    assert hand_file(path).header == ("hand", "id")
    assert next(hand_file(path).cells()) == (TEXTS[0], 1)
    frame.set_index("hand").to_parquet(path)
    assert list(hand_file(path).rows()) == HANDS


def test_corrupt_parquet_page_is_a_one_line_error(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "h.parquet"
    pq.write_table(arrow.table({"hand": TEXTS}), path)
    content = bytearray(path.read_bytes())
    content[4:40] = b"\xff" * 36
    path.write_bytes(content)
    with pytest.raises(FileError, match="not a Parquet file"):
        counts_of(hand_file(path))


@pytest.mark.parametrize(
    ("header", "name"), [("hand,hand", "hand"), ("a,hand,a", "a"), (KINDS + ",3m", "3m")]
)
def test_duplicate_column_is_refused(tmp_path: Path, header: str, name: str) -> None:
    """Regression: with `hand,hand` every label went to the wrong hand of two."""
    path = tmp_path / "h.csv"
    path.write_text(f"{header}\n{TEXTS[0]},{TEXTS[1]}\n")
    for opened in (lambda: hand_file(path).header, lambda: open_answers(path, tiles=M0)):
        with pytest.raises(FileError) as error:
            opened()
        assert str(error.value) == f"{path}: column {name!r} occurs twice, expected each name once"


def test_unnamed_columns_are_not_duplicates(tmp_path: Path) -> None:
    file = hand_file(tmp_path / "h.csv", lines("hand,,", f"{TEXTS[0]},,"))
    assert list(file.rows()) == HANDS[:1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "columns (none), expected one named 'hand'"),
        ("hands,b\n1,2\n", "columns (hands, b), expected one named 'hand'"),
        ("1m,2m\n3,1\n", "columns (1m, 2m), expected one named 'hand'"),
        (f"{TEXTS[0]},{TEXTS[1]}\n", "columns (1112345678999m1p, 11122233344455s), expected one"),
        (f"1,{TEXTS[0]}\n2\n", "line 2: 1 cells, expected 2"),
        (f"{KINDS}\n" + COPIES[0].replace("3", "3.5", 1), "line 2: 1m: '3.5', expected a whole"),
        ("hand\n" + "1" * 200_000 + "\n", "line 2: field larger than field limit"),
    ],
)
def test_unreadable_file_is_refused_with_the_reason(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(MjoptError) as error:
        list(hand_file(tmp_path / "h.csv", content).rows())
    assert str(error.value).startswith(str(tmp_path / "h.csv"))
    assert message in str(error.value)


def test_tile_ids_without_a_header_are_read(tmp_path: Path) -> None:
    """With tile ids, the hand is the cell with most tiles, not the cell before it."""
    ids = " ".join(str(4 * kind + copy) for kind in (0, 1, 2) for copy in range(4))
    counts = Hand.parse(ids, notation="ids136", partial=True).counts
    how = {"notation": "ids136", "partial": True}
    assert counts_of(hand_file(tmp_path / "h.csv", f"17;{ids}\n", **how)) == [counts]


def test_label_keeps_other_columns(tmp_path: Path) -> None:
    with (tmp_path / "h.csv").open("w", newline="") as out:
        csv.writer(out, delimiter=";").writerows([("note", "hand"), ("a,b", TEXTS[0])])
    assert list(hand_file(tmp_path / "h.csv").cells()) == [("a,b", TEXTS[0])]


def test_arrays_are_memory_mapped(tmp_path: Path) -> None:
    np.save(tmp_path / "h.npy", np.array([hand.counts for hand in HANDS], np.int8))
    file = hand_file(tmp_path / "h.npy")
    assert list(file.rows()) == HANDS
    assert list(file.cells()) == [(hand.to_text(),) for hand in HANDS]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_arrays_of_whole_floats_are_hands(tmp_path: Path, kind: type) -> None:
    rows = np.array([hand.counts for hand in HANDS], kind)
    np.save(tmp_path / "h.npy", rows)
    assert list(hand_file(tmp_path / "h.npy").rows()) == HANDS
    assert label(rows).tolist() == label(rows.astype(int)).tolist()
    np.save(tmp_path / "h.npy", rows / 2)
    with pytest.raises(FileError, match="expected whole numbers of shape"):
        list(hand_file(tmp_path / "h.npy").rows())
