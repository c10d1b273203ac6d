"""What the query of an address asks for: a number, a page of a list."""

from collections.abc import Sequence
from typing import Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from mjopt.runtime.plain import plain, short

T = TypeVar("T")

A_PAGE: Final = 50
"""Lines of a list."""


def number_of(request: Request, name: str, least: int, most: int) -> int:
    """Return a whole number of the query; the least if it is not there."""
    text = request.query_params.get(name) or str(least)
    is_whole = text.isascii() and text.isdecimal() and len(text) < 19
    if not (is_whole and least <= int(text) <= most):
        raise HTTPException(400, f"{name} {short(plain(text))}, expected {least} to {most}")
    return int(text)


def page_of(rows: Sequence[T], request: Request) -> tuple[Sequence[T], int, int]:
    """Return the rows of the page that is asked for, its number and that of the last."""
    last = max(-(-len(rows) // A_PAGE), 1)
    number = number_of(request, "page", 1, last)
    return rows[A_PAGE * (number - 1) : A_PAGE * number], number, last
