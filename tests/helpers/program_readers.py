"""Third-party readers of LP and MPS files, each isolated in a subprocess.

The test process never imports PuLP and highspy: see
``mjopt.models.solvers.lazy_backends``.
"""

import subprocess
import sys
from pathlib import Path
from types import TracebackType

from mjopt.models.solvers.lazy_backends import find_cbc

# From 1.16 on, HiGHS prints its version on standard output even where output is off.
HIGHS = """
import os, sys, highspy
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    status = highs.readModel(line.strip())
    assert status == highspy.HighsStatus.kOk, status
    highs.run()
    kind = highs.getModelStatus()
    if kind == highspy.HighsModelStatus.kOptimal:
        answer = round(highs.getInfo().objective_function_value, 6)
    else:
        assert kind == highspy.HighsModelStatus.kInfeasible, kind
        answer = None
    print(answer, file=answers, flush=True)
"""

PULP = """
import sys, warnings
warnings.simplefilter("ignore")
import pulp
for line in sys.stdin:
    _, problem = pulp.LpProblem.fromMPS(line.strip(), sense=pulp.LpMinimize)
    try:
        problem.solve(pulp.PULP_CBC_CMD(msg=False, options=sys.argv[1:]))
    except pulp.PulpSolverError:
        problem.solve(pulp.PULP_CBC_CMD(msg=False))
    status = pulp.LpStatus[problem.status]
    assert status in ("Optimal", "Infeasible"), status
    print(round(pulp.value(problem.objective), 6) if status == "Optimal" else None, flush=True)
"""

OR_TOOLS = """
import sys
from ortools.linear_solver.python import model_builder_helper as helper
for line in sys.stdin:
    model = helper.ModelBuilderHelper()
    assert model.import_from_mps_string(open(line.strip()).read())
    solver = helper.ModelSolverHelper("scip")
    solver.solve(model)
    status = solver.status().name
    assert status in ("OPTIMAL", "INFEASIBLE"), status
    print(round(solver.objective_value(), 6) if status == "OPTIMAL" else None, flush=True)
"""


# ``mjopt.models.solvers.cbc`` explains how mjopt runs CBC, and why it may retry.
CBC_WAYS = (["-preprocess", "off", "-presolve", "off", "-probing", "off"], [])


class Reader:
    """A process that reads file names and returns the optimum of each program."""

    def __init__(self, script: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", script, "preprocess off", "presolve off", "probing off"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def optimum(self, file: Path) -> float | None:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{file}\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        if not answer:
            raise AssertionError(process.stderr.read() + file.read_text())
        return None if answer == "None" else float(answer)

    def __enter__(self) -> "Reader":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()


def cbc_optimum(file: Path) -> float | None:
    """Return the optimum with CBC's reader."""
    solution = file.with_suffix(".sol")
    for ways in CBC_WAYS:
        solution.write_text("")
        command = [str(find_cbc()), str(file), *ways, "-solve", "-solution", str(solution)]
        log = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        assert "errors on input" not in log, log + file.read_text()
        if headline := solution.read_text().partition("\n")[0]:
            break
    status, _, value = headline.rpartition(" - objective value ")
    assert status in {"Optimal", "Infeasible", "Integer infeasible"}, status
    return float(value) if status == "Optimal" else None
