"""Arrays without reference counts, for kernels that pass them to many functions.

Numba counts references to an array wherever it is an argument, with atomic operations that took
two thirds of the time of a playout.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # it has no stubs
from numba import carray, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from mjopt._internal.jit import inner

Array = TypeVar("Array", bound=NDArray[np.generic])


class CodeTarget(Protocol):
    """The part of numba that emits code which is used here."""

    def get_value_type(self, of: types.Type) -> ir.Type: ...


def _pointer_maker() -> Callable[[int], int]:
    def pointer(_: object, address: types.Type) -> tuple[object, Callable[..., ir.Value]]:
        def write(
            target: CodeTarget, builder: ir.IRBuilder, __: object, arguments: list[ir.Value]
        ) -> ir.Value:
            return builder.inttoptr(arguments[0], target.get_value_type(types.voidptr))

        return types.voidptr(address), write

    return cast("Callable[[int], int]", intrinsic(pointer))


_pointer = _pointer_maker()


@inner
def borrowed(array: Array) -> Array:
    """Return an array without a reference count; the caller must keep the array itself alive."""
    lent: Array = carray(_pointer(array.ctypes.data), array.shape, array.dtype)
    return lent
