"""Files of hands with the answers of another program, read in blocks, including invalid rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cells import count_in, is_absent
from mjopt._internal.validation import expect
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answer_columns import (
    BARRED,
    DISCARD,
    LOOKS_LIKE,
    MELDS,
    OPPONENT_CALLED,
    OPPONENT_MELDS,
    SKIP,
    UNSEEN,
    rate_columns,
)
from mjopt.audits.answers import (
    UNREAD,
    as_decimal,
    literal_list,
    read_answer,
    read_answers,
    read_tile_texts,
)
from mjopt.audits.discard_rates import AskedDiscards, decimal_places
from mjopt.audits.exact_answers import Answers, kinds_in
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import (
    DISCARD_QUESTIONS,
    NUMBER,
    QUESTIONS,
    TILES,
    Question,
    get_question,
)
from mjopt.errors import FileError, MjoptError
from mjopt.hands.blocks import Block
from mjopt.hands.coerce import as_copies
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.files.parquet_layout import HAND_COLUMNS
from mjopt.hands.files.row_blocks import RowBlock
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES


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
        if any(question in DISCARD_QUESTIONS for question in chosen.values()):
            return cls(hands=hands, columns=rate_columns(chosen, named, names, label))
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
                hint="" if "danger" not in names else "--column danger audits deal-in rates",
            )
        others = {
            name: question
            for name in names
            for question, pattern in LOOKS_LIKE.items()
            if name not in {*chosen, *named} and re.fullmatch(pattern, name.strip().lower())
        }
        return cls(hands=hands, columns=chosen, similar=others)

    def __len__(self) -> int:
        """Return the number of rows, of lists their entries; this reads a CSV file to its end."""
        return len(self.hands) * (self.hands.tiles.num_kinds if self.has_lists else 1)

    @property
    def asks_about_discards(self) -> bool:
        """Whether the answers are deal-in rates."""
        return any(question in DISCARD_QUESTIONS for question in self.columns.values())

    @property
    def has_lists(self) -> bool:
        """Whether each answer is a list of the rates of all kinds."""
        return self.asks_about_discards and DISCARD not in self.hands.names

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
        if self.asks_about_discards:
            others |= {BARRED, OPPONENT_MELDS, *OPPONENT_CALLED, DISCARD}
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
        asked: dict[int, _Asked] = {}
        not_hands: list[tuple[int, str, str]] = []
        for row in range(len(block)):
            if is_hand[row] and left is None and not self.asks_about_discards:
                continue
            text, cells = "", block.cells(row)
            try:
                text = self._text(cells)
                hand = self._hand(cells)
                if left is not None:
                    left[row] = self._left(cells, hand)
                if self.asks_about_discards:
                    asked[row] = self._asked(cells)
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
        if self.asks_about_discards:
            return self._rates(block, rows, hands, [asked[row] for row in rows.tolist()], not_hands)
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

    def _asked(self, cells: tuple[object, ...]) -> "_Asked":
        """Return the discards that a row asks about, and their opponent."""
        tiles, notation = self.hands.tiles, self.hands.notation
        barred = literal_list(cells[self._places[BARRED]])
        if isinstance(barred, list) and all(isinstance(kind, int) for kind in barred):
            if not all(0 <= kind < tiles.num_kinds for kind in barred):
                raise FileError(f"{BARRED} {barred}", expected=f"kinds 0..{tiles.num_kinds - 1}")
            mask = sum(1 << kind for kind in {*barred})
        else:
            mask = read_answer(barred, QUESTIONS["useful"], tiles, notation)
            if mask < 0:
                raise FileError(f"{BARRED} {self._written(barred)!r}", expected="tiles")
        number = next((name for name in OPPONENT_CALLED if name in self._places), None)
        melds = cells[self._places[OPPONENT_MELDS]] if OPPONENT_MELDS in self._places else None
        texts = [text for word in _words(melds) for text in word.split(",") if text]
        called = None if number is None else count_in(cells[self._places[number]], number)
        rules = self.hands.rules
        hand = Hand.parse("", tiles=tiles, melds=texts, called=None, partial=True, rules=rules)
        if called is not None:
            hand = replace(hand, called=called)
        if self.has_lists:
            return _Asked(mask, hand, range(tiles.num_kinds))
        discard = cells[self._places[DISCARD]]
        kinds = kinds_in(read_answer(discard, QUESTIONS["discard"], tiles, notation))
        if len(kinds) != 1:
            raise FileError(f"{DISCARD} {self._written(discard)!r}", expected="one kind of tile")
        return _Asked(mask, hand, kinds)

    def _rates(
        self,
        block: RowBlock,
        rows: NDArray[np.intp],
        hands: HandBatch,
        asked: Sequence["_Asked"],
        not_hands: Sequence[tuple[int, str, str]],
    ) -> AnswerBlock:
        """Return a row for each discard and its rate."""
        places = np.array([n for n, each in enumerate(asked) for _ in each.kinds], np.intp)
        kinds = np.array([kind for each in asked for kind in each.kinds], np.intp)
        written: dict[str, list[object]] = {}
        for name in self.columns:
            cells = [block.cells(row)[self._places[name]] for row in rows.tolist()]
            lists = (
                [self._entries(cell) for cell in cells] if self.has_lists else [[c] for c in cells]
            )
            written[name] = [entry for entries in lists for entry in entries]
        decimals = map(as_decimal, chain(*written.values()))
        about = AskedDiscards(
            kinds=kinds,
            barred=np.array([each.barred for each in asked], np.int64)[places],
            opponents=_as_objects([each.opponent for each in asked])[places],
            digits=max((decimal_places(each) for each in decimals if each is not None), default=0),
        )
        tiles, names = self.hands.tiles, self.hands.tiles.names
        return AnswerBlock(
            num_rows=len(places) + len(not_hands),
            hands=replace(hands.take(places), asked=about) if len(places) else hands,
            lines=block.lines[rows][places],
            given={
                name: read_answers(entries, get_question(self.columns[name]), tiles)
                for name, entries in written.items()
            },
            written=lambda place, name: self._written(written[name][place]),
            text=lambda place: f"{hands.text(places[place])} {names[kinds[place]]}",
            not_hands=not_hands,
        )

    def _entries(self, cell: object) -> Sequence[object]:
        """Return the rates in a cell; without a rate for each kind none can be read."""
        num_kinds, entries = self.hands.tiles.num_kinds, literal_list(cell)
        is_list = isinstance(entries, list) and len(entries) == num_kinds
        return entries if isinstance(entries, list) and is_list else [cell] * num_kinds

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


class _Asked(NamedTuple):
    """The discards that a row asks about, and the opponent who may win on them."""

    barred: int  # kinds that he cannot win on, a bit for each
    opponent: Hand  # his melds
    kinds: Sequence[int]


def _as_objects(items: Sequence[object]) -> NDArray[np.object_]:
    found = np.empty(len(items), np.object_)
    for place, item in enumerate(items):
        found[place] = item
    return found


def _words(cell: object) -> list[str]:
    """Return the melds in a cell: a list of texts, or texts between blanks or semicolons."""
    if is_absent(cell):
        return []
    if isinstance(cell, list):
        return [str(item) for item in cell]
    return re.split(r"[\s;/]+", str(cell).strip())
