"""The page `/proof`: the proof of a hand's deficiency, and a checker of certificates."""

import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import deficiency
from mjopt.analysis.explanation import explain
from mjopt.analysis.formats import VerificationResult, to_opb, to_vipr
from mjopt.analysis.formats.verify_file import verify_stream
from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.hand_form import FORM_WORDS, HandForm, form_address, form_from_query
from mjopt.play.serve.language import gettext
from mjopt.proofs import Limits

LIMITS: Final = Limits(bytes=600_000, steps=3_000_000)
"""Size limit of a posted certificate: a few times the largest of any hand."""

ENDINGS: Final = {
    "json": "application/json",
    "vipr": "text/plain; charset=utf-8",
    "opb": "text/plain; charset=utf-8",
    "pbp": "text/plain; charset=utf-8",
}
"""Media types of certificates by suffix; an OPB instance and its proof (pbp) belong together."""

_ARTICLE: Final = {"notation": "paper", "tiles": "m0", "forms": DEFAULT_FORM}
EXAMPLES: Final = (
    ("the paper's H1, one suit", HandForm(hand="B4B4B6B6B6B7B7B7B7B8B9B9B9B9", **_ARTICLE)),
    ("its H3, two suits", HandForm(hand="B1B2B4B5B5C2C3C3C3C4C4C5C7C7", **_ARTICLE)),
    ("its H6, three suits", HandForm(hand="B3C9D1D4D5D6D6D6D7D7D8D8D9D9", **_ARTICLE)),
    ("where its cost is wrong", HandForm(hand="B3333 C222267 D7777", **_ARTICLE)),
)
"""Hands of Yan and Li (2023), H1, H3 and H6 of section 4.2.2."""


@lru_cache(maxsize=64)
def prove(query: HandQuery) -> Certificate:
    """Return the certificate of a hand, compared with the tables."""
    certificate = certify(query.hand, forms=query.forms, unseen=query.unseen)
    value = deficiency(query.hand, forms=query.forms, unseen=query.unseen)
    if value != certificate.deficiency:
        raise CertificateError(
            f"the tables say {value}, the proof {certificate.deficiency}: please report"
        )
    return certificate


@lru_cache(maxsize=8)
def certificate_files(certificate: Certificate, format: str) -> dict[str, str]:
    """Return the files of a certificate by suffix: ``opb`` has two, with its proof."""
    if format == "json":
        return {"json": certificate.to_json() + "\n"}
    if format == "vipr":
        return {"vipr": to_vipr(certificate)}
    return dict(zip(("opb", "pbp"), to_opb(certificate), strict=True))


def check_texts(texts: Sequence[bytes]) -> list[VerificationResult]:
    """Verify the certificates in some texts."""
    return [
        verify_stream(Path(f"certificate {number}"), io.BytesIO(text), limits=LIMITS)
        for number, text in enumerate(texts, 1)
    ]


async def _content(part: UploadFile | str) -> bytes:
    """Return the content of an uploaded file or of a text area, whose lines end in CRLF."""
    if isinstance(part, str):
        return part.replace("\r\n", "\n").encode()
    return await part.read()


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page and of certificates."""

    def answer(form: HandForm, reports: Sequence[VerificationResult] = ()) -> HTMLResponse:
        query, problem, explanation = None, None, None
        try:
            query = form.parse().hand_query if form.hand or form.melds else None
            explanation = None if query is None else explain(prove(query))
        except MjoptError as error:
            problem = error
        return site.page(
            "proof.html",
            status=200 if problem is None else 400,
            title=gettext("Proof"),
            form=form,
            query=query,
            problem=problem,
            explanation=explanation,
            reports=reports,
            address=form_address,
            examples=EXAMPLES,
            all_forms=FORM_WORDS,
        )

    async def show(request: Request) -> Response:
        return await site.run(answer, form_from_query(request.query_params))

    async def certificate(request: Request) -> Response:
        ending = request.query_params.get("format", "json")
        if ending not in ENDINGS:
            raise HTTPException(
                400, f"no format of that name, expected one of {', '.join(ENDINGS)}"
            )
        query = form_from_query(request.query_params).parse().hand_query
        proved = await site.run(prove, query)
        files = await site.run(certificate_files, proved, "opb" if ending == "pbp" else ending)
        return Response(
            files[ending],
            media_type=ENDINGS[ending],
            headers={
                "content-disposition": "attachment; "
                f'filename="{query.hand.to_text() or "hand"}.{ending}"'
            },
        )

    async def verify(request: Request) -> Response:
        form = form_from_query(request.query_params)
        posted = await request.form(max_files=4, max_fields=10)
        texts = [await _content(part) for part in posted.getlist("certificate")]
        texts = [text for text in texts if text.strip()]
        if "own" in posted:
            proved = await site.run(prove, form.parse().hand_query)
            texts = [proved.to_json().encode()]
        if not 0 < len(texts) <= 4:
            raise HTTPException(400, f"{len(texts)} certificates, expected one (OPB: two files)")
        return await site.run(answer, form, tuple(await site.run(check_texts, texts)))

    async def ask(_: Request) -> Response:
        return RedirectResponse("/proof#check", status_code=303)

    return [
        Route("/proof", show, name="proof"),
        Route("/certificate", certificate, name="certificate"),
        Route("/verify", verify, methods=["POST"]),
        Route("/verify", ask),
    ]
