"""Files of hands with answers, as the tests open them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mjopt.audits.answer_file import AnswerFile
from mjopt.hands.files.formats import TABULAR, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet


def open_answers(
    path: Path, *, tiles: TileSet, columns: Mapping[str, str] | None = None, **how: Any
) -> AnswerFile:
    """Open a file; the options are those of `HandFile`."""
    hands = HandFile(path=path, format=file_format(path, TABULAR), tiles=tiles, **how)
    return AnswerFile.open(hands, columns)


def read_answers(file: AnswerFile, column: str) -> dict[int, tuple[Hand, int]]:
    """Return the hand and the answer of a column of each row that is a hand, by its line."""
    return {
        int(line): (block.hands.hand(place), int(block.given[column][place]))
        for block in file.blocks()
        if block.hands is not None
        for place, line in enumerate(block.lines)
    }


def rows_without_hand(file: AnswerFile) -> list[tuple[int, str, str]]:
    """Return line, text and reason of the rows that are not hands."""
    return [row for block in file.blocks() for row in block.not_hands]
