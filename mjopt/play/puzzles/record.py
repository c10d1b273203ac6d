"""The record of a player: answers to puzzles and daily hands."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from mjopt.errors import FileError

VERSION: Final = 1
MAX_ANSWERS: Final = 20_000
"""The oldest answers beyond this number are dropped."""

INTERVALS: Final = (timedelta(minutes=10), timedelta(days=1), timedelta(days=4))
"""A puzzle returns after a wrong answer, and then after each right one, until it is learnt."""


def utc_date(seconds: float) -> date:
    """Return the date of a time in seconds since 1970.

    Examples
    --------
    >>> utc_date(86_399.0).isoformat(), utc_date(86_400.0).isoformat()
    ('1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(seconds, UTC).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleAnswer:
    """An answer to a puzzle."""

    puzzle: str  # its position, as text
    tile: str  # the discarded one
    is_right: bool  # whether it was the best discard
    time: float  # seconds since 1970


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRecord:
    """Answers in order of time, and the discards of each daily hand.

    Examples
    --------
    >>> answer = PuzzleAnswer(puzzle="123m", tile="1m", is_right=False, time=0.0)
    >>> record = PlayerRecord().with_answer(answer)
    >>> record.due(599.0), record.due(600.0)
    ([], ['123m'])
    """

    answers: tuple[PuzzleAnswer, ...] = ()
    daily: tuple[tuple[date, tuple[str, ...]], ...] = ()

    def with_answer(self, answer: PuzzleAnswer) -> "PlayerRecord":
        """Return the record with another answer."""
        return replace(self, answers=(*self.answers, answer)[-MAX_ANSWERS:])

    def with_daily(self, day: date, discards: tuple[str, ...]) -> "PlayerRecord":
        """Return the record with the discards of a daily hand."""
        return replace(self, daily=tuple(sorted((dict(self.daily) | {day: discards}).items())))

    def discards(self, day: date) -> tuple[str, ...]:
        """Return the discards of a daily hand so far."""
        return dict(self.daily).get(day, ())

    def answers_to(self, puzzle: str) -> list[PuzzleAnswer]:
        """Return the answers to one puzzle."""
        return [answer for answer in self.answers if answer.puzzle == puzzle]

    def repetitions(self) -> Iterator[tuple[float, str]]:
        """Yield each puzzle that returns after a wrong answer, with the time when it does."""
        steps: dict[str, tuple[float, int]] = {}
        for answer in self.answers:
            step = steps[answer.puzzle][1] if answer.puzzle in steps else None
            if not answer.is_right:
                steps[answer.puzzle] = (answer.time, 0)
            elif step is not None:
                steps[answer.puzzle] = (answer.time, step + 1)
        for puzzle, (time, step) in steps.items():
            if step < len(INTERVALS):
                yield time + INTERVALS[step].total_seconds(), puzzle

    def due(self, now: float) -> list[str]:
        """Return the puzzles to repeat now, the longest overdue first."""
        return [puzzle for time, puzzle in sorted(self.repetitions()) if time <= now]

    def streak(self, now: float) -> int:
        """Return the number of days in a row with an answer or a daily hand, until today.

        A streak that ended yesterday can still be continued today.
        """
        days = {utc_date(answer.time) for answer in self.answers} | {day for day, _ in self.daily}
        today, one = utc_date(now), timedelta(days=1)
        last = today if today in days else today - one
        length = 0
        while last - length * one in days:
            length += 1
        return length

    def to_document(self) -> dict[str, object]:
        """Return the stored form of the record, as JSON data."""
        return {
            "version": VERSION,
            "answers": [asdict(answer) for answer in self.answers],
            "daily": {day.isoformat(): "".join(discards) for day, discards in self.daily},
        }


def read_record(document: Any) -> PlayerRecord:
    """Restore a record from :meth:`PlayerRecord.to_document`; FileError if it is not a stored one.

    Examples
    --------
    >>> read_record(PlayerRecord().to_document()) == PlayerRecord()
    True
    >>> read_record({"version": 1})
    Traceback (most recent call last):
    mjopt.errors.FileError: not a record of puzzles: 'answers'
    """
    try:
        if document["version"] != VERSION:
            found = repr(document["version"])
            raise FileError(argument="version", value=found, expected=str(VERSION))
        answers = tuple(_read_answer(**fields) for fields in document["answers"])
        daily = [
            (date.fromisoformat(day), tuple(text[at : at + 2] for at in range(0, len(text), 2)))
            for day, text in document["daily"].items()
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"not a record of puzzles: {error}") from None
    return PlayerRecord(answers=answers, daily=tuple(sorted(daily)))


def _read_answer(puzzle: str, tile: str, is_right: bool, time: float) -> PuzzleAnswer:
    types = (type(puzzle), type(tile), type(is_right))
    if types != (str, str, bool) or type(time) not in (int, float) or not 0 <= time < 1e11:
        raise TypeError("an answer with other values than a puzzle, a tile, yes or no and a time")
    return PuzzleAnswer(puzzle=puzzle, tile=tile, is_right=is_right, time=time)
