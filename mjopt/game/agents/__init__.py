"""Agents: who plays the seats."""

from mjopt.game.agents.deficiency import DeficiencyAgent
from mjopt.game.agents.expected_draws import DrawsAgent
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.greedy import Policy
from mjopt.game.agents.methods import (
    FunctionMethod,
    HeuristicMethod,
    Method,
    ModelMethod,
    TableMethod,
)
from mjopt.game.agents.play_out import PlayOutAgent
from mjopt.game.agents.process import ProcessAgent
from mjopt.game.agents.registry import AGENTS, known_agents, read_agent
from mjopt.game.agents.simple import FirstLegal, RandomAgent

__all__ = [
    "AGENTS",
    "L1",
    "L2",
    "L3",
    "DeficiencyAgent",
    "DrawsAgent",
    "FirstLegal",
    "FunctionMethod",
    "HeuristicMethod",
    "Method",
    "ModelMethod",
    "PlayOutAgent",
    "Policy",
    "ProcessAgent",
    "RandomAgent",
    "TableMethod",
    "known_agents",
    "read_agent",
]
