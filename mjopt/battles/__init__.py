"""Battles: many games between agents, on walls that all of them play, and what they show."""

from mjopt.battles.battle import Battle, fight
from mjopt.battles.league import League, play_league
from mjopt.battles.paired import Comparison, compare
from mjopt.battles.plan import Plan
from mjopt.battles.presets import PRESETS, get_preset
from mjopt.battles.rating import bradley_terry, stable_rank
from mjopt.battles.summary import Summary, summarise

__all__ = [
    "PRESETS",
    "Battle",
    "Comparison",
    "League",
    "Plan",
    "Summary",
    "bradley_terry",
    "compare",
    "fight",
    "get_preset",
    "play_league",
    "stable_rank",
    "summarise",
]
