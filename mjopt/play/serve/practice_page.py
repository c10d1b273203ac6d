"""The page `/practice`: a hand played alone; at the end, each throw beside the best one.

The address holds the whole state: the first hand, the seed of the wall, and the tiles thrown.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.chances.win_chance.discard_bounds import PlayedDiscard
from mjopt.hands.notation.readings import MPSZ
from mjopt.play.game.practice import Decision, Practice, deal, practise
from mjopt.play.serve.app_context import Site
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
from mjopt.play.serve.win_chances import ChanceQuery

MAX_SEED: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class JudgedThrow:
    """A throw beside the best one; None while that is computed."""

    decision: Decision
    kind: int
    best: PlayedDiscard | None
    chance: Fraction | None  # to win after the throw
    missing: ChanceQuery | None  # the query whose answer is not known

    @property
    def loss(self) -> Fraction:
        """The chance lost against the best throw."""
        if self.best is None or self.chance is None:
            return Fraction(0)
        return max(self.best.lower - self.chance, Fraction(0))


def read_practice(request: Request) -> tuple[HandForm, tuple[str, ...], Practice]:
    """Return the form of the first hand, the winning forms and the practice of an address."""
    form, seed = form_from_query(request.query_params), parse_number(request, "seed", 0, MAX_SEED)
    query = form.parse()
    hand = query.hand_query.hand
    if not (form.hand or hand.called):
        dealt = deal(hand.tiles, rng=np.random.default_rng(seed))
        query = replace(form, hand=dealt.to_text(), notation=MPSZ).parse()
        hand = query.hand_query.hand
    if hand.num_tiles < 13 - 3 * hand.called:
        raise HTTPException(400, gettext("too few tiles to practise: expected 13 or 14"))
    moves = "".join(request.query_params.get(name, "") for name in ("moves", "throw"))
    names = [moves[at : at + 2] for at in range(0, len(moves), 2)][: 2 * query.draws + 2]
    if not {*names} <= {*hand.tiles.names}:
        raise HTTPException(400, gettext("throws: expected tiles such as 9m1z"))
    thrown = [hand.tiles.names.index(name) for name in names]
    forms, rng = query.hand_query.forms, np.random.default_rng(seed)
    how = {"wall": query.wall, "draws": query.draws, "forms": forms, "rng": rng}
    return form, forms, practise(hand, thrown, **how)


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    known = site.chances.known

    def judge(practice: Practice, forms: tuple[str, ...]) -> Iterator[JudgedThrow]:
        for now, kind in zip(practice.decisions, practice.thrown, strict=False):
            query = ChanceQuery.of(now.hand, forms, now.wall, now.draws)
            rows = found.discards if (found := known(query)) else ()
            missing = None if found else query
            own = [row for row in rows if row.kind == kind]
            if own and own[0].upper_any and not own[0].upper:  # not among the plays searched
                query = replace(query, counts=now.after(kind).counts)
                own = [*found.discards] if (found := known(query)) else []
                missing = None if found else query
            chance = own[0].lower if own else None
            yield JudgedThrow(now, kind, rows[0] if rows else None, chance, missing)

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
            judged, patience = [*judge(practice, forms)], PATIENCE
            patience = LONG_PATIENCE if "wait" in query else PATIENCE
            while (wanted := _missing(judged)[:2]) and await site.chances.wait(
                wanted[::-1], browser, patience
            ):
                judged = [*judge(practice, forms)]
        else:  # known when the practice ends
            query_now = ChanceQuery.of(now.hand, forms, now.wall, now.draws)
            await site.chances.wait([query_now], browser, 0)
        kept = now.hand.counts if now.drawn is None else now.after(now.drawn).counts
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
                "held": [tile_view(now.hand.tiles.names[kind]) for kind in spread(kept)],
                "judged": judged,
                "total": sum((row.loss for row in judged), Fraction(0)),
                "is_pending": bool(_missing(judged)),
                "position": lambda each: position_address(
                    each.hand.counts, each.hand.melds, each.wall, each.hand.tiles, forms=form.forms
                ),
            }
        )
        return HTMLResponse(await site.run(site.render, "practice.html", **context))

    async def chances(request: Request) -> Response:
        """Send an event when one more throw can be judged."""
        _, forms, practice = await site.run(read_practice, request)
        return ready_event(site, request, _missing([*judge(practice, forms)])[:2])

    return [Route("/practice", show, name="practice"), Route("/practice/chances", chances)]


def _missing(judged: list[JudgedThrow]) -> list[ChanceQuery]:
    return [row.missing for row in judged if row.missing]
