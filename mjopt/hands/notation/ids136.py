"""The ids136 notation: one number for each physical tile of the full set."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mjopt.hands.notation.automaton import TextAutomaton, build_words, tile_of
from mjopt.hands.notation.base import (
    HeldTile,
    TileToken,
    each_tile,
    notation_error,
    split_list,
)
from mjopt.hands.notation.symbols import SymbolNotation
from mjopt.hands.tiles import COPIES, FULL, TileSet

FIRST_IDS = {name: str(COPIES * kind) for kind, name in enumerate(FULL.names)}
RED_IDS = (16, 52, 88)  # copy 0 of 5m, 5p and 5s

_NUMBER = re.compile(r"[0-9]{1,3}")


class Ids136(SymbolNotation):
    """Numbers 0..135, four for each kind in the order m, p, s, z.

    Kind ``id // 4`` counts 1m..9m, 1p..9p, 1s..9s, 1z..7z for every tile set, and
    the set must have that kind. By the Tenhou convention 16, 52 and 88 are the red
    fives. Spaces, commas or both separate the numbers; square brackets around the
    list are optional.

    The output ascends and uses the lowest copies, except that copy 0 of a five is
    reserved for a red one. Reading it restores the counts, and the red fives with two
    exceptions: four fives of a suit include the red id whether or not one is red, and
    there is no id for a second red five of a suit.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> counts, red = Ids136().parse("[0, 1, 16, 17]", M0)
    >>> counts[:5], red[:5]
    ((2, 0, 0, 0, 2), (0, 0, 0, 0, 1))
    >>> Ids136().write(counts, red, M0), Ids136().write(counts, (), M0)
    ('0 1 16 17', '0 1 17 18')
    >>> Ids136().parse("3 0 3", M0)
    Traceback (most recent call last):
    mjopt.errors.NotationError: '3' at character 5: number 3 of the list repeats number 1, ...
    """

    name = "ids136"
    description = "numbers 0..135, four for each kind; 16, 52 and 88 are red fives"
    symbols = FIRST_IDS
    example = "0 4 8 16 36 40 44 72 76 80 100 101 104 105"

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the numbers."""
        return _automata(tiles.names)

    def read(self, text: str) -> Iterator[TileToken]:
        """Yield the tiles in the order of the text."""
        seen: dict[int, int] = {}  # which number of the list named an id
        for position, (written, at) in enumerate(split_list(text), start=1):
            tile_id = int(written) if _NUMBER.fullmatch(written) else FULL.num_tiles
            if tile_id >= FULL.num_tiles:
                raise notation_error(written, at, expected=f"a number 0..{FULL.num_tiles - 1}")
            if tile_id in seen:
                reason = f"number {position} of the list repeats number {seen[tile_id]}"
                raise notation_error(written, at, reason, "each id at most once")
            seen[tile_id] = position
            yield TileToken(FULL.names[tile_id // COPIES], written, at, red=tile_id in RED_IDS)

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; raise NotationError for a kind that the full set lacks."""
        return self.spell(each_tile(counts, red, tiles))

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that :func:`held_tiles` yields."""
        each = list(held)
        with_red = {name for name, is_red in each if is_red}
        ids: list[int] = []
        for name, copies in Counter(name for name, _ in each).items():
            first = int(self.symbol(name))
            first += first in RED_IDS and name not in with_red and copies < COPIES
            ids += range(first, first + copies)
        return " ".join(map(str, sorted(ids)))


@lru_cache(maxsize=8)
def _automata(names: tuple[str, ...]) -> tuple[TextAutomaton, ...]:
    tiles = {}
    for tile_id in range(FULL.num_tiles):
        kind, copy = divmod(tile_id, COPIES)
        name, is_red = FULL.names[kind], tile_id in RED_IDS
        tiles[str(tile_id)] = tile_of(names, name, is_red=is_red, copy=copy)
    return (build_words(names, {number: tile for number, tile in tiles.items() if tile}),)
