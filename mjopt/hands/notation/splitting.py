"""Tokens: a list written with spaces, commas or both, in brackets or not."""

import re
import string
from typing import NamedTuple

from mjopt.hands.notation.refused import refusal

_TOKEN = re.compile(r"[^\s,]+", re.ASCII)


class Token(NamedTuple):
    """One item of a list.

    Attributes
    ----------
    written
        The item as it stands in the text.
    at
        Where it starts, counted from 0.
    """

    written: str
    at: int


def is_list(text: str) -> bool:
    """Whether the text opens with a bracket.

    Examples
    --------
    >>> is_list(" [1, 2]"), is_list("1, 2")
    (True, False)
    """
    return text.lstrip(string.whitespace).startswith("[")


def tokens(text: str) -> list[Token]:
    """Split a text into the items of the list that it is.

    Parameters
    ----------
    text
        Items with spaces, commas or both between them; brackets around the whole
        are optional.

    Raises
    ------
    NotationError
        If only one of the two brackets is there.

    Examples
    --------
    >>> tokens("[0, 16]")
    [Token(written='0', at=1), Token(written='16', at=4)]
    >>> tokens("[0, 16")
    Traceback (most recent call last):
    mjopt.errors.NotationError: '[' at character 1: never closed, expected ] at the end
    """
    start = len(text) - len(text.lstrip(string.whitespace))
    end = len(text.rstrip(string.whitespace))
    opens, closes = text.startswith("[", start), text.endswith("]", 0, end)
    if opens and not closes:
        raise refusal("[", start, "never closed, expected ] at the end")
    if closes and not opens:
        raise refusal("]", end - 1, "never opened, expected [ at the start")
    found = _TOKEN.finditer(text, start + opens, end - closes)
    return [Token(item[0], item.start()) for item in found]
