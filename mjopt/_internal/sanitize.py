"""Make untrusted text safe for terminals: one line, no control characters."""

import unicodedata
from numbers import Number
from typing import Final

_UNSHOWN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories that are escaped: control and format characters, lone surrogates, line and
paragraph separators."""


MESSAGE: Final = 300
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


def shorten(text: str, most: int = 60) -> str:
    r"""Return a text as one sanitised line of limited length: its beginning and its end.

    Examples
    --------
    >>> print(shorten("no such\nfile: \x1b[2J"))
    no such file: \x1b[2J
    >>> shorten("0123456789", 9)
    '012...789'
    """
    line = plain(" ".join(part.strip() for part in text.splitlines()))
    if len(line) <= most:
        return line
    half = (most - 3) // 2
    return f"{line[:half]}...{line[-half:]}"


def short_repr(value: object) -> str:
    """Return a value as it is written in Python, in one short line for error messages.

    Examples
    --------
    >>> print(short_repr("x" * 500), short_repr([1, 2]))
    'xxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxxxxxx' [1, 2]
    """
    try:
        text = str(value) if isinstance(value, Number) else repr(value)
    except Exception:  # too many digits, or the error of a user's class
        text = f"<{type(value).__name__} that cannot be shown>"
    return shorten(text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
