"""Commands with several worker processes, when one of them or the command is killed."""

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from helpers.processes import (
    PROC,
    marked,
    wait_for_workers,
    wait_until_gone,
)
from helpers.support import deal
from helpers.waits import FOREVER, LONG, wait_until

from mjopt import M0

pytestmark = pytest.mark.skipif(not PROC.exists(), reason="workers are found in /proc")

PLAYER = Path(__file__).parents[1] / "data" / "players" / "player.py"
STATUSES = {signal.SIGKILL: -signal.SIGKILL, signal.SIGTERM: 143}

# Each takes minutes, so that a kill interrupts its work.
HUNG = f"process:{sys.executable} {PLAYER} stubborn MARK"
LEAGUE = ("league", HUNG, "l1", "-n", "100", "--time-limit", str(FOREVER), "-o", "league")
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
            [sys.executable, "-m", "mjopt", *words, "-j", "2"],
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
        if words is LEAGUE:
            wait_until(lambda: len(marked(f"stubborn\0{mark}")) >= 2, "no agent has started")
            started += marked(f"stubborn\0{mark}")
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
        return len(list(tmp_path.glob(".out.csv.labels/*.unit")))

    with running(LABEL, tmp_path) as run:
        workers = wait_for_workers(run.pid, 2)
        wait_until(num_chunks, "no chunk is finished")
        os.kill(workers[1].pid, signal.SIGKILL)
        assert run.wait(LONG) == 2
        assert (tmp_path / "stderr").read_text() == (
            "mjopt: a worker process was killed (out of memory?): run the same command again\n"
        )
        wait_until_gone(workers)
    assert num_chunks()
    with running(LABEL, tmp_path) as again:
        wait_until(
            lambda: again.poll() is not None or (tmp_path / "stderr").read_text().endswith("\n"),
            "no line on stderr",
        )
        resumed = re.fullmatch(
            r"resuming at row (\d+) of 8000\n", (tmp_path / "stderr").read_text()
        )
        assert resumed is not None
        assert int(resumed[1]) >= 256


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_work_leaves_no_traceback(number: signal.Signals) -> None:
    """The interpreter closes down for a moment after a command has printed its result."""
    code = (
        "import atexit, os, sys\n"
        f"atexit.register(lambda: os.kill(os.getpid(), {number:d}))\n"
        "sys.argv = ['mjopt', 'deficiency', '1m', '--called', '4', '--json']\n"
        "from mjopt.__main__ import run\n"
        "run()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (128 + number, "")
    assert '"deficiency": 1' in ran.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_callback_still_ends_the_command(number: signal.Signals) -> None:
    """Python prints and forgets exceptions of callbacks that C code calls, as compilers do."""
    code = (
        "import ctypes, os, time\n"
        "from mjopt._internal import signals\n"
        f"call = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), {number:d}))\n"
        "signals.handle_signals()\n"
        "try:\n"
        "    call()\n"
        f"    time.sleep({FOREVER})\n"
        "except signals.STOPPED as stop:\n"
        "    print(type(stop).__name__)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expected = "Interrupted" if number == signal.SIGINT else "Terminated"
    assert (ran.stdout, ran.stderr) == (f"{expected}\n", "")
