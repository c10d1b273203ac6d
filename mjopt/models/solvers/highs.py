"""HiGHS, the open linear and integer solver, as OR-Tools brings it.

Never through highspy: see ``mjopt.models.solvers.lazy_backends``.
"""

import math
import time
from functools import cache, partial
from pathlib import Path
from typing import Any

from mjopt.errors import SolverError
from mjopt.models.program import Program
from mjopt.models.solvers.base import Found, SolveOptions, Solver, Termination, safe_bound
from mjopt.models.solvers.interrupt import in_own_thread
from mjopt.models.solvers.lazy_backends import import_ortools, package_version
from mjopt.models.solvers.mathopt import call, parameters_module, stop_word, to_message

_NANOSECONDS = 10**9


class Highs(Solver):
    """HiGHS from OR-Tools, through MathOpt.

    Time limit, seed and threads are honoured. MathOpt has no way to stop HiGHS:
    Ctrl-C returns at once, but the search runs on behind until its time limit
    or the end of the process. It works in floating point, so its answers are
    claims twice over.
    """

    name = "highs"

    def load(self) -> None:
        """Load OR-Tools, or raise SolverUnavailableError."""
        parameters_module()

    def version(self) -> str:
        """Return the version of HiGHS and of the OR-Tools it came with."""
        return _version()

    def search(self, program: Program, options: SolveOptions) -> Found:
        """Minimise a program."""
        parameters = _parameters(options)
        message = to_message(program)
        highs = parameters_module().SOLVER_TYPE_HIGHS
        started = time.perf_counter()
        # A thread of its own, also because HiGHS keeps a pool per calling thread
        # and fails if it is asked for another number of threads there.
        answer = in_own_thread(partial(call, message, highs, parameters))
        runtime = time.perf_counter() - started

        reason = stop_word(answer)
        if reason in {"INFEASIBLE", "INFEASIBLE_OR_UNBOUNDED"}:  # all variables are bounded
            return Found(runtime=runtime, is_infeasible=True)
        if reason not in {"OPTIMAL", "FEASIBLE", "NO_SOLUTION_FOUND"}:
            raise SolverError(
                f"{self.name} says {reason} of {program.name}: {answer.termination.detail}"
            )
        termination = Termination.FINISHED if reason == "OPTIMAL" else _limit(answer)
        bound = safe_bound(program, answer.termination.objective_bounds.dual_bound)
        values = None if reason == "NO_SOLUTION_FOUND" else _values(program, answer)
        return Found(termination, runtime, values, bound)


def _parameters(options: SolveOptions) -> Any:
    module = parameters_module()
    parameters = module.SolveParametersProto(
        # Measured, ms a solve (blockwise, completion, network): 8.9, 16, 1800 with
        # presolve, feasibility jump and symmetries; 2.5, 9.6, 85 without.
        presolve=module.EMPHASIS_OFF,
        random_seed=options.seed,
        relative_gap_tolerance=0.0,  # HiGHS would stop within 0.01 % and say optimal
    )
    parameters.highs.bool_options["mip_heuristic_run_feasibility_jump"] = False
    parameters.highs.bool_options["mip_detect_symmetry"] = False
    # MathOpt refuses its own ``threads`` for HiGHS.
    parameters.highs.int_options["threads"] = options.threads
    if options.time_limit is not None:
        seconds, nanoseconds = divmod(math.ceil(options.time_limit * _NANOSECONDS), _NANOSECONDS)
        parameters.time_limit.seconds = seconds
        parameters.time_limit.nanos = nanoseconds
    return parameters


def _limit(answer: Any) -> Termination:
    limits = {"TIME": Termination.TIME_LIMIT, "INTERRUPTED": Termination.INTERRUPTED}
    return limits.get(stop_word(answer, "limit"), Termination.OTHER_LIMIT)


def _values(program: Program, answer: Any) -> list[float]:
    values = [0.0] * program.num_variables
    point = answer.solutions[0].primal_solution.variable_values
    for j, value in zip(point.ids, point.values, strict=True):
        values[j] = value
    return values


@cache
def _version() -> str:
    """Ask the library itself, if it is a file beside OR-Tools: MathOpt has no word for it."""
    import ctypes

    parameters_module()  # OR-Tools loads the library, or refuses to
    origin = f"OR-Tools {package_version('ortools')}"
    folder = Path(import_ortools("ortools").__path__[0])
    for file in (*folder.glob(".libs/libhighs*"), *folder.glob(".dylibs/libhighs*")):
        try:
            ask = ctypes.CDLL(str(file)).Highs_version
        except (OSError, AttributeError):
            continue
        ask.restype = ctypes.c_char_p
        return f"HiGHS {ask().decode()} ({origin})"
    return f"HiGHS ({origin})"
