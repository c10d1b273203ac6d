"""Damaged files give one line each, and control characters in them are escaped."""

import io
import json
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from mjopt import M0
from mjopt.datasets import build, make_plan
from mjopt.play.game.record import read_record

HAND = "1112345678999m1p"
KINDS = ",".join(M0.names)
CLEAR = "\x1b[2J"


def counts(first: str) -> str:
    return f"{KINDS}\n{','.join([first, *['0'] * 26])}\n"


def header(shape: str, descr: str = "'|u1'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def pickled() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([{}], object), allow_pickle=True)
    return file.getvalue()


def check_one_line(ran, *expected: str) -> None:
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("mjopt: ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 1100
    for words in expected:
        assert words in ran.err


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("h.npy", b"", "not a .npy array"),
        ("h.npy", b"PK\3\4", "not a .npy array"),
        ("h.npy", pickled(), "Python objects"),
        ("h.npy", header("(1000000000000, 27)"), "not a .npy array"),
        ("h.npy", header("(-1, 27)") + b"0" * 54, "h.npy: "),
        ("h.npy", header("(" * 3000 + ")" * 3000), "not a .npy array"),
        ("h.csv", f"id,hand\n1,{'1' * 140_000}\n", "line 2: field larger than field limit"),
        ("h.csv", counts("9" * 5000), "line 2: 1m: '999"),
        ("h.csv", counts("٣"), "line 2: 1m: '٣', expected a whole number"),
        ("h.csv", f"hand,hand\n{HAND},{HAND}\n", "column 'hand' occurs twice"),
        ("h.csv", f'hand\n"{HAND}\n', "unexpected end of data"),
        ("h.csv", f'"hand\n{HAND}\n', "unexpected end of data"),
        ("h.csv", f"hand\n{HAND}\n".encode("utf-16")[:-1], "not UTF-16 text at byte"),
        ("h.csv", f"hand\n\0{HAND}\n", r"'\x00' at character 1"),
        ("h.csv", f"hand\0\n{HAND}\n", r"columns (hand\x00), expected"),
        ("h.txt", f"{HAND}\n".encode("utf-16")[:-1], "not UTF-16 text at byte"),
        ("h.txt", "1" * 5000 + "m\n", "line 1: '111"),
        ("h.txt", CLEAR + HAND, r"'\x1b' at character 1"),
        (f"{CLEAR}.csv", "id\n1\n", r"\x1b[2J.csv: columns (id)"),
    ],
)
def test_damaged_file_of_hands_is_one_line(
    mjopt, tmp_path: Path, name: str, content: str | bytes, expected: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    out = tmp_path / "out.csv"
    check_one_line(mjopt("label", str(path), "-o", str(out)), expected)
    assert not out.exists()


def test_byte_order_mark_and_crlf_are_read(mjopt, tmp_path: Path) -> None:
    for name, content in (("h.csv", f'\ufeffhand\r\n"{HAND}"\r\n'), ("h.txt", f"\ufeff{HAND}")):
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
        assert mjopt("label", str(tmp_path / name)).out.endswith(",1\n")


def test_duplicate_value_column_is_refused(mjopt, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(f"hand,deficiency,deficiency\n{HAND},1,2\n")
    check_one_line(mjopt("audit", str(tmp_path / "v.csv")), "column 'deficiency' occurs twice")


def test_control_characters_in_rows_are_escaped(mjopt, tmp_path: Path) -> None:
    path = tmp_path / f"{CLEAR}.csv"
    path.write_text(f"hand,deficiency\n{HAND},{CLEAR}\n{CLEAR}\u202e,1\n{HAND},{'9' * 5000}\n")
    for words in ((), ("--json",)):
        ran = mjopt("audit", str(path), *words)
        assert ran.status == 1
        assert ran.out.isprintable() or set(filter(lambda c: not c.isprintable(), ran.out)) == {
            "\n"
        }
    assert "\\u001b[2J" in ran.out
    assert ran.json["first_not_hands"][0]["hand"] == f"{CLEAR}\u202e"


@pytest.fixture(scope="module")
def line(tmp_path_factory) -> str:
    from mjopt.play import battle

    records = tmp_path_factory.mktemp("records") / "games.txt"
    battle(["l1"] * 4, games=1, rounds=1, records=records)
    return records.read_text()


@pytest.mark.parametrize(
    ("there", "instead", "expected"),
    [
        ("seed=0", f"seed={'9' * 5000}", "seed '999"),
        ("seed=0", "seed=\u0660", "seed '\u0660', expected a number"),
        ("game=0", f"game={'9' * 5000}", "game '999"),
        ("scores=", "scores=1_", "expected a whole number"),
        ("scores=", f"scores={'9' * 5000}", "expected a whole number"),
        ("end=", f"end={CLEAR}", r"end '\x1b[2J"),
        ("moves=", f"moves={CLEAR}", r"move 1: '\x1b[2J'"),
        ("game1", "\0game1", r"begins with '\x00game1'"),
    ],
)
def test_damaged_record_is_refused(
    mjopt, tmp_path: Path, line: str, there: str, instead: str, expected: str
) -> None:
    path = tmp_path / "games.txt"
    path.write_text(line.replace(there, instead, 1))
    ran = mjopt("replay", str(path))
    assert (ran.status, ran.out) == (1, "0 games replayed\n")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 1100
    assert f"{path}, line 1: " in ran.err
    assert expected in ran.err


def test_names_in_a_record_are_escaped(mjopt, tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.txt"
    path.write_text(line.replace("names=l1", "names=%1b%5b2J%0a%e2%80%ae", 1))
    ran = mjopt("replay", str(path), "--show", "1")
    assert ran.status == 0
    assert r"seat 1 \x1b[2J\x0a\u202e: " in ran.out
    assert CLEAR not in ran.out
    assert read_record(path.read_text()).names[0] == f"{CLEAR}\n\u202e"


def test_names_in_tables_are_not_markup(mjopt) -> None:
    rest = ("l1", "l1", "l1", "-n", "1", "--rounds", "1", "-j", "1")
    named = shlex.join([sys.executable, "-c", "pass", f"no-such[/red]{CLEAR}"])
    ran = mjopt("battle", f"process:{named}", *rest)
    assert ran.status == 1  # the program broke its only game
    assert CLEAR not in ran.out + ran.err
    assert "no-such[/red]" in ran.out


@pytest.mark.usefixtures("in_tmp_path")
def test_names_of_files_are_escaped(mjopt, tmp_path: Path) -> None:
    name = f"{CLEAR}\n\u202e.json"
    certified = mjopt("certify", "11m", "--called", "4", "-o", name)
    verified = mjopt("verify", name, f"no{name}")
    summed = mjopt("tables", "verify", name)
    missing = mjopt("label", f"no{name}")
    for ran, status in ((certified, 0), (verified, 2), (summed, 3), (missing, 2)):
        assert ran.status == status
        assert all(sign not in ran.out + ran.err for sign in (CLEAR, "\u202e"))
        assert r"\x1b[2J" in ran.out + ran.err
    assert len(verified.out.splitlines()) == 2


BAD_JSON = {
    "deep": b"[" * 100_000,
    "list": b"[]",
    "nan": b'{"format": NaN}',
    "twice": b'{"format": 1, "format": 1}',
    "utf-16": "{}".encode("utf-16"),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_invalid_json_is_refused(mjopt, tmp_path: Path, name: str) -> None:
    for file in ("manifest.json", "plan.json", "tables.json"):
        (tmp_path / file).write_bytes(BAD_JSON[name])
    for words in (
        ("dataset", "describe", str(tmp_path)),
        ("dataset", "check", str(tmp_path)),
        ("dataset", "build", "deals:10", "-j", "1", "-o", str(tmp_path)),
        ("compare", "-o", str(tmp_path)),
        ("battle", "l1", "l1", "l1", "l1", "-n", "1", "-j", "1", "-o", str(tmp_path)),
    ):
        ran = mjopt(*words)
        ran = ran._replace(err=ran.err.removeprefix("mjopt: seed 0\n"))
        check_one_line(ran, str(tmp_path), ".json")
    ran = mjopt("tables", "verify", str(tmp_path / "tables.json"))
    assert (ran.status, ran.err, ran.out.count("\n")) == (3, "", 1)


def test_study_with_wrong_types_is_refused(mjopt, tmp_path: Path) -> None:
    from mjopt.studies.config import HandSet, StudyConfig
    from mjopt.studies.method import Method

    config = StudyConfig(
        methods=(Method(label="ga", name="ga"),),
        sets=(HandSet(name="deals", recipe="deals:3", seed=0, num_hands=3),),
        runs=1,
        seed=0,
    )
    for change, expected in (
        ({"methods": [{"label": "ga", "name": "ga", "parameters": 5}]}, "parameters is 5"),
        ({"methods": [5]}, "5, expected an object"),
        ({"methods": 5}, "not a study"),
        ({"runs": "1"}, "runs is '1'"),
        ({"runs": True}, "runs is True"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"tiles": "m7"}, "tiles 'm7': unknown, expected one of m0, 136"),
        ({"more": 1}, "not a study"),
    ):
        text = json.dumps(json.loads(config.to_json()) | change)
        (tmp_path / "study.json").write_text(text)
        check_one_line(mjopt("compare", "-o", str(tmp_path)), expected)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    build(make_plan("deals:20", seed=1), folder)
    return folder


@pytest.mark.parametrize("size", [0, 100, -1])
def test_truncated_dataset_is_not_described(mjopt, tmp_path, dataset: Path, size: int) -> None:
    copy = shutil.copytree(dataset, tmp_path / "copy")
    path = next(iter(sorted((copy / "data").iterdir())))
    path.write_bytes(path.read_bytes()[:size])
    expected = (str(path), "bytes, expected")
    check_one_line(mjopt("dataset", "describe", str(copy)), *expected)
    check_one_line(mjopt("dataset", "sample", str(copy)), *expected)
