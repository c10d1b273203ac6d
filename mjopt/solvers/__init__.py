"""Solvers: each minimises any Program, and none is believed without a check."""

from mjopt.solvers.base import SolveOptions, Solver, SolverResult, Termination
from mjopt.solvers.registry import SOLVERS, default_solver, get_solver
from mjopt.solvers.relaxation import root_bound

__all__ = [
    "SOLVERS",
    "SolveOptions",
    "Solver",
    "SolverResult",
    "Termination",
    "default_solver",
    "get_solver",
    "root_bound",
]
