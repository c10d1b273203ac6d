"""Shared hands: awkward hands with known values, and random hands."""

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0, TileSet


@dataclass(frozen=True)
class Known:
    """A hand and its deficiency, with the source of the value."""

    text: str
    deficiency: int
    source: str
    tiles: TileSet = FULL

    @property
    def hand(self) -> Hand:
        return Hand.parse(self.text, tiles=self.tiles)


# Each breaks a naive formula: waits on a fifth copy, four of an honour, no
# spare single tile, blocks in several suits.
AWKWARD = (
    Known("1112223334444z", 2, "wait on a fifth copy"),
    Known("123456789m1111z", 2, "four of an honour cannot become the eye and more"),
    Known("245568m245568p77s", 3, "pchows compete"),
    Known("777888m333s2222z", 2, "four of an honour"),
    Known("1111m123p112233s", 2, "the fourth copy is no single tile"),
    Known("1111247777m1112z", 2, "two kongs"),
    Known("4569m13445788p2s", 3, "greedy merging over suits gives 4"),
    Known("459m13445788p2s4z", 4, "greedy merging over suits gives 5"),
    Known("1225m244456679p7s", 3, "greedy merging over suits gives 4"),
    Known("179m8p11356679s45z", 4, "greedy merging over suits gives 5"),
    Known("11122233344455s", 0, "four decompositions"),
    Known("222267m7777p3333s", 3, "Eq. 8 costs 2", M0),
)

# The published examples of Yan and Li (2023), sections 2.1, 3.2.3 and 4.2.2.
PAPER_HANDS = {
    "H": "B1B2B3B3B3B8B8B8C4C5C6D6D7D8",
    "H1": "B4B4B6B6B6B7B7B7B7B8B9B9B9B9",
    "H2": "B3B5B5B5B5B6B6B6B7B7B8B8B9B9",
    "H3": "B1B2B4B5B5C2C3C3C3C4C4C5C7C7",
    "H4": "B4C1C1C3C4C4C4C4C5C7C8C8C9C9",
    "H5": "B4B6C5C7C8C9D1D1D2D2D3D7D7D8",
    "H6": "B3C9D1D4D5D6D6D6D7D7D8D8D9D9",
}


def deal(
    rng: random.Random,
    tiles: TileSet,
    *,
    size: int = 14,
    suits: int | None = None,
    called: int = 0,
    num_kinds: int | None = None,
) -> Hand:
    """Draw a hand from a wall of some suits, or from a few kinds (many kongs)."""
    chosen = rng.sample(range(len(tiles.suits)), suits or len(tiles.suits))
    kinds = [k for i in chosen for k in range(tiles.slices[i].start, tiles.slices[i].stop)]
    if num_kinds is not None:
        kinds = rng.sample(kinds, min(num_kinds, len(kinds)))
    wall = kinds * 4
    counts = [0] * tiles.num_kinds
    for kind in rng.sample(wall, min(size, len(wall))):
        counts[kind] += 1
    return Hand.from_counts(counts, tiles=tiles, called=called, partial=True)


@st.composite
def hands(draw: st.DrawFn, *, tile_sets: tuple[TileSet, ...] = (M0, FULL), called: int = 4) -> Hand:
    """Draw any hand: both tile sets, many or few kongs, called melds, 13 or 14 tiles."""
    tiles = draw(st.sampled_from(tile_sets))
    melds = draw(st.integers(0, called))
    size = 14 - 3 * melds - draw(st.integers(0, 1))
    rng = random.Random(draw(st.integers(0, 2**32)))
    few = draw(st.sampled_from([None, None, 5, 6, 8, 10]))
    suits = draw(st.integers(1, 3)) if few is None else None
    hand = deal(rng, tiles, size=size, suits=suits, called=melds, num_kinds=few)
    return Hand.from_counts(hand.counts, tiles=tiles, called=melds, partial=hand.num_tiles < size)


@st.composite
def limits(draw: st.DrawFn, hand: Hand) -> tuple[int, ...] | None:
    """Draw unseen tiles: unlimited, a few of each kind, or almost none."""
    most = draw(st.sampled_from([None, 4, 2, 1]))
    if most is None:
        return None
    rng = random.Random(draw(st.integers(0, 2**32)))
    return tuple(rng.randint(0, most) for _ in hand.counts)
