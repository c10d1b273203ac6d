"""The matches that are played: in memory, and each in a file of its own if there is a folder."""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from mjopt._internal.folder import write_whole
from mjopt._internal.sanitize import one_line
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError, GameError, MjoptError
from mjopt.game.agents.human import understand
from mjopt.game.moves import Move
from mjopt.game.wall import shuffle_wall
from mjopt.serve.match_session import Deal, Setting, Sitting, begin, next_hand, play, read_sitting

ENDING: Final = ".match.json"
GRACE: Final = 1.0  # seconds after the limit in which a move still counts: it may be on its way
MOST: Final = 500
"""Matches in memory, some 100 kB each: those not asked for lately go, if they are on disk."""

LISTED: Final = 20  # unfinished matches that are shown to go on with: the last that were played
IDLE: Final = 24 * 3600.0  # seconds after which a match that is in no file may go too
ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_log = logging.getLogger(__name__)


class StaleError(GameError):
    """A move that answers an earlier decision than the one that is due."""


class FullError(GameError):
    """More matches than are kept."""


class UnknownError(GameError):
    """There is no such match."""


class Seen(NamedTuple):
    """A match as a page shows it."""

    sitting: Sitting  # the match
    # seconds left for the decision that is due; None without a limit or a decision
    left: float | None
    late: Move | None  # what time has done since the last page, or None


@dataclass(slots=True, eq=False)
class _Held:
    """A match in memory."""

    sitting: Sitting
    used: float
    lock: Lock = field(default_factory=Lock)
    asked: tuple[int, float] = (-1, 0.0)  # the decision that a page has shown, and since when
    late: Move | None = None
    mark: tuple[int, ...] = ()  # of the file as it was written or read
    is_gone: bool = False  # from memory: whoever waited for the lock asks again


