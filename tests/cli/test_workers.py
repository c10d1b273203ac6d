"""Commands over several processes: what is left when one of them is killed."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from helpers.processes import LONG, PROC, marked, wait_for_workers, wait_until_gone
from helpers.support import deal

from mjopt import M0

pytestmark = pytest.mark.skipif(not PROC.exists(), reason="workers are found in /proc")

PLAYER = Path(__file__).parents[1] / "data" / "players" / "player.py"
STATUSES = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143, signal.SIGINT: 130}

# Each goes on for minutes, so that whatever is killed is killed in the middle.
HUNG = f"process:{sys.executable} {PLAYER} stubborn MARK"
LEAGUE = ("league", HUNG, "l1", "-n", "100", "--time-limit", "600", "-o", "league")
BUILD = ("dataset", "build", "deals:1e8", "-o", "hands")
COMPARE = ("compare", "ndde", "--hands", "two-type:40", "--runs", "900", "-o", "study")
CERTIFY = ("certify", "--hands", "many.txt", "-o", "out.jsonl")
LABEL = ("label", "many.txt", "--model", "blockwise", "-o", "out.csv")


@cache
def many_hands() -> str:
    dealt = random.Random(5)
    return "".join(f"{deal(dealt, M0, suits=3).to_text()}\n" for _ in range(8_000))


@contextmanager
def begun(words: tuple[str, ...], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Begin a command with two workers, in a folder that holds a file of many hands."""
    (folder / "many.txt").write_text(many_hands())
    with (folder / "stderr").open("w") as said:  # no pipe: orphans would hold it open
        run = subprocess.Popen(
            [sys.executable, "-m", "mjopt", *words, "--quiet", "-j", "2"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
    try:
        yield run
    finally:
        run.kill()
        run.wait()


def last_words(run: subprocess.Popen[bytes], folder: Path) -> str:
    """Wait until a command has ended with bad input, and return what it said."""
    status, err = run.wait(LONG), (folder / "stderr").read_text()
    assert status == 2, err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("words", "how"),
    [
        (LEAGUE, signal.SIGKILL),
        (COMPARE, signal.SIGKILL),
        (CERTIFY, signal.SIGKILL),
        (LABEL, signal.SIGKILL),
        (LEAGUE, signal.SIGTERM),
        (LABEL, signal.SIGTERM),
        (BUILD, signal.SIGTERM),
        (LEAGUE, signal.SIGINT),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value.name,
)
def test_nothing_outlives_a_command(
    words: tuple[str, ...], how: signal.Signals, tmp_path: Path
) -> None:
    """The parent alone is told to end, or killed: nobody stops the group for it."""
    mark = str(tmp_path)
    told = tuple(word.replace("MARK", mark) for word in words)
    with begun(told, tmp_path) as run:
        started = wait_for_workers(run.pid, 2)
        deadline = time.monotonic() + LONG
        while words is LEAGUE and len(started) < 4:  # and a hung player in each
            assert time.monotonic() < deadline
            started = started[:2] + marked(f"stubborn\0{mark}")
            time.sleep(0.05)
        os.kill(run.pid, how)
        assert run.wait(LONG) == STATUSES[how]
        wait_until_gone(started)
    if how != signal.SIGKILL:
        assert not list(tmp_path.rglob("*.tmp"))
        err = (tmp_path / "stderr").read_text()
        assert "Traceback" not in err
        assert "leaked" not in err


@pytest.mark.parametrize("words", [COMPARE, CERTIFY], ids=lambda words: words[0])
def test_a_killed_worker_is_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    with begun(words, tmp_path) as run:
        workers = wait_for_workers(run.pid, 2)
        os.kill(workers[0].pid, signal.SIGKILL)
        err = last_words(run, tmp_path)
        last = err.splitlines()[-1]
        assert last.startswith("mjopt: a worker process was killed (out of memory?)"), err
        assert last.endswith(": run the same command again")
        wait_until_gone(workers)
    assert not (tmp_path / "out.jsonl").exists()


def test_labels_survive_a_killed_worker(tmp_path: Path) -> None:
    """The next run resumes at the first row that is not in a chunk file."""

    def num_chunks() -> int:
        return len(list(tmp_path.glob(".out.csv.labels/*.npy")))

    with begun(LABEL, tmp_path) as run:
        workers = wait_for_workers(run.pid, 2)
        deadline = time.monotonic() + LONG
        while not num_chunks():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.kill(workers[1].pid, signal.SIGKILL)
        assert last_words(run, tmp_path) == (
            "mjopt: a worker process was killed (out of memory?): run the same command again\n"
        )
        wait_until_gone(workers)
    assert num_chunks()
    with begun(LABEL, tmp_path) as again:
        wait_for_workers(again.pid, 2)
        resumed = re.fullmatch(
            r"resuming at row (\d+) of 8000\n", (tmp_path / "stderr").read_text()
        )
        assert resumed is not None
        assert int(resumed[1]) >= 256
