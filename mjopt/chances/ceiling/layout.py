"""Layout of a ceiling table: the number of every hand of one size."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.ceiling.suits import (
    NUM_HONOURS,
    NUM_RANKS,
    Classes,
    codes,
    honour_classes,
    suit_classes,
)
from mjopt.hands.tiles import TileSet
from mjopt.tables.suits.state_index import MOST_TILES

# Chances do not change if suits are exchanged or mirrored, or honours exchanged. So a hand of 13 of
# 108 tiles is one of 240,772,620 numbers, not of 7,633,490,490 multisets. One order of equally
# large suits instead of both would save another quarter, but a block would be a triangle; as a
# rectangle it has constant strides, and a kernel walks along one part while the others are fixed.
# The largest suit varies fastest, because it has the most classes: rows of up to 59,500 values are
# long enough for vector operations, and the other parts of a hand are looked up once a row.

HONOURS: Final = 3
"""Number of the part of the honours; parts 0, 1, 2 are the suits by size."""

# Columns of Layout.blocks.
OFFSET: Final = 0
FIRST_SIZE: Final = 1  # four columns: sizes of the parts
FIRST_NUMBER: Final = 5  # four columns: numbers of classes of the parts
FIRST_START: Final = 9  # four columns: first rows in the arrays of Classes
NUM_ARRANGEMENTS: Final = 13  # ways to give the sizes to the suits
NUM_COLUMNS: Final = 14


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Numbers of all hands of one size, without regard to the order of suits and to mirrors.

    The sizes of the suits in descending order and the number of honours make a block. Inside a
    block, a hand has one class number for each part, and its number is
    ``offset + ((honours * n_c + c) * n_b + b) * n_a + a``, so that the largest suit varies
    fastest. Suits of equal size are stored in both orders.
    """

    tiles: TileSet  # up to three suits of nine ranks, with or without the seven honours
    size: int  # tiles in a hand
    blocks: NDArray[np.int64]  # shape (B, 14): see the constants of this module
    num_states: int  # number of stored hands
    block_of: NDArray[np.int32]  # shape (15, 15, 15, 15): block by the four sizes, or -1
    # Offset and numbers of classes of the suits, by the four sizes.
    places: dict[tuple[int, ...], tuple[int, int, int, int]]

    def numbers(self, counts: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the number of every hand; hands of this size, shape ``(N, K)``.

        Examples
        --------
        >>> from mjopt import M0
        >>> layout = make_layout(M0, 4)
        >>> hands = np.zeros((2, 27), np.uint8)
        >>> hands[0, :3], hands[1, 15:18] = (2, 1, 1), (1, 1, 2)
        >>> len(set(layout.numbers(hands).tolist()))  # mirror images
        1
        """
        suits, honours = suit_classes(), honour_classes()
        rows = np.arange(len(counts))
        sizes = np.zeros((len(counts), 4), np.int64)
        classes = np.zeros((len(counts), 4), np.int64)
        for suit in range(_num_suits(self.tiles)):
            part = counts[:, NUM_RANKS * suit : NUM_RANKS * (suit + 1)]
            sizes[:, suit] = part.sum(axis=1)
            classes[:, suit] = suits.class_of[codes(part)]
        if has_honours(self.tiles):
            part = counts[:, -NUM_HONOURS:]
            sizes[:, HONOURS] = part.sum(axis=1)
            classes[:, HONOURS] = honours.class_of[codes(part)]
        # Stable, as in moves_to: suits of equal size keep their order, and either order has a
        # number.
        order = np.argsort(-sizes[:, :3], axis=1, kind="stable")
        ordered = np.column_stack([order, np.full(len(counts), HONOURS)])
        sizes, classes = sizes[rows[:, None], ordered], classes[rows[:, None], ordered]
        block = self.blocks[self.block_of[tuple(sizes.T)]]
        found = classes[:, HONOURS]
        for part_number in (2, 1, 0):
            found = found * block[:, FIRST_NUMBER + part_number] + classes[:, part_number]
        result: NDArray[np.int64] = block[:, OFFSET] + found
        return result

    def numbers_after_discard(self, counts: Sequence[int]) -> dict[int, int]:
        """Return the number of the hand after each discard, in Python: fast for one hand.

        The hand, copies per kind, has one tile more than this layout's hands.

        Examples
        --------
        >>> from mjopt import M0
        >>> layout = make_layout(M0, 4)
        >>> hand = [0, 2, 2, 0, 1] + [0] * 22
        >>> found = layout.numbers_after_discard(hand)
        >>> after = np.array([[0, 2, 2] + [0] * 24], np.uint8)
        >>> sorted(found), found[4] == layout.numbers(after).item()
        ([1, 2, 4], True)
        """
        found = {}
        parts = [(part, suit_classes()) for part in self.tiles.slices[: _num_suits(self.tiles)]]
        if has_honours(self.tiles):
            parts.append((self.tiles.slices[-1], honour_classes()))
        sizes = [sum(counts[part]) for part, _ in parts]
        values = [_code(counts[part]) for part, _ in parts]
        numbers = [c.class_of.item(v) for (_, c), v in zip(parts, values, strict=True)]
        for index, (part, classes) in enumerate(parts):
            sizes[index] -= 1
            before = numbers[index]
            power = 5 ** (part.stop - part.start)
            for kind in range(part.start, part.stop):
                power //= 5
                if counts[kind]:
                    numbers[index] = classes.class_of.item(values[index] - power)
                    found[kind] = self._number(sizes, numbers)
            numbers[index] = before
            sizes[index] += 1
        return found

    def _number(self, sizes: list[int], classes: list[int]) -> int:
        """Return a hand number by the sizes and classes of the suits and honours."""
        num_suits = _num_suits(self.tiles)
        suits = sorted(zip(sizes[:num_suits], classes, strict=False), reverse=True)
        suits += [(0, 0)] * (3 - num_suits)
        (first, a), (second, b), (third, c) = suits
        honours, z = (sizes[-1], classes[-1]) if len(sizes) > num_suits else (0, 0)
        offset, num_first, num_second, num_third = self.places[first, second, third, honours]
        return offset + ((z * num_third + c) * num_second + b) * num_first + a

    def hand(self, number: int) -> NDArray[np.uint8]:
        """Return the representative of a hand number, shape ``(K,)``.

        Examples
        --------
        >>> from mjopt import M0
        >>> layout = make_layout(M0, 2)
        >>> layout.numbers(np.stack([layout.hand(n) for n in range(3)])).tolist()
        [0, 1, 2]
        """
        suits, honours = suit_classes(), honour_classes()
        # Offsets ascend; the number within a block is read as digits of mixed radix, the largest
        # suit first.
        block = self.blocks[np.searchsorted(self.blocks[:, OFFSET], number, side="right") - 1]
        rest = number - int(block[OFFSET])
        counts = np.zeros(self.tiles.num_kinds, np.uint8)
        for part in range(4):
            rest, chosen = divmod(rest, int(block[FIRST_NUMBER + part]))
            classes = honours if part == HONOURS else suits
            copies = classes.copies[int(block[FIRST_START + part]) + chosen]
            if part == HONOURS and has_honours(self.tiles):
                counts[-NUM_HONOURS:] = copies
            elif part < _num_suits(self.tiles):
                counts[NUM_RANKS * part : NUM_RANKS * (part + 1)] = copies
        return counts

    def moves_to(self, other: "Layout") -> NDArray[np.int64]:
        """Return how a hand number changes when a part gains or loses a tile, shape ``(B, 4, 5)``.

        The other layout is of one more or one less tile. For each block and part: the offset of the
        block in the other layout and the strides of the four class numbers there; offset -1 if
        there is no such block.
        """
        step, num_suits = other.size - self.size, _num_suits(self.tiles)
        moves = np.zeros((len(self.blocks), 4, 5), np.int64)
        moves[:, :, 0] = -1
        for row, block in enumerate(self.blocks):
            for part in range(4):
                sizes = block[FIRST_SIZE : FIRST_SIZE + 4].copy()
                sizes[part] += step
                # The moved suit may change places with another: the strides then belong to the
                # parts as they were before.
                order = [*sorted(range(3), key=lambda p: -sizes[p]), HONOURS]
                if num_suits <= part < HONOURS or not 0 <= sizes[part] <= MOST_TILES:
                    continue
                target = other.block_of[tuple(sizes[order])]
                if target < 0:
                    continue
                moves[row, part, 0] = other.blocks[target, OFFSET]
                stride = 1
                for place, source in enumerate(order):
                    moves[row, part, 1 + source] = stride
                    stride *= int(other.blocks[target, FIRST_NUMBER + place])
        return moves


@cache
def make_layout(tiles: TileSet, size: int) -> Layout:
    """Return the layout of the hands of one size.

    Examples
    --------
    >>> from mjopt import M0
    >>> make_layout(M0, 13).num_states, make_layout(M0, 14).num_states
    (240772620, 657833665)
    """
    suits, honours = suit_classes(), honour_classes()
    num_suits = _num_suits(tiles)
    rows: list[list[int]] = []
    places: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
    offset = 0
    block_of = np.full((MOST_TILES + 1,) * 4, -1, np.int32)
    for sizes in _block_sizes(tiles, size):
        parts: list[Classes] = [suits, suits, suits, honours]
        numbers = [part.number(n) for part, n in zip(parts, sizes, strict=True)]
        starts = [int(part.starts[n]) for part, n in zip(parts, sizes, strict=True)]
        # Deals of a block are counted once for each way to give the sizes to suits. Where sizes are
        # equal, the block itself has both orders.
        arrangements = len(set(permutations(sizes[:num_suits])))
        block_of[sizes] = len(rows)
        places[sizes] = (offset, numbers[0], numbers[1], numbers[2])
        rows.append([offset, *sizes, *numbers, *starts, arrangements])
        offset += int(np.prod(numbers, dtype=np.int64))
    blocks = np.array(rows, np.int64)
    blocks.setflags(write=False)
    block_of.setflags(write=False)
    return Layout(tiles, size, blocks, offset, block_of, places)


def _block_sizes(tiles: TileSet, size: int) -> list[tuple[int, int, int, int]]:
    """List the sizes of the suits, in descending order, and the number of honours."""
    num_suits = _num_suits(tiles)
    most = min(size, MOST_TILES)
    return [
        (first, second, third, honours)
        for honours in range(most + 1 if has_honours(tiles) else 1)
        for first in range(most + 1)
        for second in range(min(first, most) + 1 if num_suits > 1 else 1)
        for third in [size - honours - first - second]
        if 0 <= third <= second and (third == 0 or num_suits > 2)
    ]


def _code(copies: Sequence[int]) -> int:
    code = 0
    for held in copies:
        code = 5 * code + held
    return code


def _num_suits(tiles: TileSet) -> int:
    return len(tiles.suits) - has_honours(tiles)


def has_honours(tiles: TileSet) -> bool:
    """Return whether a tile set has honours."""
    return not tiles.suits[-1].has_chows
