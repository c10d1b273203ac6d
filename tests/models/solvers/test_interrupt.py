"""Ctrl-C interrupts a long solve at once and leaves no process or file."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import PROC, marked, processor_ticks, wait_until_gone
from helpers.waits import LONG, wait_until

from mjopt.models.solvers.interrupt import run_interruptibly

TESTS = Path(__file__).parents[2]
TICKS = 20  # of processor time: more than a solver needs to begin

SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from helpers.small_programs import make, market_split
from mjopt.models.solvers import get_solver
solver = get_solver({name!r})
toy = make([1], [(2, 3)])
solver.solve(toy)  # loads the solver
print("ready", flush=True)
try:
    solver.solve(market_split(5, 50))
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(solver.solve(toy).objective, flush=True)
"""


@pytest.mark.skipif(not PROC.exists(), reason="processor time is read in /proc")
@pytest.mark.parametrize("name", ["cp-sat", "highs", "cbc"])
def test_ctrl_c_interrupts_a_solve(name: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(tests=str(TESTS), name=name)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"TMPDIR": str(tmp_path), "PATH": ""},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        assert process.stdout.readline() == "ready\n"
        begun = processor_ticks(process.pid)
        wait_until(lambda: processor_ticks(process.pid) > begun + TICKS, "nothing is solved")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        # Without an interrupt the solve would take hours.
        assert process.stdout.readline() == "interrupted\n"
        # The solver is still usable, and the process can exit.
        assert process.stdout.readline() == "2\n"
        assert process.wait(timeout=LONG) == 0
        assert process.stderr.read() == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not PROC.exists(), reason="processes are found in /proc")
def test_cbc_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(tests=str(TESTS), name="cbc")],
        stdout=subprocess.DEVNULL,
        env={"TMPDIR": str(tmp_path), "PATH": ""},
    )
    with process:
        wait_until(lambda: marked(str(tmp_path)), "CBC does not start")
        running = marked(str(tmp_path))
        process.kill()
    wait_until_gone(running)


def test_errors_of_the_solve_are_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0)
    assert run_interruptibly(lambda: None) is None
