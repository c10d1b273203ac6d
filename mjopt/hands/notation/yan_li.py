"""The notation of Yan and Li (2023): B, C or D and ranks."""

import string
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mjopt.hands.notation.automaton import SPACES, TextAutomaton, build_groups
from mjopt.hands.notation.base import HeldTile, TileToken, notation_error, one_of
from mjopt.hands.notation.mpsz import Token, ranks_then_suit, suit_then_ranks
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import TileSet

SUITS = {"B": "s", "C": "m", "D": "p"}  # bamboos, characters, dots
SYMBOLS = {
    f"{rank}{suit}": f"{letter}{rank}" for letter, suit in SUITS.items() for rank in range(1, 10)
}
IGNORED = "(),"  # around and between blocks


class Paper(SymbolNotation):
    """B (bamboos), C (characters) or D (dots) and ranks, as in ``B1B2C4``.

    A letter may have several ranks (``B3333 C222267``) and may follow them
    (``1B2B``, ``3333B``). If the text begins with a letter, all letters come before
    their ranks; otherwise all come after them. Round brackets, commas and white
    space are ignored.

    The output has B, then C, then D, one letter per tile. Honours cannot be
    written. Red fives are written as plain fives.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> counts, red = Paper().parse("(B1 B2 B3) (B33) (D7, D7)", M0)
    >>> Paper().write(counts, red, M0)
    'B1B2B3B3B3D7D7'
    >>> Paper().write((0,) * 27 + (1,) + (0,) * 6, (), FULL)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 1z has no sign in notation paper
    """

    name = "paper"
    description = "B (bamboos), C (characters), D (dots) before or after the ranks; no honours"
    symbols = SYMBOLS  # the paper has no red fives
    example = "B1B2B3B3B3B8B8B8C4C5C6D6D7D8"

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automata of letters before and after their ranks."""
        return _automata(tiles.names)

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        signs = list(_signs(text))
        is_prefix = bool(signs) and not signs[0].is_rank
        groups = suit_then_ranks if is_prefix else ranks_then_suit
        return groups(signs, one_of(SUITS))

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that `held_tiles` yields; raise NotationError for an honour."""
        return "".join(sorted(super().spell(held).split()))


@lru_cache(maxsize=8)
def _automata(names: tuple[str, ...]) -> tuple[TextAutomaton, ...]:
    meanings = SUITS | dict(zip("123456789", "123456789", strict=True))
    meanings |= dict.fromkeys(IGNORED + SPACES, " ")
    return tuple([build_groups(names, meanings, is_reversed=after) for after in (False, True)])


def _signs(text: str) -> Iterator[Token]:
    for at, char in enumerate(text):
        if char in SUITS:
            yield Token(char, at, SUITS[char])
        elif char in string.digits and char != "0":
            yield Token(char, at, char)
        elif char not in string.whitespace + IGNORED:
            raise notation_error(char, at, expected=f"a rank 1..9 or {one_of(SUITS)}")
