"""The unicode notation: the Mahjong tile characters."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from mjopt.hands.notation.automaton import SPACES, TextAutomaton, build_symbols
from mjopt.hands.notation.base import TileToken, notation_error
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import FULL, TileSet

# U+1F000: winds E S W N; dragons red, green, white; characters; bamboos; dots
_ORDER = [f"{rank}z" for rank in (1, 2, 3, 4, 7, 6, 5)]
_ORDER += [f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)]

SYMBOLS = {name: chr(0x1F000 + i) for i, name in enumerate(_ORDER)}
OTHER_TILES = range(0x1F000 + FULL.num_kinds, 0x1F02C)  # flowers, seasons, joker, back
SELECTORS = "\ufe0e\ufe0f"  # select text or emoji presentation

_NAMES = {sign: name for name, sign in SYMBOLS.items()}


class Unicode(SymbolNotation):
    """One character for each tile, U+1F000 to U+1F021.

    White space and the variation selectors U+FE0E and U+FE0F are ignored.
    Flowers, seasons, the joker and the back of a tile are errors. Red fives are
    written as plain fives.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Unicode().parse("🀇🀈🀉 🀄\ufe0f🀄", FULL)
    >>> Unicode().write(counts, red, FULL)
    '🀇🀈🀉🀄🀄'
    >>> Unicode().parse("🀇🀫", FULL)
    Traceback (most recent call last):
    mjopt.errors.NotationError: '🀫' at character 2: MAHJONG TILE BACK, expected ...
    """

    name = "unicode"
    description = "the Mahjong tile characters U+1F000..U+1F021; no red fives"
    symbols = SYMBOLS  # no character is a red five
    separator = ""
    example = "🀇🀈🀉🀚🀚🀜🀝🀞🀐🀐🀐🀖🀗🀘"

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the characters."""
        return (character_automaton(tiles.names),)

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        for at, char in enumerate(text):
            if char in _NAMES:
                yield TileToken(_NAMES[char], char, at)
            elif not (char.isspace() or char in SELECTORS):
                reason = unicodedata.name(char) if ord(char) in OTHER_TILES else ""
                raise notation_error(char, at, reason, "a suit tile or an honour 🀀..🀡")


@lru_cache(maxsize=16)
def character_automaton(names: tuple[str, ...], *, needs_tile: bool = False) -> TextAutomaton:
    """Return the automaton of tile characters for the kinds of a tile set."""
    return build_symbols(names, _NAMES, SPACES + SELECTORS, needs_tile=needs_tile)
