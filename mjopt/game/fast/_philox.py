"""The wall's shuffle, compiled: Philox 4x64-10 in the order in which NumPy gives its words."""

from typing import Any, Final

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # it has no stubs
from numba import types
from numpy.typing import NDArray

from mjopt._internal.jit import inner, intrinsic, kernel

U: Any = np.uint64
_LONG, _DOUBLE = ir.IntType(64), ir.IntType(128)

# Salmon, Moraes, Dror, Shaw (2011): the multipliers and the steps of the key.
_FIRST = U(0xD2E7470EE14C6C93)
_SECOND = U(0xCA5A826395121157)
_KEY_FIRST = U(0x9E3779B97F4A7C15)
_KEY_SECOND = U(0xBB67AE8584CAA73B)
_ROUNDS: Final = 10


@intrinsic()
def _product(_: Any, first: Any, second: Any) -> Any:
    """Multiply two words: the upper and the lower half of the result."""
    signature = types.UniTuple(types.uint64, 2)(first, second)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, other = (builder.zext(argument, _DOUBLE) for argument in arguments)
        whole = builder.mul(one, other)
        upper = builder.trunc(builder.lshr(whole, ir.Constant(_DOUBLE, 64)), _LONG)
        lower = builder.trunc(whole, _LONG)
        return context.make_tuple(builder, signature.return_type, [upper, lower])

    return signature, write


@inner
def _block(counter: Any, seed: Any, game: Any) -> tuple[Any, Any, Any, Any]:
    """Return the four words of one counter."""
    a, b, c, d = counter, U(0), U(0), U(0)
    key0, key1 = seed, game
    for _ in range(_ROUNDS):
        high0, low0 = _product(_FIRST, a)
        high1, low1 = _product(_SECOND, c)
        a, b, c, d = high1 ^ b ^ key0, low1, high0 ^ d ^ key1, low0
        key0 += _KEY_FIRST
        key1 += _KEY_SECOND
    return a, b, c, d


@kernel
def shuffle(seed: Any, game: Any, wall: NDArray[np.uint8]) -> None:
    """Fill a wall (four of each kind) and shuffle it, as ``shuffle_wall`` does.

    Parameters
    ----------
    seed, game
        The key, unsigned.
    wall
        Overwritten, shape ``(num_tiles,)``.
    """
    for place in range(U(wall.size)):
        wall[place] = place >> U(2)
    words = (U(0), U(0), U(0), U(0))
    counter = U(0)
    used = 4
    last = U(wall.size) - U(1)
    while last > U(0):
        if used == 4:
            counter += U(1)  # NumPy counts before it computes
            words = _block(counter, seed, game)
            used = 0
        places = last + U(1)
        place, rest = _product(words[used], places)
        used += 1
        # 2**64 mod places words would favour some; looked at only when it can matter
        if rest < places and rest < (U(0) - places) % places:
            continue
        kind = wall[last]
        wall[last] = wall[place]
        wall[place] = kind
        last -= U(1)
