"""The mpsz notation: ranks, then the letter of their suit."""

import string
from collections.abc import Iterator
from itertools import groupby

from mjopt.hands.notation.base import Parsed, one_of, refusal
from mjopt.hands.notation.cutting import Sign, ranks_then_suit
from mjopt.hands.notation.tally import holdings, tally
from mjopt.hands.tiles import TileSet


class Mpsz:
    """Ranks and then a suit letter, as in ``123m406p11z``.

    The letters are those of the tile set: m characters, p dots, s bamboos, z
    honours (1 to 4 the winds E S W N, 5 white, 6 green, 7 red). Suits may come in
    any order and repeat, and white space may stand between any two tiles.

    A red five is ``0``, ``5r`` or ``r5``. An ``r`` belongs to the character right
    before it if that is a 5 not yet red, else to a 5 right after it: ``5r5m`` is a
    red and then a plain five, ``r5r5m`` two red ones. A tile set with a suit r
    keeps the letter for it and has only ``0``.

    Written text has suits in the order of the tile set, ranks ascending, and red
    fives, as ``0``, before plain ones; counts and red fives survive the way back.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> counts, red = Mpsz().parse("r56m 11z 4m", FULL)
    >>> counts[:6], red[4]
    ((0, 0, 0, 1, 1, 1), 1)
    >>> Mpsz().write(counts, red, FULL)
    '406m11z'
    >>> Mpsz().parse("123m1z", M0)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'z' at character 6: not a suit of M0, expected m, p or s
    """

    name = "mpsz"
    description = "ranks, then a suit letter; 0 is a red five"
    example = "123m406p12333888s"

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        return tally(ranks_then_suit(_signs(text, tiles), _letters(tiles)), tiles)

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; any kind of any tile set can be written."""
        by_suit = groupby(holdings(counts, red, tiles), key=lambda held: held[0][1])
        return "".join(
            "".join("0" if is_red else name[0] for name, is_red in group) + letter
            for letter, group in by_suit
        )


def _letters(tiles: TileSet) -> str:
    return one_of(suit.letter for suit in tiles.suits)


def _signs(text: str, tiles: TileSet) -> Iterator[Sign]:
    at = 0
    while at < len(text):
        char = text[at]
        if char not in string.whitespace:
            sign = _sign(text, at, tiles)
            yield sign
            at += len(sign.written)
        else:
            at += 1


def _sign(text: str, at: int, tiles: TileSet) -> Sign:
    """Read the rank or the suit letter at a place that is not white space."""
    char = text[at]
    if tiles.suit(char) is not None:
        return Sign(char, at, char)
    if char == "0":
        return Sign(char, at, "5", red=True)
    # An r that an earlier 5 did not take can only be the prefix of the next one.
    if tiles.suit("r") is None and text[at : at + 2] in ("5r", "r5"):
        return Sign(text[at : at + 2], at, "5", red=True)
    if char in string.digits:
        return Sign(char, at, char)
    if char == "r":
        raise refusal(char, at, "red marker without its five, expected 5r or r5")
    if char in string.ascii_letters:
        raise refusal(char, at, f"not a suit of {tiles.name}, expected {_letters(tiles)}")
    raise refusal(char, at, f"expected a rank (1..9, 0 for a red five) or {_letters(tiles)}")
