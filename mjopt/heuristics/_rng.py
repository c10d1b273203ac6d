"""Random numbers inside kernels: the same stream that a NumPy generator gives.

A source is six uint64 words. In a batch the first four are the state of an SFC64 that
the kernel steps by itself: starting a stream then costs nanoseconds. For a generator
that a caller passes, the last two are the address of NumPy's own function for the next
double and of its state, both published by ``BitGenerator.ctypes``; in plain Python they
are a function and what it takes.
"""

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, intrinsic, kernel
from mjopt.heuristics.seeding import WARM_UP

BORROWS = True  # see mjopt._internal.quick_kernels

Source = npt.NDArray[np.uint64]
"""Shape ``(6,)``."""

PER_UNIT = 1.0 / 2**53
# Kept as constants of one type: a uint64 and a plain integer make a float in numba.
_1, _3, _11, _24, _40 = (np.uint64(n) for n in (1, 3, 11, 24, 40))


def source_of(rng: np.random.Generator) -> Source:
    """Return the source that draws from a generator; it must outlive the source."""
    interface = rng.bit_generator.ctypes
    function = ctypes.cast(interface.next_double, ctypes.c_void_p).value
    return np.array([0, 0, 0, 0, function, interface.state_address], np.uint64)


def plain_source_of(rng: np.random.Generator) -> Any:
    """Return such a source for the plain way."""
    return 0, 0, 0, 0, np.random.Generator.random, rng


@intrinsic(lambda function, state: function(state))
def _call(_context: Any, _function: Any, _state: Any) -> Any:
    from llvmlite import ir  # type: ignore[import-untyped]  # it has no stubs
    from numba import types
    from numba.core import cgutils

    signature = types.float64(types.uint64, types.uint64)

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = cgutils.voidptr_t
        kind = ir.FunctionType(ir.DoubleType(), [pointer])
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, [builder.inttoptr(arguments[1], pointer)])

    return signature, codegen


@kernel
def random(source: Source) -> float:
    """Draw a double in ``[0, 1)``, as ``Generator.random`` does."""
    if source[4]:
        drawn: float = _call(source[4], source[5])
        return drawn
    word = source[0] + source[1] + source[3]
    source[3] += _1
    source[0] = source[1] ^ (source[1] >> _11)
    source[1] = source[2] + (source[2] << _3)
    source[2] = ((source[2] << _24) | (source[2] >> _40)) + word
    return np.int64(word >> _11) * PER_UNIT


@kernel
def start(source: Source, key: npt.NDArray[np.uint64]) -> None:
    """Begin the stream of a key, as ``streams.generator`` does."""
    source[0], source[1], source[2], source[3] = key[0], key[1], key[2], _1
    source[4] = source[5] = 0
    for _ in range(WARM_UP):
        random(source)


@inner
def integer(source: Source, number: int) -> int:
    """Draw one of ``0..number - 1``: the floor of a uniform times the number.

    The bias is below ``number / 2**53``, and every draw takes one word.
    """
    return int(random(source) * number)
