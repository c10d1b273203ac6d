"""Matches in play: in memory, and each in a JSON file if there is a folder."""

import json
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException

from mjopt._internal.files import FileVersion, atomic_write, file_version
from mjopt._internal.sanitize import MESSAGE, shorten
from mjopt._internal.strict_json import read_stored_file
from mjopt.errors import FileError, GameError, MjoptError
from mjopt.play.game.agents.human import understand
from mjopt.play.game.moves import Move
from mjopt.play.matches.match_session import (
    Deal,
    MatchSession,
    MatchSettings,
    deal_shuffled,
    next_hand,
    play_move,
    read_session,
    start_session,
)

SUFFIX: Final = ".match.json"
GRACE: Final = 1.0  # seconds after the time limit in which a move still counts
MAX_CACHED: Final = 500  # matches kept in memory, about 100 kB each
MAX_LISTED: Final = 20  # unfinished matches that the start page lists
ID: Final = re.compile(r"[A-Za-z0-9_-]{22}(\.[A-Za-z0-9_-]{22})?")  # random value, owner
_log = logging.getLogger(__name__)


class MatchView(NamedTuple):
    """A match as a page shows it."""

    session: MatchSession
    # Seconds for the pending decision; None without a time limit or a decision.
    time_left: float | None
    timeout_move: Move | None  # made since the last page because time ran out, if any


class StoredMatch(NamedTuple):
    """A match of a browser."""

    name: str
    session: MatchSession
    time: float  # of its last move, in seconds since 1970


@dataclass(slots=True, eq=False)
class _Entry:
    """A match in memory."""

    session: MatchSession
    time: float = field(default_factory=time.time)  # of its last move
    version: FileVersion = ()  # of the file, as written or read
    lock: Lock = field(default_factory=Lock)
    shown: tuple[int, float] = (-1, 0.0)  # number of the decision last shown, and when
    timeout_move: Move | None = None


def owner_of(name: str) -> str:
    """Return the browser that began a match; empty if it was begun before matches had owners.

    Examples
    --------
    >>> owner_of("BP6p3Gw0BVL1xKzTsxqJXg.q1lVtqJ5wYVQd1Yl1kB5yA")
    'q1lVtqJ5wYVQd1Yl1kB5yA'
    """
    return name.partition(".")[2]


def read_match(path: Path, deal: Deal = deal_shuffled) -> MatchSession:
    """Read the match of a file.

    FileError if the file is damaged. The message names the file without its folder.
    """
    return read_stored_file(path, lambda document: read_session(document, deal))


