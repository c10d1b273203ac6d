"""The notation of the Botzone platform: a letter and a number for each tile."""

import string
from collections.abc import Iterator

from mjopt.hands.notation.base import refusal
from mjopt.hands.notation.counts import SignNotation, Written

HIGHEST = {"W": 9, "B": 9, "T": 9, "F": 4, "J": 3}
FLOWERS = [f"H{number}" for number in range(1, 9)]
SIGNS = {
    f"{rank}{suit}": f"{letter}{rank}"
    for letter, suit in {"W": "m", "B": "p", "T": "s"}.items()
    for rank in range(1, 10)
}
SIGNS |= {f"{rank}z": f"F{rank}" for rank in range(1, 5)}  # winds E S W N
SIGNS |= {"7z": "J1", "6z": "J2", "5z": "J3"}  # dragons red, green, white

_NAMES = {sign: name for name, sign in SIGNS.items()}


class Botzone(SignNotation):
    """Signs ``W1``..``W9``, ``B1``..``B9``, ``T1``..``T9``, ``F1``..``F4``, ``J1``..``J3``.

    W is characters, B dots (not bamboos, as in the paper), T bamboos, F the winds
    E S W N, and J the dragons red, green, white. Spaces, commas or nothing separate
    the signs. The flowers ``H1``..``H8`` are refused. There are no red fives: they
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
    signs = SIGNS  # the platform's rules have no red fives
    example = "W1 W2 W3 B2 B2 B4 B5 B6 T1 T1 T1 T7 T8 T9"

    def read(self, text: str) -> Iterator[Written]:
        """Yield the tiles of a text as they stand in it."""
        at = 0
        while at < len(text):
            if text[at] in string.whitespace + ",":
                at += 1
                continue
            sign = text[at : at + 2]
            yield Written(_kind(sign, at), sign, at)
            at += 2


def _kind(sign: str, at: int) -> str:
    """Return the mpsz name of a sign."""
    if sign in _NAMES:
        return _NAMES[sign]
    if sign in FLOWERS:
        raise refusal(sign, at, "a flower, expected a suit tile or an honour")
    letter, number = sign[0], sign[1:]
    if letter in HIGHEST:
        raise refusal(
            sign if number in string.digits else letter,
            at,
            f"expected {letter}1..{letter}{HIGHEST[letter]}",
        )
    raise refusal(letter, at, "expected W1..W9, B1..B9, T1..T9, F1..F4 or J1..J3")
