"""The page `/`: one hand, all that is known about it, and the proof."""

import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.analysis.draws.calls import CallDraws
from mjopt.analysis.draws.distribution import Draws
from mjopt.analysis.formats import VerificationResult, verify_stream
from mjopt.errors import MjoptError
from mjopt.hands.blocks import beyond
from mjopt.hands.notation import NOTATIONS, get_notation
from mjopt.hands.tiles import COPIES, FULL, TILE_SETS
from mjopt.hands.winning_forms import FORMS, check_forms
from mjopt.proofs import Limits
from mjopt.serve.app_context import Site
from mjopt.serve.board import TileView, tile_view
from mjopt.serve.hand_analysis import Analysis, analyse, certificate_files, judge
from mjopt.serve.hand_form import NUMBERS, Asked, Counts, FieldError, Written, named_tiles
from mjopt.serve.request_parsing import read_posted

KEPT: Final = 128  # pages remembered, at most 80 kB each
LIMITS: Final = Limits(bytes=600_000, steps=3_000_000)
"""For a posted certificate: a few times what that of any hand takes."""

ENOUGH: Final = 0.995  # the share of cases after which a picture of the draws ends
ENDINGS: Final = {
    "json": "application/json",
    "vipr": "text/plain; charset=utf-8",
    "opb": "text/plain; charset=utf-8",
    "pbp": "text/plain; charset=utf-8",
}
"""Certificates by their endings; an OPB instance and its proof (pbp) are one."""

EXAMPLES: Final = (
    ("the paper's H1, one suit", Written(hand="B4B4B6B6B6B7B7B7B7B8B9B9B9B9", notation="paper")),
    ("its H3, two suits", Written(hand="B1B2B4B5B5C2C3C3C3C4C4C5C7C7", notation="paper")),
    ("its H6, three suits", Written(hand="B3C9D1D4D5D6D6D6D7D7D8D8D9D9", notation="paper")),
    ("where its cost is wrong", Written(hand="B3333 C222267 D7777", notation="paper")),
    ("with honours", Written(hand="123456m789p1146s1z")),
    ("a call to judge", Written(hand="2378m345p6688s11z", call="4m")),
    ("melds on the table", Written(hand="23m67p44s1z", melds="345m 777z")),
    ("a win, four ways", Written(hand="11122233344455s")),
    ("seven pairs", Written(hand="1133557799m1133p", forms="standard,seven_pairs")),
)
"""Hands one click away; H1, H3 and H6 are of Yan and Li (2023), section 4.2.2."""


def written_of(query: QueryParams) -> Written:
    """Return what the fields of an address say; forms may stand there one by one."""
    given = {
        field.name: query[field.name].strip() for field in fields(Written) if query.get(field.name)
    }
    if "forms" in given:
        given["forms"] = ",".join(query.getlist("forms"))
    return Written(**given)


def address_of(written: Written, path: str = "/", **more: str) -> str:
    """Return the address of a question: what is as usual is left out.

    Examples
    --------
    >>> address_of(Written(hand="123m", melds="111z"), "/certificate", format="json")
    '/certificate?hand=123m&melds=111z&format=json'
    """
    usual = Written()
    said = {field.name: getattr(written, field.name) for field in fields(Written)}
    said = {name: text for name, text in said.items() if text != getattr(usual, name)} | more
    return f"{path}?{urlencode(said)}" if said else path


@dataclass(frozen=True, slots=True)
class Chart:
    """How probable it is that each draw completes the hand: bars, and what they show in words."""

    path: str  # each bar one unit wide, the highest 20
    width: int  # bars
    words: str
    mean: str  # exactly


def chart_of(draws: Draws) -> Chart | None:
    """Draw the distribution; None if the wall may not complete the hand.

    Examples
    --------
    >>> from mjopt import expected_draws
    >>> found = chart_of(expected_draws("1112345678999m"))
    >>> found.width, found.words
    (10, 'Complete in 10% by draw 1, in 50% by draw 3, in 90% by draw 6; most often at draw 1.')
    """
    if not draws.is_certain:
        return None
    shares = draws.curve_floats
    last = next(number for number, share in enumerate(shares) if share >= ENOUGH)
    each = [after - before for before, after in pairwise((0.0, *shares[: last + 1]))]
    highest = max(each)
    bars = [f"M{i} 20V{20 - 20 * share / highest:.3g}h.8V20z" for i, share in enumerate(each)]
    by = [f"{share:.0%} by draw {draws.quantile(share)}" for share in (0.1, 0.5, 0.9)]
    words = f"Complete in {', in '.join(by)}; most often at draw {each.index(highest)}."
    return Chart("".join(bars), len(each), words, str(draws.mean))


