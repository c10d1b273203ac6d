"""Every solver by name. The conformance tests cover all of them."""

from mjopt._internal.validation import pick
from mjopt.errors import SolverError, SolverUnavailableError
from mjopt.models.solvers.base import Solver
from mjopt.models.solvers.cbc import Cbc
from mjopt.models.solvers.cp_sat import CpSat
from mjopt.models.solvers.highs import Highs

SOLVERS: dict[str, type[Solver]] = {
    "cp-sat": CpSat,
    "highs": Highs,
    "cbc": Cbc,
}
"""The class of every solver by name, the default first."""


def get_solver(name: str) -> Solver:
    """Return a solver by name, loaded and ready.

    Raises
    ------
    SolverError
        If no solver has that name.
    SolverUnavailableError
        If it cannot be loaded here; the message says how to install it.

    Examples
    --------
    >>> get_solver("cp-sat").name
    'cp-sat'
    >>> get_solver("gurobi")
    Traceback (most recent call last):
    mjopt.errors.SolverError: unknown solver 'gurobi', expected one of cp-sat, highs, cbc
    """
    solver = pick(name, SOLVERS, "solver", SolverError)()
    solver.load()
    return solver


def default_solver() -> Solver:
    """Return the first solver that can be loaded here.

    Raises
    ------
    SolverUnavailableError
        If none can be loaded; the message gives the reason for each.

    Examples
    --------
    >>> default_solver().available()
    True
    """
    reasons = []
    for name in SOLVERS:
        try:
            return get_solver(name)
        except SolverUnavailableError as error:
            reasons.append(f"{name}: {error}")
    raise SolverUnavailableError("; ".join(reasons))
