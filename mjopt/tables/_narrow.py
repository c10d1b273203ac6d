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
