"""HiGHS, the open linear and integer solver, as included in OR-Tools.

It is never used through highspy: see ``mjopt.models.solvers.lazy_backends``.
"""

import datetime
import time
from functools import partial
from typing import TYPE_CHECKING

from mjopt.errors import SolverError
from mjopt.models.program import Program
from mjopt.models.solvers.base import RawSolution, SolveOptions, Solver, Termination, safe_bound
from mjopt.models.solvers.interrupt import run_interruptibly
from mjopt.models.solvers.lazy_backends import import_ortools, package_version
from mjopt.models.solvers.mathopt import import_mathopt, to_mathopt

if TYPE_CHECKING:
    from ortools.math_opt.python.mathopt import SolveParameters


class Highs(Solver):
    """HiGHS from OR-Tools, through MathOpt.

    It supports the time limit, the seed and the number of threads. MathOpt cannot stop HiGHS:
    Ctrl-C returns at once, but the search continues in a daemon thread until its time limit or the
    end of the process. HiGHS uses floating-point arithmetic, so its answers are only claims.
    """

    name = "highs"

    def load(self) -> None:
        """Load OR-Tools, or raise SolverUnavailableError."""
        import_mathopt()

    def version(self) -> str:
        """Return the version of OR-Tools, which includes HiGHS."""
        self.load()
        return f"HiGHS (OR-Tools {package_version('ortools')})"

    def search(self, program: Program, options: SolveOptions) -> RawSolution:
        """Minimise a program."""
        mathopt = import_mathopt()
        model = to_mathopt(program)
        solve = partial(mathopt.solve, model, mathopt.SolverType.HIGHS, params=_parameters(options))
        started = time.perf_counter()
        # In its own thread also because HiGHS keeps a pool per calling thread, and fails
        # if that pool has another number of threads.
        try:
            result = run_interruptibly(solve)
        except (RuntimeError, ValueError) as error:
            raise SolverError(f"{self.name} fails on {program.name}: {error}") from error
        runtime = time.perf_counter() - started

        reason = result.termination.reason.name
        if reason in {"INFEASIBLE", "INFEASIBLE_OR_UNBOUNDED"}:  # all variables are bounded
            return RawSolution(runtime=runtime, is_infeasible=True)
        if reason not in {"OPTIMAL", "FEASIBLE", "NO_SOLUTION_FOUND"}:
            raise SolverError(
                f"{self.name} says {reason} of {program.name}: {result.termination.detail}"
            )
        termination = Termination.FINISHED
        if reason != "OPTIMAL":
            limit = result.termination.limit
            limits = {"TIME": Termination.TIME_LIMIT, "INTERRUPTED": Termination.INTERRUPTED}
            termination = limits.get(limit.name if limit else "", Termination.OTHER_LIMIT)
        values = None
        if reason != "NO_SOLUTION_FOUND":
            values = [0.0] * program.num_variables
            for variable, value in result.variable_values().items():
                values[variable.id] = value
        bound = safe_bound(program, result.dual_bound())
        return RawSolution(termination, runtime, values, bound)


def _parameters(options: SolveOptions) -> "SolveParameters":
    mathopt = import_mathopt()
    highs = import_ortools("ortools.math_opt.solvers.highs_pb2").HighsOptionsProto()
    # Measured, ms a solve (blockwise, completion, network): 8.9, 16, 1800 with
    # presolve, feasibility jump and symmetries; 2.5, 9.6, 85 without.
    highs.bool_options["mip_heuristic_run_feasibility_jump"] = False
    highs.bool_options["mip_detect_symmetry"] = False
    # MathOpt refuses its own ``threads`` for HiGHS.
    highs.int_options["threads"] = options.threads
    limit = options.time_limit
    parameters: SolveParameters = mathopt.SolveParameters(
        time_limit=None if limit is None else datetime.timedelta(seconds=limit),
        presolve=mathopt.Emphasis.OFF,
        random_seed=options.seed,
        relative_gap_tolerance=0.0,  # by default HiGHS stops within 0.01 % and says optimal
        highs=highs,
    )
    return parameters
