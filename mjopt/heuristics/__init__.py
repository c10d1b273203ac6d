"""Search methods for a cheap predecomposition, with one encoding, repair and fitness."""

from mjopt.heuristics.base import BatchHeuristic, Heuristic
from mjopt.heuristics.counted_problem import CountedProblem
from mjopt.heuristics.encoding import ORDERS, Encoding, evaluate
from mjopt.heuristics.ga import GA
from mjopt.heuristics.iterative import IterativeHeuristic
from mjopt.heuristics.ndde import NDDE
from mjopt.heuristics.population import PopulationMethod
from mjopt.heuristics.problem import Problem, problem
from mjopt.heuristics.pso import PSO
from mjopt.heuristics.recursive import DeficiencyLevels, Recursive, deficiency_levels
from mjopt.heuristics.registry import HEURISTICS, as_heuristic, get_heuristic, read_method
from mjopt.heuristics.repair import REPAIRS, make_feasible
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.runner import run, run_batch
from mjopt.heuristics.seeding import stream
from mjopt.heuristics.stopping import (
    NEVER,
    Stop,
    StopReason,
    evaluations,
    generations,
    reached,
    seconds,
)
from mjopt.heuristics.tlbo import TLBO

__all__ = [
    "GA",
    "HEURISTICS",
    "NDDE",
    "NEVER",
    "ORDERS",
    "PSO",
    "REPAIRS",
    "TLBO",
    "Batch",
    "BatchHeuristic",
    "CountedProblem",
    "DeficiencyLevels",
    "Encoding",
    "Heuristic",
    "IterativeHeuristic",
    "PopulationMethod",
    "Problem",
    "Recursive",
    "Result",
    "Stop",
    "StopReason",
    "as_heuristic",
    "deficiency_levels",
    "evaluate",
    "evaluations",
    "generations",
    "get_heuristic",
    "make_feasible",
    "problem",
    "reached",
    "read_method",
    "run",
    "run_batch",
    "seconds",
    "stream",
]
