"""Runs of solvers on an instance set: every verdict, external commands, profiles."""

import sys
from pathlib import Path

import pytest
from helpers.processes import PROC, marked, wait_until_gone
from helpers.waits import BRIEF, FOREVER, LONG
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import ArgumentError, FileError, SolverError
from mjopt.instances import Run, Verdict, read_index, solve_instances
from mjopt.instances.external import RunClaim, read_command, read_output, run_command
from mjopt.instances.profile import plot_profiles, profiles_of, summarise
from mjopt.instances.solve import judge

SOLVER = f"""
import re, subprocess, sys, time
kind, path = sys.argv[1:]
text = open(path).read()
if kind == "zero": print("Optimal solution found\\nObjective value: 0")
if kind == "infeasible": print("Problem proven infeasible")
if kind == "garbage": print("Segmentation fault"); sys.exit(3)
if kind == "limit": print("Stopped on time limit\\nObjective value: 99")
if kind == "below": print("Stopped on time limit\\nObjective value: -5")
if kind == "sleep": time.sleep({FOREVER})
if kind == "endless":
    while True: print("Objective value: 0")
if kind == "leaves":
    wait = [sys.executable, "-c", "import time; time.sleep({FOREVER})", "remains", path]
    subprocess.Popen(wait)
    print("Optimal solution found\\nObjective value: 0")
if kind == "number": print("Objective value: 1e999")
"""


@pytest.fixture
def fake(tmp_path: Path) -> str:
    path = tmp_path / "fake.py"
    path.write_text(SOLVER)
    return f"{sys.executable} {path}"


def test_solvers_find_every_certified_optimum(folder: Path, tmp_path: Path) -> None:
    runs = solve_instances(folder, tmp_path / "runs", time_limit=LONG)
    assert len(runs) == 3 * len(read_index(folder))
    assert {run.verdict for run in runs} == {Verdict.OPTIMAL}
    assert solve_instances(folder, tmp_path / "runs", time_limit=LONG) == runs
    assert {each.verdicts[Verdict.OPTIMAL] for each in summarise(runs)} <= {6, 7}


def test_each_verdict_of_commands(folder: Path, tmp_path: Path, fake: str) -> None:
    kinds = ["zero", "infeasible", "garbage", "limit", "below", "number"]
    commands = [read_command(f"{kind}={fake} {kind} {{mps}}") for kind in kinds]
    commands.append(read_command("absent=no-such-solver {mps}"))
    runs = solve_instances(
        folder, tmp_path / "runs", solvers=(), commands=commands, models=["completion"]
    )
    optimum = {instance.name: instance.optimum for instance in read_index(folder)}
    expected = {
        "infeasible": lambda value: Verdict.OPTIMAL if value is None else Verdict.WRONG,
        "zero": lambda value: Verdict.OPTIMAL if value == 0 else Verdict.WRONG,
        "limit": lambda value: Verdict.WRONG if value is None else Verdict.UNSETTLED,
        "below": lambda _: Verdict.WRONG,
        "garbage": lambda _: Verdict.FAILED,
        "number": lambda value: Verdict.UNSETTLED if value is not None else Verdict.WRONG,
        "absent": lambda _: Verdict.FAILED,
    }
    for run in runs:
        assert run.verdict is expected[run.solver](optimum[run.instance]), run
    problems = {run.solver: run.problem for run in runs if run.problem}
    assert problems == {
        "garbage": "status 3, no objective in: Segmentation fault",
        "absent": "no-such-solver: No such file or directory",
    }


def test_command_that_hangs_is_ended(tmp_path: Path, fake: str) -> None:
    (tmp_path / "program.mps").touch()
    claim = run_command(read_command(f"{fake} sleep {{mps}}"), tmp_path / "program.mps", BRIEF)
    assert claim == RunClaim()


@pytest.mark.skipif(not PROC.exists(), reason="processes are found in /proc")
def test_processes_that_a_command_leaves_running_are_ended(tmp_path: Path, fake: str) -> None:
    """They may hold the output of the command open."""
    (tmp_path / "program.mps").touch()
    command = read_command(f"{fake} leaves {{mps}}")
    claim = run_command(command, tmp_path / "program.mps", LONG)
    assert claim == RunClaim(is_settled=True, objective=0)
    wait_until_gone(marked(f"remains\0{tmp_path}"))


