"""Agents that play the game."""

from mjopt.game.agents.baselines import FirstLegal, RandomAgent
from mjopt.game.agents.ceiling import CeilingAgent
from mjopt.game.agents.deficiency import DeficiencyAgent
from mjopt.game.agents.deficiency_backends import (
    FunctionMethod,
    HeuristicMethod,
    Method,
    ModelMethod,
    TableMethod,
)
from mjopt.game.agents.expected_draws import DrawsAgent
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.agents.greedy import Policy
from mjopt.game.agents.mjai_agent import MjaiAgent
from mjopt.game.agents.registry import AGENTS, known_agents, read_agent
from mjopt.game.agents.subprocess_agent import ProcessAgent
from mjopt.game.agents.win_chance import WinChanceAgent

__all__ = [
    "AGENTS",
    "L1",
    "L2",
    "L3",
    "CeilingAgent",
    "DeficiencyAgent",
    "DrawsAgent",
    "FirstLegal",
    "FunctionMethod",
    "HeuristicMethod",
    "Method",
    "MjaiAgent",
    "ModelMethod",
    "Policy",
    "ProcessAgent",
    "RandomAgent",
    "TableMethod",
    "WinChanceAgent",
    "known_agents",
    "read_agent",
]
