"""Kernel that counts the tiles of many texts by a finite automaton."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import kernel

EMISSION_BITS: Final = 12
KIND_MASK: Final = 63
RED_BIT: Final = 6
TILE_BIT: Final = 7
COPY_BIT: Final = 8
MOST: Final = 4  # copies of a kind

U = np.uint64
INT = np.int64
Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Table = NDArray[np.int32]


@kernel
def read_texts(
    octets: Bytes,
    starts: Places,
    stops: Places,
    table: Table,
    ends: Table,
    is_reversed: bool,
    width: int,
    counts: Bytes,
    reds: Bytes,
    is_read: NDArray[np.bool_],
) -> None:
    """Count the tiles of every text that an automaton accepts and that is not read yet.

    ``octets`` holds the texts in UTF-8, from ``starts`` to ``stops``. ``table`` has for every state
    and byte the next state and, in the low bits, the emission, or -1; ``ends`` has the emission of
    every state at the end of a text, or -1. ``counts`` and ``reds``, which may be empty, have
    ``width`` kinds for every text; rows of texts that are not read stay 0. ``is_read`` is set for
    those read.
    """
    # Physical tiles have numbers in some notations (ids136), so the emission of a symbol also holds
    # a bit for its copy of the kind: a bit that is set already means the same tile twice.
    copies = np.zeros(KIND_MASK + 1, np.uint8)
    for text in range(starts.size):
        if is_read[text]:
            continue
        state, row = INT(0), text * width
        is_valid = True
        start, stop = starts[text], stops[text]
        copies[:] = 0
        # `state` is that of the automaton after the bytes so far. There is one step more than
        # bytes, because the end of the text may emit a tile too. Where the suit follows the ranks
        # texts are read from the end, so that the suit is known when a rank comes.
        for place in range(stop - start + 1):
            if place == stop - start:
                step = INT(ends[state])
            else:
                octet = octets[U(stop - 1 - place if is_reversed else start + place)]
                step = INT(table[U(state << 8 | octet)])
            if step < 0:
                is_valid = False
                break
            state = step >> EMISSION_BITS
            kind = U(step & KIND_MASK)
            counts[U(row) + kind] += np.uint8(step >> TILE_BIT & 1)
            if reds.size:
                reds[U(row) + kind] += np.uint8(step >> RED_BIT & 1)
            copy = np.uint8(step >> COPY_BIT & 15)
            is_valid &= not copies[kind] & copy
            copies[kind] |= copy
        for place in range(row, row + width):
            is_valid &= counts[U(place)] <= MOST
        if not is_valid:
            counts[row : row + width] = 0
            if reds.size:
                reds[row : row + width] = 0
        is_read[text] = is_valid
