"""Solvers: each can minimise any Program, and every result is checked."""

from mjopt.models.solvers.base import RawSolution, Solver, SolverResult, Termination, safe_bound
from mjopt.models.solvers.mathopt import root_bound
from mjopt.models.solvers.registry import default_solver, get_solver

__all__ = [
    "RawSolution",
    "Solver",
    "SolverResult",
    "Termination",
    "default_solver",
    "get_solver",
    "root_bound",
    "safe_bound",
]
