"""What is written beside the rows of a battle: tables, figures, one JSON document."""

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mjopt.experiments.battles.battle import Battle
from mjopt.experiments.battles.league import League
from mjopt.experiments.battles.paired import Comparison, compare
from mjopt.experiments.battles.presets import Preset
from mjopt.experiments.battles.rows import ENDINGS
from mjopt.experiments.battles.summary import Side, Summary, summarise
from mjopt.experiments.battles.tables import battle_tables, league_tables, published_table
from mjopt.reports.statistics import Interval
from mjopt.reports.table import Table, write_table
from mjopt.runtime.folder import write_whole


@dataclass(frozen=True, slots=True)
class Report:
    """A battle, read.

    Parameters
    ----------
    battle, summary, pairs
        The battle and what it shows.
    tables
        The same as tables.
    document
        The same as plain data.
    """

    battle: Battle
    summary: Summary
    pairs: tuple[Comparison, ...]
    tables: tuple[Table, ...]
    document: dict[str, Any]


def battle_report(battle: Battle, preset: Preset | None = None) -> Report:
    """Read a battle; tests are made where SciPy is installed.

    Examples
    --------
    >>> from mjopt.experiments.battles.battle import fight
    >>> from mjopt.experiments.battles.plan import Plan
    >>> report = battle_report(fight(Plan(agents=("l1",) * 4, seed=1, games=4)))
    >>> [table.name for table in report.tables], report.document["played"]
    (['agents', 'endings'], 16)
    """
    summary = summarise(battle)
    pairs = compare(battle, tests=find_spec("scipy") is not None)
    tables = battle_tables(battle, summary, pairs)
    if preset is not None:
        tables = (*tables, published_table(preset, battle, summary))
    return Report(battle, summary, pairs, tables, _document(battle, summary, pairs, preset))


def _document(
    battle: Battle, summary: Summary, pairs: tuple[Comparison, ...], preset: Preset | None
) -> dict[str, Any]:
    document: dict[str, Any] = {
        **battle.plan.settings(),
        "games": battle.plan.games,
        "played": summary.played,
        "entrants": [_side(side) for side in summary.entrants],
        "sides": [_side(side) for side in summary.sides],
        "drawn": {
            "games": summary.drawn,
            "share": summary.drawn_rate,
            "interval": list(summary.drawn_share),
        },
        "endings": {
            ending.value: int((battle.rows["ending"] == place).sum())
            for place, ending in enumerate(ENDINGS)
        },
        "pairs": [_pair(pair) for pair in pairs],
        "faults": battle.faults,
    }
    if preset is not None:
        document["published"] = {
            "preset": preset.name,
            "source": preset.source,
            "wins": list(preset.wins),
            "own_draws": list(preset.own_draws),
            "drawn": preset.drawn,
            "score": preset.score,
        }
    return document


def _side(side: Side) -> dict[str, Any]:
    def of(interval: Interval) -> list[float]:
        return list(interval)

    return {
        "name": side.name,
        "seats": [entrant + 1 for entrant in side.entrants],
        "played": side.played,
        "wins": side.wins,
        "win_share": side.win_rate,
        "win_interval": of(side.share),
        "own_draws": side.own_draws,
        "own_draw_share": side.own_draw_rate,
        "own_draw_interval": of(side.own_share),
        "points": side.points,
        "points_a_game": side.points_a_game,
        "points_interval": of(side.mean),
        "turn": side.turn,
        "calls": side.calls,
        "paid": side.paid,
        "faults": side.faults,
    }


def _pair(pair: Comparison) -> dict[str, Any]:
    tests = {
        outcome.test: {
            "n": outcome.n[0],
            "statistic": outcome.statistic,
            "p": outcome.p_value,
            "corrected_p": outcome.corrected_p,
            "correction": outcome.correction,
            "effect": outcome.effect,
            "effect_name": outcome.effect_name,
        }
        for outcome in (pair.t_test, pair.signed_rank)
        if outcome is not None
    }
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "interval": list(pair.interval),
        "tests": tests,
    }


def write_report(report: Report, folder: Path) -> None:
    """Write tables and ``report.json``, and figures where matplotlib is installed."""
    for table in report.tables:
        write_table(folder, table)
    write_whole(folder / "report.json", _as_json(report.document))
    if find_spec("matplotlib") is not None:
        from mjopt.experiments.battles.figures import draw_battle, draw_turns
        from mjopt.reports.figure import save_figure

        save_figure(folder, "agents", draw_battle(report.summary))
        save_figure(folder, "turns", draw_turns(report.battle))


def league_document(league: League) -> dict[str, Any]:
    """Return a league as plain data."""
    return {
        "games": league.games,
        "members": [
            {
                "agent": member.agent,
                "name": member.name,
                "rating": member.rating,
                "rating_interval": list(member.rating_interval),
                "points_a_game": member.points_a_game,
                "places": list(member.places),
                "stable_rank": _finite(member.stable_rank),
                "stable_rank_interval": [_finite(end) for end in member.stable_interval],
            }
            for member in league.members
        ],
        "wins": league.wins.tolist(),
    }


def _finite(number: float) -> float | None:
    return number if abs(number) < float("inf") else None


def write_league(league: League, folder: Path) -> None:
    """Write the tables, the figure and ``league.json`` of a league."""
    for table in league_tables(league):
        write_table(folder, table)
    write_whole(folder / "league.json", _as_json(league_document(league)))
    if find_spec("matplotlib") is not None:
        from mjopt.experiments.battles.figures import draw_league
        from mjopt.reports.figure import save_figure

        save_figure(folder, "league", draw_league(league))


def _as_json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
