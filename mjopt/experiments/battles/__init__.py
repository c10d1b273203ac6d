"""Battles: many games between agents, on walls that all of them play, and what they show."""

from mjopt.experiments.battles.battle import Battle, fight
from mjopt.experiments.battles.league import League, play_league
from mjopt.experiments.battles.plan import Plan
from mjopt.experiments.battles.presets import PRESETS, get_preset
from mjopt.experiments.battles.rating import bradley_terry, stable_rank
from mjopt.experiments.battles.summary import Comparison, Summary, compare, summarise

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
