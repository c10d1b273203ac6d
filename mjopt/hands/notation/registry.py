"""The notations by name, and reading text with one of them."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from mjopt._internal.validation import expect_all, pick
from mjopt.errors import NotationError
from mjopt.hands.notation.automaton import TextAutomaton
from mjopt.hands.notation.base import HeldTile, Parsed
from mjopt.hands.notation.botzone import Botzone
from mjopt.hands.notation.ids136 import Ids136
from mjopt.hands.notation.mjai import Mjai
from mjopt.hands.notation.mpsz import Mpsz, Prefix
from mjopt.hands.notation.number_codes import Codes42, Codes52, Codes121
from mjopt.hands.notation.unicode import Unicode
from mjopt.hands.notation.yan_li import Paper
from mjopt.hands.tiles import FULL, M0, TileSet, as_tiles


class Notation(Protocol):
    """Interface of a notation.

    Examples
    --------
    >>> from mjopt import NOTATIONS
    >>> from mjopt.hands.tiles import M0
    >>> sum(NOTATIONS["paper"].parse("B1B2C4", M0).counts)
    3
    """

    name: str
    description: str
    example: str

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; the NotationError names the position of the first mistake."""
        ...

    def parse_fully(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles token by token, with the result of ``parse`` but more slowly."""
        ...

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return automata that read the usual spellings; the first that accepts a text decides."""
        ...

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind without a symbol."""
        ...

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that :func:`held_tiles` yields."""
        ...


NOTATIONS: Final[dict[str, Notation]] = {
    "mpsz": Mpsz(),
    "paper": Paper(),
    "ids136": Ids136(),
    "mjai": Mjai(),
    "unicode": Unicode(),
    "botzone": Botzone(),
    "prefix": Prefix(),
    "codes121": Codes121(),
    "codes52": Codes52(),
    "codes42": Codes42(),
}
"""All notations; mpsz is the default."""


def get_notation(name: str) -> Notation:
    """Return the notation of a name.

    Raises
    ------
    NotationError
        If no notation has that name.

    Examples
    --------
    >>> get_notation("mjai").example
    '1m 2m 3m 2p 2p 4p 5pr 6p 1s 1s 1s 7s 8s 9s'
    >>> get_notation("morse")
    Traceback (most recent call last):
    mjopt.errors.NotationError: notation 'morse': unknown, expected one of mpsz, paper ...
    """
    return pick(name, NOTATIONS, "notation", NotationError)


def read_tiles(
    texts: Sequence[str], notation: str = "mpsz", tiles: TileSet | None = None
) -> tuple[TileSet, list[Parsed]]:
    """Read several texts that share one tile set.

    Parameters
    ----------
    texts
        Tiles.
    notation
        One of ``mjopt.NOTATIONS``; never guessed, but the error message suggests a
        notation that can read the text.
    tiles
        The tile set; by default ``FULL`` if any text holds honours, else ``M0``.

    Returns
    -------
    TileSet, list of Parsed
        The tile set, and the tiles of each text.

    Raises
    ------
    NotationError
        If a text is not in that notation or not of that tile set.

    Examples
    --------
    >>> read_tiles(["123m"])[0].name, read_tiles(["123m", "東"])[0].name
    ('M0', 'FULL')
    >>> read_tiles(["W1 W2 W3 F1"])
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'W' at character 1: ...; it can be read in notation botzone
    """
    reader, chosen = get_notation(notation), FULL if tiles is None else as_tiles(tiles)
    hands = []
    for text in expect_all(texts, str, "texts"):
        try:
            hands.append(reader.parse(text, chosen))
        except NotationError as error:
            error.hint = _hint(text, notation, chosen)
            raise
    if tiles is None and not any(any(counts[M0.num_kinds :]) for counts, _ in hands):
        chosen = M0
        hands = [Parsed(counts[: M0.num_kinds], red[: M0.num_kinds]) for counts, red in hands]
    return chosen, hands


def _hint(text: str, notation: str, tiles: TileSet) -> str:
    """Suggest a notation that can read the text; empty if no notation can."""
    if tiles == M0 and _reads(notation, text, FULL):
        return "it holds honours, expected tiles 136"
    names = [name for name in NOTATIONS if name != notation and _reads(name, text, tiles)]
    if not names:
        has_letter = notation == "mpsz" and any(letter in "ewnfch" for letter in text.lower())
        return "1..4z are the winds E S W N, 5z white, 6z green, 7z red" if has_letter else ""
    return f"it can be read in notation {' or '.join(names)}"


def _reads(notation: str, text: str, tiles: TileSet) -> bool:
    """Return whether a notation reads at least two tiles; one tile alone is ambiguous."""
    try:
        return sum(get_notation(notation).parse(text, tiles).counts) > 1
    except NotationError:
        return False
