"""Kernels over rows of hands: hashes invariant under symmetry, text, unranking, dealing."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel

# Hands are rows of copies by kind, and callers provide the outputs. A row depends on its own input
# only (a number, random words, or the row before), so that shards of any size hold the same hands.

Hands = NDArray[np.uint8]  # shape (N, kinds)
Words = NDArray[np.uint64]

U: Final = np.uint64


@inner
def _mixed(word: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@kernel
def hash_hands(hands: Hands, least_codes: NDArray[np.uint32], out: Words) -> None:
    """Hash hands, invariant under permuting suits, mirroring suits and permuting honours."""
    codes = np.zeros(3, np.uint64)
    for row in range(len(hands)):
        for suit in range(3):
            code = np.uint32(0)
            for kind in range(9 * suit, 9 * suit + 9):
                code = code * np.uint32(5) + np.uint32(hands[row, kind])
            codes[suit] = U(least_codes[code])
        a, b, c = codes[0], codes[1], codes[2]
        # The middle one of three numbers is the exclusive or of all with the least and the
        # greatest: they are sorted without branches. A code is below 5**9 < 2**21, so that one word
        # holds three. Hands that differ may have the same hash; they are then in the same split.
        low, high = min(a, b, c), max(a, b, c)
        middle = a ^ b ^ c ^ low ^ high
        honours = U(0)
        for kind in range(27, hands.shape[1]):  # number of kinds with 1, 2, 3, 4 copies
            held = hands[row, kind]
            if held:
                honours += U(1) << U(3 * (held - 1))
        word = low | middle << U(21) | high << U(42)
        out[row] = _mixed(_mixed(word + U(0x9E3779B97F4A7C15)) ^ honours)


@kernel
def write_text(hands: Hands, letters: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Format hands in mpsz: ascending ranks, then the letter of the suit."""
    for row in range(len(hands)):
        at = 0
        for start in range(0, hands.shape[1], 9):
            begun = at
            for kind in range(start, min(start + 9, hands.shape[1])):
                for _ in range(hands[row, kind]):
                    out[row, at] = 49 + kind - start
                    at += 1
            if at > begun:
                out[row, at] = letters[start // 9]
                at += 1
        out[row, at:] = 0


@kernel
def find_hands(
    numbers: Words,
    after: NDArray[np.int16],
    below: Words,
    unit: Words,
    has_ways: bool,
    hands: Hands,
) -> None:
    """Unrank hands: write the hand of every number.

    The copies of a kind are the number of thresholds, of four, that the number reaches. It is
    computed by additions because a branch would be mispredicted half the time.
    """
    num_kinds = len(after)
    for row in range(len(numbers)):
        number = numbers[row]
        state = 0
        for kind in range(num_kinds):
            # `number` is the place of the hand among those that begin with the copies so far.
            least = below[kind, state]
            held = (
                np.int64(number >= least[1])
                + np.int64(number >= least[2])
                + np.int64(number >= least[3])
                + np.int64(number >= least[4])
            )
            number -= least[held]
            if has_ways and 0 < held < 4:
                # Deals that differ only in which copies of this kind they hold are one hand.
                number %= unit[kind, state, held]
            hands[row, kind] = held
            state = after[kind, state, held]


@kernel
def next_hands(hands: Hands) -> None:
    """Write the hands after the first row, in lexicographic order."""
    num_kinds = hands.shape[1]
    for row in range(1, len(hands)):
        for kind in range(num_kinds):
            hands[row, kind] = hands[row - 1, kind]
        # The last kind that can take one more tile from later kinds.
        # `spare` is the number of tiles behind `kind`: one of them moves to the kind that grows.
        spare = 0
        kind = num_kinds - 1
        while kind >= 0 and not (spare > 0 and hands[row, kind] < 4):
            spare += hands[row, kind]
            kind -= 1
        if kind < 0:
            return
        hands[row, kind] += 1
        spare -= 1
        for place in range(num_kinds - 1, kind, -1):  # the remaining tiles as far back as possible
            held = min(4, spare)
            hands[row, place] = held
            spare -= held


@inner
def _next_word(word: np.uint64) -> np.uint64:
    """Return the next random word of a row (a step of splitmix64)."""
    word += U(0x9E3779B97F4A7C15)
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@kernel
def deal_hands(words: Words, num_tiles: int, hands: Hands) -> None:
    """Deal hands tile by tile: pieces of random words select tiles; repeats are rejected.

    A piece has enough bits to number all tiles of the set. Numbers that are too large or of a tile
    already in the hand are rejected, so the remaining tiles are always equally likely. When the
    words of a row are used up, more are generated from the last one.
    """
    num_rows, num_kinds = hands.shape
    wall = np.int64(4 * num_kinds)
    bits = U(7 if wall <= 128 else 8)
    mask = (U(1) << bits) - U(1)
    pieces = 64 // np.int64(bits)
    held = np.zeros(4, np.uint64)  # one bit for each tile
    for row in range(num_rows):
        for kind in range(num_kinds):
            hands[row, kind] = 0
        held[0], held[1], held[2] = U(0), U(0), U(0)
        place = 0
        last = words[row, 0]
        word = last
        left = pieces
        wanted = num_tiles
        while wanted:
            if left == 0:
                place += 1
                last = words[row, place] if place < words.shape[1] else _next_word(last)
                word = last
                left = pieces
            tile = word & mask
            word >>= bits
            left -= 1
            bit = U(1) << (tile & U(63))
            part = tile >> U(6)
            if tile < U(wall) and not held[part] & bit:
                held[part] |= bit
                hands[row, tile >> U(2)] += 1
                wanted -= 1
