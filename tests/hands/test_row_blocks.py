"""Large files, which kernels read, and small ones, which Python reads, give the same rows."""

import bz2
import csv
import gzip
import lzma
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
import pytest
from helpers.answer_files import open_answers, read_answers
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjopt._internal.jit import compile_always
from mjopt.analysis.deficiency import deficiency
from mjopt.audits.answer_file import AnswerFile
from mjopt.audits.answers import SKIPPED, UNREAD, read_answer
from mjopt.audits.comparison import Audit, compare
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import QUESTIONS
from mjopt.datasets.label_file import label_by_tables
from mjopt.datasets.recipes.registry import read_recipe
from mjopt.errors import FileError, MjoptError
from mjopt.hands.files import row_blocks
from mjopt.hands.files.file_tiles import tiles_in
from mjopt.hands.files.formats import READABLE, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.files.labelled_files import WRITABLE, write_labels
from mjopt.hands.hand import Hand
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.tiles import FULL, M0, TileSet

READY, PAIRS, RED = "1112345678999m1p", "11223344556677z", "0555m234p789s1122z"
LINES = [
    READY, PAIRS, RED, "", "# no hand", " 123m456p789s1122z ", "hand", "1m,2", "x", f'"{READY}"',
    f'"{READY}","1"', f'"{READY}",', '"a,b",1', '"a""b",1', '"', 'a"b,1', '""', f'"{READY}" ,1',
    f"{READY},2", f"{READY},1", f"1,{READY}", "0,0", ",", ";", "\t", "東", "\u3000", "\x0c", "\r",
]  # fmt: skip
HEADERS = ["hand\n", "hand,deficiency\n", "deficiency;hand\n", "id\thand\tcalled\n", ""]


def outcome(work: Callable[[], object]) -> object:
    """Return the result, or the text of the error."""
    try:
        return work()
    except MjoptError as error:
        return str(error)


def answers(file: HandFile, *, is_compiled: bool) -> list[object]:
    """Return everything that is read from a file."""

    def counts() -> list[object]:
        return [row for block in file.count_blocks() for row in block.tolist()]

    def copied() -> bytes:
        target = BytesIO()
        write_labels(target, "csv", file, np.zeros(len(file), np.int8), "label")
        return target.getvalue()

    def hands() -> list[object]:
        return [(hand, hand.red) for hand in file.rows()]

    with compile_always(is_compiled):
        works = (counts, copied, hands, lambda: len(file), lambda: label_by_tables(file).tolist())
        found = [outcome(work) for work in works]
        found.append(outcome(lambda: tiles_in(file.path, file.format, name="f")))
    return found


def assert_same(path: Path, format: str, tiles: TileSet = FULL) -> None:
    ways = [
        answers(HandFile(path=path, format=format, tiles=tiles, name="f"), is_compiled=way)
        for way in (False, True)
    ]
    assert ways[0] == ways[1]


