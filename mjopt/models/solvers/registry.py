"""Every solver by name. The conformance tests cover all of them."""

from typing import Final

from mjopt._internal.registry import PluginRegistry
from mjopt._internal.user_module import UserCode, is_builtin
from mjopt.errors import SolverError, SolverUnavailableError
from mjopt.models.solvers.base import Solver


def _defect(kind: object) -> str | None:
    for name in ("name", "load", "version", "search", "solve"):
        if not hasattr(kind, name):
            return f"it has no {name!r}; derive it from mjopt.models.Solver"
    if not is_builtin(getattr(kind, "solve", None)):  # it checks the result of `search`
        return "it has its own solve; write search, whose result mjopt checks"
    return None


SOLVERS: Final = PluginRegistry[type[Solver]](
    "solver",
    "mjopt.solvers",
    {
        "cp-sat": "mjopt.models.solvers.cp_sat:CpSat",
        "highs": "mjopt.models.solvers.highs:Highs",
        "cbc": "mjopt.models.solvers.cbc:Cbc",
    },
    SolverError,
    _defect,
)
"""The class of every solver by name, the default first."""


def get_solver(name: str) -> Solver:
    """Return a solver by name or ``FILE.py:CLASS``, loaded and ready.

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
    mjopt.errors.SolverError: solver 'gurobi': unknown, expected one of cp-sat, highs, cbc
    """
    solver = SOLVERS.create(name, SOLVERS.find(name), {})
    with UserCode(type(solver), f"solver {name} fails", SolverError):
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