class Matches:
    """All matches. Every call first applies the time limit, and stores changes before it returns.

    Without a folder they are kept in memory only. ``clock``, ``new_seed`` and ``deal`` return the
    time in seconds, the seed of a new hand, and the next hand of a match, dealt from a seed.

    Examples
    --------
    >>> matches = Matches(new_seed=lambda: 1)
    >>> name = matches.start(MatchSettings(rules="m0"))
    >>> matches.look(name).session.number
    1000
    >>> matches.play(name, 1000, "1m").number
    1001
    >>> matches.play(name, 1000, "1m")
    Traceback (most recent call last):
    starlette.exceptions.HTTPException: 409: the game has moved on: ...
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        new_seed: Callable[[], int | None] = lambda: secrets.randbits(64),
        deal: Deal = deal_shuffled,
    ) -> None:
        self.folder, self._clock = folder, clock
        self._new_seed, self._deal = new_seed, deal
        self._entries: OrderedDict[str, _Entry] = OrderedDict()  # least recently used first
        self._lock = Lock()
        self._files: dict[str, Path] = {}  # least recently played first
        if folder is not None:
            paths = sorted(folder.glob(f"*{SUFFIX}"), key=file_version)
            names = [(path.name.removesuffix(SUFFIX), path) for path in paths]
            self._files = {name: path for name, path in names if ID.fullmatch(name)}

    def start(self, setting: MatchSettings, owner: str = "") -> str:
        """Start a match of a browser and return its id."""
        name = f"{secrets.token_urlsafe(16)}.{owner}".rstrip(".")
        entry = _Entry(start_session(setting, self._new_seed(), self._deal))
        with self._lock:
            if self.folder is not None:
                path = self.folder / f"{name}{SUFFIX}"
                entry.version = _write(path, entry.session)
                self._files[name] = path
            self._remember(name, entry)
        return name

    def look(self, name: str, pace: float = 0.0) -> MatchView:
        """Return a match to be shown; the clock of its decision starts at the first call.

        With a pace, it starts so many seconds later for each move that the page shows first.
        """
        with self._opened(name) as entry:
            self._apply_time_limit(name, entry)
            session, now = entry.session, self._clock()
            if entry.shown[0] != session.number:
                others = sum(event.seat != session.seat for event in session.news)
                entry.shown = (session.number, now + pace * others)
            timeout_move, entry.timeout_move = entry.timeout_move, None
            seconds = session.setting.seconds
            time_left = None
            if seconds is not None and session.options:
                time_left = max(0.0, seconds - (now - entry.shown[1]))
            return MatchView(session, time_left, timeout_move)

    def session(self, name: str) -> MatchSession:
        """Return a match without a page of it: clocks and news stay as they are."""
        with self._opened(name) as entry:
            return entry.session

    def play(self, name: str, number: int, text: str) -> MatchSession:
        """Make a move of the person, written as ``5m`` or ``c 3m``.

        HTTPException 404 without such a match, 409 if that decision is no longer pending, 503 if
        the match cannot be saved; GameError if the move is not legal.
        """
        with self._opened(name) as entry:
            self._apply_time_limit(name, entry)
            session = entry.session
            _check_number(entry, number)
            names = session.match.rules.tiles.names
            move = understand(text, session.options, names) if text.strip() else None
            if move is None:
                reason = "the hand has ended" if session.state.is_over else "not possible now"
                raise GameError(f"{shorten(text, 20) or 'nothing'}: {reason}")
            return self._store(name, entry, play_move(session, move))

    def next_hand(self, name: str, number: int) -> MatchSession:
        """Deal the next hand; HTTPException 409 if it has been dealt already."""
        with self._opened(name) as entry:
            self._apply_time_limit(name, entry)
            _check_number(entry, number)
            session = next_hand(entry.session, self._new_seed(), self._deal)
            return self._store(name, entry, session)

    def show_hints(self, name: str, agent: str) -> None:
        """Show the hints of another agent, or none for an empty text."""
        with self._opened(name) as entry:
            session = entry.session
            setting = replace(session.setting, hints=agent)
            self._store(name, entry, replace(session, setting=setting))

    def delete(self, name: str) -> None:
        """Delete a match and its file."""
        with self._opened(name), self._lock:
            if path := self._files.pop(name, None):
                path.unlink(missing_ok=True)
            self._entries.pop(name, None)

    def claim(self, name: str, owner: str) -> str:
        """Give a stored match without an owner to a browser, and return its new id."""
        new = f"{name}.{owner}"
        with self._opened(name), self._lock:
            if name not in self._files:
                raise HTTPException(404, "no such match")
            try:
                path = self._files[name].rename(self._files[name].with_name(f"{new}{SUFFIX}"))
            except OSError as error:
                raise HTTPException(503, f"cannot be renamed: {error.strerror}") from None
            self._files[new] = path
            del self._files[name]
            self._entries.pop(name, None)
        return new

    def unfinished(self, owner: str = "") -> tuple[list[StoredMatch], list[str]]:
        """Return the first of a browser's matches that are not over, and errors as :meth:`of`."""
        matches, errors = self.of(owner)
        return [one for one in matches if not one.session.match.is_over][:MAX_LISTED], errors

    def of(self, owner: str = "") -> tuple[list[StoredMatch], list[str]]:
        """Return a browser's matches, the last played first, and the errors of damaged files."""
        matches: list[StoredMatch] = []
        errors: list[str] = []
        with self._lock:
            names = [*self._files, *(name for name in self._entries if name not in self._files)]
        for name in filter(lambda name: owner_of(name) == owner, reversed(names)):
            try:
                with self._opened(name) as entry:
                    matches.append(StoredMatch(name, entry.session, entry.time))
            except HTTPException:  # deleted meanwhile
                continue
            except MjoptError as error:
                errors.append(shorten(str(error), MESSAGE))
        return matches, errors

    def _apply_time_limit(self, name: str, entry: _Entry) -> None:
        """Make the default move if the pending decision is overdue."""
        session, (number, since) = entry.session, entry.shown
        seconds = session.setting.seconds
        if seconds is None or not session.options or number != session.number:
            return
        if self._clock() - since > seconds + GRACE:
            move = session.default()
            self._store(name, entry, play_move(session, move))
            entry.timeout_move = move

    def _store(self, name: str, entry: _Entry, session: MatchSession) -> MatchSession:
        """Write the match before it changes in memory, so that a failed write changes nothing."""
        if name in self._files:
            entry.version = _write(self._files[name], session)
            with self._lock:
                self._files[name] = self._files.pop(name)
        entry.session, entry.time = session, time.time()
        return session

    @contextmanager
    def _opened(self, name: str) -> Iterator[_Entry]:
        """Lock a match, after reloading it if another server has changed its file."""
        while True:
            entry = self._find(name)
            with entry.lock:
                if name in self._files and entry.version != file_version(self._files[name]):
                    with self._lock:
                        if self._entries.get(name) is entry:
                            del self._entries[name]
                    continue
                yield entry
                return

    def _find(self, name: str) -> _Entry:
        with self._lock:
            if name in self._entries:
                self._entries.move_to_end(name)
                return self._entries[name]
            if name not in self._files:
                raise HTTPException(404, "no such match")
            path = self._files[name]
            version = file_version(path)
            try:
                session = read_match(path, self._deal)
            except FileError as error:
                _log.warning("%s", error)
                raise
            return self._remember(name, _Entry(session, (*version, 0)[0] / 1e9, version))

    def _remember(self, name: str, entry: _Entry) -> _Entry:
        """Keep a match in memory; drop the least recently used, which are lost unless stored."""
        self._entries[name] = entry
        for other in list(self._entries)[:-MAX_CACHED]:
            if not self._entries[other].lock.locked():
                del self._entries[other]
        return entry


def _check_number(entry: _Entry, number: int) -> None:
    if number != entry.session.number:
        reason = "time ran out" if entry.timeout_move else "this decision was made before"
        raise HTTPException(409, f"the game has moved on: {reason}")


def _write(path: Path, session: MatchSession) -> FileVersion:
    try:
        atomic_write(path, json.dumps(session.to_document(), indent=1) + "\n")
    except FileError as error:
        # Pages show no paths.
        message = f"the match cannot be saved ({error.detail}): the move was not made"
        raise HTTPException(503, message) from error
    return file_version(path)
