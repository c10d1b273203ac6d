"""Detect the format of a log from its content, and read it."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from mjopt._internal.strict_json import read_json
from mjopt._internal.text_input import decode_text
from mjopt.errors import FileError
from mjopt.play.game import mjai_log
from mjopt.play.game.log import MALFORMED, LogGame
from mjopt.play.review import jj_log, mjopt_log, tenhou_json, tenhou_xml

MOST_BYTES: Final = 1 << 26
"""Maximum size of a log after decompression."""

MOST_OF_GAME: Final = 1 << 22
"""Maximum length of one game; a game takes about 50 kB."""

Source = TypeVar("Source")
_LINE: Final = re.compile(r"[^\n]*\n?")
ADDRESS: Final = re.compile(r"https?://tenhou\.net/[56]/(?:\?[^#]*)?#json=")
KINDS: Final = (
    "Tenhou's XML, tenhou.net/6 JSON or its address, mjai lines, JJ's lines, or mjopt records"
)

Read = tuple[int, LogGame | FileError]
"""The first line of a game, and the game or the error."""


def content_of(path: Path) -> bytes:
    """Return the content of a file, truncated just above the maximum size."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def read_games(data: bytes) -> Iterator[Read]:
    """Yield the games in the content of a file, without replaying them.

    Raises
    ------
    FileError
        If the content is not a log or too large.

    Examples
    --------
    >>> next(read_games(b"PK.."))
    Traceback (most recent call last):
    mjopt.errors.FileError: a zip archive: unpack it, and give its files
    """
    text = _text(data).strip()
    if address := ADDRESS.match(text):
        text = unquote(text[address.end() :], errors="strict").strip()
    if text.startswith("<"):
        _check_size(len(text), 1)
        yield 1, _game_or_error(tenhou_xml.read, text)
    elif text.startswith(mjopt_log.BEGINS):
        for number, match in enumerate(_LINE.finditer(text), start=1):
            if line := match[0].strip():
                _check_size(len(line), number)
                yield number, _game_or_error(mjopt_log.read, line)
    elif text.startswith("{"):
        yield from _of_json(text)
    elif re.match(r"[0-3]\(", text):
        yield from _of_jj(text)
    else:
        raise FileError("no log of a game", expected=str(KINDS))


def _text(data: bytes) -> str:
    if data.startswith(b"PK"):
        raise FileError("a zip archive: unpack it, and give its files")
    return decode_text(data, MOST_BYTES)


def _game_or_error(read: Callable[[Source], LogGame], source: Source) -> LogGame | FileError:
    """Return the game, or the FileError raised by the reader."""
    try:
        return read(source)
    except FileError as error:
        return error
    except MALFORMED as error:  # readers name the place of most errors
        return FileError(f"malformed ({error})")


def _of_json(text: str) -> Iterator[Read]:
    """Read one JSON document, or one per line: rounds of tenhou.net/6 or mjai messages."""
    documents = _documents(text)
    first, size, document = next(documents)
    if "log" in document:
        _check_size(len(text), first)
        rounds = [document, *(document for _, _, document in documents)]
        yield first, _game_or_error(tenhou_json.read, rounds)
        return
    messages = [document]
    for line, length, document in documents:
        if _type(document) == "start_game":
            yield first, _game_or_error(mjai_log.read, messages)
            first, size, messages = line, 0, []
        size += length
        _check_size(size, line)
        messages.append(document)
    yield first, _game_or_error(mjai_log.read, messages)


def _documents(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the first line, the length and the content of each JSON document."""
    with suppress(ValueError):
        if len(text) <= MOST_OF_GAME:
            yield 1, len(text), read_json(text)
            return
    for number, match in enumerate(_LINE.finditer(text), start=1):
        if line := match[0].strip():
            _check_size(len(line), number)
            try:
                document = read_json(line)
            except ValueError as error:
                raise FileError(f"not JSON ({error})", position=number, unit="line") from None
            yield number, len(line), document


def _check_size(size: int, line: int) -> None:
    if size > MOST_OF_GAME:
        raise FileError(
            f"more than {MOST_OF_GAME >> 20} MiB in one game", position=line, unit="line"
        )


def _type(message: object) -> object:
    return message.get("type") if isinstance(message, dict) else None


def _of_jj(text: str) -> Iterator[Read]:
    """Read rounds of JJ: each begins with a hand that does not follow another hand."""
    starts = [match.start() for match in re.finditer(r"(?<![;\s])\s+(?=[0-3]\()|\A", text)]
    line = 1
    for first, after in zip(starts, [*starts[1:], len(text)], strict=True):
        _check_size(after - first, line)
        deal = text[first:after]
        yield line, _game_or_error(jj_log.read, deal.strip())
        line += deal.count("\n")
