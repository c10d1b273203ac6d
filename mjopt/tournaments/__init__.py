"""Battles: many games between agents, on walls that all of them play, and what they show."""

from mjopt.tournaments.battle import Battle, fight
from mjopt.tournaments.league import League, play_league
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.presets import PRESETS, get_preset
from mjopt.tournaments.rating import bradley_terry, stable_rank
from mjopt.tournaments.summary import Comparison, Summary, compare, summarise

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
