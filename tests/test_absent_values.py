"""Absent values: in no file, array or log is a missing number read as zero or as an empty hand."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.answer_files import open_answers, read_answers, rows_without_hand

import mjopt
from mjopt import FULL, Hand, MjoptError
from mjopt.audits.answers import UNREAD
from mjopt.audits.questions import QUESTIONS
from mjopt.hands.files.formats import READABLE, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.heuristics import NDDE, run_batch
from mjopt.play.review.api import review

COMPLETE = Hand.parse("123m456p789s11222z")
COUNTS = list(COMPLETE.counts)
LAST = FULL.names[28]
NAMES = [name for name, copies in zip(FULL.names, COUNTS, strict=True) for _ in range(copies)]
LOGS = Path(__file__).parent / "data" / "logs"

Record = dict[str, Any]
WHOLE = {"hand": COMPLETE.to_text(), "called": 0, "deficiency": 0}
IN_COLUMNS = dict(zip(FULL.names, COUNTS, strict=True)) | {"called": 0, "deficiency": 0}
NAN = float("nan")
GONE = object()  # no key at all


def with_item(items: list[Any], item: Any) -> list[Any]:
    return [*items[:-1], item]


CSV: dict[str, Record] = {
    **{f"text {word!r}": WHOLE | {"hand": word} for word in ("", " ", "nan", "null", "None", "-")},
    **{f"copies {word!r}": IN_COLUMNS | {LAST: word} for word in ("", " ", "nan", "NA", "null")},
    **{f"called {word!r}": WHOLE | {"called": word} for word in ("", " ", "nan")},
}
JSON: dict[str, Record] = {
    "no key": WHOLE | {"hand": GONE},
    "null": WHOLE | {"hand": None},
    "empty text": WHOLE | {"hand": ""},
    "empty list": WHOLE | {"hand": []},
    "null in copies": WHOLE | {"hand": with_item(COUNTS, None)},
    "empty text in copies": WHOLE | {"hand": with_item(COUNTS, "")},
    "null in names": WHOLE | {"hand": with_item(NAMES, None)},
    "empty name": WHOLE | {"hand": with_item(NAMES, "")},
    "only nulls": WHOLE | {"hand": [None] * 34},
    "no key of a kind": IN_COLUMNS | {LAST: GONE},
    "null of a kind": IN_COLUMNS | {LAST: None},
    "no called melds": WHOLE | {"called": GONE},
    "null called melds": WHOLE | {"called": None},
}
PARQUET: dict[str, tuple[str, Any, Any]] = {
    "text": ("string", WHOLE["hand"], None),
    "empty text": ("string", WHOLE["hand"], ""),
    "list": ("list uint8", COUNTS, None),
    "empty list": ("list uint8", COUNTS, []),
    "item": ("list uint8", COUNTS, with_item(COUNTS, None)),
    "item of a list of floats": ("list double", COUNTS, with_item(COUNTS, None)),
    "NaN in a list of floats": ("list double", COUNTS, with_item(COUNTS, NAN)),
    "fixed list": ("fixed uint8", COUNTS, None),
    "item of a fixed list": ("fixed uint8", COUNTS, with_item(COUNTS, None)),
    "NaN in a fixed list": ("fixed float", COUNTS, with_item(COUNTS, NAN)),
    "name": ("list string", NAMES, with_item(NAMES, None)),
    "empty name": ("list string", NAMES, with_item(NAMES, "")),
}


def write_csv(path: Path, middle: Record) -> Path:
    good = IN_COLUMNS if LAST in middle else WHOLE
    lines = [good.keys(), *(row.values() for row in (good, middle, good))]
    path.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    return path


def write_json_lines(path: Path, middle: Record) -> Path:
    good = IN_COLUMNS if LAST in middle else WHOLE
    rows = [{k: v for k, v in row.items() if v is not GONE} for row in (good, middle, good)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_parquet(path: Path, kind: str, good: Any, middle: Any) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    shape, _, item = kind.rpartition(" ")
    typed = arrow.type_for_alias(item)
    if shape:
        typed = arrow.list_(typed, 34 if shape == "fixed" else -1)
    hands = arrow.array([good, middle, good], typed)
    pq.write_table(arrow.table({"hand": hands, "deficiency": [0, 0, 0]}), path)
    return path


def write_columns(path: Path, absent: Any) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    columns = {name: [value] * 3 for name, value in IN_COLUMNS.items()}
    columns[LAST][1] = absent
    pq.write_table(arrow.table(columns), path)
    return path


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield files whose second row of three lacks a value, and the place of that row."""
    for number, middle in enumerate(CSV.values()):
        yield "line 3", write_csv(folder / f"{number}.csv", middle)
    for number, middle in enumerate(JSON.values()):
        yield "line 2", write_json_lines(folder / f"{number}.jsonl", middle)
    for number, columns in enumerate(PARQUET.values()):
        yield "row 1", write_parquet(folder / f"{number}.parquet", *columns)
    yield "row 1", write_columns(folder / "null.parquet", None)
    yield "row 1", write_columns(folder / "nan.parquet", NAN)