@settings(max_examples=50)
@example(lines=['"', '"'], header="hand\n", end="\r", closes=False, mark="")
@given(
    lines=st.lists(st.sampled_from(LINES), max_size=8),
    header=st.sampled_from(HEADERS),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    closes=st.booleans(),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_all_rows_are_read_alike(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    header: str,
    end: str,
    closes: bool,
    mark: str,
) -> None:
    path = tmp_path_factory.getbasetemp() / "hands"
    text = mark + header + end.join(lines) + end * closes
    path.write_text(text, encoding="utf-8", newline="")

    for kind in ("text", "csv"):
        assert_same(path, kind)


@pytest.mark.parametrize("chunk", [1, 7, 64])
def test_rows_may_span_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(row_blocks, "CHUNK", chunk)
    path = tmp_path / "h"
    lines = ["hand,id", *(f"{text},{i}" for i, text in enumerate([READY, PAIRS, RED] * 4))]
    path.write_text("\n\n".join(lines))
    assert_same(path, "csv")
    path.write_text("# first\n\nhand\n" + f"{READY}\n#\n{PAIRS}\n" * 3)
    assert_same(path, "text")
    path.write_text("\n".join([*lines, '"a,b",3', f'{READY},"x"']))
    assert_same(path, "csv")


def test_columns_of_copies_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    header = ",".join(M0.names)
    rows = [",".join("2" if kind < 7 else "0" for kind in range(27))]
    rows.append(rows[0].replace("2", " 2"))
    rows.append(rows[0].replace("0", ""))
    for more in ([], [rows[0].replace("2", "9", 1)], ["1,2"], [rows[0].replace("2", "-1", 1)]):
        path.write_text("\n".join([header, *rows, *more]) + "\n")
        assert_same(path, "csv", M0)


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(f"hand\n{READY}\n".encode() * 3 + b"\xff\n")
    with compile_always(), pytest.raises(FileError, match="not UTF-8 text at byte 66"):
        len(HandFile(path=path, format="csv", tiles=M0))


ROWS = [
    (READY, "1"), (READY, "2"), (READY, "1.0"), (READY, ""), (READY, "one"), (READY, "-1"),
    (PAIRS, "4"), (RED, "3"), (READY + "1m", "1"), ("x", "1"), ("", "0"), (READY, "300"),
    ("123m", "0"), (PAIRS, "04"), (READY, "yes"), (RED, "1p"), (PAIRS, "None"), (RED, "-"),
    (PAIRS, "['1m', '6z']"), (PAIRS, "1m6z"), (READY[:-2], "123456789m"), (READY[:-2], "511"),
]  # fmt: skip


@settings(max_examples=25)
@given(
    rows=st.lists(st.sampled_from(ROWS), max_size=10),
    short=st.booleans(),
    name=st.sampled_from([*QUESTIONS]),
)
def test_audits_find_the_same_in_blocks_and_row_by_row(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    short: bool,
    name: str,
) -> None:
    path = tmp_path_factory.getbasetemp() / "values.csv"
    text = StringIO()
    csv.writer(text).writerows([("hand", name), *rows, *[(READY,)] * short])
    path.write_text(text.getvalue(), newline="")
    answers = open_answers(path, tiles=FULL)
    found = []
    for is_compiled in (False, True):
        with (
            compile_always(is_compiled),
            Audit(answers.columns, tiles=FULL, forms=read_forms("standard", FULL)) as audit,
        ):
            compare(answers.blocks(), audit)
            found.append((audit.to_document(), [*audit.wrong()], [*audit.not_hands()]))
    assert found[0] == found[1]
    document, wrong, not_hands = found[0]
    expected, others = row_by_row(answers, name)
    assert [
        (row.line, row.text, row.written, row.given, row.exact, row.deficiency) for row in wrong
    ] == expected
    assert not_hands == others
    num_rows = len(rows) + short
    assert document["wrong"] == len(expected)
    assert (document["rows"], document["hands"]) == (num_rows, num_rows - len(others))


Wrong = tuple[int, str, str, int | None, int, int]


def row_by_row(answers: AnswerFile, name: str) -> tuple[list[Wrong], list[tuple[int, str, str]]]:
    """Return the wrong answers and the rows that are not hands, each row read by itself."""
    file, question, wrong, not_hands = answers.hands, QUESTIONS[name], [], []
    for line, cells in enumerate(file.cells(), 2):
        try:
            hand = file.hand(cells)
        except MjoptError as error:
            not_hands.append((line, cells[0] if len(cells) == 2 else "", str(error)))
            continue
        given = read_answer(cells[1], question, FULL)
        [exact] = question.exact(HandBatch.of([hand]), read_forms("standard", FULL)).tolist()
        distance = deficiency(hand, forms=("standard",))
        if name in ("deficiency", "shanten"):
            assert exact == distance - (name == "shanten")
        is_right = bool(question.is_right(np.array([given]), np.array([exact]))[0])
        if given != SKIPPED and not is_right:
            number = None if given == UNREAD else given
            wrong.append((line, cells[0], cells[1], number, exact, distance))
    return wrong, not_hands


SPELLINGS = {
    "plain": f"hand,shanten\n{READY},0\n",
    "capitals": f"Hand,Shanten\n{READY},0\n",
    "spaces": f"id, HAND , SHANTEN\n7,{READY},0\n",
    "named delimiter": f"sep=;\nhand;shanten\n{READY};0\n",
    "quoted": f'"sep=;"\r\n"Hand";"Shanten"\r\n"{READY}";"0"\r\n',
    "bar": f"sep=|\nhand|shanten\n{READY}|0\n",
    "semicolons": f"hand;shanten\n{READY};0\n",
    "called": f"Hand,Called,Shanten\n{READY},0,0\n",
}
PACKED = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_tables_are_understood_in_every_spelling(
    tmp_path: Path, spelling: str, encoding: str
) -> None:
    path = tmp_path / "h.csv"
    path.write_text(SPELLINGS[spelling], encoding=encoding, newline="")
    for is_compiled in (False, True):
        with compile_always(is_compiled):
            answers = open_answers(path, tiles=M0)
            assert answers.columns == {"shanten": "shanten"}
            line = 2 + spelling.startswith(("named", "quoted", "bar"))
            assert read_answers(answers, "shanten") == {line: (Hand.parse(READY), 0)}
            assert list(answers.hands.rows()) == [Hand.parse(READY)]
            assert len(answers) == 1
    assert_same(path, "csv")


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("name", ["h.csv", "h.TXT"])
def test_compressed_files_are_read(tmp_path: Path, ending: str, name: str) -> None:
    path = tmp_path / f"{name}{ending}"
    path.write_bytes(PACKED[ending](f"Hand\n{READY}\n{PAIRS}\n".encode()))
    kind = file_format(path, READABLE)
    assert_same(path, kind)
    file = HandFile(path=path, format=kind, tiles=FULL)
    assert label_by_tables(file).tolist() == [1, 4]
    assert read_recipe(f"file:{path}", tiles=FULL).num_hands == 2

    path.write_bytes(path.read_bytes()[:-9])
    for is_compiled in (False, True):
        with compile_always(is_compiled), pytest.raises(FileError, match="cannot be unpacked"):
            len(file)


def test_only_text_may_be_compressed() -> None:
    for name in ("h.npy.gz", "h.parquet.xz", "h.gz", "hands.tar.bz2"):
        with pytest.raises(FileError, match="ending"):
            file_format(Path(name), READABLE)
    with pytest.raises(FileError, match="ending '.gz'"):
        file_format(Path("labels.csv.gz"), WRITABLE)


@pytest.mark.parametrize("header", ["Hand,HAND", "hand,hand", "Shanten,hand,SHANTEN"])
def test_names_that_are_alike_are_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(header + "\n")
    with pytest.raises(FileError, match="occurs twice"):
        len(HandFile(path=path, format="csv", tiles=M0))


def test_names_written_exactly_are_meant(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text(f"Hand,hand\nTom,{READY}\n")
    file = HandFile(path=path, format="csv", tiles=M0)
    assert (list(file.rows()), file.header) == ([Hand.parse(READY)], ("Hand", "hand"))


@pytest.mark.parametrize("line", ["1" * 200_000, "#" * 200_000, "1m" * 100_000])
def test_very_long_lines_are_refused_at_once(tmp_path: Path, line: str) -> None:
    path = tmp_path / "h.txt"
    path.write_text(f"{READY}\n{line}\n")
    assert_same(path, "text")
    with pytest.raises(FileError, match=r"line 2: too many characters, expected at most 131,072"):
        list(HandFile(path=path, format="text", tiles=M0).rows())
