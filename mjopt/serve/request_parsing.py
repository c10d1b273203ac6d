"""What a request asks for: a number or a page by its query, fields and files by its form."""

from collections.abc import Sequence
from email.parser import BytesParser
from email.policy import HTTP
from typing import Final, TypeVar
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from mjopt._internal.sanitize import plain, short

T = TypeVar("T")

A_PAGE: Final = 50  # lines of a list
MOST_FIELDS: Final = 100


def number_of(request: Request, name: str, least: int, most: int) -> int:
    """Return a whole number of the query, the least if it is not there; 400 if out of range."""
    text = request.query_params.get(name) or str(least)
    is_whole = text.isascii() and text.isdecimal() and len(text) < 19
    if not (is_whole and least <= int(text) <= most):
        raise HTTPException(400, f"{name} {short(plain(text))}, expected {least} to {most}")
    return int(text)


def page_of(rows: Sequence[T], request: Request) -> tuple[Sequence[T], tuple[int, int]]:
    """Return the rows of the page that is asked for; its number and that of the last."""
    last = max(-(-len(rows) // A_PAGE), 1)
    number = number_of(request, "page", 1, last)
    return rows[A_PAGE * (number - 1) : A_PAGE * number], (number, last)


async def read_posted(request: Request) -> list[tuple[str, bytes]]:
    """Return names and contents, in order; lines of a text area end as they do in files.

    415 if it is no form, 400 if it is not what it says.
    """
    body, kind = await request.body(), request.headers.get("content-type", "")
    try:
        if kind.startswith("application/x-www-form-urlencoded"):
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
            return [(name, text.replace("\r\n", "\n").encode()) for name, text in pairs]
        if kind.startswith("multipart/form-data"):
            return _parts(kind.encode("latin-1"), body)
    except (LookupError, ValueError):
        raise HTTPException(400, "the form cannot be read") from None
    raise HTTPException(415, "expected a form")


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last of each name; what is no text is shown as it can be."""
    return {name: text.decode(errors="replace") for name, text in await read_posted(request)}


def _parts(kind: bytes, body: bytes) -> list[tuple[str, bytes]]:
    found = []
    message = BytesParser(policy=HTTP).parsebytes(b"content-type: " + kind + b"\r\n\r\n" + body)
    if not message.is_multipart():
        raise ValueError("no parts")
    for part in message.iter_parts():
        content = part.get_payload(decode=True) or b""
        assert isinstance(content, bytes)
        if part.get_filename() is None:
            content = content.replace(b"\r\n", b"\n")
        found.append((str(part.get_param("name", header="content-disposition")), content))
        if len(found) > MOST_FIELDS:
            raise ValueError("too many parts")
    return found
