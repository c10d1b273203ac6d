"""
Your own solver
===============

A solver minimises any program of whole variables. What it says is a claim: its point is checked
exactly before anyone sees it. This one is ``scipy.optimize.milp``, so it needs
``pip install 'mjopt[experiments]'``.
"""

import math
import time

import numpy as np
import scipy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from mjopt import SOLVERS, Hand, deficiency
from mjopt.models import Program
from mjopt.models.solvers import SolveOptions, Solver, Termination
from mjopt.models.solvers.base import Found, safe_bound


class ScipySolver(Solver):
    """HiGHS, in the copy that SciPy brings."""

    name = "scipy"

    def load(self) -> None:
        """Do nothing: a library that may be missing raises SolverUnavailableError here."""

    def version(self) -> str:
        """Return what a result is signed with."""
        return f"SciPy {scipy.__version__}"

    def search(self, program: Program, options: SolveOptions) -> Found:
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
            return Found(ended, runtime, is_infeasible=True)
        bound = result.get("mip_dual_bound")
        whole = None if bound is None else safe_bound(program, bound + program.offset)
        return Found(ended, runtime, result.x, whole)


SOLVERS[ScipySolver.name] = ScipySolver  # from now on it has a name in this process


def main() -> None:
    """Let it and CP-SAT answer the same questions."""
    for text in ("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", "B3C9D1D4D5D6D6D6D7D7D8D8D9D9"):
        hand = Hand.parse(text, notation="paper")
        for model in ("blockwise", "completion"):
            values = [deficiency(hand, model=model, solver=name) for name in ("scipy", "cp-sat")]
            print(f"{hand.to_text()}  {model:10}  scipy {values[0]}, cp-sat {values[1]}")
            assert values[0] == values[1]


if __name__ == "__main__":
    main()
