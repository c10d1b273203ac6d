"""Records of players: in memory, and each in a JSON file if there is a folder."""

import json
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from threading import RLock
from typing import Final

from mjopt._internal.files import FileVersion, atomic_write, file_version
from mjopt._internal.strict_json import read_stored_file
from mjopt.errors import FileError
from mjopt.play.puzzles.rating import Ratings
from mjopt.play.puzzles.record import PlayerRecord, read_record

SUFFIX: Final = ".puzzles.json"
OWNER: Final = re.compile(r"[A-Za-z0-9_-]{22}")
MAX_CACHED: Final = 500  # records kept in memory
MAX_LOADED: Final = 5_000  # files whose answers count for the ratings of puzzles


def load_record(path: Path) -> PlayerRecord:
    """Read the record of a file.

    FileError if the file is damaged. The message names the file without its folder.
    """
    return read_stored_file(path, read_record)


class PlayerRecords:
    """The records of all players by the digest of their browser's cookie.

    Without a folder they are kept in memory only. ``initial`` is the initial rating of puzzles;
    ``clock`` returns the time in seconds since 1970.

    Examples
    --------
    >>> from mjopt.play.puzzles.record import PuzzleAnswer
    >>> records = PlayerRecords()
    >>> answer = PuzzleAnswer(puzzle="123m", tile="1m", is_right=True, time=0.0)
    >>> records.update("ann", lambda record: record.with_answer(answer))
    >>> len(records.look("ann").answers), records.ratings().player("ann").mean > 1500
    (1, True)
    """

    def __init__(
        self,
        folder: Path | None = None,
        initial: Mapping[str, float] | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.clock = clock
        self._folder, self._initial = folder, initial or {}
        self._records: dict[str, tuple[FileVersion, PlayerRecord]] = {}
        self._ratings: Ratings | None = None
        self._lock = RLock()

    def look(self, owner: str) -> PlayerRecord:
        """Return the record of a player; an empty one if there is none.

        FileError if its file is damaged.
        """
        with self._lock:
            path = self._path(owner)
            version = file_version(path)
            if owner in self._records and self._records[owner][0] == version:
                return self._records[owner][1]
            record = PlayerRecord() if path is None or not version else load_record(path)
            if owner in self._records:
                self._ratings = None  # another server has changed the file
            self._remember(owner, version, record)
            return record

    def update(self, owner: str, change: Callable[[PlayerRecord], PlayerRecord]) -> None:
        """Change the record of a player, by one answer at most; a failed write changes nothing.

        FileError if its file is damaged or cannot be written.
        """
        with self._lock:
            ratings, before = self.ratings(), self.look(owner)
            record = change(before)
            if (path := self._path(owner)) is not None:
                atomic_write(path, json.dumps(record.to_document()) + "\n")
            self._remember(owner, file_version(path), record)
            if self._ratings is ratings and record.answers != before.answers:
                answer = record.answers[-1]
                ratings.add(owner, answer.puzzle, is_right=answer.is_right)

    def ratings(self) -> Ratings:
        """Return the ratings by the answers of all players; damaged files are skipped."""
        with self._lock:
            if self._ratings is None:
                records = self._all()
                answers = [(one, owner) for owner in records for one in records[owner].answers]
                self._ratings = Ratings(initial=self._initial)
                for one, owner in sorted(answers, key=lambda entry: (entry[0].time, entry[1])):
                    self._ratings.add(owner, one.puzzle, is_right=one.is_right)
            return self._ratings

    def played_by_others(self, owner: str, day: date) -> list[tuple[str, ...]]:
        """Return the discards of all other players who have begun the hand of a day."""
        with self._lock:
            records = self._all()
        played = (record.discards(day) for other, record in records.items() if other != owner)
        return [discards for discards in played if discards]

    def _all(self) -> dict[str, PlayerRecord]:
        """Return all records by owner, without those of damaged files."""
        records = {owner: record for owner, (_, record) in self._records.items()}
        paths = [] if self._folder is None else self._folder.glob(f"*{SUFFIX}")
        for path in sorted(paths)[:MAX_LOADED]:
            owner = path.name.removesuffix(SUFFIX)
            if OWNER.fullmatch(owner):
                with suppress(FileError):
                    records[owner] = load_record(path)
        return records

    def _path(self, owner: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{owner}{SUFFIX}"

    def _remember(self, owner: str, version: FileVersion, record: PlayerRecord) -> None:
        """Keep a record in memory; drop the oldest ones, which are lost unless stored."""
        self._records.pop(owner, None)
        self._records[owner] = version, record
        for other in list(self._records)[:-MAX_CACHED]:
            del self._records[other]
