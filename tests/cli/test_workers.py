"""Commands with several worker processes, when one of them or the command is killed."""

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
STATUSES = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143}

# Each takes minutes, so that a kill interrupts its work.
HUNG = f"process:{sys.executable} {PLAYER} stubborn MARK"
LEAGUE = ("league", HUNG, "l1", "-n", "100", "--time-limit", "600", "-o", "league")
LABEL = ("label", "many.txt", "--model", "blockwise", "-o", "out.csv")


@cache
def many_hands() -> str:
    dealt = random.Random(5)
    return "".join(f"{deal(dealt, M0, suits=3).to_text()}\n" for _ in range(8_000))


@contextmanager
def running(words: tuple[str, ...], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command with two workers, in a folder with a file of many hands."""
    (folder / "many.txt").write_text(many_hands())
    with (folder / "stderr").open("w") as errors:  # no pipe: orphans would hold it open
        run = subprocess.Popen(
            [sys.executable, "-m", "mjopt", *words, "--quiet", "-j", "2"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        yield run
    finally:
        run.kill()
        run.wait()


@pytest.mark.parametrize(
    ("words", "number"),
    [(LEAGUE, signal.SIGKILL), (LABEL, signal.SIGTERM)],
    ids=lambda value: value[0] if isinstance(value, tuple) else value.name,
)
def test_no_process_outlives_a_stopped_command(
    words: tuple[str, ...], number: signal.Signals, tmp_path: Path
) -> None:
    """Only the command gets the signal; a league also has an agent's program in each worker."""
    mark = str(tmp_path)
    with running(tuple(word.replace("MARK", mark) for word in words), tmp_path) as run:
        started = wait_for_workers(run.pid, 2)
        deadline = time.monotonic() + LONG
        while words is LEAGUE and len(started) < 4:
            assert time.monotonic() < deadline
            started = started[:2] + marked(f"stubborn\0{mark}")
            time.sleep(0.05)
        os.kill(run.pid, number)
        assert run.wait(LONG) == STATUSES[number]
        wait_until_gone(started)
    if number != signal.SIGKILL:
        assert not list(tmp_path.rglob("*.tmp"))
        err = (tmp_path / "stderr").read_text()
        assert "Traceback" not in err
        assert "leaked" not in err


def test_killed_worker_is_one_line_and_finished_work_is_kept(tmp_path: Path) -> None:
    def num_chunks() -> int:
        return len(list(tmp_path.glob(".out.csv.labels/*.npy")))

    with running(LABEL, tmp_path) as run:
        workers = wait_for_workers(run.pid, 2)
        deadline = time.monotonic() + LONG
        while not num_chunks():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.kill(workers[1].pid, signal.SIGKILL)
        assert run.wait(LONG) == 2
        assert (tmp_path / "stderr").read_text() == (
            "mjopt: a worker process was killed (out of memory?): run the same command again\n"
        )
        wait_until_gone(workers)
    assert num_chunks()
    with running(LABEL, tmp_path) as again:
        wait_for_workers(again.pid, 2)
        resumed = re.fullmatch(
            r"resuming at row (\d+) of 8000\n", (tmp_path / "stderr").read_text()
        )
        assert resumed is not None
        assert int(resumed[1]) >= 256