def test_absent_value_in_a_file_is_no_hand(tmp_path: Path) -> None:
    """Not even where hands may have fewer tiles; the row is named, the others are judged."""
    for place, path in files(tmp_path):
        kind = file_format(path, READABLE)
        with pytest.raises(MjoptError, match=rf"{re.escape(path.name)} {place}: "):
            list(HandFile(path=path, format=kind, tiles=FULL, partial=True).rows())
        with pytest.raises(MjoptError, match=rf"{re.escape(path.name)} {place}: "):
            list(HandFile(path=path, format=kind, tiles=FULL, partial=True).hand_blocks())

        for partial in (True, False):
            answers = open_answers(path, tiles=FULL, partial=partial)
            [(line, _, reason)] = rows_without_hand(answers)
            assert (str(line), reason != "") == (place.split()[1], True), path
            others = read_answers(answers, "deficiency")
            assert others == dict.fromkeys((line - 1, line + 1), (COMPLETE, 0)), path


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("value", [None, "", NAN, GONE])
def test_absent_answer_is_not_zero(
    tmp_path: Path, value: Any, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WHOLE, question, "1m" if question in ("useful", "discard") else 0)
    row = WHOLE | {question: value}
    paths = [write_csv(tmp_path / "v.csv", row)] if value is not GONE else []
    if value is not NAN:  # which JSON does not have
        paths.append(write_json_lines(tmp_path / "v.jsonl", row))
    for path in paths:
        rows = read_answers(open_answers(path, tiles=FULL), question)
        first, second, third = (answer for _, answer in rows.values())
        assert first == third == (1 if WHOLE[question] == "1m" else 0)
        is_no_tile = WHOLE[question] == "1m" and value == ""
        assert second == (0 if is_no_tile else UNREAD), path


ROWS = [COUNTS, COUNTS]
HOW: dict[str, Any] = {"seed": 1, "method": "m", "hand_numbers": [0, 1], "run": 0}
MASK = [[False] * 34, [*[False] * 33, True]]
ARRAYS: dict[str, Callable[[], Any]] = {
    "None": lambda: [COUNTS, with_item(COUNTS, None)],
    "NaN": lambda: [COUNTS, with_item(COUNTS, NAN)],
    "an array of floats": lambda: np.array([COUNTS, with_item(COUNTS, NAN)], np.float32),
    "an array of objects": lambda: np.array([COUNTS, with_item(COUNTS, None)], object),
    "a mask": lambda: np.ma.masked_array(ROWS, MASK),
    "a mask in a list": lambda: [np.ma.masked_array(COUNTS, mask) for mask in MASK],
    "no row": lambda: [COUNTS, None],
    "no text": lambda: [WHOLE["hand"], None],
    "no first text": lambda: [None, WHOLE["hand"]],
}


