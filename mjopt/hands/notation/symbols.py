"""Base class of the notations that write one symbol a tile."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from mjopt.errors import NotationError
from mjopt.hands.notation.automaton import TextAutomaton, read_fast
from mjopt.hands.notation.base import HeldTile, Parsed, TileToken, count_tiles, each_tile
from mjopt.hands.tiles import TileSet


class SymbolNotation(ABC):
    """Base class of notations that write one symbol a tile."""

    name: str
    symbols: ClassVar[Mapping[str, str]]  # symbol of each kind, by mpsz name
    # Those of red fives; if empty, red fives are written as plain ones.
    red_symbols: ClassVar[Mapping[str, str]] = {}
    separator: ClassVar = " "

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; the NotationError names the position of the first mistake."""
        return read_fast(self.automata(tiles), text) or self.parse_fully(text, tiles)

    def parse_fully(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles token by token."""
        return count_tiles(self.read(text), tiles)

    @abstractmethod
    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return automata that read the usual spellings."""

    @abstractmethod
    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind without a symbol."""
        return self.spell(each_tile(counts, red if self.red_symbols else (), tiles))

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that :func:`held_tiles` yields."""
        has_red = bool(self.red_symbols)
        return self.separator.join(self.symbol(name, red and has_red) for name, red in held)

    def symbol(self, name: str, red: bool = False) -> str:
        """Return the symbol of a kind."""
        symbols = self.red_symbols if red else self.symbols
        if name not in symbols:
            raise NotationError(f"{name} has no sign in notation {self.name}")
        return symbols[name]
