"""The page `/`: the analysis of a hand."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any, Final, NamedTuple

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.analysis.useful_tiles import UsefulTiles
from mjopt.chances.draws.calls import CallDraws
from mjopt.chances.win_chance.discard_bounds import PlayedDiscard, decimals
from mjopt.errors import MjoptError
from mjopt.hands.blocks import beyond
from mjopt.hands.notation.base import has_red_five
from mjopt.hands.notation.readings import read_text
from mjopt.hands.notation.registry import NOTATIONS
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, check_forms
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.board import TileView, tile_view
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.hand_analysis import Analysis, analyse, judge
from mjopt.play.serve.hand_form import (
    NUMBERS,
    AnalysisQuery,
    Counts,
    HandForm,
    flaws_of,
    form_address,
    form_from_query,
    named_tiles,
)
from mjopt.play.serve.language import gettext
from mjopt.play.serve.request_parsing import parse_number
from mjopt.play.serve.win_chances import DRAWS, NEAR, ChanceQuery, HandChances

PATIENCE: Final = 0.1  # seconds that a page waits for the chances to win
LONG_PATIENCE: Final = 60.0  # the same where there is no script to fill them in

PARTS: Final = ("add", "remove", "throw", "wait")
"""Parts of the address besides the fields of the form."""

FORM_WORDS: Final = {
    STANDARD: "four melds and a pair",
    SEVEN_PAIRS: "seven pairs",
    THIRTEEN_ORPHANS: "thirteen orphans",
}

EXAMPLES: Final = (
    ("a close decision", HandForm(hand="445m34677p2346s55z")),
    ("ready after the right discard", HandForm(hand="123456m789p1146s1z")),
    ("one away from seven pairs", HandForm(hand="1155m2288p3399s1z")),
    ("one away from thirteen orphans", HandForm(hand="19m19p19s123456z5m")),
    ("a call to judge", HandForm(hand="2378m345p6688s11z", offered="4m")),
    ("melds on the table", HandForm(hand="23m67p44s1z", melds="345m 777z")),
    ("a win, four ways", HandForm(hand="11122233344455s")),
)
"""Hands one click away."""


class RankedDiscard(NamedTuple):
    """One discard in the table."""

    kind: int
    after: UsefulTiles
    chance: PlayedDiscard | None  # None while it is computed
    draws: float | None


def rank_rows(found: Analysis, chances: HandChances | None) -> list[RankedDiscard]:
    """Return the discards by the chance to win; while that is unknown, by useful tiles."""
    played = {row.kind: row for row in chances.discards} if chances else {}
    draws = chances.expected_draws if chances else {}
    rows = [
        RankedDiscard(row.kind, row.after, played.get(row.kind), draws.get(row.kind))
        for row in found.discards
    ]
    if played or not draws:
        order = {kind: place for place, kind in enumerate(played)}
        return sorted(rows, key=lambda row: order.get(row.kind, 0))
    return sorted(rows, key=lambda row: draws[row.kind])


def palette_of(tiles: TileSet, query: AnalysisQuery | None) -> list[list[tuple[TileView, int]]]:
    """Return the kinds and red fives by suit, with the number of copies that can be added."""
    left, red = [COPIES] * tiles.num_kinds, [0] * tiles.num_kinds
    if query is not None:
        hand = query.hand_query.hand
        left, red = [0 if hand.is_full else copies for copies in query.wall], [*hand.red]
    rows = []
    for part in tiles.slices:
        kinds = [*zip(tiles.names[part], left[part], red[part], strict=True)]
        row = [(tile_view(name), copies) for name, copies, _ in kinds]
        row += [
            (tile_view(f"0{name[1]}"), 0 if has_red else copies)
            for name, copies, has_red in kinds
            if has_red_five(name)
        ]
        rows.append(row)
    return rows


def views_of(tiles: TileSet) -> dict[str, object]:
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


CONTEXT: Final = {
    "here": "/",
    "address": form_address,
    "replace": replace,
    "spread": spread,
    "pictures_of_full": pictures,
    "decimals": decimals,
    "infinity": inf,
    "examples": EXAMPLES,
    "notations": tuple(NOTATIONS),
    "called": NUMBERS,
    "all_forms": FORM_WORDS,
}
"""Variables of the template."""


def analysis_context(form: HandForm, problem: MjoptError | None = None) -> dict[str, Any]:
    """Return the variables of the template that describe a form; ``found`` is its analysis."""
    query: AnalysisQuery | None = None
    found: Analysis | None = None
    held: list[TileView] = []
    seen: list[TileView] = []
    chosen: tuple[str, ...] = ()
    with suppress(MjoptError):  # the page shows the error beside the field
        held = [tile_view(name) for name in named_tiles(read_text(form.hand, form.notation))]
        seen = pictures(spread(read_text(form.seen, form.notation).counts))
    tiles = FULL
    with suppress(MjoptError):
        tiles = as_tiles(form.tiles or FULL)
        chosen = check_forms(form.forms, tiles)
    calls: tuple[CallDraws, ...] = ()
    try:
        query = form.parse()
        if form.hand or query.hand_query.hand.called:
            found = analyse(query)
            calls = judge(query)
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
            "problem": problem,
            "held": held,
            "seen": seen,
            "palette": palette_of(tiles, query),
            "query": query,
            "found": found,
            "calls": calls,
            "num_draws": query.draws if query else DRAWS,
        }
    )


def chance_queries(query: AnalysisQuery, found: Analysis) -> list[ChanceQuery]:
    """Return the queries for the chances to win: a quick one first if that saves time."""
    hand = query.hand_query.hand
    if hand.num_tiles < 13 - 3 * hand.called:
        return []
    last = ChanceQuery.of(hand, query.hand_query.forms, query.wall, query.draws)
    return [replace(last, is_quick=True), last] if 0 < found.deficiency <= NEAR else [last]


def ready_event(site: Site, request: Request, queries: Sequence[ChanceQuery]) -> Response:
    """Return a stream of one event, which is sent when the first of some queries is answered."""

    async def events() -> AsyncIterator[dict[str, str]]:
        wanted = [*reversed(queries)]  # the others are computed meanwhile, if a process is free
        if not wanted or await site.chances.wait(wanted, browser_of(request)):
            yield {"data": "ready"}

    return EventSourceResponse(events())


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def page(
        request: Request,
        form: HandForm,
        *,
        problem: MjoptError | None = None,
    ) -> HTMLResponse:
        patience = LONG_PATIENCE if "wait" in request.query_params else PATIENCE
        context = await site.run(analysis_context, form, problem)
        found: Analysis | None = context["found"]
        queries = chance_queries(context["query"], found) if found else []
        if queries:
            await site.chances.wait(queries, browser_of(request), patience)
        known = [site.chances.known(query) for query in queries]
        chances = next((answer for answer in reversed(known) if answer), None)
        text = await site.run(
            site.render,
            "hand.html",
            **context,
            flaws=flaws_of(request.query_params, PARTS),
            chances=chances,
            rows=rank_rows(found, chances) if found else [],
            stage=known.index(None) if known and known[-1] is None else None,
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
            form = replace(form, offered="").with_tiles(add=add, remove=remove)
            form = form.with_throw(throw) if throw else form
        except MjoptError as error:
            return await page(request, form, problem=error)
        return RedirectResponse(form_address(form), status_code=303)

    async def chances(request: Request) -> Response:
        """Send an event when the next stage of the chances to win is known."""
        query = form_from_query(request.query_params).parse()
        found = await site.run(analyse, query)
        queries = chance_queries(query, found)
        stage = parse_number(request, "stage", 0, 1)
        return ready_event(site, request, queries[stage:])

    return [Route("/", show, name="hand"), Route("/chances", chances)]
