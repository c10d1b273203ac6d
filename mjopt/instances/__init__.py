"""A set of integer programs with certified optima, and runs of solvers on it."""

from mjopt.instances.build import build_instances
from mjopt.instances.hands import GROUPS, InstanceHand, choose_hands
from mjopt.instances.index import Instance, read_index
from mjopt.instances.solve import Run, Verdict, solve_instances

__all__ = [
    "GROUPS",
    "Instance",
    "InstanceHand",
    "Run",
    "Verdict",
    "build_instances",
    "choose_hands",
    "read_index",
    "solve_instances",
]
