"""The groups of a tile set: its suits and honours, in the order in which tables join them."""

from functools import lru_cache
from typing import Final, NamedTuple

from mjopt.hands.tiles import TileSet

MOST_GROUPS: Final = 4
"""Most groups of a tile set with tables: two pairs, whose classes are joined."""


class KindGroup(NamedTuple):
    """A suit, or the honours: consecutive kinds of a tile set."""

    place: int  # among the suits of the tile set
    start: int  # the first kind
    width: int  # number of kinds
    has_chows: bool

    @property
    def kinds(self) -> slice:
        """The kinds."""
        return slice(self.start, self.start + self.width)


@lru_cache(maxsize=64)
def groups_of(tiles: TileSet) -> tuple[KindGroup, ...]:
    """Return the groups of a tile set: those with chows first.

    The first two are joined, and the others.

    Examples
    --------
    >>> from mjopt.hands.tiles import SANMA
    >>> [(group.start, group.width) for group in groups_of(SANMA)]
    [(2, 9), (11, 9), (0, 2), (20, 7)]
    """
    groups = [
        KindGroup(place, part.start, part.stop - part.start, suit.has_chows)
        for place, (suit, part) in enumerate(zip(tiles.suits, tiles.slices, strict=True))
    ]
    return tuple(sorted(groups, key=lambda group: not group.has_chows))
