"""The one door to numba: typed, cached where a cache can be written.

A kernel is compiled on its first call and kept beside the package, or in the user's
own cache directory. Where neither can be written it is compiled once a process:
slower to start, never a failure.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.extending import intrinsic as numba_intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE: Final = Path(__file__).parents[1]
_MARK: Final = b"mjopt.runtime.kernels import"  # in every file that compiles something


def kernel(function: Function) -> Function:
    """Compile a function that touches arrays and numbers only, without the GIL."""
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba: "cannot cache function ...: no locator available"
        return cast("Function", numba.njit(nogil=True)(function))
    # What is kept of a kernel holds the kernels that it calls, but numba looks for changes
    # in its own file only, and loads the classes it takes before it looks. It asks for the
    # version first: that is the version of all our kernels too, and what is kept of another
    # is left where it is, lest a process that is killed here leave it under this one's name.
    kept: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:  # else numba was told to compile nothing
        kept._version = f"{kept._version} {_digest_of_kernels()}"
        kept._data_name_pattern = f"{_digest_of_kernels()[:12]}.{kept._data_name_pattern}"
    return cast("Function", compiled)


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a function that writes LLVM instructions into one that kernels can call."""
    return cast("Callable[..., Any]", numba_intrinsic(function))


@cache
def _digest_of_kernels() -> str:
    """Return a digest of every file of the package that compiles something: in 6 ms."""
    digest = hashlib.sha256()
    found = (Path(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    for path in sorted(path for path in found if path.suffix == ".py"):
        source = path.read_bytes()
        if _MARK in source:
            digest.update(f"{path.relative_to(_PACKAGE)} {len(source)}\n".encode() + source)
    return digest.hexdigest()
