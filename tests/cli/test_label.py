"""The command label: formats in and out, resuming, interruption, bad rows."""

import csv
import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.conftest import Call
from helpers.support import deal
from helpers.waits import FOREVER, LONG, wait_until

from mjopt import M0, Hand
from mjopt._internal.files import lock_folder
from mjopt._internal.unit_store import UnitStore
from mjopt.datasets.label_file import LabelProgram, check_labels, label_by_tables
from mjopt.errors import SolverError
from mjopt.hands.files.hand_file import HandFile
from mjopt.models import brute_force


@pytest.fixture(scope="module")
def hands() -> list[Hand]:
    rng = random.Random(3)
    return [deal(rng, M0, size=13 + i % 2, suits=1 + i % 3) for i in range(18)]


@pytest.fixture(scope="module")
def truth(hands: list[Hand]) -> list[int]:
    return [brute_force.deficiency(hand) for hand in hands]


def write(path: Path, hands: list[Hand]) -> Path:
    if path.suffix == ".npy":
        np.save(path, np.array([hand.counts for hand in hands], dtype=np.uint8))
    elif path.name == "counts.csv":
        lines = [",".join(M0.names), *(",".join(map(str, h.counts)) for h in hands)]
        path.write_text("\n".join(lines))
    elif path.suffix == ".csv":
        lines = ["id,hand", *(f"{i},{hand.to_text()}" for i, hand in enumerate(hands))]
        path.write_text("\n".join(lines) + "\n")
    else:
        path.write_text("# hands\n\n" + "\n".join(hand.to_text() for hand in hands))
    return path


