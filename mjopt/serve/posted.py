"""What a form posted: its fields and files, read without a package of its own."""

from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

MOST_FIELDS = 100


async def read_posted(request: Request) -> list[tuple[str, bytes]]:
    """Return names and contents, in order; lines of a text area end as they do in files."""
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