def palette_of(asked: Asked | None) -> list[list[tuple[TileView, int]]]:
    """Return all kinds suit by suit, with the copies that may still be added."""
    left = [COPIES] * FULL.num_kinds
    if asked is not None:
        hand = asked.query.hand
        left[: len(hand.unseen)] = hand.unseen
        left = [0] * FULL.num_kinds if hand.is_full else left
    return [[(tile_view(k), left[k]) for k in range(FULL.num_kinds)[part]] for part in FULL.slices]


def check_texts(texts: Sequence[bytes]) -> list[VerificationResult]:
    """Verify the certificates in some texts."""
    return [
        verify_stream(Path(f"certificate {number}"), io.BytesIO(text), limits=LIMITS)
        for number, text in enumerate(texts, 1)
    ]


def pictures(kinds: Iterable[int]) -> list[TileView]:
    """Return some tiles as pages show them."""
    return [tile_view(kind) for kind in kinds]


def surplus(counts: Counts, less: Counts) -> list[TileView]:
    """Return the tiles of some counts beyond those of others."""
    return pictures(kind for kind, n in enumerate(beyond(counts, less)) for _ in range(n))


CONTEXT: Final = {
    "title": "Hand",
    "here": "/",
    "address": address_of,
    "replace": replace,
    "picture": tile_view,
    "pictures": pictures,
    "surplus": surplus,
    "chart_of": chart_of,
    "infinity": inf,
    "examples": EXAMPLES,
    "notations": tuple(NOTATIONS),
    "tile_sets": TILE_SETS,
    "called": NUMBERS,
    "all_forms": FORMS,
    "names": FULL.names,
}
"""What the template asks for, whatever was asked."""


def answer(
    site: Site,
    written: Written,
    warm: bool,
    *,
    reports: Sequence[VerificationResult] = (),
    problem: FieldError | None = None,
) -> tuple[int, str]:
    """Return the status and the text of the page for one question."""
    asked: Asked | None = None
    found: Analysis | None = None
    calls: tuple[CallDraws, ...] = ()
    held: list[TileView] = []
    chosen: tuple[str, ...] = ()
    with suppress(MjoptError):  # the field says what is wrong
        tiles = get_notation(written.notation).parse(written.hand, FULL)
        held = [tile_view(name) for name in named_tiles(tiles)]
    with suppress(MjoptError):
        chosen = check_forms(written.forms, FULL)
    try:
        asked = written.read()
        if written.hand or asked.query.hand.called:
            found = analyse(asked)
            calls = judge(asked)
    except FieldError as error:
        problem = error
    text = site.render(
        "hand.html",
        **CONTEXT,
        written=written,
        is_special=replace(written, hand="", call="") != Written(),
        chosen=chosen,
        problem=problem,
        held=held,
        palette=palette_of(asked),
        asked=asked,
        found=found,
        calls=calls,
        reports=reports,
        is_warm=warm,
    )
    return 200 if problem is None else 400, text


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    kept = lru_cache(maxsize=KEPT)(partial(answer, site))

    async def page(written: Written, **more: Any) -> HTMLResponse:
        ask = partial(answer, site, **more) if more else kept
        status, text = await site.work(ask, written, site.is_ready)
        return HTMLResponse(text, status)

    async def show(request: Request) -> Response:
        query = request.query_params
        written = written_of(query)
        add, remove = query.get("add", ""), query.get("remove", "")
        if not (add or remove):
            return await page(written)
        try:
            written = replace(written, call="").changed(add=add, remove=remove)
        except FieldError as error:
            return await page(written, problem=error)
        return RedirectResponse(address_of(written), status_code=303)

    async def certificate(request: Request) -> Response:
        ending = request.query_params.get("format", "json")
        if ending not in ENDINGS:
            raise HTTPException(
                400, f"no format of that name, expected one of {', '.join(ENDINGS)}"
            )
        asked = written_of(request.query_params).read()
        found = await site.work(analyse, asked)
        files = await site.work(
            certificate_files, found.certificate, "opb" if ending == "pbp" else ending
        )
        name = f"{asked.query.hand.to_text() or 'hand'}.{ending}"
        return Response(
            files[ending],
            media_type=ENDINGS[ending],
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def verify(request: Request) -> Response:
        written = written_of(request.query_params)
        posted = await read_posted(request)
        texts = [text for name, text in posted if name == "certificate" and text.strip()]
        if any(name == "own" for name, _ in posted):
            found = await site.work(analyse, written.read())
            texts = [found.certificate.to_json().encode()]
        if not 0 < len(texts) <= 4:
            raise HTTPException(400, f"{len(texts)} certificates, expected one (OPB: two files)")
        return await page(written, reports=tuple(await site.work(check_texts, texts)))

    async def ask(_: Request) -> Response:
        return RedirectResponse("/#check", status_code=303)

    return [
        Route("/", show, name="hand"),
        Route("/certificate", certificate, name="certificate"),
        Route("/verify", verify, methods=["POST"]),
        Route("/verify", ask),
    ]
