"""The page `/`: the analysis of a hand."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import nan
from typing import Any, Final

from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.sanitize import shorten
from mjopt.analysis.useful_tiles import UsefulTiles
from mjopt.chances.advice.advise import NORMAL, QUICK
from mjopt.chances.advice.options import (
    DISCARD,
    DRAW,
    IGNORED,
    NOT_RANKED_BY,
    PASS,
    AdvisedOption,
)
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.why import percent
from mjopt.errors import MjoptError
from mjopt.hands.blocks import beyond
from mjopt.hands.hand import Hand
from mjopt.hands.notation.base import has_red_five
from mjopt.hands.notation.readings import read_text
from mjopt.hands.notation.registry import NOTATIONS
from mjopt.hands.rules.classic_forms import FORMS, is_classic, names_of
from mjopt.hands.tiles import COPIES, FULL, TileSet
from mjopt.play.serve.advice_words import (
    assumption_words,
    chance_words,
    lost_words,
    option_words,
    why_words,
)
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.background_advice import AdviceQuery
from mjopt.play.serve.board import TileView, tile_view
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_analysis import Analysis, analyse
from mjopt.play.serve.hand_form import (
    FORM_WORDS,
    AnalysisQuery,
    Counts,
    HandForm,
    flaws_of,
    form_address,
    form_from_query,
    named_tiles,
    position_address,
)
from mjopt.play.serve.language import gettext

PATIENCE: Final = 0.2  # seconds that a page waits for the first advice
LONG_PATIENCE: Final = 60.0  # the same where there is no script to fill them in

PARTS: Final = ("add", "remove", "throw", "compare", "wait")
"""Parts of the address besides the fields of the form."""

RULE_WORDS: Final[dict[str, Any]] = {
    "": "riichi",
    "basic": "108 tiles, four melds and a pair",
    "sanma": "riichi for three players",
    "taiwan": "Taiwan, 16 tiles",
    "mcr": "Chinese official rules",
    "sichuan": "Sichuan",
    "half-flush": "half flush",
    "full-flush": "full flush",
}
"""Names of the rule sets; the default is that of ``riichi``."""

EXAMPLES: Final = (
    ("a close decision", HandForm(hand="445m34677p2346s55z")),
    ("ready after the right discard", HandForm(hand="123456m789p1146s1z")),
    ("one away from seven pairs", HandForm(hand="1155m2288p3399s1z")),
    ("one away from thirteen orphans", HandForm(hand="19m19p19s123456z5m")),
    ("a call to judge", HandForm(hand="2378m345p6688s11z", offered="4m")),
    ("melds on the table", HandForm(hand="23m67p44s1z", melds="345m 777z")),
    ("against a riichi", HandForm(hand="445m34677p2346s55z", seen="19m4z7s", riichi="19m4z7s")),
    ("a win, four ways", HandForm(hand="11122233344455s")),
    ("seventeen tiles of Taiwan", HandForm(hand="123456789m123p12358s", rules="taiwan")),
    ("one away from a knitted straight", HandForm(hand="147m258p369s11223z", rules="mcr")),
)
"""Hands one click away."""


def unsearched_options(position: Position, found: Analysis) -> tuple[AdvisedOption, ...]:
    """Return what is known of the options before they are advised on."""
    hand, draws = position.hand, position.draws

    def option(action: str, kind: int | None, hand: Hand, after: UsefulTiles) -> AdvisedOption:
        return AdvisedOption(
            action=action,
            kind=kind,
            hand=hand,
            draws=draws,
            deficiency=after.deficiency,
            useful=dict(after.copies),
            mean_draws_keeping_all=nan,
        )

    if found.useful is not None:
        return (option(DRAW if position.offered is None else PASS, None, hand, found.useful),)
    rows = [row for row in found.discards if row.kind not in position.barred]
    return tuple(option(DISCARD, row.kind, hand.with_one(row.kind, -1), row.after) for row in rows)


def palette_of(tiles: TileSet, query: AnalysisQuery | None) -> list[list[tuple[TileView, int]]]:
    """Return the kinds and red fives by suit, with the number of copies that can be added."""
    left, red = [COPIES] * tiles.num_kinds, [0] * tiles.num_kinds
    if query is not None:
        hand = query.hand_query.hand
        left, red = (
            [0 if hand.is_full else copies for copies in query.hand_query.unseen],
            [*hand.red],
        )
    kinds = [(tile_view(name), copies) for name, copies in zip(tiles.names, left, strict=True)]
    rows = [kinds[part] for part in tiles.slices]
    for row in rows:
        for view, copies in [each for each in row if has_red_five(each[0].name)]:
            is_held = red[tiles.names.index(view.name)]
            row.append((tile_view(f"0{view.name[1]}"), 0 if is_held else copies))
    return rows


def views_of(tiles: TileSet) -> dict[str, Any]:
    """Return the functions of the template that show kinds of a tile set, given by number."""

    def picture(tile: int | str, *more: str) -> TileView:
        is_kind = isinstance(tile, int) and tile >= 0
        return tile_view(tiles.names[int(tile)] if is_kind else tile, *more)

    def pictures(kinds: Iterable[int]) -> list[TileView]:
        return [picture(kind) for kind in kinds]

    def surplus(counts: Counts, less: Counts) -> list[TileView]:
        """Return the tiles of some counts that exceed other counts."""
        return pictures(spread(beyond(counts, less)))

    return {"picture": picture, "pictures": pictures, "surplus": surplus, "names": tiles.names}


def pictures(kinds: Iterable[int]) -> list[TileView]:
    """Return the views of tiles of the full set."""
    return [tile_view(kind) for kind in kinds]


def spread(counts: Counts) -> list[int]:
    """Return the kind of every tile."""
    return [kind for kind, copies in enumerate(counts) for _ in range(copies)]


WORDS: Final[dict[str, Any]] = {
    "spread": spread,
    "percent": percent,
    "option_words": option_words,
    "chance_words": chance_words,
    "lost_words": lost_words,
    "why_words": why_words,
    "translate": gettext,
}
"""Functions of every template that shows options."""

CONTEXT: Final = WORDS | {
    "here": "/",
    "address": form_address,
    "position_address": position_address,
    "replace": replace,
    "pictures_of_full": pictures,
    "ignored": IGNORED,
    "assumption_words": assumption_words,
    "examples": EXAMPLES,
    "notations": tuple(NOTATIONS),
    "all_forms": FORM_WORDS,
    "all_rules": RULE_WORDS,
}
"""Variables of the template."""


def analysis_context(form: HandForm, problem: MjoptError | None = None) -> dict[str, Any]:
    """Return the variables of the template that describe a form; ``found`` is its analysis."""
    query: AnalysisQuery | None = None
    found: Analysis | None = None
    held: list[TileView] = []
    seen: list[TileView] = []
    chosen: tuple[str, ...] = ()
    own_forms, own_size = tuple(FORMS), 0
    with suppress(MjoptError):  # the page shows the error beside the field
        held = [tile_view(name) for name in named_tiles(read_text(form.hand, form.notation))]
        seen = pictures(spread(read_text(form.seen, form.notation).counts))
    tiles, rules = FULL, None
    with suppress(MjoptError):
        tiles, rules = form.tile_set(), form.rule_set()
        if rules is not None:
            own_forms = names_of(rules.forms)
            own_size = 0 if is_classic(rules.forms) else rules.size
        chosen = names_of(form.chosen_forms())
    try:
        query = form.parse()
        if form.hand or query.hand_query.hand.called:
            found = analyse(query)
    except MjoptError as error:
        if error.argument not in form.__slots__:
            raise
        problem = error
    return (
        CONTEXT
        | views_of(tiles)
        | {
            "title": gettext("Hand"),
            "form": form,
            "chosen": chosen,
            "rules": rules,
            "own_forms": own_forms,
            "own_size": own_size,
            "problem": problem,
            "held": held,
            "seen": seen,
            "palette": palette_of(tiles, query),
            "query": query,
            "found": found,
            "position": query.position if query and found else None,
            "danger": found.danger if found else None,
            "ignored": NOT_RANKED_BY if found and found.danger else IGNORED,
        }
    )


def ready_event(site: Site, request: Request, queries: Sequence[AdviceQuery]) -> Response:
    """Return a stream of one event, which is sent when the first of some queries is answered."""

    async def events() -> AsyncIterator[dict[str, str]]:
        wanted = [*reversed(queries)]  # the others are computed meanwhile, if a process is free
        if not wanted or await site.advice.wait(wanted, browser_of(request)):
            yield {"data": "ready"}

    return EventSourceResponse(events())


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def page(
        request: Request, form: HandForm, problem: MjoptError | None = None
    ) -> HTMLResponse:
        asked = request.query_params
        context = await site.run(analysis_context, form, problem)
        position: Position | None = context["position"]
        advice, rows = None, tuple[AdvisedOption, ...]()
        if position is not None:
            queries, patience = [(position, QUICK), (position, NORMAL)], LONG_PATIENCE
            if "wait" not in asked:  # the last query decides when the page is sent
                queries, patience = [*queries, queries[0]], PATIENCE
            await site.advice.wait(queries, browser_of(request), patience)
            advice = site.advice.latest(position)
            rows = advice.options if advice else unsearched_options(position, context["found"])
        compared = next((row for row in rows if row.name == asked.get("compare")), None)
        text = await site.run(
            site.render,
            "hand.html",
            **context,
            flaws=flaws_of(asked, PARTS),
            advice=advice,
            rows=rows,
            compared=compared,
            stage=(NORMAL if advice else QUICK) if not advice or advice.effort == QUICK else "",
        )
        return HTMLResponse(text, 400 if context["problem"] else 200)

    async def show(request: Request) -> Response:
        query = request.query_params
        form = form_from_query(query)
        add, remove, throw = (query.get(name, "") for name in ("add", "remove", "throw"))
        if not (add or remove or throw):
            if len(query.getlist("forms")) > 1:  # of a submitted form: shorten the address
                return RedirectResponse(form_address(form), status_code=303)
            return await page(request, form)
        try:
            form = replace(form, offered="", barred="", calls="").with_tiles(add=add, remove=remove)
            form = form.with_throw(throw) if throw else form
        except MjoptError as error:
            return await page(request, form, problem=error)
        return RedirectResponse(form_address(form), status_code=303)

    async def chances(request: Request) -> Response:
        """Send an event when advice of an effort is known."""
        position = (await site.run(form_from_query(request.query_params).parse)).position
        effort = request.query_params.get("effort", QUICK)
        if effort not in (QUICK, NORMAL):
            raise HTTPException(400, f"effort {shorten(effort)}, expected {QUICK} or {NORMAL}")
        efforts = (QUICK, NORMAL) if effort == QUICK else (NORMAL,)
        return ready_event(site, request, [(position, each) for each in efforts if position])

    return [Route("/", show, name="hand"), Route("/chances", chances)]
