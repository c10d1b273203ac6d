"""The notation of the Botzone platform: a letter and a number a tile."""

import string
from collections.abc import Iterator
from functools import lru_cache

from mjopt.hands.notation.automaton import SPACES, TextAutomaton, build_symbols
from mjopt.hands.notation.base import TileToken, notation_error
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import TileSet

HIGHEST = {"W": 9, "B": 9, "T": 9, "F": 4, "J": 3}
FLOWERS = [f"H{number}" for number in range(1, 9)]
SYMBOLS = {
    f"{rank}{suit}": f"{letter}{rank}"
    for letter, suit in {"W": "m", "B": "p", "T": "s"}.items()
    for rank in range(1, 10)
}
SYMBOLS |= {f"{rank}z": f"F{rank}" for rank in range(1, 5)}  # winds E S W N
SYMBOLS |= {"7z": "J1", "6z": "J2", "5z": "J3"}  # dragons red, green, white

_NAMES = {sign: name for name, sign in SYMBOLS.items()}


class Botzone(SymbolNotation):
    """Symbols ``W1``..``W9``, ``B1``..``B9``, ``T1``..``T9``, ``F1``..``F4``, ``J1``..``J3``.

    W is characters, B dots (not bamboos, as in the paper), T bamboos, F the winds
    E S W N, and J the dragons red, green, white. Spaces, commas or nothing separate
    the symbols. The flowers ``H1``..``H8`` are refused. There are no red fives: they
    are written as plain ones.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Botzone().parse("W1W2W3, B5 T9 F1 J3", FULL)
    >>> Botzone().write(counts, red, FULL)
    'W1 W2 W3 B5 T9 F1 J3'
    >>> Botzone().parse("W1 H3", FULL)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'H3' at character 4: a flower, expected a suit tile or an honour
    """

    name = "botzone"
    description = "W characters, B dots, T bamboos, F winds, J dragons, each with a number"
    symbols = SYMBOLS  # the platform's rules have no red fives
    example = "W1 W2 W3 B2 B2 B4 B5 B6 T1 T1 T1 T7 T8 T9"

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the symbols."""
        return _automata(tiles.names)

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        at = 0
        while at < len(text):
            if text[at] in string.whitespace + ",":
                at += 1
                continue
            sign = text[at : at + 2]
            yield TileToken(_kind(sign, at), sign, at)
            at += 2


@lru_cache(maxsize=8)
def _automata(names: tuple[str, ...]) -> tuple[TextAutomaton, ...]:
    return (build_symbols(names, _NAMES, f"{SPACES},"),)


def _kind(sign: str, at: int) -> str:
    """Return the mpsz name of a symbol."""
    if sign in _NAMES:
        return _NAMES[sign]
    if sign in FLOWERS:
        raise notation_error(sign, at, "a flower", "a suit tile or an honour")
    letter, number = sign[0], sign[1:]
    if letter in HIGHEST:
        raise notation_error(
            sign if number in string.digits else letter,
            at,
            expected=f"{letter}1..{letter}{HIGHEST[letter]}",
        )
    raise notation_error(letter, at, expected="W1..W9, B1..B9, T1..T9, F1..F4 or J1..J3")