def test_endless_output_is_a_failure(
    tmp_path: Path, fake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mjopt._internal.programs.MAX_OUTPUT", 10_000)
    (tmp_path / "program.mps").touch()
    claim = run_command(read_command(f"{fake} endless {{mps}}"), tmp_path / "program.mps", LONG)
    assert claim == RunClaim(problem="more than 16,777,216 bytes of output")


def test_opb_is_given_where_it_exists(folder: Path, tmp_path: Path, fake: str) -> None:
    command = read_command(f"{fake} limit {{opb}}")
    runs = solve_instances(folder, tmp_path / "runs", solvers=(), commands=[command])
    by_model = {run.model: run.verdict for run in runs}
    assert by_model["completion"] is Verdict.NOT_APPLICABLE
    assert by_model["network"] is Verdict.UNSETTLED


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"solvers": ["gurobi"]}, "solver 'gurobi': unknown"),
        ({"solvers": ["cbc", "cbc"]}, "each only once"),
        ({"solvers": []}, "expected at least one"),
        ({"models": ["nets"]}, "model 'nets', expected one of completion"),
    ],
)
def test_bad_calls_say_so(folder: Path, tmp_path: Path, how: dict, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        solve_instances(folder, tmp_path / "runs", **how)


def test_time_limit_must_be_positive(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="time_limit 0, expected seconds above 0"):
        solve_instances(folder, tmp_path / "runs", time_limit=0)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("scip", {}, "expected {mps} or {opb}"),
        ("scip {mps} {opb}", {}, "expected {mps} or {opb}"),
        ("scip '{mps}", {}, "No closing quotation"),
        ("'' {mps}", {}, "expected the name of a program"),
        ("a=/ {mps}", {}, "expected the name of a program"),
        ("scip {mps}", {"objective": "("}, "objective"),
        ("scip {mps}", {"objective": "x"}, "0 groups, expected one"),
        ("scip {mps}", {"optimal": "["}, "optimal"),
    ],
)
def test_bad_commands_say_so(text: str, options: dict, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        read_command(text, **options)


@pytest.mark.parametrize(
    ("output", "claim"),
    [
        (
            "Result - Optimal solution found\n\nObjective value:                3.00000000",
            (True, 3),
        ),
        ("Result - Problem proven infeasible\n", (True, None)),
        ("Result - Stopped on time limit\n\nObjective value:     4.0", (False, 4)),
        (
            "SCIP Status        : problem is solved [infeasible]\nPrimal Bound : +1.0e+20",
            (True, None),
        ),
        ("Model status: Optimal\n  Primal bound      2\n  Dual bound        2", (True, 2)),
        ("Status            Infeasible\n  Primal bound      inf", (True, None)),
        ("o 5\no 3\ns OPTIMUM FOUND", (True, 3)),
        ("s UNSATISFIABLE", (True, None)),
        ("o 5\no 4\nc TIMEOUT", (False, 4)),
        ("Value of objective function: 3.00000000\n", (False, 3)),
        (
            "+    45: mip =     3.000000000e+00 >= tree is empty\nINTEGER OPTIMAL SOLUTION FOUND",
            (True, 3),
        ),
    ],
)
def test_outputs_of_known_solvers(output: str, claim: tuple) -> None:
    found = read_output(read_command("x {mps}"), output)
    assert (found.is_settled, found.objective) == claim


@given(
    st.booleans(),
    st.none() | st.integers(-3, 9),
    st.none() | st.integers(0, 9),
)
def test_only_the_optimum_is_right(
    is_settled: bool, value: int | None, optimum: int | None
) -> None:
    objective = None if value is None else float(value)
    verdict = judge(RunClaim(is_settled=is_settled, objective=objective), optimum)
    if is_settled:
        assert (verdict is Verdict.OPTIMAL) == (value == optimum)
        assert (verdict is Verdict.WRONG) == (value != optimum)
    else:
        is_impossible = value is not None and (optimum is None or value < optimum)
        assert verdict is (Verdict.WRONG if is_impossible else Verdict.UNSETTLED)


def test_profiles_count_wrong_answers_and_limits_as_unsolved() -> None:
    def run(instance: str, solver: str, verdict: Verdict, seconds: float) -> Run:
        return Run(
            instance=instance,
            model="m",
            solver=solver,
            verdict=verdict,
            objective=0,
            seconds=seconds,
        )

    runs = [
        run("a", "x", Verdict.OPTIMAL, 1),
        run("a", "y", Verdict.OPTIMAL, 2),
        run("b", "x", Verdict.WRONG, 0.1),
        run("b", "y", Verdict.OPTIMAL, 4),
        run("c", "x", Verdict.UNSETTLED, 9),
        run("c", "y", Verdict.FAILED, 9),
        run("d", "x", Verdict.OPTIMAL, 0.0001),
        run("d", "y", Verdict.OPTIMAL, 0.0009),
    ]
    x, y = profiles_of(runs)
    assert [x.share(ratio) for ratio in (1, 2, 100)] == [0.5, 0.5, 0.5]
    assert [y.share(ratio) for ratio in (1, 1.9, 2, 100)] == [0.5, 0.5, 0.75, 0.75]
    assert len(plot_profiles(runs).axes) == 1


def test_other_results_are_refused(folder: Path, tmp_path: Path) -> None:
    solve_instances(folder, tmp_path / "runs", solvers=["cbc"], models=["completion"])
    with pytest.raises(FileError, match=r"holds another run of solvers \("):
        solve_instances(folder, tmp_path / "runs", solvers=["highs"], models=["completion"])
