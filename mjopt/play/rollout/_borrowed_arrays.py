"""Arrays without reference counts, for kernels that pass them to many functions.

Numba counts references to an array wherever it is an argument, with atomic operations that took
two thirds of the time of a playout.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar, cast

from llvmlite import ir  # type: ignore[import-untyped]  # it has no stubs
from numba import types
from numba.extending import intrinsic

Array = TypeVar("Array")


class ArrayStruct(Protocol):
    """The fields of an array in compiled code that are used here."""

    meminfo: ir.Value

    def _getvalue(self) -> ir.Value: ...


class Target(Protocol):
    """The part of numba that emits code which is used here."""

    def make_array(self, array: types.Type) -> Callable[..., ArrayStruct]: ...


def _borrower() -> Callable[[Array], Array]:
    def borrow(_: object, array: types.Array) -> tuple[object, Callable[..., ir.Value]]:
        def write(
            target: Target, builder: ir.IRBuilder, __: object, arguments: list[ir.Value]
        ) -> ir.Value:
            struct = target.make_array(array)(target, builder, arguments[0])
            struct.meminfo = ir.Constant(struct.meminfo.type, None)
            return struct._getvalue()

        return array(array), write

    return cast("Callable[[Array], Array]", intrinsic(borrow))


borrowed = _borrower()
"""Return an array without a reference count; the caller must keep the array itself alive."""
