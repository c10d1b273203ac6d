"""
Your own solver
===============

A solver minimises any integer program. Its answer is a claim: mjopt checks the solution exactly
before it returns it. This solver is ``scipy.optimize.milp`` and needs
``pip install 'mjopt[experiments]'``.
"""

import math
import time

import numpy as np
import scipy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from mjopt import SOLVERS, Hand, SolveOptions, deficiency
from mjopt.models import Program
from mjopt.models.solvers import RawSolution, Solver, Termination, safe_bound


class ScipySolver(Solver):
    """HiGHS, as bundled with SciPy."""

    name = "scipy"

    def load(self) -> None:
        """Do nothing. Raise SolverUnavailableError here if a library is missing."""

    def version(self) -> str:
        """Return the version for results."""
        return f"SciPy {scipy.__version__}"

    def search(self, program: Program, options: SolveOptions) -> RawSolution:
        """Minimise a program."""
        rows = program.rows
        matrix = csr_array(
            (rows.coefficients, rows.columns, rows.starts), (len(rows), program.num_variables)
        )
        low = [-math.inf if bound is None else bound for bound in rows.lower]
        high = [math.inf if bound is None else bound for bound in rows.upper]
        begin = time.perf_counter()
        result = milp(
            program.objective,
            integrality=np.array(program.integer),
            bounds=Bounds(program.lower, program.upper),
            constraints=LinearConstraint(matrix, low, high),
            options={} if options.time_limit is None else {"time_limit": options.time_limit},
        )
        runtime = time.perf_counter() - begin
        ended = Termination.TIME_LIMIT if result.status == 1 else Termination.FINISHED
        if result.status == 2:
            return RawSolution(ended, runtime, is_infeasible=True)
        bound = result.get("mip_dual_bound")
        whole = None if bound is None else safe_bound(program, bound + program.offset)
        return RawSolution(ended, runtime, result.x, whole)


def main() -> None:
    """Solve the same hands with this solver and CP-SAT."""
    SOLVERS[ScipySolver.name] = ScipySolver  # its name in this process
    for text in ("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", "B3C9D1D4D5D6D6D6D7D7D8D8D9D9"):
        hand = Hand.parse(text, notation="paper")
        for model in ("blockwise", "completion"):
            values = [deficiency(hand, model=model, solver=name) for name in ("scipy", "cp-sat")]
            print(f"{hand.to_text()}  {model:10}  scipy {values[0]}, cp-sat {values[1]}")
            assert values[0] == values[1]


if __name__ == "__main__":
    main()
