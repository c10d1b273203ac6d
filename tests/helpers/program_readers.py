"""Third-party readers of LP, MPS and OPB files, each isolated in a subprocess.

The test process imports none of these libraries, because some cannot share a process: see
``mjopt.models.solvers.lazy_backends``.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

import pytest

from mjopt.models.solvers.lazy_backends import find_cbc

# From 1.16 on, HiGHS prints its version on standard output even where output is off.
HIGHS = """
import os, sys, highspy
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("presolve", "off")  # which takes seconds for programs of the network
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

SCIP = """
import sys, pyscipopt
for line in sys.stdin:
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(line.strip())
    model.optimize()
    status = model.getStatus()
    assert status in ("optimal", "infeasible"), status
    print(round(model.getObjVal(), 6) if status == "optimal" else None, flush=True)
"""

GLPK = """
import sys, swiglpk as glpk
glpk.glp_term_out(glpk.GLP_OFF)
for line in sys.stdin:
    file, problem = line.strip(), glpk.glp_create_prob()
    if file.endswith("lp"):
        assert glpk.glp_read_lp(problem, None, file) == 0
    else:
        assert glpk.glp_read_mps(problem, glpk.GLP_MPS_FILE, None, file) == 0
    options = glpk.glp_iocp()
    glpk.glp_init_iocp(options)
    options.presolve = glpk.GLP_ON
    stopped = glpk.glp_intopt(problem, options)
    assert stopped in (0, glpk.GLP_ENOPFS), stopped
    status = glpk.glp_mip_status(problem)
    assert stopped or status in (glpk.GLP_OPT, glpk.GLP_NOFEAS), status
    is_optimal = not stopped and status == glpk.GLP_OPT
    print(round(glpk.glp_mip_obj_val(problem), 6) if is_optimal else None, flush=True)
    glpk.glp_delete_prob(problem)
"""

# Exact's Python package has no reader of files.
EXACT = """
import re, sys, exact
def terms(words):
    return [(int(weight), name) for weight, name in zip(words[::2], words[1::2], strict=True)]
for line in sys.stdin:
    first, *lines = open(line.strip()).read().splitlines()
    solver = exact.Exact()
    for number in range(int(re.search(r"#variable= (\\d+)", first)[1])):
        solver.addVariable(f"x{number + 1}", 0, 1)
    goal, *rows = [words for words in map(str.split, lines) if words[0] != "*"]
    for *words, sense, side, _ in rows:
        solver.addConstraint(terms(words), True, int(side), sense == "=", int(side))
    solver.setObjective(terms(goal[1:-1]))
    status = solver.runFull()
    assert status in ("UNSAT", "INCONSISTENT", "SAT"), status
    print(solver.getBestSoFar() if solver.hasSolution() else None, flush=True)
"""

MODULES = {
    OR_TOOLS: "ortools",
    HIGHS: "highspy",
    PULP: "pulp",
    SCIP: "pyscipopt",
    GLPK: "swiglpk",
    EXACT: "exact",
}


# ``mjopt.models.solvers.cbc`` explains how mjopt runs CBC, and why it may retry.
CBC_WAYS = (["-preprocess", "off", "-presolve", "off", "-probing", "off"], [])


class Reader:
    """A process that reads file names and returns the optimum of each program."""

    def __init__(self, script: str) -> None:
        if find_spec(MODULES[script]) is None:
            pytest.skip(f"{MODULES[script]} is not installed")
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
