"""Exact formulations: each turns a hand into a Program."""

from mjopt.models.formulation import Formulation, Goal
from mjopt.models.program import Program, Rows
from mjopt.models.registry import FORMULATIONS, ModelLike, get_formulation

__all__ = [
    "FORMULATIONS",
    "Formulation",
    "Goal",
    "ModelLike",
    "Program",
    "Rows",
    "get_formulation",
]
