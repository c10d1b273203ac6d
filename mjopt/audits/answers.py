"""Read the answers of other programs: cells of a file, lines of a program, values of a function."""

import ast
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

import numpy as np

from mjopt._internal.cells import whole_number
from mjopt.audits.discard_rates import UNIT
from mjopt.audits.exact_answers import Answers, as_masks, kinds_in
from mjopt.audits.questions import CHOICE, FLAG, NUMBER, RATE, TILES, Question
from mjopt.errors import MjoptError, TileError
from mjopt.hands.notation import read_tiles
from mjopt.hands.notation.text_rows import Texts, read_texts
from mjopt.hands.tiles import FULL, TileSet, from_full

SKIPPED: Final = -1 << 41
"""In place of an answer that was not given."""

UNREAD: Final = -1 << 42
"""In place of an answer that cannot be read."""

_MOST: Final = 1 << 40  # larger numbers are no answers

_YES, _NO = ("1", "1.0", "true", "yes"), ("0", "0.0", "false", "no")
_FLAGS: Final = dict.fromkeys(_YES, 1) | dict.fromkeys(_NO, 0)


def read_answer(cell: object, question: Question, tiles: TileSet, notation: str = "mpsz") -> int:
    """Read one answer to a question; it may be :data:`SKIPPED` or :data:`UNREAD`.

    A cell is ``-`` for none. Yes or no as a truth value, 1 or 0, or a word; a number; tiles as
    text, as a list of names or of copies of all kinds, or as a number: the bits are kinds, for a
    discard it is the kind.

    Examples
    --------
    >>> from mjopt.audits.questions import QUESTIONS
    >>> from mjopt.hands.tiles import M0
    >>> useful, discard = QUESTIONS["useful"], QUESTIONS["discard"]
    >>> [read_answer(cell, useful, M0) for cell in ("14m", "['1m', '4m']", ["1m", "4m"], 9)]
    [9, 9, 9, 9]
    >>> read_answer("5", discard, M0), read_answer("?", discard, M0) == UNREAD
    (32, True)
    """
    if isinstance(cell, str):
        cell = cell.strip()
        if cell == "-":
            return SKIPPED
    if question.scale == FLAG:
        return _FLAGS.get(str(cell).lower(), UNREAD)
    if question.scale == RATE:
        return _rate(cell)
    if question.scale == NUMBER:
        number = whole_number(cell)
        return UNREAD if number is None or abs(number) > _MOST else number
    try:
        return sum(1 << kind for kind in _kinds(literal_list(cell), question, tiles, notation))
    except MjoptError:
        return UNREAD


def _rate(cell: object) -> int:
    """Return a rate in units: of a text, a number, or NaN for none."""
    number = as_decimal(cell)
    if number is None:
        return SKIPPED if isinstance(cell, float) and cell != cell else UNREAD  # noqa: PLR0124
    return round(number * UNIT) if abs(number) * UNIT <= _MOST else UNREAD


def as_decimal(cell: object) -> Decimal | None:
    """Return a number as it is written; None for anything else, also for NaN.

    Examples
    --------
    >>> as_decimal("0.250"), as_decimal(0.25), as_decimal("x")
    (Decimal('0.250'), Decimal('0.25'), None)
    """
    if isinstance(cell, bool) or not isinstance(cell, str | int | float | np.number):
        return None
    text = str(cell.item() if isinstance(cell, np.number) else cell)
    with suppress(ArithmeticError):
        number = Decimal(text)
        return number if number.is_finite() else None
    return None


def _kinds(cell: object, question: Question, tiles: TileSet, notation: str) -> list[int]:
    """Return the kinds of tiles of an answer; an error if it cannot be read."""
    if isinstance(cell, str) and cell in ("", "none"):  # None is an absent answer
        return []
    number = whole_number(cell)
    if isinstance(cell, list | tuple | set | frozenset):
        kinds = _kinds_of_list(list(cell), tiles, notation)
    elif number is None:
        kinds = _kinds_in(read_tiles([str(cell)], notation, tiles)[1][0].counts)
    elif question.scale == CHOICE:
        kinds = [number]
    else:
        kinds = kinds_in(number) if number >= 0 else [-1]
    if not all(0 <= kind < tiles.num_kinds for kind in kinds):
        raise TileError(f"not kinds of {tiles.name}")
    return kinds


def _kinds_of_list(items: list[Any], tiles: TileSet, notation: str) -> list[int]:
    """Return the kinds of a list of names, or of copies of all kinds."""
    if all(isinstance(item, str) for item in items):
        text = " ".join(items)
        return _kinds_in(read_tiles([text], notation, tiles)[1][0].counts) if items else []
    copies = [whole_number(item) for item in items]
    if None in copies or len(copies) < min(27, tiles.num_kinds):
        raise TileError("not copies of all kinds")
    if len(copies) == FULL.num_kinds != tiles.num_kinds:
        copies = [*from_full(items, tiles)]
    return _kinds_in(copies)


def _kinds_in(copies: Iterable[int | None]) -> list[int]:
    return [kind for kind, number in enumerate(copies) if number]


def literal_list(cell: object) -> object:
    """Return a text such as ``[1, 2]`` as a list, anything else as it is.

    Examples
    --------
    >>> literal_list("['1m', '4m']"), literal_list("14m"), literal_list("[")
    (['1m', '4m'], '14m', '[')
    """
    if isinstance(cell, str) and cell.startswith("["):
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
            return ast.literal_eval(cell)
    return cell


def read_answers(
    cells: Sequence[object], question: Question, tiles: TileSet, notation: str = "mpsz"
) -> Answers:
    """Return many answers, shape ``(N,)``; equal texts are read once.

    Examples
    --------
    >>> from mjopt.audits.questions import QUESTIONS
    >>> from mjopt.hands.tiles import M0
    >>> read_answers(["1", "12", 3, "1"], QUESTIONS["ukeire"], M0).tolist()
    [1, 12, 3, 1]
    """
    texts = [cell for cell in cells if isinstance(cell, str)]
    if question.scale == TILES and len(texts) == len(cells):
        found = read_tile_texts(Texts.of(texts), tiles, notation)
        for row in np.flatnonzero(found == UNREAD).tolist():
            found[row] = read_answer(texts[row], question, tiles, notation)
        return found
    known = {text: read_answer(text, question, tiles, notation) for text in set(texts)}
    return np.array(
        [
            known[cell] if isinstance(cell, str) else read_answer(cell, question, tiles, notation)
            for cell in cells
        ],
        np.int64,
    )


def read_tile_texts(texts: Texts, tiles: TileSet, notation: str) -> Answers:
    """Return the masks of texts at once; :data:`UNREAD` for others than plain tiles."""
    found = read_texts(texts, notation, tiles)
    masks = as_masks(found.counts > 0)
    masks[list(found.errors)] = UNREAD
    return masks
