"""CBC's temporary files: separate for each run and removed afterwards."""

import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

import pytest
from helpers.small_programs import make, market_split
from helpers.waits import LONG

from mjopt import SolveOptions
from mjopt._internal.programs import FinishedProgram
from mjopt.errors import SolverError
from mjopt.models.solvers import cbc
from mjopt.models.solvers.cbc import Cbc

TESTS = Path(__file__).parents[2]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_leaves_no_file(temporary: Path) -> None:
    with chdir(temporary):
        Cbc().solve(market_split(2, 8))
        Cbc().solve(market_split(4, 30), SolveOptions(time_limit=0.1))
        Cbc().solve(make([1], [(0, 1)], [(1, 1, [(0, 2)])]))
    assert list(temporary.iterdir()) == []


def test_leaves_no_file_when_it_fails(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(words: list[str], time_limit: float | None = None) -> FinishedProgram:
        assert len(list(temporary.iterdir())) == 1
        return FinishedProgram(status=-11, output="Segmentation fault")

    solver = Cbc()
    solver.load()
    monkeypatch.setattr(cbc, "run_program", fail)
    with pytest.raises(SolverError, match="its output ends with 'Segmentation fault'"):
        solver.solve(make([1], [(0, 1)]))
    assert list(temporary.iterdir()) == []


def test_parallel_runs_do_not_interfere(tmp_path: Path) -> None:
    """Run several programs concurrently in one folder."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from helpers.small_programs import make\n"
        "from mjopt.models.solvers.cbc import Cbc\n"
        "seed = int(sys.argv[2])\n"
        "for i in range(10):\n"
        "    program = make([1, 2], [(0, 99), (0, 99)], [(seed + i, None, [(0, 1), (1, 1)])])\n"
        "    assert Cbc().solve(program).objective == seed + i\n"
    )
    commands = [[sys.executable, "-c", script, str(TESTS), str(10 * k)] for k in range(3)]
    started = [subprocess.Popen(c, cwd=tmp_path, stderr=subprocess.PIPE) for c in commands]
    for process in started:
        _, errors = process.communicate(timeout=LONG)
        assert process.returncode == 0, errors.decode()
    assert list(tmp_path.iterdir()) == []
