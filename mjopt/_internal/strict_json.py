"""Strict JSON: no duplicate keys, no NaN or infinity, no huge numbers."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt.errors import FileError

T = TypeVar("T")

DIGITS: Final = 4000  # maximum length of a number; Python's own limit is 4300


def read_json(text: str) -> object:
    """Parse a JSON document.

    ``ValueError`` is raised if it is invalid JSON, a key occurs twice, a number is NaN, infinite or
    has thousands of digits, or brackets are nested too deep.

    Examples
    --------
    >>> read_json('{"called": [0, 1.5]}')
    {'called': [0, 1.5]}
    >>> read_json('{"called": NaN}')
    Traceback (most recent call last):
    ValueError: NaN, expected a finite number
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        raise ValueError("brackets are nested too deep") from None


def read_stored_file(path: Path, read: Callable[[object], T]) -> T:
    """Read an object from a JSON file; errors name the file without its folder.

    ``read`` makes the object from the document and raises `FileError` if it is damaged. A missing
    file, or one that is not regular, is a `FileError`, too.
    """
    if path.exists() and not path.is_file():  # reading a FIFO would wait for ever
        raise FileError("not a regular file", argument=path.name)
    try:
        return read(read_json_file(path))
    except OSError as error:
        raise FileError(str(error.strerror), argument=path.name) from None
    except FileError as error:
        raise FileError(shorten(error.detail, MESSAGE), argument=path.name) from None


def read_json_file(path: Path) -> object:
    """Parse the JSON document in a file; `FileError` with its path if it is invalid.

    A file that cannot be read is an ``OSError``.
    """
    try:
        return read_json(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileError(
            value="not UTF-8 text", argument=str(path), position=error.start, unit="byte"
        ) from None
    except ValueError as error:
        raise FileError(f"not JSON ({error})", argument=str(path)) from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set[str]()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"{short_repr(name)} is given twice")
            seen.add(name)
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word}, expected a finite number")


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text[:20]}, expected a finite number")
    return number


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"a number of {len(text):,} digits, expected at most {DIGITS:,}")
    return int(text)
