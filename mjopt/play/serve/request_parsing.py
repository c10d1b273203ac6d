"""Parse query parameters and posted forms."""

from collections.abc import Sequence
from typing import Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from mjopt._internal.sanitize import shorten

T = TypeVar("T")

PAGE_SIZE: Final = 50  # lines of a list on one page


def parse_number(request: Request, name: str, least: int, most: int) -> int:
    """Return a whole number of the query, by default the minimum; 400 if it is out of range."""
    text = request.query_params.get(name) or str(least)
    is_whole = text.isascii() and text.isdecimal() and len(text) < 19
    if not (is_whole and least <= int(text) <= most):
        raise HTTPException(400, f"{name} {shorten(text)}, expected {least} to {most}")
    return int(text)


def paginate(rows: Sequence[T], request: Request) -> tuple[Sequence[T], tuple[int, int]]:
    """Return the rows of the requested page, the page number and the number of the last page."""
    last = max(-(-len(rows) // PAGE_SIZE), 1)
    number = parse_number(request, "page", 1, last)
    return rows[PAGE_SIZE * (number - 1) : PAGE_SIZE * number], (number, last)


async def text_fields(request: Request) -> dict[str, str]:
    """Return the text fields of a posted form; the last value of a repeated name counts."""
    form = await request.form(max_files=0, max_fields=100)
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}
