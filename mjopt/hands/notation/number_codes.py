"""Notations of one number for each kind of tile, as programs of the sources use them."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import lru_cache

from mjopt.hands.notation.automaton import TextAutomaton, build_words, tile_of
from mjopt.hands.notation.base import TileToken, notation_error, split_list
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import TileSet


def number_kinds(first_codes: Mapping[str, int], honour_codes: Mapping[int, int]) -> dict[str, str]:
    """Return the code of each kind, given those of rank 1 of each suit and of the honours by rank.

    Examples
    --------
    >>> codes = number_kinds({"m": 1, "p": 21, "s": 41}, {7: 101})
    >>> codes["9p"], codes["7z"], len(codes)
    ('29', '101', 28)
    """
    codes = {
        f"{rank}{suit}": str(first + rank - 1)
        for suit, first in first_codes.items()
        for rank in range(1, 10)
    }
    return codes | {f"{rank}z": str(code) for rank, code in honour_codes.items()}


class NumberCodes(SymbolNotation):
    """Base class of the notations by number; a kind has one code for all its copies.

    Spaces, commas or both separate the codes; square brackets around the list are optional.
    There are no codes of flowers, nor of red fives, which are written as plain ones.
    """

    @property
    @abstractmethod
    def ranges(self) -> str:
        """All codes, as a message writes them."""

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the codes."""
        return _automata(tiles.names, tuple(self.symbols.items()))

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        names = {code: name for name, code in self.symbols.items()}
        for written, at in split_list(text):
            name = names.get(written.lstrip("0") or "0")
            if name is None:
                raise notation_error(written, at, expected=self.ranges)
            yield TileToken(name, written, at)


class Codes121(NumberCodes):
    """The codes of GMJBG: ``1..9`` characters, ``21..29`` dots, ``41..49`` bamboos.

    The honours are 61 E, 71 S, 81 W, 91 N, 101 red, 111 green, 121 white. The figure of the source
    shows the tiles as pictures; suits and honours are in the order of its tables 1 to 3.

    References
    ----------
    .. [1] The Genius of Mahjong Boys and Girls (Tamkang University, 2017), figure 3.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Codes121().parse("1 2 3 21 49 61 121", FULL)
    >>> Codes121().write(counts, red, FULL)
    '1 2 3 21 49 61 121'
    >>> Codes121().parse("1, 10", FULL)
    Traceback (most recent call last):
    mjopt.errors.NotationError: '10' at character 4, expected 1..9, 21..29, 41..49, 61, ...
    """

    name = "codes121"
    ranges = "1..9, 21..29, 41..49, 61, 71, 81, 91, 101, 111 or 121"
    description = "GMJBG's numbers: 1..9 characters, 21..29 dots, 41..49 bamboos, 61..121 honours"
    symbols = number_kinds(
        {"m": 1, "p": 21, "s": 41}, {1: 61, 2: 71, 3: 81, 4: 91, 7: 101, 6: 111, 5: 121}
    )
    example = "1 2 3 22 22 24 25 26 41 41 41 47 48 49"


class Codes52(NumberCodes):
    """Codes for dynamic programming: ``1..9`` characters, ``12..20`` bamboos, ``23..31`` dots.

    The honours are 34 E, 37 S, 40 W, 43 N, 46 red, 49 green, 52 white: two numbers between any two
    kinds that form no chow.

    References
    ----------
    .. [1] A student's report on Mahjong (2021), section 2: ``card2num``, from Botzone's symbols.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Codes52().parse("[1, 2, 3, 12, 31, 34, 52]", FULL)
    >>> Codes52().write(counts, red, FULL)
    '1 2 3 31 12 34 52'
    """

    name = "codes52"
    ranges = "1..9, 12..20, 23..31, 34, 37, 40, 43, 46, 49 or 52"
    description = "numbers 1..9 characters, 12..20 bamboos, 23..31 dots, 34..52 honours"
    symbols = number_kinds(
        {"m": 1, "s": 12, "p": 23}, {1: 34, 2: 37, 3: 40, 4: 43, 7: 46, 6: 49, 5: 52}
    )
    example = "1 2 3 24 24 26 27 28 12 12 12 18 19 20"


class Codes42(NumberCodes):
    """Codes from 0: ``0..8`` characters, ``10..18`` dots, ``20..28`` bamboos, even honours.

    The winds are 30 to 36, the dragons 38, 40 and 42. The source does not say which is which, and
    its program to print them is off by one; here they have the order of mpsz: E S W N, white,
    green, red.

    References
    ----------
    .. [1] Judging the finish of mahjong by combinatorial optimization.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Codes42().parse("0 0 0 1 8 10 28 30 42", FULL)
    >>> Codes42().write(counts, red, FULL)
    '0 0 0 1 8 10 28 30 42'
    """

    name = "codes42"
    ranges = "0..8, 10..18, 20..28, 30, 32, 34, 36, 38, 40 or 42"
    description = "numbers 0..8 characters, 10..18 dots, 20..28 bamboos, even 30..42 honours"
    symbols = number_kinds(
        {"m": 0, "p": 10, "s": 20}, {rank: 28 + 2 * rank for rank in range(1, 8)}
    )
    example = "0 1 2 11 11 13 14 15 20 20 20 26 27 28"


@lru_cache(maxsize=24)
def _automata(
    names: tuple[str, ...], codes: tuple[tuple[str, str], ...]
) -> tuple[TextAutomaton, ...]:
    words = {code: tile_of(names, name) for name, code in codes}
    return (build_words(names, {word: tile for word, tile in words.items() if tile}),)
