"""The page `/`: the analysis of a hand, and its certificate."""

import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import QueryParams, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.analysis.draws.calls import CallDraws
from mjopt.analysis.draws.distribution import Draws
from mjopt.analysis.formats import VerificationResult
from mjopt.analysis.formats.verify_file import verify_stream
from mjopt.analysis.win_chance.discard_bounds import decimals
from mjopt.errors import MjoptError
from mjopt.hands.blocks import beyond
from mjopt.hands.notation import NOTATIONS, get_notation
from mjopt.hands.tiles import COPIES, FULL, TILE_SETS
from mjopt.hands.winning_forms import FORMS, check_forms
from mjopt.proofs import Limits
from mjopt.serve.app_context import Site
from mjopt.serve.board import TileView, tile_view
from mjopt.serve.hand_analysis import Analysis, analyse, certificate_files, judge
from mjopt.serve.hand_form import (
    NUMBERS,
    AnalysisQuery,
    Counts,
    FieldError,
    HandForm,
    form_address,
    named_tiles,
)
from mjopt.serve.language import language

CACHE_SIZE: Final = 128  # pages, at most 80 kB each
LIMITS: Final = Limits(bytes=600_000, steps=3_000_000)
"""Size limit of a posted certificate: a few times the largest of any hand."""

CHART_SHARE: Final = 0.995  # probability at which a chart of draws ends
ENDINGS: Final = {
    "json": "application/json",
    "vipr": "text/plain; charset=utf-8",
    "opb": "text/plain; charset=utf-8",
    "pbp": "text/plain; charset=utf-8",
}
"""Media types of certificates by suffix; an OPB instance and its proof (pbp) belong together."""

EXAMPLES: Final = (
    ("the paper's H1, one suit", HandForm(hand="B4B4B6B6B6B7B7B7B7B8B9B9B9B9", notation="paper")),
    ("its H3, two suits", HandForm(hand="B1B2B4B5B5C2C3C3C3C4C4C5C7C7", notation="paper")),
    ("its H6, three suits", HandForm(hand="B3C9D1D4D5D6D6D6D7D7D8D8D9D9", notation="paper")),
    ("where its cost is wrong", HandForm(hand="B3333 C222267 D7777", notation="paper")),
    ("with honours", HandForm(hand="123456m789p1146s1z")),
    ("a call to judge", HandForm(hand="2378m345p6688s11z", call="4m")),
    ("melds on the table", HandForm(hand="23m67p44s1z", melds="345m 777z")),
    ("a win, four ways", HandForm(hand="11122233344455s")),
    ("seven pairs", HandForm(hand="1133557799m1133p", forms="standard,seven_pairs")),
)
"""Hands one click away; H1, H3 and H6 are of Yan and Li (2023), section 4.2.2."""


def form_from_query(query: QueryParams) -> HandForm:
    """Return the form in the query of an address; ``forms`` may be repeated."""
    given = {
        field.name: query[field.name].strip() for field in fields(HandForm) if query.get(field.name)
    }
    if "forms" in given:
        given["forms"] = ",".join(query.getlist("forms"))
    return HandForm(**given)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bar chart of the probability that each draw completes the hand."""

    path: str  # each bar one unit wide, the highest 20
    width: int  # bars
    words: str
    mean: str  # exactly


def chart_of(draws: Draws) -> Chart | None:
    """Plot the distribution; None if the wall may not complete the hand.

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
    last = next(number for number, share in enumerate(shares) if share >= CHART_SHARE)
    each = [after - before for before, after in pairwise((0.0, *shares[: last + 1]))]
    highest = max(each)
    bars = [f"M{i} 20V{20 - 20 * share / highest:.3g}h.8V20z" for i, share in enumerate(each)]
    by = [f"{share:.0%} by draw {draws.quantile(share)}" for share in (0.1, 0.5, 0.9)]
    words = f"Complete in {', in '.join(by)}; most often at draw {each.index(highest)}."
    return Chart("".join(bars), len(each), words, str(draws.mean))


def palette_of(query: AnalysisQuery | None) -> list[list[tuple[TileView, int]]]:
    """Return all kinds by suit, with the number of copies that can be added."""
    left = [COPIES] * FULL.num_kinds
    if query is not None:
        hand = query.hand_query.hand
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
    """Return the views of tiles."""
    return [tile_view(kind) for kind in kinds]


