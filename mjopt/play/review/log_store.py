"""Uploaded logs: the last ones in memory, and in a folder if there is one."""

import re
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from threading import Lock
from typing import Final

from mjopt._internal.sanitize import MESSAGE, shorten
from mjopt._internal.unit_store import SUFFIX, UnitStore
from mjopt.errors import FileError
from mjopt.play.game.log import LogGame
from mjopt.play.review.api import LogEntry, read_named

FOLDER: Final = "reviews"
FORMAT: Final = {"logs": 1}
MAX_CACHED: Final = 16  # logs in memory
MAX_FILES: Final = 200
MAX_BYTES: Final = 1 << 28  # of all files
MAX_GAMES: Final = 1000  # listed of one log
KEY: Final = re.compile(r"[0-9a-f]{16}")
_log = getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class UploadedLog:
    """A log and its games that can be read."""

    name: str
    games: list[LogEntry] = field(repr=False)


class LogStore:
    """Uploaded logs by a digest of their content.

    The subfolder ``reviews`` of the folder keeps the logs, one file each. When there are more than
    ``MAX_FILES`` or ``MAX_BYTES``, the oldest are removed. Without a folder the last ``MAX_CACHED``
    logs are kept in memory.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> store = LogStore()
    >>> key = store.add("one", write_record(state, names="abcd", seed=1, game=0).encode())
    >>> store.find(key)
    UploadedLog(name='one')
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._store = None if folder is None else UnitStore(folder / FOLDER, FORMAT)
        self._logs: OrderedDict[str, UploadedLog] = OrderedDict()  # least recently used first
        self._lock = Lock()

    def add(self, name: str, data: bytes) -> str:
        """Read a log, keep it, and return its key; FileError if no game of it can be read.

        If the file cannot be written, the log is kept in memory only.
        """
        log, key = _read(shorten(name), data), sha256(data).hexdigest()[:16]
        with self._lock:
            if self._store is not None:
                try:
                    self._store.write(key, {"name": log.name}, data)
                    _remove_oldest(self._store)
                except (FileError, OSError) as error:
                    _log.warning("an uploaded log is not stored: %s", error)
            self._remember(key, log)
        return key

    def find(self, key: str) -> UploadedLog | None:
        """Return a log, or None if it is not kept; FileError if its file was modified."""
        with self._lock:
            if key in self._logs:
                self._logs.move_to_end(key)
                return self._logs[key]
            if self._store is None or not KEY.fullmatch(key):
                return None
            try:
                unit = self._store.get(key)
            except FileError:  # its message names the path
                raise FileError("the file of this log was modified", argument=key) from None
            return unit and self._remember(key, _read(str(unit.facts["name"]), unit.content))

    def _remember(self, key: str, log: UploadedLog) -> UploadedLog:
        self._logs[key] = log
        self._logs.move_to_end(key)
        while len(self._logs) > MAX_CACHED:
            self._logs.popitem(last=False)
        return log


def _read(name: str, data: bytes) -> UploadedLog:
    entries = list(read_named(name, data, is_alone=True))
    games = [entry for entry in entries if isinstance(entry[2], LogGame)]
    if not games:
        source, line, error = entries[0] if entries else (name, 1, "no game")
        raise FileError(shorten(f"{source}, line {line}: {error}", MESSAGE))
    return UploadedLog(name, games[:MAX_GAMES])


def _remove_oldest(store: UnitStore) -> None:
    """Remove the oldest logs beyond the maximum number and size, but not the newest."""
    found = []
    for key in store.all_keys():
        with suppress(FileNotFoundError):  # another server has removed it
            about = (store.folder / f"{key}{SUFFIX}").stat()
            found.append((about.st_mtime_ns, about.st_size, key))
    size = 0
    for number, (_, more, key) in enumerate(sorted(found, reverse=True)):
        size += more
        if number and (number >= MAX_FILES or size > MAX_BYTES):
            with suppress(FileNotFoundError):
                store.remove(key)
