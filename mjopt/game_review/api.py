"""Public interface: review logs of real games."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mjopt._internal.sanitize import one_line
from mjopt._internal.validation import expect, shorten, whole
from mjopt.errors import FileError, GameError, LogError
from mjopt.game_review.detect_format import ADDRESS, content_of, read_games
from mjopt.game_review.evaluate import DecisionCollector, Evaluation
from mjopt.game_review.events import Game
from mjopt.game_review.export import call_documents, documents
from mjopt.game_review.summary import Summary, summarise
from mjopt.hands.tiles import FULL
from mjopt.hands.winning_forms import check_forms, needs_honours

Source = str | Path
MOST_MESSAGE: Final = 300
LogEntry = tuple[str, int, Game | LogError]
"""The source and line of a game, and the game or the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A game that could not be read."""

    source: str  # the file, or the beginning of the address
    line: int  # the line where the game begins
    why: str  # one line that names round, turn and tile


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

    Examples
    --------
    >>> from mjopt.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["a", "b", "c", "d"], seed=1, game=0)
    >>> from mjopt.game_review.detect_format import read_games
    >>> games = [("", number, game) for number, game in read_games(line.encode())]
    >>> next(review_games(games).discards)["deficiency"]
    3
    """

    judged: Evaluation
    sources: tuple[tuple[str, int], ...]
    refused: tuple[Refused, ...]

    @property
    def discards(self) -> Iterator[dict[str, Any]]:
        """Each discard as a JSON-compatible dictionary, in the order of the games."""
        return documents(self.judged)

    @property
    def calls(self) -> Iterator[dict[str, Any]]:
        """Each call and each missed call or win as a JSON-compatible dictionary."""
        return call_documents(self.judged)

    @property
    def summary(self) -> Summary:
        """Shares over all discards."""
        return summarise([self.judged], refused=len(self.refused))

    def __repr__(self) -> str:
        games, number = len(self.judged.games), len(self.judged.discards)
        return f"<Review of {number} discards in {games} games, {len(self.refused)} refused>"


def review(
    source: Source | Iterable[Source],
    *,
    forms: str | Iterable[str] | None = None,
    draws: bool = False,
    seat: int | None = None,
) -> Review:
    """Evaluate every discard of real games.

    Parameters
    ----------
    source
        Logs: files, folders of files, or addresses of tenhou.net/6 that contain the game.
    forms
        The winning forms; by default those of riichi, or of the rules for JJ's logs and
        mjopt records.
    draws
        Whether to compute the exact expected draws of the discards that keep the least
        deficiency, and of hands with and without a call.
    seat
        Restrict the review to this seat, from 0.

    Raises
    ------
    FileError
        If a source does not exist, or a file given directly is no log.
    GameError
        If no game has this seat.

    Examples
    --------
    >>> review("no-such-file")
    Traceback (most recent call last):
    mjopt.errors.FileError: no-such-file: no such file
    """
    expect(draws, bool, "draws")
    seat = None if seat is None else whole(seat, "seat")
    sources = [source] if isinstance(source, str | Path) else source
    if not isinstance(sources, Iterable):
        raise TypeError(f"source: {shorten(repr(source))}, expected files, folders or addresses")
    games = (game for item in sources for game in read_source(item))
    reviewed = review_games(games, forms=forms, draws=draws, seat=seat)
    seats = max((game.rules.seats for game in reviewed.judged.games), default=0)
    if seat is not None and seats and not 0 <= seat < seats:
        raise GameError(f"seat {seat}, expected 0 to {seats - 1}")
    return reviewed


def review_games(
    entries: Iterable[LogEntry],
    *,
    forms: str | Iterable[str] | None = None,
    draws: bool = False,
    seat: int | None = None,
) -> Review:
    """Evaluate games, each with its source and line."""
    collector = DecisionCollector(seat)
    sources: list[tuple[str, int]] = []
    refused: list[Refused] = []
    for name, line, game in entries:
        try:
            if isinstance(game, LogError):
                raise game
            collector.add(game)
        except LogError as error:
            refused.append(Refused(source=name, line=line, why=one_line(str(error), MOST_MESSAGE)))
        else:
            sources.append((name, line))
    chosen = None
    if forms is not None:
        chosen = check_forms(forms, FULL)
        if needs_honours(chosen) and any(game.rules.tiles is not FULL for game in collector.games):
            raise GameError("forms with honours, but some games have none")
    judged = collector.judged(chosen, draws=draws)
    return Review(judged=judged, sources=tuple(sources), refused=tuple(refused))


def read_source(source: Source) -> Iterator[LogEntry]:
    """Yield the games of a file, folder or address without replaying them.

    A file that is no log is an error if given directly; in a folder it is yielded as refused.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"source: {shorten(repr(source))}, expected a file, a folder or an address")
    path = Path(source)
    if isinstance(source, str) and ADDRESS.match(source):
        yield from read_named(source[:24], source.encode(), is_alone=True)
    elif os.path.isdir(path):  # a Path raises an error for a long text
        for file in files_in(path):
            yield from read_named(str(file), content_or_error(file))
    elif os.path.exists(path):
        yield from read_named(str(path), content_of(path), is_alone=True)
    else:
        raise FileError(f"{one_line(str(path), MOST_MESSAGE)}: no such file")


def content_or_error(path: Path) -> bytes | LogError:
    """Return the content of a file, or the reason why it cannot be read."""
    try:
        return content_of(path)
    except OSError as error:
        return LogError(error.strerror or str(error))


def read_named(name: str, data: bytes | LogError, *, is_alone: bool = False) -> Iterator[LogEntry]:
    """Yield the games of a log; if it is no log, yield the error, or raise it if ``is_alone``."""
    try:
        if isinstance(data, LogError):
            raise data
        for line, game in read_games(data):
            yield name, line, game
    except LogError as error:
        if is_alone:
            raise FileError(f"{name}: {one_line(str(error), MOST_MESSAGE)}") from None
        yield name, 1, error


def files_in(folder: Path) -> list[Path]:
    """Return all files in a folder and its subfolders, sorted, without hidden files."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
