"""Building blocks of the notations: tokens, counting, writing and error messages."""

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mjopt.errors import NotationError
from mjopt.hands.tiles import COPIES, FULL, TileSet, check_counts

LONGEST = 20  # most characters of the wrong text that a message repeats

RED_RULE = "red only on a 5 outside suit z"

HeldTile = tuple[str, bool]
"""The name of a tile, and whether it is red."""


class Parsed(NamedTuple):
    """Tiles read from text.

    Attributes
    ----------
    counts
        Copies per kind, shape ``(K,)``, each in ``0..4``.
    red
        How many of those are red fives, per kind.

    Examples
    --------
    >>> from mjopt import NOTATIONS
    >>> from mjopt.hands.tiles import M0
    >>> parsed = NOTATIONS["mpsz"].parse("12305m", M0)
    >>> sum(parsed.counts), sum(parsed.red)
    (5, 1)
    """

    counts: tuple[int, ...]
    red: tuple[int, ...]


def notation_error(text: str, position: int, reason: str = "", expected: str = "") -> NotationError:
    r"""Return the one-line error for a piece of text that is not a tile.

    ``position`` is the index of its first character, from 0; the message counts from 1. ``reason``
    is empty if ``expected`` already shows the mistake.

    Examples
    --------
    >>> print(notation_error("x", 6, "not a suit of M0", "m, p or s"))
    'x' at character 7: not a suit of M0, expected m, p or s
    >>> print(notation_error("\n", 0, expected="a tile"))
    '\n' at character 1, expected a tile
    """
    # repr keeps line breaks, controls and lone surrogates out of the message
    shown = repr(text) if len(text) <= LONGEST else repr(text[:LONGEST]) + "..."
    return NotationError(
        reason, value=shown, position=position + 1, unit="character", expected=expected
    )


def one_of(words: Iterable[str]) -> str:
    """Join words with commas and "or".

    Examples
    --------
    >>> one_of("mps"), one_of("m")
    ('m, p or s', 'm')
    """
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def has_red_five(name: str) -> bool:
    """Return whether a kind can have red copies: fives, but not the white dragon.

    Examples
    --------
    >>> has_red_five("5p"), has_red_five("4p"), has_red_five("5z")
    (True, False, False)
    """
    return name[0] == "5" and name[1] != "z"


class TileToken(NamedTuple):
    """One tile in a text."""

    name: str  # the kind in mpsz notation, a rank and a suit letter
    text: str
    position: int  # index of its first character, from 0
    red: bool = False


def count_tiles(tokens: Iterable[TileToken], tiles: TileSet) -> Parsed:
    """Count tiles per kind; an unknown kind, a wrong red one or a fifth copy is an error.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> counts, red = count_tiles([TileToken("5m", "0", 0, red=True), TileToken("5m", "5", 1)], M0)
    >>> counts[:6], red[:6]
    ((0, 0, 0, 0, 2, 0), (0, 0, 0, 0, 1, 0))
    >>> count_tiles([TileToken("1z", "E", 2)], M0)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'E' at character 3: M0 has no 1z, expected a suit m, p or s
    """
    counts = dict.fromkeys(tiles.names, 0)
    reds = counts.copy()
    for name, text, position, red in tokens:
        if red and not has_red_five(name):
            raise notation_error(text, position, f"no red {name}", RED_RULE)
        if name not in counts:
            raise notation_error(text, position, *_lacks(tiles, name))
        if counts[name] == COPIES:
            raise notation_error(text, position, f"a fifth {name}", f"at most {COPIES}")
        counts[name] += 1
        reds[name] += red
    return Parsed(tuple(counts.values()), tuple(reds.values()))


def _lacks(tiles: TileSet, name: str) -> tuple[str, str]:
    """Return that a tile set has no such kind, and what it has."""
    suit = tiles.suit(name[1])
    if suit is None:
        expected = f"a suit {one_of(suit.letter for suit in tiles.suits)}"
    elif suit.ranks[-1] - suit.ranks[0] == len(suit.ranks) - 1:
        expected = f"a rank {suit.ranks[0]}..{suit.ranks[-1]} of {suit.letter}"
    else:
        expected = f"a rank {one_of(map(str, suit.ranks))} of {suit.letter}"
    return f"there is no {name}" if tiles == FULL else f"{tiles.name} has no {name}", expected


def each_tile(counts: Sequence[int], red: Sequence[int], tiles: TileSet) -> Iterator[HeldTile]:
    """Yield each tile of a hand: its name, and whether it is red; red fives come first.

    ``counts`` and ``red``, which may be empty for none, have shape ``(K,)``. More red copies than
    copies, or red ones of a kind that has none, raise `NotationError`.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> fives = (0, 0, 0, 0, 2) + (0,) * 22
    >>> list(each_tile(fives, (0, 0, 0, 0, 1) + (0,) * 22, M0))
    [('5m', True), ('5m', False)]
    """
    held = check_counts(counts, tiles)
    reds = check_counts(red, tiles, what="red fives") if red else (0,) * tiles.num_kinds
    return held_tiles(held, reds, tiles)


def held_tiles(held: Sequence[int], reds: Sequence[int], tiles: TileSet) -> Iterator[HeldTile]:
    """Yield the name of every tile, and whether it is red, for copies in ``0..4`` of each kind."""
    for name, copies, num_red in zip(tiles.names, held, reds, strict=True):
        if num_red > copies:
            raise NotationError(f"{num_red} red of {copies} {name}", expected=f"at most {copies}")
        if num_red and not has_red_five(name):
            raise NotationError(f"{num_red} red {name}", expected=RED_RULE)
        for copy in range(copies):
            yield name, copy < num_red


_ITEM = re.compile(r"[^\s,]+", re.ASCII)


def is_list(text: str) -> bool:
    """Return whether the text opens with a bracket.

    Examples
    --------
    >>> is_list(" [1, 2]"), is_list("1, 2")
    (True, False)
    """
    return text.lstrip(string.whitespace).startswith("[")


def split_list(text: str) -> list[tuple[str, int]]:
    """Split items separated by spaces or commas, in optional brackets; add the position of each.

    Examples
    --------
    >>> split_list("[0, 16]")
    [('0', 1), ('16', 4)]
    >>> split_list("[0, 16")
    Traceback (most recent call last):
    mjopt.errors.NotationError: '[' at character 1: never closed, expected ] at the end
    """
    start = len(text) - len(text.lstrip(string.whitespace))
    end = len(text.rstrip(string.whitespace))
    opens, closes = text.startswith("[", start), text.endswith("]", 0, end)
    if opens and not closes:
        raise notation_error("[", start, "never closed", "] at the end")
    if closes and not opens:
        raise notation_error("]", end - 1, "never opened", "[ at the start")
    items = _ITEM.finditer(text, start + opens, end - closes)
    return [(item[0], item.start()) for item in items]
