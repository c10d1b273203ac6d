"""The page `/statistics`: the win rates of GMJBG's agents, and the record of the human player."""

import json
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.game_library import own_record
from mjopt.play.serve.language import gettext
from mjopt.play.serve.match_session import YOU
from mjopt.play.tournaments.config import PRESETS
from mjopt.statistics import wilson

TABLES: Final = ("gmjbg-table-1", "gmjbg-table-2")
VARIANTS: Final = {"": "the literal text", "-nearest": "the nearest variant"}
RESULTS: Final = "gmjbg_results.json"


class WinCounts(NamedTuple):
    """Results of a battle: wins and self-drawn wins by seat, drawn games, and all games."""

    wins: tuple[int, ...]
    own_draws: tuple[int, ...]
    drawn: int
    games: int


@cache
def measured_results() -> dict[str, WinCounts]:
    """Return the measured results of the presets of battles, as in docs/results/gmjbg.md."""
    document = json.loads(files("mjopt.play.serve").joinpath(RESULTS).read_text(encoding="utf-8"))
    return {
        name: WinCounts(
            tuple(counts["wins"]), tuple(counts["own_draws"]), counts["drawn"], document["games"]
        )
        for name, counts in document["presets"].items()
    }


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def show(request: Request) -> Response:
        return site.page(
            "statistics.html",
            here="/statistics",
            title=gettext("Statistics"),
            tables=[_table(name) for name in TABLES],
            own=await site.run(own_record, site.settings.games, YOU, browser_of(request)),
            kept=site.settings.games is not None,
        )

    return [Route("/statistics", show, name="statistics")]


def _table(name: str) -> dict[str, object]:
    """Return the template's data for one of the source's tables."""
    preset = PRESETS[name]
    published = [
        {"text": f"{won:.1f} ({own:.1f})", "interval": ""}
        for won, own in zip(preset.wins, preset.own_draws, strict=True)
    ]
    rows = [
        {
            "label": "published",
            "cells": [*published, {"text": f"{preset.drawn:.1f}", "interval": ""}],
        }
    ]
    for suffix, label in VARIANTS.items():
        counts = measured_results()[name + suffix]
        rows.append({"label": f"{counts.games:,} games, {label}", "cells": _cells(counts)})
    return {
        "caption": f"{' '.join(preset.config.agents).upper()}: {preset.source}",
        "heads": [f"seat {n} {agent.upper()}" for n, agent in enumerate(preset.config.agents, 1)],
        "rows": rows,
        "commands": [f"mjopt battle {name}{suffix} --seed 2017" for suffix in VARIANTS],
    }


def _cells(counts: WinCounts) -> list[dict[str, str]]:
    """Return the cells of a row in percent, with 95 % intervals."""
    cells = []
    numbers = (*counts.wins, counts.drawn)
    for number, own in zip(numbers, (*counts.own_draws, None), strict=True):
        text = f"{100 * number / counts.games:.1f}"
        if own is not None:
            text += f" ({100 * own / counts.games:.1f})"
        low, high = wilson(number, counts.games)
        cells.append({"text": text, "interval": f"{100 * low:.1f} to {100 * high:.1f}"})
    return cells
