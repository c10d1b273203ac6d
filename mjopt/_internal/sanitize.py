"""Text of others, made fit to be shown: one line, nothing that a terminal obeys."""

import unicodedata
from typing import Final

_UNSHOWN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Categories of what is never shown as it is: controls, formats such as those that turn the
direction of writing, lone surrogates, and ends of lines and paragraphs."""


MESSAGE: Final = 1_000
"""Characters of the longest message."""


def plain(text: str) -> str:
    r"""Return a text on one line that any terminal and any file can take.

    Control characters, those that change the direction of writing and lone surrogates
    are written as ``\xNN``, ``\uNNNN`` or ``\UNNNNNNNN``; everything else is left as it is.

    Examples
    --------
    >>> print(plain("5m\x1b[2J\n\ud800 東"))
    5m\x1b[2J\x0a\ud800 東
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _UNSHOWN else c for c in text)


def one_line(message: str, most: int = MESSAGE) -> str:
    r"""Return a message as it is printed: on one line, plain, and not without end.

    Examples
    --------
    >>> print(one_line("no such\nfile: \x1b[2J"))
    no such file: \x1b[2J
    """
    return short(plain(" ".join(message.split())), most)


def short(text: str, most: int = 60) -> str:
    """Return a text, or of one that is too long its beginning and its end.

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
