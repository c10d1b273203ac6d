"""Recorded games: lines of record files, and finished hands of matches."""

from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.file_index import Listed, files_in
from mjopt.errors import FileError
from mjopt.play.game.record import VERSION
from mjopt.play.matches.match_store import SUFFIX, read_match
from mjopt.play.riichi.record import is_riichi, read_line

HEAD: Final = 1 << 16  # bytes searched for the first record
MAX_LINE: Final = 1 << 16  # bytes of a line, several times the longest record
EXAMPLES: Final = Path(__file__).with_name("example_games.txt")
"""``mjopt battle win-chance l3 l2 l1 --rounds 1 --games 4 --seed 3 --records example_games.txt``"""


def record_files(folder: Path | None, browser: str = "") -> dict[str, Listed]:
    """Return the record files of a folder and a browser's matches, by id, the newest first."""
    found = files_in(folder, ".txt", f".{browser}{SUFFIX}")
    return {key: one for key, one in found.items() if first_line(one) or damage(one)}


def find_record_file(folder: Path | None, browser: str, key: str) -> Listed | None:
    """Return the record file with an id: one of the folder and a browser, or a shipped one."""
    return (example_files() | record_files(folder, browser)).get(key)


@cache
def example_files() -> dict[str, Listed]:
    """Return the file of games that mjopt ships, by id."""
    return files_in(EXAMPLES.parent, EXAMPLES.name)


@lru_cache(maxsize=8_192)
def first_line(listed: Listed) -> str:
    """Return the first record of a file; empty if there is none."""
    if is_match(listed):
        return next(iter(_match(listed)[0]), "")
    try:
        with listed.path.open("rb") as file:
            lines = file.read(HEAD).decode("utf-8-sig", "replace").split("\n")
    except OSError:
        return ""
    return next((line for line in lines if line.startswith(f"{VERSION} ") or is_riichi(line)), "")


def is_match(listed: Listed) -> bool:
    """Return whether a file is a match, not a file of records."""
    return listed.path.name.endswith(SUFFIX)


@lru_cache(maxsize=512)
def _match(listed: Listed) -> tuple[tuple[str, ...], str]:
    """Return the finished hands of a match; for a damaged file, no hands and the error."""
    try:
        return read_match(listed.path).match.lines, ""
    except FileError as error:
        return (), str(error)


def damage(listed: Listed) -> str:
    """Return the error of a damaged match file; empty if it is intact."""
    return _match(listed)[1] if is_match(listed) else ""


def lines_with(folder: Path | None, name: str) -> list[str]:
    """Return the lines of the record files whose first game has a player with that name."""
    files = [one for one in record_files(folder).values() if name in _names(first_line(one))]
    found = list[str]()
    for listed in files:
        with suppress(FileNotFoundError):
            found += lines_of(listed, 1, num_lines(listed))
    return found


def _names(line: str) -> tuple[str, ...]:
    try:
        return read_line(line).names
    except FileError:
        return ()


def num_lines(listed: Listed) -> int:
    """Return the number of lines of a file, including blank ones."""
    if is_match(listed):
        return len(_match(listed)[0])
    return len(_ends(listed))


def lines_of(listed: Listed, first: int, count: int) -> list[str]:
    """Return lines of a file starting at line ``first``, counted from 1.

    Lines that are too long for a record are truncated.
    """
    if is_match(listed):
        return list(_match(listed)[0][max(first - 1, 0) : first - 1 + count])
    ends = _ends(listed)[max(first - 2, 0) : first - 1 + count]
    begin = int(ends[0]) if first > 1 and len(ends) else 0
    wanted = ends[1:] if first > 1 else ends
    found = []
    with listed.path.open("rb") as file:
        for end in wanted.tolist():
            file.seek(begin)
            found.append(file.read(min(end - begin, MAX_LINE)).decode("utf-8-sig", "replace"))
            begin = end
    return [line.strip() for line in found]


@lru_cache(maxsize=8)
def _ends(listed: Listed) -> NDArray[np.int64]:
    """Return the end offset of each line of a file."""
    found, read = [np.empty(0, np.int64)], 0
    with listed.path.open("rb") as file:
        while block := file.read(1 << 20):
            found.append(np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + read + 1)
            read += len(block)
    ends = np.concatenate(found)
    return ends if not read or (len(ends) and ends[-1] == read) else np.append(ends, read)