@pytest.mark.parametrize("name", ARRAYS)
def test_absent_number_in_an_array_is_an_error(name: str) -> None:
    rows = ARRAYS[name]()
    place = "row 0" if name == "no first text" else "row 1"
    with pytest.raises(MjoptError, match=place):
        mjopt.label(rows, partial=True)
    for work in (mjopt.deficiency, lambda row: Hand.from_counts(row, partial=True)):
        with pytest.raises((MjoptError, TypeError)):
            work(rows[0 if name == "no first text" else 1])
    if name.startswith("no "):
        return
    with pytest.raises(MjoptError):
        run_batch(NDDE(), rows, tiles=FULL, **HOW)
    with pytest.raises(MjoptError):
        mjopt.label(ROWS, unseen=rows)
    with pytest.raises(MjoptError):
        mjopt.deficiency(COMPLETE, unseen=rows[1])


@pytest.mark.parametrize("name", ["a frame", "a nullable frame", "a series"])
def test_absent_number_in_a_frame_is_an_error(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([COUNTS, with_item(COUNTS, None)])
    given = frame.astype("Int64") if name == "a nullable frame" else frame
    if name == "a series":
        given = pandas.Series([WHOLE["hand"], None])
    with pytest.raises(MjoptError, match="row 1"):
        mjopt.label(given, partial=True)


@pytest.mark.parametrize("called", [[0, None], [0, NAN], np.ma.array([0, 0], mask=[0, 1])])
def test_absent_number_of_called_melds_is_an_error(called: Any) -> None:
    with pytest.raises(MjoptError, match="called row 1"):
        mjopt.label(ROWS, called=called)


# Logs: without an attribute or a number, a log is refused or judged as before


def judged(path: Path, content: str) -> object:
    """Return the decisions of a log, None if some of it is refused or has a flaw."""
    path.write_text(content)
    try:
        found = review(str(path))
    except MjoptError:
        return None
    if found.refused or found.flaws or found.num_unread:
        return None
    return [{**row, "game": 0} for row in found.discards]


def less_xml(text: str) -> Iterator[str]:
    """Yield a log without one attribute, and with an empty one."""
    seen = set()
    for match in re.finditer(r'<(\w)\w* |(?<= )(\w+)="[^"]*"', text):
        name = match[2]
        if name is None or name in seen:
            continue
        seen.add(name)
        yield text[: match.start()] + text[match.end() :]
        yield text[: match.start()] + f'{name}=""' + text[match.end() :]


def less_json(document: Any, depth: int = 6) -> Iterator[Any]:
    """Yield a document without one of its first keys and items, and with null for it."""
    if isinstance(document, dict):
        for key, value in document.items():
            rest = {other: kept for other, kept in document.items() if other != key}
            yield rest
            for less in (None, *less_json(value, depth - 1)):
                yield document | {key: less}
    elif isinstance(document, list) and depth:
        for place, value in list(enumerate(document))[:4]:
            for less in (None, *less_json(value, depth - 1)):
                yield [*document[:place], less, *document[place + 1 :]]


def less_lines(text: str) -> Iterator[str]:
    """Yield JSON lines, one of which lacks something."""
    seen = set()
    for line in text.splitlines():
        message = json.loads(line)
        kind = message.get("type", "")
        if kind in seen:
            continue
        seen.add(kind)
        for less in less_json(message):
            yield text.replace(line, json.dumps(less), 1)


ENDING = [
    '{"type": "ryukyoku", "deltas": [0, 0, 0, 0]}',
    '{"type": "end_kyoku"}',
    '{"type": "end_game"}',
]
"""Of the first lines of a log in mjai."""


@pytest.mark.parametrize(
    ("name", "less"),
    [
        ("tenhou-mjlog/game-15.mjlog", less_xml),
        ("tenhou-json/game-15.jsonl", less_lines),
        ("mjai/game-02.jsonl", less_lines),
    ],
)
def test_absent_value_in_a_log_is_not_zero(
    tmp_path: Path, name: str, less: Callable[[str], Iterator[str]]
) -> None:
    lines = (LOGS / name).read_text().splitlines()[:12]
    text = "\n".join([*lines, *ENDING] if name.startswith("mjai") else lines)
    path = tmp_path / Path(name).name
    whole = judged(path, text)
    assert whole
    for other in less(text):
        assert judged(path, other) in (None, whole), other
