"""Public interface: review logs of real games."""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mjopt._internal.executor import open_executor
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt._internal.validation import as_whole, expect, expect_all, whole
from mjopt.errors import ArgumentError, FileError, HandError
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL
from mjopt.play.game.log import LogGame
from mjopt.play.review.chance_evaluation import judge_of, with_chances
from mjopt.play.review.collector import DecisionCollector
from mjopt.play.review.detect_format import ADDRESS, content_of, read_games
from mjopt.play.review.evaluate import CHANCE, DEFICIENCY, MEASURES, Evaluation, evaluate
from mjopt.play.review.export import call_documents, documents
from mjopt.play.review.game_address import address_error
from mjopt.play.review.rows import CallRow, DiscardRow
from mjopt.play.review.summary import ReviewSummary, summarise

Source = str | Path
MOST_REFUSED: Final = 1000  # games of a file
LogEntry = tuple[str, int, LogGame | FileError]
"""The source and line of a game, and the game or the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A game that could not be read."""

    source: str  # the file, or the beginning of the address
    line: int  # the line where the game begins
    why: str  # one line that names round, turn and tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """What is wrong with a game that is judged: a round that is not, points, an ignored event."""

    source: str
    line: int  # the line where the game begins
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Review:
    """Games and the evaluation of their discards and calls.

    Parameters
    ----------
    judged
        The games with all discards, as columns, and all calls, made or passed up.
    sources
        The file and line of each game.
    refused
        Games that could not be read.
    flaws
        What is wrong with the other games, in their order.
    num_unread
        Number of rounds of these games that could not be read or replayed to their end.
    collected
        The decisions with their positions, if these were collected.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["a", "b", "c", "d"], seed=1, game=0)
    >>> from mjopt.play.review.detect_format import read_games
    >>> games = [("", number, game) for number, game in read_games(line.encode())]
    >>> next(review_games(games).discards)["deficiency"]
    3
    """

    judged: Evaluation
    sources: tuple[tuple[str, int], ...]
    refused: tuple[Refused, ...]
    flaws: tuple[Flaw, ...] = ()
    num_unread: int = 0
    collected: DecisionCollector | None = None

    @property
    def discards(self) -> Iterator[DiscardRow]:
        """Each discard as a JSON-compatible dictionary, in the order of the games."""
        return documents(self.judged)

    @property
    def calls(self) -> Iterator[CallRow]:
        """Each call and each missed call or win as a JSON-compatible dictionary."""
        return call_documents(self.judged)

    @property
    def summary(self) -> ReviewSummary:
        """Shares over all discards."""
        refused, unread = len(self.refused), self.num_unread
        return summarise([self.judged], refused=refused, rounds_refused=unread)

    def __repr__(self) -> str:
        games, number = len(self.judged.games), len(self.judged.discards)
        return f"<Review of {number} discards in {games} games, {len(self.refused)} refused>"


def review(
    source: Source | Iterable[Source],
    *,
    forms: str | Iterable[str | WinningForm] | None = None,
    by: str = DEFICIENCY,
    seat: int | None = None,
    strict: bool = False,
    jobs: int = 1,
) -> Review:
    """Evaluate every discard of real games.

    Parameters
    ----------
    source
        Logs: files, folders of files, or addresses of tenhou.net/6 that contain the game.
    forms
        The winning forms; by default those of riichi, or of the rules for JJ's logs and
        mjopt records.
    by
        The measure: ``"deficiency"``, then copies of useful tiles; ``"draws"`` adds the exact
        expected draws of the discards that keep the least deficiency, and of hands with and
        without a call; ``"chance"`` adds the chance to win that each decision costs, with the
        own draws that were left, as :func:`mjopt.advise` finds it.
    seat
        Restrict the review to this seat, from 0.
    strict
        Whether to refuse a game that has a flaw. By default every decision before a flaw in the
        tiles or turns of its round is judged, and ``flaws`` of the result names the rest: rounds
        that end early or cannot be read, points that do not continue, and what was repaired or
        ignored because no decision needs it.
    jobs
        Number of processes that compute chances to win.

    Raises
    ------
    FileError
        If a source does not exist, or the only source is no log.
    ArgumentError
        If no game has this seat.

    Examples
    --------
    >>> review("no-such-file")
    Traceback (most recent call last):
    mjopt.errors.FileError: no-such-file: no such file
    """
    expect(by, str, "by")
    expect(strict, bool, "strict")
    seat = None if seat is None else whole(seat, "seat")
    sources = [source] if isinstance(source, str | Path) else source
    if not isinstance(sources, Iterable):
        raise TypeError(f"source: {short_repr(source)}, expected files, folders or addresses")
    sources = list(sources)
    games = (game for item in sources for game in read_source(item, is_alone=len(sources) == 1))
    reviewed = review_games(games, forms=forms, by=by, seat=seat, strict=strict, jobs=jobs)
    seats = max((game.rules.seats for game in reviewed.judged.games), default=0)
    if seat is not None and seats and not 0 <= seat < seats:
        raise ArgumentError(argument="seat", value=short_repr(seat), expected=f"0 to {seats - 1}")
    return reviewed


