"""CP-SAT, Google's constraint solver, which works in integers without rounding."""

import time
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from mjopt.errors import SolverError
from mjopt.models.program import Program, Rows
from mjopt.models.solvers.base import RawSolution, SolveOptions, Solver, Termination
from mjopt.models.solvers.interrupt import run_interruptibly
from mjopt.models.solvers.lazy_backends import import_ortools, package_version

if TYPE_CHECKING:
    from ortools.sat.python.cp_model_helper import CpModelProto, SatParameters

# The public module under ``cp_model``. It loads without pandas in 80 ms, a quarter of the time,
# and a program of 146 variables takes 1.8 ms in all, against 2.1 ms through MathOpt.
_HELPER = "ortools.sat.python.cp_model_helper"

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1

# Measured on one thread, ms a solve, over hands of one to four suits:
#                          blockwise  completion  network
#   variables                     60         100     3700
#   default                      5.1         9.6     1800
#   no presolve                  1.7         8.2     3500
#   these settings                 1.7         4.8       85
# On programs this small, presolve and the search for symmetries take longer than the
# solve; a complete linear relaxation from the start helps. On the large one, a single
# round of presolve without probing pays off.
_LARGE = 1000  # variables

# Translated variables and constraints of programs that share their rows, with the bounds at
# the time. This reduces the translation of the network from 9 ms to 2 ms.
_templates: WeakKeyDictionary[Rows, tuple[tuple[int, ...], tuple[int, ...], "CpModelProto"]] = (
    WeakKeyDictionary()
)


class CpSat(Solver):
    """CP-SAT from OR-Tools.

    It supports the time limit, the seed and the number of threads. All variables must be integers.
    """

    name = "cp-sat"
    takes_fractions = False

    def load(self) -> None:
        """Load OR-Tools, or raise SolverUnavailableError."""
        import_ortools(_HELPER)

    def version(self) -> str:
        """Return the version of OR-Tools, which contains CP-SAT."""
        return f"OR-Tools {package_version('ortools')}"

    def search(self, program: Program, options: SolveOptions) -> RawSolution:
        """Minimise a program."""
        helper = import_ortools(_HELPER)
        model = _translate(program, helper)
        search = helper.SolveWrapper()
        search.set_parameters(_parameters(program, options, helper))
        started = time.perf_counter()
        response = run_interruptibly(partial(search.solve, model), search.stop_search)
        runtime = time.perf_counter() - started

        status = response.status.name
        if status == "INFEASIBLE":
            return RawSolution(runtime=runtime, is_infeasible=True)
        if status not in {"OPTIMAL", "FEASIBLE", "UNKNOWN"}:
            fault = helper.CpSatHelper.validate_model(model)
            raise SolverError(f"{self.name} says {status} of {program.name}: {fault}")
        limit = Termination.OTHER_LIMIT if options.time_limit is None else Termination.TIME_LIMIT
        if status == "UNKNOWN":
            # Its bound may be an initial 0, above a negative optimum.
            return RawSolution(limit, runtime)
        termination = Termination.FINISHED if status == "OPTIMAL" else limit
        bound = program.offset + response.inner_objective_lower_bound
        return RawSolution(termination, runtime, list(response.solution), bound)


def _translate(program: Program, helper: ModuleType) -> "CpModelProto":
    model: CpModelProto = helper.CpModelProto()
    if (template := _templates.get(program.rows)) is None:
        for bounds in zip(program.lower, program.upper, strict=True):
            model.variables.add().domain.extend(bounds)
        _add_rows(program.rows, model)
        kept = helper.CpModelProto()
        kept.copy_from(model)
        _templates[program.rows] = program.lower, program.upper, kept
    else:
        lower, upper, kept = template
        model.copy_from(kept)
        bounds_now = zip(program.lower, program.upper, strict=True)
        for j, (then, now) in enumerate(
            zip(zip(lower, upper, strict=True), bounds_now, strict=True)
        ):
            if then != now:
                domain = model.variables[j].domain
                domain[0], domain[1] = now
    terms = [(j, cost) for j, cost in enumerate(program.objective) if cost]
    if terms:
        model.objective.vars.extend([j for j, _ in terms])
        model.objective.coeffs.extend([cost for _, cost in terms])
    return model


def _add_rows(rows: Rows, model: "CpModelProto") -> None:
    for i in range(len(rows)):
        low, high = rows.lower[i], rows.upper[i]
        start, end = rows.starts[i], rows.starts[i + 1]
        linear = model.constraints.add().linear
        linear.vars.extend(rows.columns[start:end])
        linear.coeffs.extend(rows.coefficients[start:end])
        linear.domain.extend(
            [_INT64_MIN if low is None else low, _INT64_MAX if high is None else high]
        )


def _parameters(program: Program, options: SolveOptions, helper: ModuleType) -> "SatParameters":
    parameters: SatParameters = helper.SatParameters()
    parameters.num_workers = options.threads
    parameters.random_seed = options.seed
    if options.time_limit is not None:
        parameters.max_time_in_seconds = options.time_limit
    # Its own handler would swallow Ctrl-C; run_interruptibly handles it instead.
    parameters.catch_sigint_signal = False
    parameters.cp_model_presolve = program.num_variables > _LARGE
    parameters.max_presolve_iterations = 1
    parameters.cp_model_probing_level = 0
    parameters.symmetry_level = 0
    parameters.linearization_level = 2
    parameters.add_lp_constraints_lazily = False
    return parameters
