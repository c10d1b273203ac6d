"""Programs that mjopt starts: their descendants end with them, and all end with mjopt."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import (
    PROC,
    Process,
    children_of,
    marked,
    wait_until_gone,
)
from helpers.waits import BRIEF, FOREVER, wait_until

from mjopt._internal import programs
from mjopt._internal.programs import run_program

pytestmark = pytest.mark.skipif(not PROC.exists(), reason="processes are found in /proc")

# A program with a descendant that holds its output open.
PARENT = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep({FOREVER})", sys.argv[1]])
print("started", flush=True)
time.sleep(float(sys.argv[2]))
"""


def parent(mark: str, seconds: float) -> list[str]:
    return [sys.executable, "-c", PARENT, mark, str(seconds)]


def test_descendants_end_with_their_program(tmp_path: Path) -> None:
    ran = run_program(parent(str(tmp_path), 0))
    assert (ran.status, ran.output) == (0, "started\n")
    wait_until_gone(marked(str(tmp_path)))


def test_descendants_end_at_the_time_limit(tmp_path: Path) -> None:
    ran = run_program(parent(str(tmp_path), FOREVER), time_limit=BRIEF)
    assert (ran.status, ran.is_too_long) == (None, False)
    wait_until_gone(marked(str(tmp_path)))


def test_output_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MAX_OUTPUT", 1000)
    ran = run_program([sys.executable, "-c", "while True: print('x' * 100)"])
    assert (ran.status, ran.is_too_long, len(ran.output)) == (None, True, 1000)
    ran = run_program([sys.executable, "-c", "print('x' * 999)"])
    assert (ran.status, ran.is_too_long, len(ran.output)) == (0, False, 1000)


def test_status_and_both_streams_are_returned() -> None:
    code = "import os; os.write(1, b'a'); os.write(2, b'b\\xff'); os._exit(3)"
    ran = run_program([sys.executable, "-c", code])
    assert (ran.status, ran.output) == (3, "ab\N{REPLACEMENT CHARACTER}")


STARTER = f"""
import sys
from mjopt._internal.programs import run_program, start_program
from mjopt._internal.signals import handle_signals

if __name__ == "__main__":
    handle_signals({BRIEF})
    first = start_program([*sys.argv[1:-1], "{FOREVER}"])
    input()
    run_program(sys.argv[1:])
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_programs_end_when_their_starter_is_killed(number: signal.Signals, tmp_path: Path) -> None:
    """Also if the shell that waits for that is killed between them."""
    mark = str(tmp_path)
    words = [sys.executable, "-c", STARTER, *parent(mark, FOREVER)]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as starter:

        def started() -> list[Process]:
            return [process for process in marked(mark) if process.pid != starter.pid]

        def shells() -> list[Process]:
            return children_of(starter.pid, "kill -s KILL")

        wait_until(lambda: len(started()) == 2, "the first program does not start")
        wait_until(lambda: len(shells()) == 1, "the shell does not start")
        [shell] = shells()
        os.kill(shell.pid, signal.SIGKILL)
        wait_until(lambda: not shell.is_alive, "the shell does not end")
        assert starter.stdin is not None
        starter.stdin.write(b"\n")
        starter.stdin.flush()
        wait_until(lambda: len(started()) == 4, "the second program does not start")
        wait_until(lambda: len(shells()) == 1, "the second shell does not start")
        running = started() + shells()
        os.kill(starter.pid, number)
    wait_until_gone(running)
