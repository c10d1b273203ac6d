"""The mjai notation: one short word a tile."""

from collections.abc import Iterator
from functools import lru_cache

from mjopt.hands.notation.automaton import TextAutomaton, build_words, tile_of
from mjopt.hands.notation.base import TileToken, is_list, notation_error, split_list
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import FULL, TileSet

HONOURS = {f"{rank}z": letter for rank, letter in enumerate("ESWNPFC", start=1)}
SYMBOLS = {name: HONOURS.get(name, name) for name in FULL.names}
RED_SYMBOLS = {f"5{suit}": f"5{suit}r" for suit in "mps"}

_PLAIN = {sign: name for name, sign in SYMBOLS.items()}
_RED = {sign: name for name, sign in RED_SYMBOLS.items()}


class Mjai(SymbolNotation):
    """Words ``1m``..``9s``, red fives ``5mr 5pr 5sr``, honours ``E S W N P F C``.

    P is the white dragon (5z), F the green (6z), C the red (7z). The words are
    separated by spaces or commas, or are strings of a JSON array. The hidden tile
    ``?`` is an error. The output has spaces, and red fives before plain ones. Reading
    it restores counts and red fives.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Mjai().parse('["5p", "5pr", "E", "C"]', FULL)
    >>> Mjai().write(counts, red, FULL)
    '5pr 5p E C'
    >>> Mjai().parse("1m ?", FULL)
    Traceback (most recent call last):
    mjopt.errors.NotationError: '?' at character 4: a hidden tile, expected a known one
    """

    name = "mjai"
    description = "words 1m..9s, 5mr 5pr 5sr, E S W N P F C, or a JSON array of them"
    symbols = SYMBOLS
    red_symbols = RED_SYMBOLS
    example = "1m 2m 3m 2p 2p 4p 5pr 6p 1s 1s 1s 7s 8s 9s"

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the words."""
        return _automata(tiles.names)

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        for written, start in split_list(text):
            word, at = _unquoted(written, start) if is_list(text) else (written, start)
            if word == "?":
                raise notation_error(word, at, "a hidden tile", "a known one")
            name = _PLAIN.get(word) or _RED.get(word)
            if name is None:
                raise notation_error(
                    word, at, expected="1m..9m, 1p..9p, 1s..9s, 5mr, 5pr, 5sr or one of ESWNPFC"
                )
            yield TileToken(name, word, at, red=word in _RED)


@lru_cache(maxsize=8)
def _automata(names: tuple[str, ...]) -> tuple[TextAutomaton, ...]:
    words = {sign: tile_of(names, name) for sign, name in _PLAIN.items()}
    words |= {sign: tile_of(names, name, is_red=True) for sign, name in _RED.items()}
    return (build_words(names, {word: tile for word, tile in words.items() if tile}, '"'),)


def _unquoted(written: str, at: int) -> tuple[str, int]:
    """Return the content of a JSON string and its position; no tile needs an escape."""
    if len(written) < 2 or not (written[0] == written[-1] == '"'):
        raise notation_error(written, at, expected='a tile in double quotes, as in ["1m", "E"]')
    return written[1:-1], at + 1
