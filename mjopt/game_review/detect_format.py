"""Detect the format of a log from its content, and read it."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from mjopt._internal.strict_json import read_json
from mjopt.errors import LogError
from mjopt.game_review import jj_log, mjai_log, mjopt_log, tenhou_json, tenhou_xml
from mjopt.game_review.events import MALFORMED, Game

MOST_BYTES: Final = 1 << 26
"""Maximum size of a log after decompression; a game takes about 50 kB."""

GZIP: Final = b"\x1f\x8b"
ADDRESS: Final = re.compile(r"https?://tenhou\.net/[56]/(?:\?[^#]*)?#json=")
KINDS: Final = (
    "Tenhou's XML, tenhou.net/6 JSON or its address, mjai lines, JJ's lines, or mjopt records"
)

Read = tuple[int, Game | LogError]
"""The first line of a game, and the game or the error."""


def content_of(path: Path) -> bytes:
    """Return the content of a file, truncated just above the maximum size."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def read_games(data: bytes) -> Iterator[Read]:
    """Yield the games in the content of a file, without replaying them.

    Raises
    ------
    LogError
        If the content is not a log or too large.

    Examples
    --------
    >>> next(read_games(b"PK.."))
    Traceback (most recent call last):
    mjopt.errors.LogError: a zip archive: unpack it, and give its files
    """
    text = _text(data).removeprefix("\ufeff").strip()
    if address := ADDRESS.match(text):
        text = unquote(text[address.end() :], errors="strict").strip()
    if text.startswith("<"):
        yield 1, _game_or_error(tenhou_xml.read, text)
    elif text.startswith(mjopt_log.BEGINS):
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                yield number, _game_or_error(mjopt_log.read, line)
    elif text.startswith("{"):
        yield from _of_json(text)
    elif re.match(r"[0-3]\(", text):
        yield from _of_jj(text)
    else:
        raise LogError(f"no log of a game: expected {KINDS}")


def _text(data: bytes) -> str:
    if data.startswith(b"PK"):
        raise LogError("a zip archive: unpack it, and give its files")
    if data.startswith(GZIP):
        try:
            with gzip.open(BytesIO(data)) as packed:
                data = packed.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise LogError(f"gzip that cannot be unpacked: {error}") from None
    if len(data) > MOST_BYTES:
        raise LogError(f"more than {MOST_BYTES >> 20} MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise LogError(f"not UTF-8 text at byte {error.start}") from None


def _game_or_error(read: Callable[[Any], Game], source: Any) -> Game | LogError:
    """Return the game, or the LogError raised by the reader."""
    try:
        return read(source)
    except LogError as error:
        return error
    except MALFORMED as error:  # readers name the place of most errors
        return LogError(f"malformed ({error})")


def _of_json(text: str) -> Iterator[Read]:
    """Read one JSON document, or one per line: rounds of tenhou.net/6 or mjai messages."""
    documents: list[Any] = []
    try:
        lines = text.split("\n")  # not splitlines: a name may contain other line separators
        for number, line in enumerate(lines, start=1):  # noqa: B007 (named in the error)
            if line.strip():
                documents.append(read_json(line))
    except ValueError as error:
        try:
            documents = [read_json(text)]
        except ValueError:
            raise LogError(f"line {number}: not JSON ({error})") from None
    if "log" in documents[0]:
        yield 1, _game_or_error(tenhou_json.read, documents)
        return
    starts = [i for i, message in enumerate(documents) if _type(message) == "start_game"] or [0]
    for first, after in zip(starts, [*starts[1:], len(documents)], strict=True):
        yield first + 1, _game_or_error(mjai_log.read, documents[first:after])


def _type(message: Any) -> Any:
    return message.get("type") if isinstance(message, dict) else None


def _of_jj(text: str) -> Iterator[Read]:
    """Read rounds of JJ: each begins with a hand that does not follow another hand."""
    starts = [match.start() for match in re.finditer(r"(?<![;\s])\s+(?=[0-3]\()|\A", text)]
    for first, after in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text.count("\n", 0, first) + 1, _game_or_error(jj_log.read, text[first:after].strip())
