"""The language of the pages: chosen by the visitor, else by the browser.

Texts are written in English, in templates as ``{{ _("Discard") }}`` or ``{% trans %}`` and in
modules as ``gettext("Discard")``; the files ``languages/CODE.toml`` translate them.
"""

import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import Final

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
    """Translate a message into the current language.

    Examples
    --------
    >>> gettext("Play")
    'Play'
    """
    return translations(language()).get(message, message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a message with a number; the other languages have one form for all numbers.

    Examples
    --------
    >>> ngettext("%(num)d tile", "%(num)d tiles", 2)
    '%(num)d tiles'
    """
    english = singular if number == 1 else plural
    return translations(language()).get(plural, english)


@cache
def translations(tag: str) -> Mapping[str, str]:
    """Return the translations of a language by English message, by plural where there is one."""
    if tag == ENGLISH:
        return {}
    path = files("mjopt.play.serve").joinpath("languages", f"{tag}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def choose_language(cookie: str, accepted: str) -> str:
    """Return the language of a cookie, else the first that a browser accepts, else English.

    Parameters
    ----------
    cookie
        Value of the cookie, or an empty text.
    accepted
        Value of the header ``Accept-Language``, or an empty text.

    Examples
    --------
    >>> choose_language("", "fr, zh-TW;q=.8, ja;q=.9"), choose_language("en", "ja")
    ('ja', 'en')
    >>> choose_language("", "zh-HK"), choose_language("", "zh")
    ('zh-Hant', 'zh-Hans')
    """
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
