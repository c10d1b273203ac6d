"""Files of hands with the answers of another program, read in blocks, including invalid rows."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.audits.answers import UNREAD, literal_list, read_answer, read_tile_texts
from mjopt.audits.questions import (
    NUMBER,
    QUESTIONS,
    TILES,
    Answers,
    HandBatch,
    Question,
    get_question,
)
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.hands.blocks import Block
from mjopt.hands.cells import count_in, is_absent
from mjopt.hands.coerce import as_copies
from mjopt.hands.files import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.parquet_layout import HAND_COLUMNS
from mjopt.hands.row_blocks import RowBlock
from mjopt.hands.tiles import COPIES

SKIP: Final = "skip"
"""The question of a column that is not audited."""

MELDS: Final = "melds"
UNSEEN: Final = "unseen"

_LOOKS_LIKE: Final = {
    "win": r"wins?|is_win|agari|hule|complete",
    "shanten": r".*(shanten|xiangting|syanten).*",
    "deficiency": r".*deficienc.*",
    "useful": r"useful.*|waits?|machi|outs|acceptance|accepts|effective.*",
    "ukeire": r".*ukeire.*|num_copies|copies|useful_copies|num_useful",
    "discard": r"discards?|best.*|.*_discards?",
    "decompositions": r".*decompositions?.*|num_splits",
}
"""Names of columns that may be answers, by question; they are named, not audited."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerBlock:
    """Some hands with the answers to audit.

    Parameters
    ----------
    num_rows
        Number of rows, those that are not hands included.
    hands, lines
        The hands, and the line or row number of each.
    given
        The answers by column, shape ``(N,)``.
    written
        Maps the place of a hand and a column to the answer as it was written.
    text
        Maps the place of a hand to its text.
    not_hands
        Line, text and reason of each row that is not a hand.
    """

    num_rows: int
    hands: HandBatch | None
    lines: "Sequence[int] | NDArray[np.int64]"
    given: "Mapping[str, Answers]"
    written: Callable[[int, str], str]
    text: Callable[[int], str]
    not_hands: Sequence[tuple[int, str, str]] = ()

    @classmethod
    def of(cls, hands: HandBatch, first: int = 0) -> "AnswerBlock":
        """Return hands without answers, their rows numbered from a first number.

        Examples
        --------
        >>> AnswerBlock.of(HandBatch.of([Hand.parse("1112345678999m1p")]), 5).lines
        range(5, 6)
        """
        expect(hands, HandBatch, "hands")
        return cls(
            num_rows=len(hands),
            hands=hands,
            lines=range(first, first + len(hands)),
            given={},
            written=lambda *_: "",
            text=hands.text,
        )


