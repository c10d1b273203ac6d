"""The one door to numba: typed, cached where a cache can be written.

A kernel is compiled on its first call and kept beside the package, or in the user's
own cache directory. Where neither can be written it is compiled once a process:
slower to start, never a failure.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.extending import intrinsic as numba_intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function that touches arrays and numbers only, without the GIL."""
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba: "cannot cache function ...: no locator available"
        compiled = numba.njit(nogil=True)(function)
    return cast("Function", compiled)


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a function that writes LLVM instructions into one that kernels can call."""
    return cast("Callable[..., Any]", numba_intrinsic(function))
