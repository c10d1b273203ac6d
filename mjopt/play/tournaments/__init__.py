"""Tournaments: battles of four agents on duplicate walls, leagues, ratings and statistics."""

from mjopt.play.tournaments.config import PRESETS, BattleConfig, get_preset
from mjopt.play.tournaments.league import League
from mjopt.play.tournaments.ratings import bradley_terry, stable_rank
from mjopt.play.tournaments.results import Battle
from mjopt.play.tournaments.statistics import BattleSummary, Comparison, compare, summarise

__all__ = [
    "PRESETS",
    "Battle",
    "BattleConfig",
    "BattleSummary",
    "Comparison",
    "League",
    "bradley_terry",
    "compare",
    "get_preset",
    "stable_rank",
    "summarise",
]
