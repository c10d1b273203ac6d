"""`mjopt ceiling`, as a user runs it."""

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.surroundings import environment

from mjopt._internal.files import lock_folder
from mjopt.chances.ceiling import build as module
from mjopt.chances.ceiling.table import HEADER_SIZE
from mjopt.cli.progress import Bar

SMALL = ("ceiling", "build", "--called", "4", "--draws", "4", "--jobs", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """Use a data folder of the test."""
    with environment(MJOPT_DATA=tmp_path / "data"):
        yield tmp_path


@pytest.fixture
def table(mjopt: Call, folder: Path) -> str:
    path = str(folder / "t.ceiling")
    assert mjopt(*SMALL, "--all-layers", "-o", path).status == 0
    return path


def test_build_says_what_it_takes_and_how_to_use_the_table(mjopt: Call, folder: Path) -> None:
    ran = mjopt(*SMALL)
    path = folder / "data" / "m0-called4-draws4.ceiling"
    assert ran.status == 0
    assert ran.err == (
        "5 hands before a draw and 50 after it, 4 layers: 0.4 GB of memory, 0.0 MB of disk while "
        f"building, then 0.0 MB in {path}\n"
    )
    lines = ran.out.splitlines()
    assert lines[0].startswith(f"{path}: built in ")
    assert lines[1].startswith("  mean over all deals: 0.1")
    assert lines[2] == "  use: mjopt.ceiling(hand, called=4, draws=4)"
    assert f"table={str(folder / 'x')!r}" in mjopt(*SMALL, "-o", str(folder / "x")).out
    assert "table=" in mjopt(*SMALL, "--melds", "known").out

    again = mjopt(*SMALL)
    assert (again.status, again.err) == (0, "")
    assert again.out.startswith(f"{path}: already built\n  mean over all deals: 0.1")
    assert mjopt(*SMALL, "--json").json["built"] is False
    assert mjopt("--quiet", *SMALL, "--tiles", "full").err == ""


def test_ctrl_c_names_the_last_layer(
    mjopt: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count(1)

    def stop(*_: object) -> None:
        if next(calls) == stop_at:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "advance", stop)
    stop_at, words = 1, (*SMALL, "-o", str(folder / "t"))
    ran = mjopt(*words)
    assert ran.status == 130
    assert ran.err.splitlines()[1:] == ["mjopt: interrupted; the same command starts again"]
    assert [*folder.iterdir()] == []
    stop_at = 10
    ran = mjopt(*words)
    assert ran.status == 130
    message = "mjopt: interrupted; the same command resumes after layer 2 of 4"
    assert ran.err.splitlines()[1:] == [message]
    ran = mjopt(*words)
    assert (ran.status, ran.err.strip()[-28:]) == (0, "; resumes after layer 2 of 4")
    assert [path.name for path in folder.iterdir()] == ["t"]


def test_what_is_missing_is_said_in_one_line(
    mjopt: Call, folder: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(folder / "other")
    with lock_folder(folder / ".other.partial"):
        ran = mjopt(*SMALL, "-o", path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("another process is writing here now\n")
    monkeypatch.setattr(module, "available_memory", lambda: 10**6)
    for words in ((*SMALL, "-o", path), ("ceiling", "check", table)):
        ran = mjopt(*words)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "1.0 MB of memory available, this takes 0.4 GB" in ran.err
    assert "--quick" in ran.err
    assert mjopt("ceiling", "check", table, "--quick", "--sample", "4").status == 0
    for words, reason in [
        (("--called", "5"), "called 5, expected 0..4"),
        (("--draws", "0"), "draws 0, expected 1..60"),
        (("--melds", "some"), "melds 'some', expected unknown or known"),
        (("--tiles", "144"), "--tiles 144, expected one of m0, 136"),
        (("-o", str(folder / "none" / "t")), "does not exist"),
        (("-o", "/"), "mjopt: /: is a folder, expected a file name"),
        (("-o", ""), "mjopt: .: is a folder, expected a file name"),
        (("-o", ".."), "mjopt: ..: is a folder, expected a file name"),
        (("-o", str(folder)), "is a folder, expected a file name"),
        (("-o", str(folder / ("x" * 250))), "File name too long"),
        (("-o", "x" * 5000), "File name too long"),
        (("--jobs", "0"), "--jobs 0, expected at least 1"),
        (("-o", table), "holds the table of tiles m0, draws 4, called 4, all layers"),
    ]:
        ran = mjopt(*SMALL, *words)
        assert (ran.status, ran.err.count("\n")) == (2, 1)
        assert reason in ran.err


def test_fifo_is_no_table(mjopt: Call, folder: Path) -> None:
    pipe = str(folder / "pipe")
    os.mkfifo(pipe)
    for words in (
        ("ceiling", "check", pipe),
        ("ceiling", "describe", pipe),
        (*SMALL, "-o", pipe),
        ("win-chance", "1m", "--called", "4", "--draws", "1", "--ceiling", pipe),
    ):
        ran = mjopt(*words)
        assert (ran.status, ran.err) == (2, f"mjopt: {pipe}: not a regular file\n"), words


def test_check(mjopt: Call, table: str) -> None:
    ran = mjopt("ceiling", "check", table, "--sample", "20")
    assert (ran.status, ran.err) == (0, "the table is built again: 0.4 GB of memory\n")
    lines = ran.out.splitlines()
    assert lines[0] == f"{table}: accepted"
    assert "built again and is equal at all hands; 20 sampled hands of all layers" in lines[1]
    ran = mjopt("ceiling", "check", table, "--sample", "20", "--quick")
    assert "agree with the layer before" in ran.out
    assert ran.out.splitlines()[2].startswith("  not checked: the values and their means")


@pytest.mark.parametrize("size", [-1, HEADER_SIZE + 5, 100, 0])
def test_damaged_tables_are_refused(mjopt: Call, table: str, size: int) -> None:
    data = Path(table).read_bytes()
    Path(table).write_bytes(data[:size] if size >= 0 else data[:-1] + b"\0")
    for option in ((), ("--quick",)):
        ran = mjopt("ceiling", "check", table, *option)
        assert (ran.status, ran.err.count("\n")) == (3, size < 0 and not option)
        assert ran.out.startswith(f"{table}: refused: ")
        assert ran.out.count(table) == 1
        assert len(ran.out.splitlines()) == 1
    document = mjopt("ceiling", "check", table, "--json").json
    assert (document["accepted"], document["reason"] is None) == (False, False)
    assert mjopt("ceiling", "check", f"{table}.none").status == 2


def test_describe(mjopt: Call, table: str, folder: Path) -> None:
    figure = folder / "f.svg"
    ran = mjopt("ceiling", "describe", table, "-o", str(figure))
    assert (ran.status, ran.err) == (0, "")
    assert "5,778 deals of 2 tiles, mean ceiling 0.1" in ran.out
    assert figure.read_text().startswith("<?xml")
    document = mjopt("ceiling", "describe", table, "--json").json
    assert document["all"]["deals"] == 5778
    assert [group["deficiency"] for group in document["by_deficiency"]] == [0, 1]
    assert len(document["means"]) == 5
    assert json.dumps(document["mean"]) in ran.out
    ran = mjopt("ceiling", "describe", table, "-o", str(folder / "f.xls"))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