@dataclass(frozen=True, kw_only=True)
class AnswerFile:
    """A file with a hand and answers in every row; :meth:`open` locates its columns.

    Parameters
    ----------
    hands
        The file as a file of hands.
    columns
        The question of each column that is audited.
    similar
        The likely question of each column that is not audited, but looks like an answer.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from mjopt.hands.tiles import FULL
    >>> rows = ["hand,shanten,waits,note", "1112345678999m,0,123456789m,x"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.csv")
    ...     _ = path.write_text(chr(10).join(rows))
    ...     file = AnswerFile.open(HandFile(path=path, format="csv", tiles=FULL))
    >>> file.columns, file.similar
    ({'shanten': 'shanten'}, {'waits': 'useful'})
    """

    hands: HandFile
    columns: Mapping[str, str]
    similar: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def open(cls, hands: HandFile, columns: Mapping[str, str] | None = None) -> "AnswerFile":
        """Locate the columns of answers in a file.

        Parameters
        ----------
        hands
            The file.
        columns
            The question of columns with other names, or ``skip``; columns that have the name of a
            question are audited without that.

        Raises
        ------
        FileError
            If the file or a column is missing, or no column is audited.
        """
        expect(hands, HandFile, "hands")
        expect({} if columns is None else columns, Mapping, "columns")
        if not hands.path.is_file():
            raise FileError("no such file", argument=str(hands.path))
        named, names, label = dict(columns or {}), hands.names, hands.label
        for name, question in named.items():
            if question != SKIP:
                get_question(question)
            if name not in (*names, *hands.header):
                found = ", ".join(hands.header)
                raise FileError(f"{label}: no column {name!r} among {found}")
        for name in [name for name in named if name not in names]:
            named[names[hands.header.index(name)]] = named.pop(name)
        chosen = {name: named.get(name, name) for name in names if name in {*named, *QUESTIONS}}
        chosen = {name: question for name, question in chosen.items() if question != SKIP}
        if "discard" in chosen and "best" in names and "discard" not in named:
            raise FileError(
                f"{label}: has columns discard and best",
                argument="--column",
                expected="the one to audit: discard=discard or best=discard",
                hint="the other one with discard=skip, and deficiency=skip if it is that after the "
                "discard",
            )
        if not chosen:
            raise FileError(
                f"{label}: columns ({', '.join(hands.header)})",
                argument="column",
                expected=f"one named {', '.join([*QUESTIONS][:-1])} or {[*QUESTIONS][-1]}, or "
                "NAME=QUESTION",
            )
        others = {
            name: question
            for name in names
            for question, pattern in _LOOKS_LIKE.items()
            if name not in {*chosen, *named} and re.fullmatch(pattern, name.strip().lower())
        }
        return cls(hands=hands, columns=chosen, similar=others)

    def __len__(self) -> int:
        """Return the number of rows; this reads a CSV file to its end."""
        return len(self.hands)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.hands.names)}

    def blocks(self) -> Iterator[AnswerBlock]:
        """Yield all rows in blocks.

        Raises
        ------
        FileError
            If the file cannot be read further.
        """
        others = {*HAND_COLUMNS, *self.hands.tiles.names, "called", MELDS, UNSEEN}
        for block in self.hands.blocks({*others, *self.columns}):
            yield self._read(block)

    def _read(self, block: RowBlock) -> AnswerBlock:
        """Read the rows of a block, most of them at once."""
        file = self.hands
        found = file.read(block)
        called, is_hand = file.read_called(block)
        sizes, full = found.counts.sum(axis=1, dtype=np.int64), file.size - 3 * called
        is_hand &= block.is_whole & ((sizes == full) | (sizes == full - 1))
        is_hand &= (found.counts <= COPIES).all(axis=1)
        is_hand[list(found.errors)] = False
        if MELDS in self._places:
            is_hand[:] = False
        left = np.uint8(COPIES) - found.counts if {MELDS, UNSEEN} & {*self._places} else None
        melds: dict[int, tuple[Block, ...]] = {}
        not_hands: list[tuple[int, str, str]] = []
        for row in range(len(block)):
            if is_hand[row] and left is None:
                continue
            text, cells = "", block.cells(row)
            try:
                text = self._text(cells)
                hand = self._hand(cells)
                if left is not None:
                    left[row] = self._left(cells, hand)
            except MjoptError as error:
                is_hand[row] = False
                not_hands.append((int(block.lines[row]), text, str(error)))
            else:
                is_hand[row] = True
                found.counts[row], called[row], melds[row] = hand.counts, hand.called, hand.melds
        rows = np.flatnonzero(is_hand)
        hands = HandBatch(
            counts=found.counts[rows],
            called=called[rows],
            left=None if left is None else left[rows],
            tiles=file.tiles,
            rules=file.rules,
            melds=tuple(melds[row] for row in rows.tolist()) if any(melds.values()) else (),
        )
        return AnswerBlock(
            num_rows=len(block),
            hands=hands,
            lines=block.lines[rows],
            given={
                name: self._answers(block, rows, name, QUESTIONS[question])
                for name, question in self.columns.items()
            },
            written=lambda place, name: self._written(block.cells(rows[place])[self._places[name]]),
            text=lambda place: self._text(block.cells(rows[place])),
            not_hands=not_hands,
        )

    def _answers(
        self, block: RowBlock, rows: NDArray[np.intp], name: str, question: Question
    ) -> Answers:
        """Return the answers of a column for some rows: plain cells at once, the others singly."""
        found = np.full(len(block), np.int64(UNREAD))
        place, tiles, notation = self._places[name], self.hands.tiles, self.hands.notation
        if question.scale == NUMBER:
            numbers, is_number = self.hands.numbers(block, name)
            found[is_number] = numbers[is_number]
        elif question.scale == TILES and (texts := block.column(place)) is not None:
            if not (len(texts) and texts[0].isdigit()):  # numbers are sets by their bits
                found = read_tile_texts(texts, tiles, notation)
            if self.hands.format != "csv":  # no tiles, or an absent answer
                found[found == 0] = UNREAD
        for row in rows[found[rows] == UNREAD].tolist():
            found[row] = read_answer(block.cells(row)[place], question, tiles, notation)
        return found[rows]

    def _hand(self, cells: tuple[object, ...]) -> Hand:
        """Return the hand of a row with its melds; it must be whole."""
        file = self.hands
        if MELDS not in self._places:
            return file.hand(cells)
        held = replace(file, partial=True, called=0).hand(cells)
        texts = _words(cells[self._places[MELDS]])
        called = None
        if "called" in file.names and file.called is None:
            called = count_in(cells[self._places["called"]], "called")
        if called is not None and texts and called != len(texts):
            raise FileError(f"{len(texts)} melds, but called {called}", expected="the same number")
        text = held.to_text(file.notation)
        how = {"tiles": file.tiles, "notation": file.notation, "rules": file.rules}
        return Hand.parse(text, called=called, melds=texts, **how)  # type: ignore[arg-type]

    def _left(self, cells: tuple[object, ...], hand: Hand) -> tuple[int, ...]:
        """Return the copies that can arrive: those in the column of unseen tiles, if any."""
        cell = cells[self._places[UNSEEN]] if UNSEEN in self._places else None
        if is_absent(cell):
            return hand.unseen
        given: Any = literal_list(cell)
        return tuple(map(min, as_copies(given, hand.tiles, what=UNSEEN), hand.unseen))

    def _text(self, cells: tuple[object, ...]) -> str:
        """Return the hand of a row as text."""
        file = self.hands
        if file.layout.text is None or file.is_list(cells):
            with suppress(MjoptError):
                return file.hand(cells).to_text(file.notation)
        return " ".join(map(str, cells)) if file.format == "npy" else file.text(cells)

    def _written(self, cell: object) -> str:
        return "" if is_absent(cell) else str(cell).strip()


def _words(cell: object) -> list[str]:
    """Return the melds in a cell: a list of texts, or texts between blanks or semicolons."""
    if is_absent(cell):
        return []
    if isinstance(cell, list):
        return [str(item) for item in cell]
    return re.split(r"[\s;/]+", str(cell).strip())


def read_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the columns of ``--column``: the name of each, and its question.

    Examples
    --------
    >>> read_columns(["value=shanten", "useful", "discard=skip"])
    {'value': 'shanten', 'useful': 'useful', 'discard': 'skip'}
    >>> read_columns(["value"])
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: --column value, expected value=QUESTION with win, ... or skip
    """
    found = {}
    for text in texts:
        name, _, question = text.rpartition("=")
        name, question = (name, question) if name else (text, text)
        if question not in {*QUESTIONS, SKIP}:
            raise ArgumentError(
                argument="--column",
                value=text,
                expected=f"{name}=QUESTION with {', '.join(QUESTIONS)} or {SKIP}",
            )
        found[name] = question
    return found