def review_games(
    entries: Iterable[LogEntry],
    *,
    forms: str | Iterable[str | WinningForm] | None = None,
    by: str = DEFICIENCY,
    seat: int | None = None,
    strict: bool = False,
    jobs: int = 1,
    has_positions: bool = False,
) -> Review:
    """Evaluate games, each with its source and line, and collect positions if needed."""
    check_measure(by)
    if (as_whole(jobs) or 0) < 1:
        raise ArgumentError(argument="jobs", value=short_repr(jobs), expected="at least 1")
    if forms is not None:
        if not isinstance(forms, str):
            forms = [str(form) if isinstance(form, WinningForm) else form for form in forms]
            forms = expect_all(forms, str, "forms")
        check_forms(forms, FULL)
    has_positions |= by == CHANCE
    collector = DecisionCollector(seat, forms, has_positions=has_positions, is_strict=strict)
    sources: list[tuple[str, int]] = []
    refused, flaws = list[Refused](), list[Flaw]()
    for name, line, game in entries:
        try:
            if isinstance(game, FileError):
                raise game
            found = collector.add(game)
        except (FileError, HandError) as error:  # HandError: a form that these tiles lack
            refused.append(Refused(source=name, line=line, why=shorten(str(error), MESSAGE)))
        else:
            sources.append((name, line))
            flaws += [Flaw(source=name, line=line, why=shorten(why, MESSAGE)) for why in found]
    judged = evaluate(collector, by=by)
    if by == CHANCE:
        judge = judge_of(collector)
        with open_executor(jobs) as workers:
            judge.judge(workers)
        judged = with_chances(judged, judge.chances)
    return Review(
        judged=judged,
        sources=tuple(sources),
        refused=tuple(refused),
        flaws=tuple(flaws),
        num_unread=collector.num_unread,
        collected=collector if has_positions else None,
    )


def check_measure(by: str) -> None:
    """Raise ArgumentError unless it is the name of a measure."""
    if by not in MEASURES:
        raise ArgumentError(argument="by", value=short_repr(by), expected=MEASURES)


def read_source(source: Source, *, is_alone: bool) -> Iterator[LogEntry]:
    """Yield the games of a file, folder or address without replaying them.

    The only source must be a log. Of several, and in a folder, others are yielded as refused.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"source: {short_repr(source)}, expected a file, a folder or an address")
    path = Path(source)
    if isinstance(source, str) and ADDRESS.match(source):
        yield from read_named(source[:24], source.encode(), is_alone=is_alone)
    elif isinstance(source, str) and (error := address_error(source)) is not None:
        raise error
    elif os.path.isdir(path):  # a Path raises an error for a long text
        for file in files_in(path):
            yield from read_named(str(file), content_or_error(file))
    elif os.path.exists(path):
        yield from read_named(str(path), content_or_error(path), is_alone=is_alone)
    else:
        raise FileError(shorten(f"{path}: no such file", MESSAGE))


def content_or_error(path: Path) -> bytes | FileError:
    """Return the content of a file, or the reason why it cannot be read.

    An empty file is not opened: reading those of the system, such as ``/proc/kmsg``, may wait.
    """
    try:
        about = path.stat()
        is_empty = stat.S_ISREG(about.st_mode) and not about.st_size
        return b"" if is_empty else content_of(path)
    except IsADirectoryError:
        return FileError("a folder that cannot be listed")
    except OSError as error:
        return FileError(error.strerror or str(error))


def read_named(name: str, data: bytes | FileError, *, is_alone: bool = False) -> Iterator[LogEntry]:
    """Yield the games of a log; if it is no log, yield the error, or raise it if ``is_alone``."""
    num_games = num_refused = 0
    try:
        if isinstance(data, FileError):
            raise data
        for line, game in read_games(data):
            num_games += 1
            num_refused += isinstance(game, FileError)
            if num_refused > MOST_REFUSED:
                why = f"more than {MOST_REFUSED:,} games refused; the rest is not read"
                yield name, line, FileError(why)
                return
            yield name, line, game
    except FileError as error:
        if is_alone and not num_games:
            raise FileError(shorten(f"{name}: {error}", MESSAGE)) from None
        yield name, 1, error


def files_in(folder: Path) -> list[Path]:
    """Return all files in a folder and its subfolders, sorted, without hidden ones.

    Folders that cannot be listed are returned as if they were files.
    """
    found, errors = list[Path](), list[OSError]()
    for here, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = [os.path.join(here, name) for name in names if not name.startswith(".")]
        found += [Path(path) for path in paths if os.path.isfile(path)]
    return sorted([*found, *(Path(error.filename) for error in errors)])
