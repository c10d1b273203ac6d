"""The pages `/puzzles`: puzzles, their ratings and the days on which somebody came back."""

from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.chances.advice.advise import NORMAL
from mjopt.chances.advice.options import DISCARD, AdvisedOption
from mjopt.chances.advice.position import Position
from mjopt.errors import GameError
from mjopt.play.matches.game_library import num_lines, record_files
from mjopt.play.puzzles.choice import choose_puzzle
from mjopt.play.puzzles.daily import daily_hand, play_daily
from mjopt.play.puzzles.puzzle import Puzzle, puzzle_of, shipped_puzzles
from mjopt.play.puzzles.record import PlayerRecord, PuzzleAnswer, utc_date
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.daily_page import update_record
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.hand_page import (
    LONG_PATIENCE,
    PATIENCE,
    WORDS,
    ready_event,
    spread,
    views_of,
)
from mjopt.play.serve.language import gettext
from mjopt.play.serve.position_page import read_position, read_tile
from mjopt.play.serve.request_parsing import text_fields

HERE: Final = "/puzzles"
MAX_DAYS: Final = 14  # daily hands in the list
SHOWN: Final = 6  # options in the table of an answer


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the pages."""
    records = site.records

    async def puzzle_at(request: Request, position: Position, patience: float) -> Puzzle:
        """Return the puzzle of a position: a shipped one, else the one that its advice proves."""
        shipped = shipped_puzzles().get(position.to_text())
        patience = patience if shipped else LONG_PATIENCE
        await site.advice.wait([(position, NORMAL)], browser_of(request), patience)
        advice = site.advice.known(position)
        if puzzle := shipped or (puzzle_of(advice) if advice else None):
            return puzzle
        raise HTTPException(404, gettext("no discard is proven to lead here by 3 points"))

    async def puzzle_page(request: Request) -> Response:
        position, browser = read_position(request.query_params), browser_of(request)
        record, text = await site.run(records.look, browser), position.to_text()
        answers = record.answers_to(text)
        is_open = not answers or text in record.due(records.clock())
        chosen = answers[-1].tile if answers and not is_open else ""
        patience = LONG_PATIENCE if "wait" in request.query_params else PATIENCE
        puzzle = await puzzle_at(request, position, patience if chosen else 0)
        ratings, advice = records.ratings(), site.advice.known(position)
        rows = [] if advice is None else advice.options
        return site.page(
            "puzzle.html",
            here=HERE,
            title=gettext("Puzzle"),
            position=position,
            puzzle=puzzle,
            chosen=chosen,
            number=len(answers),
            is_repeated=len(answers) > 1,
            advice=advice,
            rows=[row for at, row in enumerate(rows) if at < SHOWN or _tile(row) == chosen],
            tile_of=_tile,
            rating=ratings.player(browser),
            difficulty=ratings.puzzle(text),
            link=position_address,
            views=views_of(position.hand.tiles),
            **WORDS,
        )

    async def answer(request: Request) -> Response:
        form = await text_fields(request)
        position = read_position(form)
        tile = read_tile({"throw": form.get("throw") or "?"}, "throw", position)  # not absent
        text, now = position.to_text(), records.clock()
        puzzle = await puzzle_at(request, position, 0)
        given = PuzzleAnswer(puzzle=text, tile=tile, is_right=tile == puzzle.best, time=now)

        def add(record: PlayerRecord) -> PlayerRecord:
            is_new = form.get("number") == str(len(record.answers_to(text)))  # else sent twice
            return record.with_answer(given) if is_new else record

        await site.run(update_record, site, request, add)
        return RedirectResponse(position_address(position, "/puzzles/position"), 303)

    async def events(request: Request) -> Response:
        """Send an event when the advice on a puzzle is known."""
        return ready_event(site, request, [(read_position(request.query_params), NORMAL)])

    def own_decisions(request: Request) -> Response:
        """Go to the costly decisions of the visitor's last recorded game."""
        for key, listed in record_files(site.settings.games, browser_of(request)).items():
            if last := num_lines(listed):
                return RedirectResponse(f"/review/{key}/replay?game={last}", 303)
        return _overview(site, request, gettext("No game of yours is kept here yet: play a match."))

    return [
        Route("/puzzles", site.endpoint(partial(_overview, site)), name="puzzles"),
        Route("/puzzles/own", site.endpoint(own_decisions)),
        Route("/puzzles/events", events),
        Route("/puzzles/position", puzzle_page),
        Route("/puzzles/position", answer, methods=["POST"]),
    ]


def _overview(site: Site, request: Request, message: str = "") -> Response:
    """Return the start page, which begins with a puzzle."""
    records = site.records
    browser, now = browser_of(request), records.clock()
    record, today = records.look(browser), utc_date(now)
    ratings, rng = records.ratings(), np.random.default_rng()
    text = choose_puzzle(record, shipped_puzzles(), ratings, player=browser, now=now, rng=rng)
    position = Position.parse(text) if text else None
    days = []
    for day, discards in reversed(record.daily[-MAX_DAYS:]):
        with suppress(GameError):  # a changed file
            days.append((day, play_daily(daily_hand(day).seed, discards)))
    return site.page(
        "puzzles.html",
        here=HERE,
        title=gettext("Puzzles"),
        message=message,
        position=position,
        number=len(record.answers_to(text)) if text else 0,
        spread=spread,
        views=views_of(position.hand.tiles) if position else None,
        streak=record.streak(now),
        due=record.due(now),
        today=next((practice for day, practice in days if day == today), None),
        days=days,
        rating=ratings.player(browser),
        num_right=sum(answer.is_right for answer in record.answers),
        num_answers=len(record.answers),
        is_stored=site.settings.games is not None,
    )


def _tile(option: AdvisedOption) -> str:
    """Return the tile of a discard without a call; empty for other options."""
    is_discard = option.action == DISCARD and option.kind is not None
    return option.hand.tiles.names[option.kind or 0] if is_discard else ""
