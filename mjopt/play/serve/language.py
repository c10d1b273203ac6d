"""The language of the pages: chosen by the visitor, else by the browser.

Texts are written in English, in templates as ``{{ _("Discard") }}`` or ``{% trans %}`` and in
modules as ``gettext("Discard")``; the gettext catalogues ``locale/*/LC_MESSAGES/mjopt.po``
translate them.
"""

from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

ENGLISH: Final = "en"
LANGUAGES: Final = {
    ENGLISH: "English",
    "ja": "日本語",
    "zh-Hant": "繁體中文",
    "zh-Hans": "简体中文",
}
"""Names of the languages by their BCP 47 tags."""

COOKIE: Final = "language"
_TRADITIONAL: Final = ("hant", "tw", "hk", "mo")  # subtags of Chinese
_CURRENT: Final[ContextVar[str]] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the tag of the language in which the current request is answered."""
    return _CURRENT.get()


def gettext(message: str) -> str:
    """Translate a message into the current language."""
    if not message:  # gettext answers with the header of the catalogue
        return message
    return _translations(language()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a message with a number, by the plural forms of the current language."""
    return _translations(language()).ngettext(singular, plural, number)


def read_catalogue(tag: str) -> Catalog:
    """Read the translations into a language other than English."""
    folder = files("mjopt.play.serve").joinpath("locale", tag.replace("-", "_"), "LC_MESSAGES")
    with folder.joinpath("mjopt.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


@cache
def _translations(tag: str) -> NullTranslations:
    if tag == ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalogue(tag))
    compiled.seek(0)
    return GNUTranslations(compiled)


def choose_language(cookie: str, accepted: str) -> str:
    """Return the language of a cookie, else the first of ``Accept-Language``, else English."""
    if cookie in LANGUAGES:
        return cookie
    ranked = []
    for place, entry in enumerate(accepted[:200].split(",")):
        tag, _, quality = entry.strip().partition(";q=")
        try:
            ranked.append((-float(quality or 1), place, tag.lower().split("-")))
        except ValueError:
            continue
    for negative, _, [main, *subtags] in sorted(ranked):
        is_traditional = not set(subtags).isdisjoint(_TRADITIONAL)
        tag = main if main != "zh" else "zh-Hant" if is_traditional else "zh-Hans"
        if tag in LANGUAGES and negative:
            return tag
    return ENGLISH


class LanguageMiddleware:
    """ASGI middleware that sets the language of each request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on in its language."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
            _CURRENT.set(choose_language(cookie, headers.get("accept-language", "")))
        await self._app(scope, receive, send)
