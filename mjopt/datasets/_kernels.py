"""Kernels over rows of hands: hashes that symmetry keeps, and tiles as text."""

from typing import Any

import numpy as np

from mjopt._internal.jit import inner, kernel

U: Any = np.uint64


@inner
def _mixed(word: Any) -> Any:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@kernel
def hash_hands(hands: Any, least_codes: Any, out: Any) -> None:
    """Hash the three suits in any order, each or its mirror, and the honours in any order."""
    codes = np.zeros(3, np.uint64)
    for row in range(len(hands)):
        for suit in range(3):
            code = np.uint32(0)
            for kind in range(9 * suit, 9 * suit + 9):
                code = code * np.uint32(5) + np.uint32(hands[row, kind])
            codes[suit] = U(least_codes[code])
        a, b, c = codes[0], codes[1], codes[2]
        low, high = min(a, b, c), max(a, b, c)
        middle = a ^ b ^ c ^ low ^ high
        honours = U(0)
        for kind in range(27, hands.shape[1]):  # how many kinds are held 1, 2, 3, 4 times
            held = hands[row, kind]
            if held:
                honours += U(1) << U(3 * (held - 1))
        word = low | middle << U(21) | high << U(42)
        out[row] = _mixed(_mixed(word + U(0x9E3779B97F4A7C15)) ^ honours)


@kernel
def write_text(hands: Any, letters: Any, out: Any) -> None:
    """Write hands in mpsz: ranks ascending, then the letter of their suit."""
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
