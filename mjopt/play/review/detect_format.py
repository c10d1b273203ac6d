"""Detect the format of a log from its content, and read it."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import unquote

from mjopt._internal.strict_json import read_json
from mjopt._internal.text_input import decode_text
from mjopt.errors import FileError
from mjopt.play.game import mjai_log
from mjopt.play.game.log import MALFORMED, LogGame
from mjopt.play.review import jj_log, mjopt_log, tenhou_json, tenhou_xml
from mjopt.play.review.game_address import address_error

MOST_BYTES: Final = 1 << 26
"""Maximum size of a log after decompression."""

MOST_OF_GAME: Final = 1 << 22
"""Maximum length of one game; a game takes about 50 kB."""

MOST_OF_LIST: Final = 1 << 24
"""Maximum length of a list of games as one JSON document."""

MOST_BROKEN: Final = 1000
"""Maximum number of lines of a file that are not JSON."""

Source = TypeVar("Source")
_BLANK: Final = " \t\r\n\f\v\ufeff"  # files with byte order marks may have been joined
_LINE: Final = re.compile(r"[^\n]*\n?")
_VIEW: Final = re.compile(r"(?:&[a-z]{1,8}=[0-9]{0,4})+$")  # seat and round that an address shows
_XML_HEAD: Final = re.compile(r"<(\?xml|mjloggm|SHUFFLE|GO|INIT)\b")
ADDRESS: Final = re.compile(r"https?://tenhou\.net/[56]/(?:\?[^#]*)?#json=")
KINDS: Final = (
    "Tenhou's XML, tenhou.net/6 JSON or its address, mjai lines, JJ's lines, or mjopt records"
)

Document = tuple[int, int, object]
"""The line, the length and the content of a JSON document, or the error."""

Read = tuple[int, LogGame | FileError]
"""The first line of a game, and the game or the error."""


def content_of(path: Path) -> bytes:
    """Return the content of a file, truncated just above the maximum size."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def read_games(data: bytes) -> Iterator[Read]:
    """Yield the games in the content of a file, without replaying them.

    FileError if the content is not a log or too large.

    Examples
    --------
    >>> next(read_games(b"PK.."))
    Traceback (most recent call last):
    mjopt.errors.FileError: a zip archive: unpack it, and give its files
    """
    text = _text(data).strip(_BLANK)
    if text.startswith("<"):
        yield from _of_xml(text)
    elif text.startswith(mjopt_log.BEGINS):
        for number, match in enumerate(_LINE.finditer(text), start=1):
            if line := match[0].strip(_BLANK):
                _check_size(len(line), number)
                yield number, _game_or_error(mjopt_log.read, line)
    elif text.startswith(("{", "[")) or ADDRESS.match(text):
        yield from _of_json(text)
    elif re.match(r"[0-3]\(", text):
        yield from _of_jj(text)
    else:
        raise address_error(text) or FileError("no log of a game", expected=str(KINDS))


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


def _of_xml(text: str) -> Iterator[Read]:
    """Read XML documents: a head after a round begins another game."""
    starts, has_round = [0], False
    for match in _XML_HEAD.finditer(text):
        is_round = match[1] == "INIT"
        if has_round and not is_round:
            starts.append(match.start())
        has_round = is_round
    line = 1
    for first, after in zip(starts, [*starts[1:], len(text)], strict=True):
        _check_size(after - first, line)
        document = text[first:after]
        yield line, _game_or_error(tenhou_xml.read, document.strip(_BLANK))
        line += document.count("\n")  # before the head of the next document


def _of_json(text: str) -> Iterator[Read]:
    """Read JSON documents: rounds of tenhou.net/6 or mjai messages."""
    documents = _documents(text)
    for is_record, group in groupby(documents, _RecordKind()):
        if is_record:
            yield from tenhou_json.read_games((line, document) for line, _, document in group)
        else:
            yield from _of_mjai(group)


class _RecordKind:
    """Whether a document is a record of tenhou.net/6; an error has the kind of its neighbour."""

    def __init__(self) -> None:
        self.is_record: bool | None = None

    def __call__(self, found: Document) -> bool:
        """Return the kind; raise the error of the first document, or FileError if it is neither."""
        document = found[2]
        if isinstance(document, dict):
            self.is_record = "log" in document
        elif self.is_record is None:
            if isinstance(document, FileError):
                raise document
            raise FileError("no log of a game", expected=str(KINDS))
        return self.is_record


def _of_mjai(documents: Iterable[Document]) -> Iterator[Read]:
    """Read mjai messages: a game begins with start_game, or where the rounds start again."""
    first, size, messages = 1, 0, list[object]()
    has_start, has_round, is_over, last = False, False, False, (0, 0, 0)
    for line, length, message in documents:
        kind, label = _type(message), None
        if kind == "start_kyoku":
            label = mjai_log.label_of(message)
        is_earlier = label is not None and not has_start and label <= last
        if has_round and (kind == "start_game" or is_earlier or (is_over and label)):
            yield first, _game_or_error(mjai_log.read, messages)
            size, messages = 0, []
            has_start, has_round, is_over, last = False, False, False, (0, 0, 0)
        first = first if messages else line
        has_start |= kind == "start_game"
        has_round |= kind == "start_kyoku"
        is_over |= kind == "end_game"
        last = label or last
        size += length
        _check_size(size, line)
        messages.append(message)
    yield first, _game_or_error(mjai_log.read, messages)


def _documents(text: str) -> Iterator[Document]:
    """Yield the line, length and content of each JSON document: one, one per line, or in lists.

    An address of tenhou.net/6 stands for the document in it. The content of a line that is not
    JSON is the error.
    """
    whole: object = None
    if len(text) <= (MOST_OF_LIST if text.startswith("[") else MOST_OF_GAME):
        with suppress(ValueError):
            whole = read_json(_without_address(text))
    if whole is not None:
        yield from _items(1, len(text), whole)
        return
    num_broken = 0
    for number, match in enumerate(_LINE.finditer(text), start=1):
        if line := match[0].strip(_BLANK):
            _check_size(len(line), number)
            try:
                document = read_json(_without_address(line))
            except ValueError as error:
                num_broken += 1
                if num_broken > MOST_BROKEN:
                    why = f"more than {MOST_BROKEN:,} lines are not JSON; the rest is not read"
                    yield number, len(line), FileError(why)
                    return
                why = f"not JSON ({error})"
                yield number, len(line), FileError(why, position=number, unit="line")
            else:
                yield from _items(number, len(line), document)


def _items(line: int, size: int, document: object) -> Iterator[Document]:
    """Yield a document, or the documents of a list, with their mean length."""
    if not isinstance(document, list) or not document:
        yield line, size, document
        return
    for item in document:
        yield line, size // len(document), item


def _without_address(text: str) -> str:
    """Return the document in an address of tenhou.net/6; other text as it is."""
    address = ADDRESS.match(text)
    if address is None:
        return text
    return unquote(_VIEW.sub("", text[address.end() :]), errors="strict")


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
