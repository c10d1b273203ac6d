"""Tournaments: battles of four agents on duplicate walls, leagues, ratings and statistics."""

from mjopt.play.tournaments.api import battle
from mjopt.play.tournaments.config import PRESETS, BattleConfig, get_preset
from mjopt.play.tournaments.league import League, play_league
from mjopt.play.tournaments.ratings import bradley_terry, stable_rank
from mjopt.play.tournaments.results import Battle
from mjopt.play.tournaments.statistics import Comparison, Summary, compare, summarise

__all__ = [
    "PRESETS",
    "Battle",
    "BattleConfig",
    "Comparison",
    "League",
    "Summary",
    "battle",
    "bradley_terry",
    "compare",
    "get_preset",
    "play_league",
    "stable_rank",
    "summarise",
]
