"""Make untrusted text safe for terminals: one line, no control characters."""

import unicodedata
from typing import Final

_UNSHOWN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories that are escaped: control and format characters, lone surrogates, line and
paragraph separators."""


MESSAGE: Final = 1_000
"""Maximum length of a message."""


def plain(text: str) -> str:
    r"""Escape the characters of a text that could control a terminal or break a line.

    Control characters, those that change the direction of writing and lone surrogates
    are written as ``\xNN``, ``\uNNNN`` or ``\UNNNNNNNN``; other characters stay.

    Examples
    --------
    >>> print(plain("5m\x1b[2J\n\ud800 東"))
    5m\x1b[2J\x0a\ud800 東
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _UNSHOWN else c for c in text)


def one_line(message: str, most: int = MESSAGE) -> str:
    r"""Return a message in one sanitised line of limited length.

    Examples
    --------
    >>> print(one_line("no such\nfile: \x1b[2J"))
    no such file: \x1b[2J
    """
    return short(plain(" ".join(message.split())), most)


def short(text: str, most: int = 60) -> str:
    """Shorten a text that is too long: keep the beginning and the end.

    Examples
    --------
    >>> short("0123456789", 9)
    '012...789'
    """
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
