"""The one door to numba: typed, cached where a cache can be written.

A kernel is compiled on its first call and kept beside the package, or in the user's
own cache directory. Where neither can be written it is compiled once a process:
slower to start, never a failure.
"""

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core.types import unliteral
from numba.extending import intrinsic as numba_intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE: Final = Path(__file__).parents[1]
_MARK: Final = b"mjopt.runtime.kernels import"  # in every file that compiles something


def kernel(function: Function) -> Function:
    """Compile a function that touches arrays and numbers only, without the GIL."""
    return cast("Function", _compiled(function))


def inner(function: Function) -> Function:
    """Compile a function that kernels alone call: without a way in from Python it is quicker."""
    compiled = _compiled(function, no_cpython_wrapper=True)
    return cast("Function", compiled if compiled is function else _Inner(compiled))


class _Inner:
    """Kernels know it by the type that numba gives it; a call from Python would be a crash."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled  # its type does not hold it
        self._numba_type_ = compiled._numba_type_

    def __call__(self, *_: Any) -> Any:
        raise TypeError(f"{self._compiled.__name__}: only kernels call it")


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    try:
        compiled: Any = numba.njit(nogil=True, no_cfunc_wrapper=True, cache=True, **options)(
            function
        )
    except RuntimeError:  # numba: "cannot cache function ...: no locator available"
        compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if compiled is function:  # numba was told to compile nothing
        return function
    # Else numba compiles a kernel anew for every constant that another gives it.
    template = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: template(tuple(map(unliteral, args)), kws)
    # What is kept of a kernel holds the kernels that it calls, but numba looks for changes
    # in its own file only, and loads the classes it takes before it looks. It asks for the
    # version first: that is the version of all our kernels too, and what is kept of another
    # is left where it is, lest a process that is killed here leave it under this one's name.
    kept: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._version = f"{kept._version} {_digest_of_kernels()}"
        kept._data_name_pattern = f"{_digest_of_kernels()[:12]}.{kept._data_name_pattern}"
    return compiled


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a function that writes LLVM instructions into one that kernels can call."""
    return cast("Callable[..., Any]", numba_intrinsic(function))


@cache
def _digest_of_kernels() -> str:
    """Return a digest of all that can stand in a compiled kernel, found in some 10 ms.

    These are the files of the package that compile something, and those that they import
    from, whose constants are compiled in.
    """
    found = (Path(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    sources = {path: path.read_bytes() for path in found if path.suffix == ".py"}
    compiling = {path for path, source in sources.items() if _MARK in source}
    imports = re.compile(rf"^from {_PACKAGE.name}\.([\w.]+) import".encode(), re.MULTILINE)
    for path in list(compiling):
        for name in imports.findall(sources[path]):
            compiling.add(_PACKAGE / (name.decode().replace(".", "/") + ".py"))
    digest = hashlib.sha256()
    for path in sorted(compiling & sources.keys()):
        digest.update(f"{path.relative_to(_PACKAGE)} {len(sources[path])}\n".encode())
        digest.update(sources[path])
    return digest.hexdigest()
