"""The notation of Yan and Li (2023): B, C or D with each rank."""

import string
from collections.abc import Iterator

from mjopt.hands.notation.base import one_of, refusal
from mjopt.hands.notation.counts import SignNotation, Written
from mjopt.hands.notation.tokenizer import Sign, ranks_then_suit, suit_then_ranks
from mjopt.hands.tiles import TileSet

SUITS = {"B": "s", "C": "m", "D": "p"}  # bamboos, characters, dots
SIGNS = {
    f"{rank}{suit}": f"{letter}{rank}" for letter, suit in SUITS.items() for rank in range(1, 10)
}
IGNORED = "(),"  # around and between blocks


class Paper(SignNotation):
    """B (bamboos), C (characters) or D (dots) and ranks, as in ``B1B2C4``.

    A letter may have several ranks (``B3333 C222267``), and may follow them
    (``1B2B``, ``3333B``): if the text begins with a letter, all letters come before
    their ranks, otherwise all come after them. Round brackets, commas and white
    space may stand anywhere and mean nothing.

    Written text has B, then C, then D, one letter per tile. Honours have no sign:
    they are refused in writing. Red fives have none either: they are written as
    plain ones.

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
    signs = SIGNS  # the paper has no red fives
    example = "B1B2B3B3B3B8B8B8C4C5C6D6D7D8"

    def read(self, text: str) -> Iterator[Written]:
        """Yield the tiles of a text as they stand in it."""
        signs = list(_signs(text))
        is_prefix = bool(signs) and not signs[0].is_rank
        groups = suit_then_ranks if is_prefix else ranks_then_suit
        return groups(signs, one_of(SUITS))

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for an honour."""
        return "".join(sorted(super().write(counts, red, tiles).split()))


def _signs(text: str) -> Iterator[Sign]:
    for at, char in enumerate(text):
        if char in SUITS:
            yield Sign(char, at, SUITS[char])
        elif char in string.digits and char != "0":
            yield Sign(char, at, char)
        elif char not in string.whitespace + IGNORED:
            raise refusal(char, at, f"expected a rank 1..9 or {one_of(SUITS)}")