def surplus(counts: Counts, less: Counts) -> list[TileView]:
    """Return the tiles of some counts that exceed other counts."""
    return pictures(kind for kind, n in enumerate(beyond(counts, less)) for _ in range(n))


CONTEXT: Final = {
    "title": "Hand",
    "here": "/",
    "address": form_address,
    "replace": replace,
    "picture": tile_view,
    "pictures": pictures,
    "surplus": surplus,
    "chart_of": chart_of,
    "decimals": decimals,
    "infinity": inf,
    "examples": EXAMPLES,
    "notations": tuple(NOTATIONS),
    "tile_sets": TILE_SETS,
    "called": NUMBERS,
    "all_forms": FORMS,
    "names": FULL.names,
}
"""Variables of the template."""


def answer(
    site: Site,
    form: HandForm,
    *,
    reports: Sequence[VerificationResult] = (),
    problem: FieldError | None = None,
) -> tuple[int, str]:
    """Return the status code and the page for a form."""
    query: AnalysisQuery | None = None
    found: Analysis | None = None
    calls: tuple[CallDraws, ...] = ()
    held: list[TileView] = []
    chosen: tuple[str, ...] = ()
    with suppress(MjoptError):  # the page shows the error beside the field
        tiles = get_notation(form.notation).parse(form.hand, FULL)
        held = [tile_view(name) for name in named_tiles(tiles)]
    with suppress(MjoptError):
        chosen = check_forms(form.forms, FULL)
    try:
        query = form.parse()
        if form.hand or query.hand_query.hand.called:
            found = analyse(query)
            calls = judge(query)
    except FieldError as error:
        problem = error
    text = site.render(
        "hand.html",
        **CONTEXT,
        form=form,
        is_special=replace(form, hand="", call="") != HandForm(),
        chosen=chosen,
        problem=problem,
        held=held,
        palette=palette_of(query),
        query=query,
        found=found,
        calls=calls,
        reports=reports,
    )
    return 200 if problem is None else 400, text


async def _content(part: UploadFile | str) -> bytes:
    """Return the content of an uploaded file or of a text area, whose lines end in CRLF."""
    if isinstance(part, str):
        return part.replace("\r\n", "\n").encode()
    return await part.read()


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    kept = lru_cache(maxsize=CACHE_SIZE)(lambda form, _: answer(site, form))

    async def page(form: HandForm, **more: Any) -> HTMLResponse:
        ask = partial(answer, site, form, **more) if more else partial(kept, form, language())
        status, text = await site.run(ask)
        return HTMLResponse(text, status)

    async def show(request: Request) -> Response:
        query = request.query_params
        form = form_from_query(query)
        add, remove = query.get("add", ""), query.get("remove", "")
        if not (add or remove):
            return await page(form)
        try:
            form = replace(form, call="").with_tiles(add=add, remove=remove)
        except FieldError as error:
            return await page(form, problem=error)
        return RedirectResponse(form_address(form), status_code=303)

    async def certificate(request: Request) -> Response:
        ending = request.query_params.get("format", "json")
        if ending not in ENDINGS:
            raise HTTPException(
                400, f"no format of that name, expected one of {', '.join(ENDINGS)}"
            )
        query = form_from_query(request.query_params).parse()
        found = await site.run(analyse, query)
        files = await site.run(
            certificate_files, found.certificate, "opb" if ending == "pbp" else ending
        )
        name = f"{query.hand_query.hand.to_text() or 'hand'}.{ending}"
        return Response(
            files[ending],
            media_type=ENDINGS[ending],
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def verify(request: Request) -> Response:
        form = form_from_query(request.query_params)
        posted = await request.form(max_files=4, max_fields=10)
        texts = [await _content(part) for part in posted.getlist("certificate")]
        texts = [text for text in texts if text.strip()]
        if "own" in posted:
            found = await site.run(analyse, form.parse())
            texts = [found.certificate.to_json().encode()]
        if not 0 < len(texts) <= 4:
            raise HTTPException(400, f"{len(texts)} certificates, expected one (OPB: two files)")
        return await page(form, reports=tuple(await site.run(check_texts, texts)))

    async def ask(_: Request) -> Response:
        return RedirectResponse("/#check", status_code=303)

    return [
        Route("/", show, name="hand"),
        Route("/certificate", certificate, name="certificate"),
        Route("/verify", verify, methods=["POST"]),
        Route("/verify", ask),
    ]
