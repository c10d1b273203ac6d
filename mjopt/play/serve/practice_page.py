"""The page `/practice`: a hand played alone; at the end, each throw beside the best one.

The address holds the whole state: the first hand, the seed of the wall, and the tiles thrown.
"""

import secrets
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.chances.advice.advise import NORMAL
from mjopt.chances.advice.options import Advice, AdvisedOption
from mjopt.chances.advice.position import Position
from mjopt.hands.notation.readings import MPSZ
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.play.game.practice import Decision, Practice, deal, practise
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.background_advice import AdviceQuery
from mjopt.play.serve.board import tile_view
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_form import HandForm, form_address, form_from_query, position_address
from mjopt.play.serve.hand_page import (
    CONTEXT,
    LONG_PATIENCE,
    PATIENCE,
    ready_event,
    spread,
    views_of,
)
from mjopt.play.serve.language import gettext
from mjopt.play.serve.request_parsing import parse_number

MAX_SEED: Final = (1 << 31) - 1


class JudgedThrow(NamedTuple):
    """A throw, and the advice on its position; None while that is computed."""

    decision: Decision
    kind: int
    position: Position
    advice: Advice | None

    @property
    def option(self) -> AdvisedOption | None:
        """The throw among the options."""
        return None if self.advice is None else self.advice.option(self.kind)


def read_practice(request: Request) -> tuple[HandForm, tuple[WinningForm, ...], Practice]:
    """Return the form of the first hand, the winning forms and the practice of an address."""
    form, seed = form_from_query(request.query_params), parse_number(request, "seed", 0, MAX_SEED)
    query = form.parse()
    first = query.position
    if not (form.hand or query.hand_query.hand.called):
        dealt = deal(query.hand_query.hand.tiles, rng=np.random.default_rng(seed))
        first = replace(form, hand=dealt.to_text(), notation=MPSZ).parse().position
    if first is None:
        raise HTTPException(400, gettext("practice needs 13 or 14 tiles of riichi"))
    if not first.draws:
        raise HTTPException(400, gettext("no draws are left to practise"))
    moves = "".join(request.query_params.get(name, "") for name in ("moves", "throw"))
    names = [moves[at : at + 2] for at in range(0, len(moves), 2)][: 2 * first.draws + 2]
    hand, forms, rng = first.hand, first.forms, np.random.default_rng(seed)
    if not {*names} <= {*hand.tiles.names}:
        raise HTTPException(400, gettext("throws: expected tiles such as 9m1z"))
    thrown = [hand.tiles.names.index(name) for name in names]
    practice = practise(
        hand, thrown, wall=first.wall, draws=first.draws, forms=forms, barred=first.barred, rng=rng
    )
    return form, forms, practice


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    def judge(practice: Practice, forms: tuple[WinningForm, ...]) -> list[JudgedThrow]:
        positions = [now.position(forms) for now in practice.decisions]
        thrown = zip(practice.decisions, practice.thrown, positions, strict=False)
        return [JudgedThrow(*each, site.advice.known(each[-1])) for each in thrown]

    async def show(request: Request) -> Response:
        query, browser = request.query_params, browser_of(request)
        if not query.get("seed"):
            seed = str(secrets.randbelow(MAX_SEED))
            address = form_address(form_from_query(query), "/practice", seed=seed)
            return RedirectResponse(address, 303)
        form, forms, practice = await site.run(read_practice, request)
        state = {"seed": query["seed"], "moves": query.get("moves", "") + query.get("throw", "")}
        if query.get("throw"):
            return RedirectResponse(form_address(form, "/practice", **state), 303)
        now, judged = practice.decisions[-1], list[JudgedThrow]()
        if practice.is_over:
            judged = judge(practice, forms)
            patience = LONG_PATIENCE if "wait" in query else PATIENCE
            while (wanted := _missing(judged)) and await site.advice.wait(
                wanted[::-1], browser, patience
            ):
                judged = judge(practice, forms)
        else:  # known when the practice ends
            await site.advice.wait([(now.position(forms), NORMAL)], browser, 0)
        lost = (row.option.lost for row in judged if row.option)
        context = (
            CONTEXT
            | views_of(now.hand.tiles)
            | state
            | {
                "here": "/practice",
                "title": gettext("Practice"),
                "form": form,
                "other_seed": secrets.randbelow(MAX_SEED),
                "practice": practice,
                "held": [tile_view(now.hand.tiles.names[kind]) for kind in spread(now.kept)],
                "judged": judged,
                "total": sum((each for each in lost if each), Fraction(0)),
                "is_pending": bool(_missing(judged)),
                "position": position_address,
            }
        )
        return HTMLResponse(await site.run(site.render, "practice.html", **context))

    async def chances(request: Request) -> Response:
        """Send an event when one more throw can be judged."""
        _, forms, practice = await site.run(read_practice, request)
        return ready_event(site, request, _missing(judge(practice, forms)))

    return [Route("/practice", show, name="practice"), Route("/practice/chances", chances)]


def _missing(judged: list[JudgedThrow]) -> list[AdviceQuery]:
    """Return the first queries whose answers are not known."""
    return [(row.position, NORMAL) for row in judged if row.advice is None][:2]
