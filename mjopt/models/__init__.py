"""Exact formulations: each turns a hand into a Program."""

from mjopt.hands.blocks import chow, eye, pong
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES
from mjopt.models.formulation import Formulation, Goal, uses
from mjopt.models.program import Program, Rows
from mjopt.models.registry import ModelLike, get_formulation

__all__ = [
    "COPIES",
    "Formulation",
    "Goal",
    "HandQuery",
    "ModelLike",
    "Program",
    "Rows",
    "chow",
    "eye",
    "get_formulation",
    "pong",
    "uses",
]