def read(path: Path) -> list[int]:
    if path.suffix == ".npy":
        return [int(label) for label in np.load(path)]
    if path.suffix == ".jsonl":
        return [json.loads(line)["deficiency"] for line in path.read_text().splitlines()]
    with path.open() as file:
        return [int(row["deficiency"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    ("source", "target", "engine"),
    [
        ("hands.txt", "out.csv", []),
        ("hands.csv", "out.npy", []),
        ("counts.csv", "out.jsonl", []),
        ("hands.npy", "out.csv", []),
        ("counts.csv", "out.npy", ["--model", "blockwise"]),
        ("hands.npy", "out.jsonl", ["--model", "blockwise"]),
    ],
)
def test_every_format_is_read_and_written(
    mjopt: Call,
    hands: list[Hand],
    truth: list[int],
    tmp_path: Path,
    source: str,
    target: str,
    engine: list[str],
) -> None:
    path = str(write(tmp_path / source, hands))
    ran = mjopt("label", path, "-o", str(tmp_path / target), *engine)
    assert (ran.status, ran.out) == (0, "")
    assert read(tmp_path / target) == truth
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({source, target})


def test_csv_keeps_its_columns(mjopt: Call, hands: list[Hand], tmp_path: Path) -> None:
    out = mjopt("label", str(write(tmp_path / "hands.csv", hands))).out.splitlines()
    assert out[0] == "id,hand,deficiency"
    assert out[1].startswith(f"0,{hands[0].to_text()},")


def test_standard_input_is_labelled(mjopt: Call, hands: list[Hand], truth: list[int]) -> None:
    ran = mjopt("label", "-", "--jobs", "1", stdin="\n".join(hand.to_text() for hand in hands))
    assert ran.status == 0
    labels = [int(line.split(",")[1]) for line in ran.out.splitlines()[1:]]
    assert labels == truth


def test_paper_cost_is_a_label(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "kongs.txt"
    path.write_text("B3333 C222267 D7777\n")
    ran = mjopt("label", str(path), "--notation", "paper", "--model", "predecomposition")
    assert ran.out.splitlines()[0] == "hand,cost"
    assert ran.out.splitlines()[1].endswith(",2")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.txt", "1112345678999m1p\n\n11111m\n", "bad.txt line 3: '11111m'"),
        ("short.txt", "123m\n", "short.txt line 1: '123m': 3 tiles"),
        ("bad.csv", "id,tiles\n1,2\n", "columns (id, tiles), expected one named 'hand'"),
        ("cells.csv", "id,hand\n1\n", "cells.csv line 2: 1 cells, expected 2"),
        ("empty.csv", "", "columns (none)"),
        ("hands.xlsx", "", "ending '.xlsx'"),
        ("hands.npy", "not an array", "not a .npy array"),
        ("latin.txt", b"\xff11m", "not UTF-8"),
        ("wide.txt", b"\xff\xfe11m", "not UTF-16"),
        (
            "kinds.csv",
            ",".join(M0.names) + "\n" + ",".join(["x"] * 27),
            "line 2: 1m: 'x', expected",
        ),
    ],
)
def test_bad_file_is_named_in_one_line(
    mjopt: Call, tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ran = mjopt("label", str(path), "-o", str(tmp_path / "out.csv"))
    assert ran.status == 2
    assert len(ran.err.strip().splitlines()) == 1
    assert message in ran.err
    assert not (tmp_path / "out.csv").exists()


def test_bad_array_is_refused(mjopt: Call, tmp_path: Path) -> None:
    for array, message in (
        (np.zeros((2, 28), np.uint8), "shape (2, 28), expected whole numbers of shape (N, 27)"),
        (np.full((2, 27), 0.5), "float64"),
        (np.full((2, 27), 5, np.uint8), "row 0: 5 copies of 1m"),
    ):
        np.save(tmp_path / "hands.npy", array)
        ran = mjopt("label", str(tmp_path / "hands.npy"))
        assert ran.status == 2
        assert message in ran.err


def test_folder_as_output_is_refused_before_the_work(
    mjopt: Call, hands: list[Hand], tmp_path: Path
) -> None:
    source = str(write(tmp_path / "hands.txt", hands))
    (tmp_path / "out.csv").mkdir()
    ran = mjopt("label", source, "--model", "completion", "-o", str(tmp_path / "out.csv"))
    assert (ran.status, "out.csv: is a folder" in ran.err) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.txt", "out.csv"]


def test_bad_output_is_refused(mjopt: Call, hands: list[Hand], tmp_path: Path) -> None:
    source = str(write(tmp_path / "hands.txt", hands))
    for target, message in (("out.doc", "ending '.doc'"), ("no/out.csv", "does not exist")):
        ran = mjopt("label", source, "-o", str(tmp_path / target))
        assert ran.status == 2
        assert message in ran.err


def test_labels_do_not_depend_on_the_number_of_processes(
    hands: list[Hand], tmp_path: Path, mjopt: Call
) -> None:
    rng = random.Random(1)
    many = [deal(rng, M0, suits=1) for _ in range(260)]  # enough for two
    source = str(write(tmp_path / "hands.txt", many))
    for jobs in ("1", "2"):
        words = ("-o", str(tmp_path / f"{jobs}.csv"), "-j", jobs, "--solver", "cp-sat")
        assert mjopt("label", source, *words).status == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


# Stops after the first chunk, until the test interrupts it.
MODEL = f"""
import os, time
from pathlib import Path
from mjopt.models.blockwise import Blockwise

class Pausing(Blockwise):
    name = "pausing"

    def write(self, query):
        if (chunk := os.environ.get("PAUSE_AFTER")) and Path(chunk).exists():
            time.sleep({FOREVER})
        return super().write(query)
"""


def test_interrupted_labelling_resumes(tmp_path: Path, mjopt: Call) -> None:
    """Ctrl-C keeps the rows done; the same command resumes and gives the same file."""
    rng = random.Random(1)
    source = write(tmp_path / "hands.txt", [deal(rng, M0, suits=3) for _ in range(300)])
    (tmp_path / "model.py").write_text(MODEL)
    model = f"{tmp_path / 'model.py'}:Pausing"
    words = ["label", str(source), "--jobs", "1", "--model", model, "-o"]
    out = tmp_path / "out.csv"
    chunk = tmp_path / ".out.csv.labels" / "000000000000.unit"
    command = [sys.executable, "-m", "mjopt", *words, str(out)]
    environment = {**os.environ, "PAUSE_AFTER": str(chunk)}
    run = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    wait_until(chunk.exists, "no chunk is finished")
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=LONG)
    assert run.returncode == 130
    assert "interrupted after" in err
    assert "Traceback" not in err
    assert not out.exists()
    again = mjopt(*words, str(out))
    assert again.status == 0
    # The signal may arrive after the chunk was stored and before it was counted.
    assert 0 < int(re.search(r"resuming at row (\d+) of 300", again.err)[1]) < 300
    assert mjopt("label", str(source), "-o", str(tmp_path / "other.csv")).status == 0  # by tables
    assert out.read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["hands.txt", "model.py", "other.csv", "out.csv"]


def test_checkpoint_of_other_settings_is_discarded(
    tmp_path: Path, hands: list[Hand], truth: list[int], mjopt: Call
) -> None:
    source = write(tmp_path / "hands.txt", hands)
    checkpoint = tmp_path / ".out.csv.labels"
    UnitStore(checkpoint, {"model": "network"}).write("000000000000", content=bytes([7] * 5))
    words = ("-o", str(tmp_path / "out.csv"), "--model", "blockwise")
    assert mjopt("label", str(source), *words).status == 0
    assert read(tmp_path / "out.csv") == truth
    assert not checkpoint.exists()


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY"])
def test_damaged_chunk_is_one_line(
    content: bytes, tmp_path: Path, hands: list[Hand], mjopt: Call
) -> None:
    source = write(tmp_path / "hands.txt", hands)
    (tmp_path / ".out.csv.labels").mkdir()
    chunk = tmp_path / ".out.csv.labels" / "000000000000.unit"
    chunk.write_bytes(content)
    ran = mjopt("label", str(source), "-o", str(tmp_path / "out.csv"), "--model", "blockwise")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert f"{chunk}: not as it was written" in ran.err
    assert chunk.read_bytes() == content


def test_second_writer_is_refused(tmp_path: Path, hands: list[Hand], mjopt: Call) -> None:
    source = write(tmp_path / "hands.txt", hands)
    with lock_folder(tmp_path / ".out.csv.labels"):
        ran = mjopt("label", str(source), "-o", str(tmp_path / "out.csv"), "--model", "blockwise")
    assert ran.status == 2
    assert "another process is writing here now" in ran.err


def test_check_solves_random_rows(mjopt: Call, hands: list[Hand], tmp_path: Path) -> None:
    source = str(write(tmp_path / "hands.txt", hands))
    ran = mjopt("label", source, "--check", "10")
    assert ran.status == 0
    assert "10 rows solved again by blockwise: all agree" in ran.err
    assert mjopt("label", source, "--check", "-1").status == 2


def test_check_finds_a_wrong_label(hands: list[Hand], tmp_path: Path) -> None:
    source = HandFile(path=write(tmp_path / "hands.txt", hands), format="text", tiles=M0)
    labels = label_by_tables(source)
    assert check_labels(source, labels, LabelProgram(), number=99, seed=1) == len(hands)
    labels[7] += 1
    with pytest.raises(SolverError, match="line 10: "):
        check_labels(source, labels, LabelProgram(), number=99, seed=1)


@pytest.mark.parametrize("name", ["-", "h.txt", "h.csv"])
def test_input_without_hands_is_one_line(mjopt: Call, tmp_path: Path, name: str) -> None:
    """Regression: an empty standard input wrote a file with a header and no rows."""
    text = "hand\n" if name == "h.csv" else ""
    source, out = str(tmp_path / name) if name != "-" else "-", tmp_path / "out.csv"
    if name != "-":
        (tmp_path / name).write_text(text)
    ran = mjopt("label", source, "-o", str(out), stdin=text)
    where = source if name != "-" else "standard input"
    assert (ran.status, ran.err) == (2, f"mjopt: {where}: no hands\n")
    assert not out.exists()
