"""The page `/statistics`: how the levels do, in print and here, and the person's own record."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from mjopt.reports.statistics import wilson
from mjopt.serve.app_context import Site
from mjopt.serve.background_jobs import Job, Jobs
from mjopt.serve.counted_games import (
    COUNTED,
    MILLION,
    MORE,
    READINGS,
    TABLES,
    Count,
    Counts,
    Shares,
)
from mjopt.serve.game_library import own_record
from mjopt.serve.match_session import YOU
from mjopt.serve.request_parsing import fields_of
from mjopt.tournaments.presets import PRESETS

TICK: Final = 0.1  # seconds between two looks at a job
LOOKS: Final = 6
"""Looks that one answer tells of, then the browser asks again: a server that ends waits for
none longer than for any other answer."""


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    jobs, counts = Jobs(), Counts(site.settings.games)
    site.at_end.append(jobs.close)

    async def show(_: Request) -> Response:
        own = await site.work(own_record, site.settings.games, YOU)
        return site.page(
            "statistics.html",
            here="/statistics",
            title="Statistics",
            tables=[_table(name, counts) for name in TABLES],
            more=MORE,
            job=jobs.running,
            ended=jobs.last.state if jobs.last else "",
            own=own,
            kept=site.settings.games is not None,
        )

    async def begin(request: Request) -> Response:
        name = (await fields_of(request)).get("table")
        if name not in COUNTED:
            raise HTTPException(400, f"no such table, expected one of {', '.join(COUNTED)}")
        what = f"{MORE:,} games of {' '.join(COUNTED[name].plan.agents)}"
        if jobs.begin(what, MORE, partial(counts.play, name)) is None:
            raise HTTPException(409, "games are being played already: wait for their end")
        return RedirectResponse("/statistics", 303)

    async def events(request: Request) -> Response:
        if (job := jobs.get(request.path_params["id"])) is None:
            raise HTTPException(404, "no such job")
        # What is told as it goes is not gathered to be packed.
        headers = {"cache-control": "no-store", "content-encoding": "identity"}
        return StreamingResponse(_news(job), media_type="text/event-stream", headers=headers)

    return [
        Route("/statistics", show, name="statistics"),
        Route("/statistics/jobs", begin, methods=["POST"]),
        Route("/statistics/jobs/{id}/events", events),
    ]


async def _news(job: Job) -> AsyncIterator[str]:
    """Yield how far a job is as server-sent events, for a moment, and at its end how it ended."""
    yield f"retry: {1000 * TICK:.0f}\n\n"
    for _ in range(LOOKS):
        if not job.is_running:
            yield f"event: end\ndata: {json.dumps({'done': job.done, 'state': job.state})}\n\n"
            return
        yield f"data: {json.dumps({'done': job.done, 'total': job.total})}\n\n"
        await asyncio.sleep(TICK)


def _table(name: str, counts: Counts) -> dict[str, Any]:
    """Return what is shown of one of the source's tables."""
    preset = PRESETS[name]
    assert preset.drawn is not None
    rows = [_row("published", _cells((preset.wins, preset.own_draws, preset.drawn)))]
    for ending, reading in READINGS.items():
        rows.append(_row(f"a million games, {reading}", _cells(MILLION[name + ending])))
    for ending, reading in READINGS.items():
        count = counts.by_name[name + ending]
        again = f"mjopt battle --preset {name}{ending} --seed {count.seed} --games {count.games}"
        what = f"{count.games:,} played here, {reading}"
        rows.append(_row(what, _counted(count), name + ending, again if count.games else ""))
    return {
        "caption": f"{' '.join(preset.plan.agents).upper()}: {preset.source}",
        "heads": [f"seat {n} {agent.upper()}" for n, agent in enumerate(preset.plan.agents, 1)],
        "rows": rows,
    }


def _row(what: str, cells: list[dict[str, str]], name: str = "", again: str = "") -> dict[str, Any]:
    """Return a row: what it tells of, its cells, what plays more of it, and what plays it again."""
    return {"what": what, "cells": cells, "name": name, "again": again}


def _cells(shares: Shares) -> list[dict[str, str]]:
    """Return the cells of a row in percent: a seat's wins and own draws, then drawn games."""
    wins, own, drawn = shares
    seats = [f"{won:.1f} ({by:.1f})" for won, by in zip(wins, own, strict=True)]
    return [{"text": text, "from": ""} for text in (*seats, f"{drawn:.1f}")]


def _counted(count: Count) -> list[dict[str, str]]:
    if not count.games:
        return [{"text": "–", "from": ""}] * (len(count.wins) + 1)  # noqa: RUF001
    [drawn] = _percent([count.drawn], count)
    cells = _cells((_percent(count.wins, count), _percent(count.own_draws, count), drawn))
    for cell, number in zip(cells, (*count.wins, count.drawn), strict=True):
        low, high = wilson(number, count.games)
        cell["from"] = f"{100 * low:.1f} to {100 * high:.1f}"
    return cells


def _percent(numbers: Sequence[int], count: Count) -> tuple[float, ...]:
    return tuple(100 * number / count.games for number in numbers)
