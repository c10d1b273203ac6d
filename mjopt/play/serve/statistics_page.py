"""The page `/statistics`: the win rates of GMJBG's agents, and the record of the human player."""

from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.play.serve.app_context import Site
from mjopt.play.serve.game_library import own_record
from mjopt.play.serve.language import gettext
from mjopt.play.serve.match_session import YOU
from mjopt.play.tournaments.config import PRESETS
from mjopt.statistics import wilson

TABLES: Final = ("gmjbg-table-1", "gmjbg-table-2")
VARIANTS: Final = {"": "the literal text", "-nearest": "the nearest variant"}
GAMES: Final = 100_000


class WinCounts(NamedTuple):
    """Results of ``GAMES`` games: wins and self-drawn wins by seat, and drawn games."""

    wins: tuple[int, ...]
    own_draws: tuple[int, ...]
    drawn: int


RESULTS: Final = {
    "gmjbg-table-1": WinCounts((8079, 37726, 8744, 13044), (1905, 10500, 2164, 3300), 32407),
    "gmjbg-table-1-nearest": WinCounts((8517, 25418, 8872, 18527), (2106, 6844, 2174, 4912), 38666),
    "gmjbg-table-2": WinCounts((9431, 14687, 9514, 14742), (2340, 3762, 2385, 3707), 51626),
    "gmjbg-table-2-nearest": WinCounts((8946, 18760, 9052, 18954), (2217, 4931, 2246, 5003), 44288),
}
"""Results of ``mjopt battle --preset NAME --seed 2017``, as in docs/results/gmjbg.md."""


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def show(_: Request) -> Response:
        return site.page(
            "statistics.html",
            here="/statistics",
            title=gettext("Statistics"),
            tables=[_table(name) for name in TABLES],
            own=await site.run(own_record, site.settings.games, YOU),
            kept=site.settings.games is not None,
        )

    return [Route("/statistics", show, name="statistics")]


def _table(name: str) -> dict[str, Any]:
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
        rows.append({"label": f"{GAMES:,} games, {label}", "cells": _cells(RESULTS[name + suffix])})
    return {
        "caption": f"{' '.join(preset.config.agents).upper()}: {preset.source}",
        "heads": [f"seat {n} {agent.upper()}" for n, agent in enumerate(preset.config.agents, 1)],
        "rows": rows,
        "commands": [f"mjopt battle --preset {name}{suffix} --seed 2017" for suffix in VARIANTS],
    }


def _cells(counts: WinCounts) -> list[dict[str, str]]:
    """Return the cells of a row in percent, with 95 % intervals."""
    texts = [
        f"{100 * won / GAMES:.1f} ({100 * own / GAMES:.1f})"
        for won, own in zip(counts.wins, counts.own_draws, strict=True)
    ]
    cells = []
    for text, number in zip(
        (*texts, f"{100 * counts.drawn / GAMES:.1f}"), (*counts.wins, counts.drawn), strict=True
    ):
        low, high = wilson(number, GAMES)
        cells.append({"text": text, "interval": f"{100 * low:.1f} to {100 * high:.1f}"})
    return cells
