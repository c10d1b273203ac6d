"""What a notation is: text to counts and back, for one named way of writing tiles."""

from typing import NamedTuple, Protocol

from mjopt.hands.tiles import TileSet


class Parsed(NamedTuple):
    """Tiles read from text.

    Attributes
    ----------
    counts
        Copies per kind, shape ``(K,)``, each in ``0..4``.
    red
        How many of those are red fives, per kind.
    """

    counts: tuple[int, ...]
    red: tuple[int, ...]


class Notation(Protocol):
    """One named way of writing tiles."""

    name: str
    description: str
    example: str

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        ...

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind the notation has no sign for."""
        ...
