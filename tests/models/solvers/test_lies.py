"""Solvers that return false results: every result is checked."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from helpers.small_programs import make
from helpers.waits import BRIEF, FOREVER, MOMENT

from mjopt import SolveOptions
from mjopt.errors import SolverError, SolverUnavailableError
from mjopt.models.solvers import Termination, cbc, cp_sat, highs
from mjopt.models.solvers.base import SolverResult
from mjopt.models.solvers.cbc import Cbc
from mjopt.models.solvers.cp_sat import CpSat
from mjopt.models.solvers.highs import Highs

# The only feasible points are (0, 2), (1, 1) and (2, 0); the optimum is 2.
PROGRAM = make([2, 1], [(0, 2), (0, 2)], [(2, 2, [(0, 1), (1, 1)])])

LIES = {
    "breaks a row": [0, 1],
    "breaks a bound": [-1, 3],
    "too short": [2],
    "too long": [0, 2, 0],
}


def cp_sat_says(
    monkeypatch: pytest.MonkeyPatch, status: str, values: list[int], bound: int = 0
) -> SolverResult:
    response = SimpleNamespace(
        status=SimpleNamespace(name=status), solution=values, inner_objective_lower_bound=bound
    )
    monkeypatch.setattr(cp_sat, "run_interruptibly", lambda *_: response)
    return CpSat().solve(PROGRAM)


@pytest.mark.parametrize("lie", LIES)
def test_infeasible_points_of_cp_sat_are_refused(monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    with pytest.raises(SolverError):
        cp_sat_says(monkeypatch, "OPTIMAL", LIES[lie])


def test_a_contradiction_of_cp_sat_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolverError, match="no point below 3, yet its own point costs 2"):
        cp_sat_says(monkeypatch, "OPTIMAL", [0, 2], bound=3)


def test_cp_sat_optimality_follows_from_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    result = cp_sat_says(monkeypatch, "OPTIMAL", [1, 1], bound=2)
    assert result.termination is Termination.FINISHED
    assert not result.is_optimal


def test_an_invalid_model_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SolverError, match="MODEL_INVALID"):
        cp_sat_says(monkeypatch, "MODEL_INVALID", [])


def highs_says(monkeypatch: pytest.MonkeyPatch, values: dict[int, float]) -> SolverResult:
    def lie(call: Callable[[], Any]) -> Any:
        result = call()
        changed = {Variable(number): value for number, value in values.items()}
        return Lie(result, changed)

    monkeypatch.setattr(highs, "run_interruptibly", lie)
    return Highs().solve(PROGRAM)


class Variable(NamedTuple):
    id: int


class Lie:
    """A MathOpt result with replaced values."""

    def __init__(self, result: Any, values: Any) -> None:
        self.result, self.values = result, values

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result, name)

    def variable_values(self) -> Any:
        return self.values


@pytest.mark.parametrize("values", [{0: 0, 1: 1}, {0: -1, 1: 3}, {0: 0.5, 1: 1.5}])
def test_infeasible_points_of_highs_are_refused(
    monkeypatch: pytest.MonkeyPatch, values: dict[int, float]
) -> None:
    with pytest.raises(SolverError):
        highs_says(monkeypatch, values)


def test_highs_optimality_follows_from_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    result = highs_says(monkeypatch, {0: 2})
    assert (result.objective, result.bound) == (4, 2)
    assert not result.is_optimal


def scripted(folder: Path, solution: str, seconds: float = 0.0) -> Cbc:
    """Return a fake CBC that writes a fixed answer and ignores its input."""
    program = folder / "cbc"
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys, time\n"
        "if '-quit' in sys.argv:\n"
        "    print('Version: 9.9.9')\n"
        "else:\n"
        f"    time.sleep({seconds})\n"
        f"    pathlib.Path(sys.argv[-1]).write_text({solution!r})\n"
    )
    program.chmod(0o755)
    return Cbc(program)


needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="needs #! scripts")


@needs_scripts
@pytest.mark.parametrize(
    "lines", ["0 x0 1 0\n", "0 x0 -1 0\n1 x1 3 0\n", "0 x0 0.5 0\n1 x1 1.5 0\n", ""]
)
def test_infeasible_points_of_cbc_are_refused(tmp_path: Path, lines: str) -> None:
    with pytest.raises(SolverError):
        scripted(tmp_path, f"Optimal - objective value 2.0\n{lines}").solve(PROGRAM)


@needs_scripts
def test_a_contradiction_of_cbc_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SolverError, match="no point below 7, yet its own point costs 2"):
        scripted(tmp_path, "Optimal - objective value 7.0\n1 x1 2 0\n").solve(PROGRAM)


@needs_scripts
@pytest.mark.parametrize(
    ("headline", "termination", "has_point"),
    [
        ("Stopped on time", Termination.TIME_LIMIT, True),
        ("Stopped on time (no integer solution - continuous used)", Termination.TIME_LIMIT, False),
        ("Stopped on iterations", Termination.OTHER_LIMIT, True),
        ("Stopped on ctrl-c", Termination.INTERRUPTED, True),
        ("Optimal (within gap tolerance)", Termination.FINISHED, True),
    ],
)
def test_stopped_cbc_run_has_no_bound(
    tmp_path: Path, headline: str, termination: Termination, has_point: bool
) -> None:
    solver = scripted(tmp_path, f"{headline} - objective value 2.0\n1 x1 2 0\n")
    result = solver.solve(PROGRAM)
    assert result.termination is termination
    assert result.objective == (2 if has_point else None)
    assert result.bound is None
    assert result.version == "CBC 9.9.9"


@needs_scripts
@pytest.mark.parametrize("headline", ["Optimal", "Infeasible", "Integer infeasible"])
def test_cbc_result_after_timeout_proves_nothing(tmp_path: Path, headline: str) -> None:
    late = scripted(tmp_path, f"{headline} - objective value 2.0\n1 x1 2 0\n", seconds=MOMENT)
    result = late.solve(PROGRAM, SolveOptions(time_limit=BRIEF))
    assert result.termination is Termination.TIME_LIMIT
    assert result.bound is None
    assert not result.is_infeasible


@needs_scripts
def test_cbc_is_killed_when_it_ignores_its_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cbc, "_GRACE", BRIEF)
    deaf = scripted(tmp_path, "Optimal - objective value 2.0\n1 x1 2 0\n", seconds=FOREVER)
    result = deaf.solve(PROGRAM, SolveOptions(time_limit=BRIEF))
    assert result.termination is Termination.TIME_LIMIT
    assert result.values is None  # mjopt did not wait for the answer


@needs_scripts
@pytest.mark.parametrize("solution", ["", "Unbounded - objective value 0\n", "Hello\n"])
def test_a_failure_of_cbc_is_reported(tmp_path: Path, solution: str) -> None:
    with pytest.raises(SolverError, match="cbc"):
        scripted(tmp_path, solution).solve(PROGRAM)


def test_a_missing_cbc_is_reported(tmp_path: Path) -> None:
    absent = Cbc(tmp_path / "nothing")
    assert not absent.available()
    with pytest.raises(SolverUnavailableError, match="cannot be run"):
        absent.solve(PROGRAM)
