"""Wide numbers to bytes in one pass: NumPy takes one to convert them and one to check them.

Numbers lie in ``words``, unsigned, of 8 to 64 bits; ``shift`` is where in one its byte is.
"""

from typing import Any, Final

import numpy as np

from mjopt._internal.jit import intrinsic, kernel, later

AT_ONCE: Final = 512  # rows, made of eight columns that are read side by side

ir, types = later("llvmlite.ir"), later("numba.types")  # not before a kernel is compiled


@kernel
def narrow(words: Any, step: Any, width: Any, shift: Any, octets: Any) -> Any:
    """Write one byte of so many words at every step, and return all bits that any of them has."""
    bits = words.dtype.type(0)
    place = 0
    for start in range(0, len(words), step):
        row = words[start : start + width]
        into = octets[place : place + width]
        for number in range(width):
            bits |= row[number]
            into[number] = np.uint8(row[number] >> shift)
        place += width
    return bits


@intrinsic()
def _copy_word(_: Any, octets: Any, place: Any, words: Any, number: Any) -> Any:
    """Copy a word to eight bytes anywhere, one at a time: LLVM would scatter several, slowly."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def address(of: int) -> Any:
            array = context.make_array(signature.args[of])(context, builder, arguments[of])
            return builder.bitcast(builder.gep(array.data, [arguments[of + 1]]), pointer)

        pointer, size = ir.IntType(8).as_pointer(), ir.Constant(ir.IntType(64), 8)
        copy = builder.module.declare_intrinsic("llvm.memcpy", [pointer, pointer, size.type])
        is_volatile = ir.Constant(ir.IntType(1), 1)
        builder.call(copy, [address(0), address(2), size, is_volatile])
        return context.get_dummy_value()

    return types.void(octets, place, words, number), write


@kernel
def narrow_columns(words: Any, step: Any, rows: Any, shift: Any, octets: Any) -> Any:
    """Do the same where columns of so many rows begin at every step; ``octets`` are row by row.

    Eight columns at a time become a word a row; the last eight may have been among others.
    """
    bits = words.dtype.type(0)
    width = len(octets) // rows
    made = np.empty(AT_ONCE, np.uint64)
    for some in range(0, width, 8):
        first = min(some, width - 8)
        for start in range(0, rows, AT_ONCE):
            number = min(AT_ONCE, rows - start)
            one = first * step + start
            a = words[one : one + number]
            b = words[one + step : one + step + number]
            c = words[one + 2 * step : one + 2 * step + number]
            d = words[one + 3 * step : one + 3 * step + number]
            e = words[one + 4 * step : one + 4 * step + number]
            f = words[one + 5 * step : one + 5 * step + number]
            g = words[one + 6 * step : one + 6 * step + number]
            h = words[one + 7 * step : one + 7 * step + number]
            for row in range(number):
                bits |= a[row] | b[row] | c[row] | d[row] | e[row] | f[row] | g[row] | h[row]
                made[row] = (
                    np.uint64(a[row] >> shift)
                    | np.uint64(b[row] >> shift) << np.uint64(8)
                    | np.uint64(c[row] >> shift) << np.uint64(16)
                    | np.uint64(d[row] >> shift) << np.uint64(24)
                    | np.uint64(e[row] >> shift) << np.uint64(32)
                    | np.uint64(f[row] >> shift) << np.uint64(40)
                    | np.uint64(g[row] >> shift) << np.uint64(48)
                    | np.uint64(h[row] >> shift) << np.uint64(56)
                )
            for row in range(number):
                _copy_word(octets, (start + row) * width + first, made, row)
    return bits
