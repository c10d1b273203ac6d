"""Random numbers in kernels: the streams of NumPy's generators SFC64 and PCG64, to the bit."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner
from mjopt.heuristics.seeding import Rng

# A search in Python draws from a ``Generator``, and a compiled one must give the same result. So
# NumPy's algorithms are written out here; the tests run both.

Stream = npt.NDArray[np.uint64]
"""The random generator of compiled code, shape ``(5,)``: the state of an SFC64 and 0, or of a PCG64
(high and low word of the state, high and low word of the increment) and 1."""

STREAM_WORDS = 5

Streams = Sequence[Rng] | npt.NDArray[np.uint64]
"""The random source of each row: in Python a generator, compiled a ``Stream``."""

# All operands have one type: numba promotes a uint64 and a signed integer to a float.
_1, _3, _11, _24, _40 = (np.uint64(n) for n in (1, 3, 11, 24, 40))
_32, _58, _63, _64, _LOW = (np.uint64(n) for n in (32, 58, 63, 64, 2**32 - 1))
_UNIT = 1.0 / 2**53
# The multiplier of PCG64: its high word, its low word, and the two halves of the low word.
_HIGH_FACTOR, _LOW_FACTOR = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_HIGH_HALF, _LOW_HALF = np.uint64(0x4385DF64), np.uint64(0x9FCCF645)


@inner(inline=True)
def _next_double(stream: Stream) -> float:
    """Advance the state of a generator and return a number as ``Generator.random`` does."""
    word = _next_pcg64(stream) if stream[4] else _next_sfc64(stream)
    return np.int64(word >> _11) * _UNIT


@inner(inline=True)
def _next_sfc64(stream: Stream) -> np.uint64:
    """Return the next word of NumPy's SFC64."""
    word: np.uint64 = stream[0] + stream[1] + stream[3]
    stream[3] += _1
    stream[0] = stream[1] ^ (stream[1] >> _11)
    stream[1] = stream[2] + (stream[2] << _3)
    stream[2] = ((stream[2] << _24) | (stream[2] >> _40)) + word
    return word


@inner
def _next_pcg64(stream: Stream) -> np.uint64:
    """Return the next word of NumPy's PCG64: state * factor + increment, in 128 bits."""
    high, low = stream[0], stream[1]
    # The product of two 64-bit words, from products of their halves: none of the sums overflows.
    upper, lower = low >> _32, low & _LOW
    first = upper * _LOW_HALF + ((lower * _LOW_HALF) >> _32)
    second = lower * _HIGH_HALF + (first & _LOW)
    carried = upper * _HIGH_HALF + (first >> _32) + (second >> _32)
    high = carried + high * _LOW_FACTOR + low * _HIGH_FACTOR + stream[2]
    low = low * _LOW_FACTOR + stream[3]
    if low < stream[3]:  # the sum of the low words has overflowed
        high += _1
    stream[0], stream[1] = high, low
    # The output function XSL-RR: the exclusive or of both words, rotated by the six highest bits.
    mixed, turn = high ^ low, high >> _58
    word: np.uint64 = (mixed >> turn) | (mixed << ((_64 - turn) & _63))
    return word


@inner(compiled_as=_next_double)
def random(rng: Rng) -> float:
    """Draw a number in ``[0, 1)``."""
    return rng.random()


@inner(inline=True)
def _copy_stream(streams: npt.NDArray[np.uint64], row: int, stream: Stream) -> Stream:
    """Copy the state of a row's random stream into the work record of a search."""
    for i in range(streams.shape[1]):
        stream[i] = streams[row, i]
    return stream


@inner(compiled_as=_copy_stream)
def stream_of(streams: Streams, row: int, _stream: Stream) -> Rng:
    """Return the random source of a row."""
    rng: Rng = streams[row]
    return rng


@inner(inline=True)
def random_below(rng: Rng, number: int) -> int:
    """Draw one of ``0..number - 1``: the floor of a uniform times the number.

    The bias is below ``number / 2**53``, and every draw takes one word.
    """
    return int(random(rng) * number)
