"""Wide numbers to bytes in one pass: NumPy takes one to convert them and one to check them."""

from typing import Any

import numpy as np

from mjopt.runtime.jit import kernel


@kernel
def narrow(words: Any, shift: Any, octets: Any) -> Any:
    """Write one byte of every word, and return all bits that any word has.

    ``words`` are unsigned, of 16, 32 or 64 bits, and ``shift`` is where in them the byte is.
    """
    bits = words.dtype.type(0)
    for place in range(len(words)):
        word = words[place]
        bits |= word
        octets[place] = np.uint8(word >> shift)
    return bits


@kernel
def narrow_columns(words: Any, shift: Any, octets: Any) -> Any:
    """Do the same where columns lie in memory as rows should: ``words[kind, row]``.

    Two columns at a time share what has to be fetched to be written to; more are slower. And
    the longer the columns are, the fewer places of memory are read in turn.
    """
    bits = words.dtype.type(0)
    kinds, rows = words.shape
    for kind in range(0, kinds - 1, 2):
        for row in range(rows):
            one, other = words[kind, row], words[kind + 1, row]
            bits |= one | other
            octets[row, kind] = np.uint8(one >> shift)
            octets[row, kind + 1] = np.uint8(other >> shift)
    for kind in range(kinds - kinds % 2, kinds):
        for row in range(rows):
            word = words[kind, row]
            bits |= word
            octets[row, kind] = np.uint8(word >> shift)
    return bits
