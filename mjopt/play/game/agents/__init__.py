"""Agents that play the game."""

from mjopt.play.game.agents.baselines import FirstLegal, RandomAgent
from mjopt.play.game.agents.ceiling import CeilingAgent
from mjopt.play.game.agents.deficiency import DeficiencyAgent
from mjopt.play.game.agents.deficiency_backends import (
    DeficiencyMethod,
    FunctionMethod,
    HeuristicMethod,
    ModelMethod,
    TableMethod,
)
from mjopt.play.game.agents.expected_draws import DrawsAgent
from mjopt.play.game.agents.gmjbg import L1, L2, L3
from mjopt.play.game.agents.greedy import CallPolicy
from mjopt.play.game.agents.mjai_agent import MjaiAgent
from mjopt.play.game.agents.registry import AGENTS, known_agents, read_agent
from mjopt.play.game.agents.subprocess_agent import ProcessAgent
from mjopt.play.game.agents.win_chance import WinChanceAgent

__all__ = [
    "AGENTS",
    "L1",
    "L2",
    "L3",
    "CallPolicy",
    "CeilingAgent",
    "DeficiencyAgent",
    "DeficiencyMethod",
    "DrawsAgent",
    "FirstLegal",
    "FunctionMethod",
    "HeuristicMethod",
    "MjaiAgent",
    "ModelMethod",
    "ProcessAgent",
    "RandomAgent",
    "TableMethod",
    "WinChanceAgent",
    "known_agents",
    "read_agent",
]