def _mark(path: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is replaced; nothing if it is gone."""
    with suppress(OSError):
        about = path.stat()
        return about.st_mtime_ns, about.st_size, about.st_ino
    return ()


def read_match(path: Path, deal: Deal = shuffle_wall) -> Sitting:
    """Return the match of a file, or refuse it in a line that names the file, not its folder."""
    try:
        return read_sitting(read_json_file(path), deal)
    except OSError as error:
        raise FileError(f"{path.name}: {error.strerror}") from None
    except FileError as error:
        told = str(error).removeprefix(f"{path}: ")
        raise FileError(one_line(f"{path.name}: {told}")) from None


class Matches:
    """All matches. Every call sees to the clock first, and writes before it returns.

    Examples
    --------
    >>> matches = Matches(new_seed=lambda: 1)
    >>> name = matches.begin(Setting(rules="m0"))
    >>> matches.look(name).sitting.number
    1000
    >>> matches.play(name, 1000, "1m").number
    1001
    >>> matches.play(name, 1000, "1m")
    Traceback (most recent call last):
    mjopt.serve.match_store.StaleError: the game has gone on: ...
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        new_seed: Callable[[], int | None] = lambda: secrets.randbits(64),
        deal: Deal = shuffle_wall,
        most: int = MOST,
    ) -> None:
        self.folder, self._clock, self._most = folder, clock, most
        self._new_seed, self._deal = new_seed, deal
        self._held: dict[str, _Held] = {}
        self._lock = Lock()
        self._files = {}
        if folder is not None:
            found = sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime)
            names = [(path.name.removesuffix(ENDING), path) for path in found]
            self._files = {name: path for name, path in names if ID.fullmatch(name)}

    def begin(self, setting: Setting) -> str:
        """Begin a match; return its id. FullError if too many are held, and none can go."""
        name = secrets.token_urlsafe(16)
        held = _Held(begin(setting, self._new_seed(), self._deal), self._clock())
        with self._lock:
            self._make_room()
            if self.folder is not None:
                path = self.folder / f"{name}{ENDING}"
                held.mark = self._write(path, held.sitting)
                self._files[name] = path
            self._held[name] = held
        return name

    def look(self, name: str) -> Seen:
        """Return a match to be shown: the clock of its decision runs from the first time on."""
        with self._opened(name) as held:
            self._see_to_clock(name, held)
            sitting, now = held.sitting, self._clock()
            if held.asked[0] != sitting.number:
                held.asked = (sitting.number, now)
            late, held.late = held.late, None
            seconds = sitting.setting.seconds
            left = None
            if seconds is not None and sitting.options:
                left = max(0.0, seconds - (now - held.asked[1]))
            return Seen(sitting, left, late)

    def play(self, name: str, number: int, text: str) -> Sitting:
        """Let the person move, as typed: ``5m``, ``c 3m``; stale if another decision is due."""
        with self._opened(name) as held:
            self._see_to_clock(name, held)
            sitting = held.sitting
            self._check(held, number)
            names = sitting.match.rules.tiles.names
            move = understand(text, sitting.options, names) if text.strip() else None
            if move is None:
                what = "the hand has ended" if sitting.state.is_over else "not possible now"
                raise GameError(f"{one_line(text, 20) or 'nothing'}: {what}")
            return self._keep(name, held, play(sitting, move))

    def next_hand(self, name: str, number: int) -> Sitting:
        """Deal the next hand; stale if that has been done."""
        with self._opened(name) as held:
            self._see_to_clock(name, held)
            self._check(held, number)
            sitting = next_hand(held.sitting, self._new_seed(), self._deal)
            return self._keep(name, held, sitting)

    def unfinished(self) -> tuple[list[tuple[str, Sitting]], list[str]]:
        """Return the matches to go on with, the last played first, and what is damaged."""
        found: list[tuple[str, Sitting]] = []
        damaged: list[str] = []
        with self._lock:
            names = [*self._files, *(name for name in self._held if name not in self._files)]
        for name in reversed(names):
            if len(found) == LISTED:
                break
            try:
                with self._opened(name) as held:
                    sitting = held.sitting
            except MjoptError as error:
                damaged.append(one_line(str(error)))
                continue
            if not sitting.match.is_over:
                found.append((name, sitting))
        return found, damaged

    def _check(self, held: _Held, number: int) -> None:
        if number != held.sitting.number:
            why = "time ran out" if held.late else "this was answered before"
            raise StaleError(f"the game has gone on: {why}")

    def _see_to_clock(self, name: str, held: _Held) -> None:
        """Make what happens by itself happen, if the decision that was shown is overdue."""
        sitting, (number, since) = held.sitting, held.asked
        seconds = sitting.setting.seconds
        if seconds is None or not sitting.options or number != sitting.number:
            return
        if self._clock() - since > seconds + GRACE:
            move = sitting.default()
            self._keep(name, held, play(sitting, move))
            held.late = move

    def _keep(self, name: str, held: _Held, sitting: Sitting) -> Sitting:
        """Write the match before anybody hears of it; if that fails, nothing has happened."""
        if name in self._files:
            held.mark = self._write(self._files[name], sitting)
            with self._lock:
                self._files[name] = self._files.pop(name)  # the last played is the last
        held.sitting = sitting
        return sitting

    @staticmethod
    def _write(path: Path, sitting: Sitting) -> tuple[int, ...]:
        write_whole(path, json.dumps(sitting.to_document(), indent=1).encode() + b"\n")
        return _mark(path)

    @contextmanager
    def _opened(self, name: str) -> Iterator[_Held]:
        """Hold a match: one call at a time."""
        while True:
            held = self._find(name)
            with held.lock:
                if not held.is_gone and name in self._files:
                    # Another server may play it too, in the same folder.
                    held.is_gone = held.mark != _mark(self._files[name])
                    if held.is_gone:
                        with self._lock:
                            self._held.pop(name, None)
                if not held.is_gone:
                    held.used = self._clock()
                    yield held
                    return

    def _find(self, name: str) -> _Held:
        with self._lock:
            if name in self._held:
                return self._held[name]
            if name not in self._files:
                raise UnknownError("there is no such match, or it is no longer kept")
            self._make_room()
            path = self._files[name]
            mark = _mark(path)
            try:
                sitting = read_match(path, self._deal)
            except FileError as error:
                _log.warning("%s", error)
                raise
            self._held[name] = _Held(sitting, self._clock(), mark=mark)
            return self._held[name]

    def _make_room(self) -> None:
        """Let matches go that were not asked for lately, if there are too many."""
        now = self._clock()
        for name, held in sorted(self._held.items(), key=lambda item: item[1].used):
            if len(self._held) < self._most:
                break
            may_go = name in self._files or held.sitting.match.is_over or now - held.used > IDLE
            if may_go and held.lock.acquire(blocking=False):
                held.is_gone = True
                del self._held[name]
                held.lock.release()
        if len(self._held) >= self._most:
            raise FullError(f"{len(self._held)} matches are played here now: try again later")
