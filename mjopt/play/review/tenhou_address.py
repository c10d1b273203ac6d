"""Addresses of logs on Tenhou's server, and the download of such a log."""

import re
import time
from http.client import HTTPException, HTTPResponse
from typing import Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from mjopt._internal.sanitize import shorten
from mjopt._version import __version__
from mjopt.errors import FileError

SERVER: Final = "https://tenhou.net"
MOST_BYTES: Final = 8_000_000  # a log takes about 50 kB
SECONDS: Final = 20.0  # for the whole download
BLOCK: Final = 1 << 16
_HOST: Final = re.compile(r"(?:https?://)?tenhou\.net/")
_PATH: Final = re.compile(r"/[0-6]/")
_ID: Final = re.compile(r"[0-9]{10}gm-[0-9a-f]{4}-[0-9]{4,6}-[0-9a-fx]{8,16}")


class LogAddress(NamedTuple):
    """The id of a log on the server, and the seat that its address shows."""

    id: str
    seat: int = 0


def is_address(text: str) -> bool:
    """Return whether a text is an address of Tenhou's server, in one word."""
    return _HOST.match(text) is not None and len(text.split()) == 1


def parse_address(text: str) -> LogAddress:
    """Read an address as Tenhou shows it for a game; FileError if it names no log.

    Examples
    --------
    >>> parse_address("https://tenhou.net/0/?log=2019010100gm-0089-0000-0123abcd&tw=2")
    LogAddress(id='2019010100gm-0089-0000-0123abcd', seat=2)
    >>> parse_address("https://tenhou.net/0/?log=../x")
    Traceback (most recent call last):
    mjopt.errors.FileError: no log in this address, expected https://tenhou.net/0/?log=ID
    """
    address = urlsplit(text if "//" in text[:8] else f"https://{text}")
    fields = parse_qs(address.query)
    log, seat = fields.get("log", [""])[-1], fields.get("tw", ["0"])[-1]
    if not _PATH.fullmatch(address.path) or not _ID.fullmatch(log):
        raise FileError("no log in this address", expected=f"{SERVER}/0/?log=ID")
    return LogAddress(log, int(seat) if re.fullmatch("[0-3]", seat) else 0)


def fetch_log(log: str, server: str = SERVER, seconds: float = SECONDS) -> bytes:
    """Download a log by its id; nothing but this server is contacted.

    FileError if the server does not send it in time, or sends more than a log.
    """
    deadline = time.monotonic() + seconds
    request = Request(f"{server}/0/log/?{log}", headers={"user-agent": f"mjopt/{__version__}"})
    try:
        with build_opener(_SameServer(server)).open(request, timeout=seconds) as answer:
            data = _read_until(answer, deadline)
    except HTTPError as error:
        with error:
            raise FileError(f"tenhou.net does not send this log (status {error.code})") from None
    except (URLError, OSError, HTTPException, ValueError) as error:
        why = shorten(str(getattr(error, "reason", error)) or type(error).__name__)
        raise FileError(f"tenhou.net sends no log ({why})") from None
    if not data:
        raise FileError("tenhou.net has no log with this id")
    if len(data) > MOST_BYTES:
        raise FileError(f"tenhou.net sends more than {MOST_BYTES:,} bytes")
    return data


def _read_until(answer: HTTPResponse, deadline: float) -> bytes:
    """Return the content, truncated just above the maximum size."""
    data = bytearray()
    while len(data) <= MOST_BYTES and (block := answer.read1(BLOCK)):  # as soon as bytes arrive
        data += block
        if time.monotonic() > deadline:
            raise TimeoutError("timed out")
    if len(data) < int(answer.headers.get("content-length", "0")):
        raise OSError("the connection was closed")
    return bytes(data)


class _SameServer(HTTPRedirectHandler):
    """Follows redirections within the server."""

    def __init__(self, server: str) -> None:
        self.server = server

    def redirect_request(  # type: ignore[no-untyped-def]
        self, req, fp, code, msg, headers, newurl
    ) -> Request | None:
        """Return the next request, or raise the status as an error."""
        if not newurl.startswith(f"{self.server}/"):
            raise HTTPError(req.full_url, code, msg, headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
