"""Kernels as numba's public names make them: compiled anew in every process, and longer.

It is for a numba that :mod:`mjopt._internal.quick_kernels` does not know.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numba
from numba.core import config
from numba.extending import intrinsic as numba_intrinsic

from mjopt._internal.compiling import heard_kernel, heard_part
from mjopt._internal.garbage import garbage_later
from mjopt._internal.room import with_room


def compiled(function: Callable[..., Any], number: Callable[[], int] = lambda: 1) -> Any:
    """Return a function that is compiled on its first call.

    ``number`` tells how many functions are to be compiled for it.
    """
    return _made(function, lambda: heard_kernel(number, kept=False))


def linked(function: Callable[..., Any], *, by_constant: bool = False) -> Any:  # noqa: ARG001
    """Return a function that kernels call, compiled anew for every constant."""
    return _made(function, heard_part)


def _made(function: Callable[..., Any], heard: Callable[[], AbstractContextManager[None]]) -> Any:
    with allowed():
        made: Any = numba.njit(nogil=True)(function)
    made.compile = compiling(made.compile, heard)
    return made


def compiling(
    compile_one: Callable[..., Any], heard: Callable[[], AbstractContextManager[None]]
) -> Callable[..., Any]:
    """Return what compiles as ``compile_one`` does, with room for it, and heard by who listens."""

    def compile_heard(*arguments: Any) -> Any:
        with allowed(), heard(), garbage_later():
            return with_room(compile_one)(*arguments)

    return compile_heard


@contextmanager
def allowed() -> Iterator[None]:
    """Compile even if NUMBA_DISABLE_JIT is set: some kernels are machine instructions."""
    asked, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        yield
    finally:
        config.DISABLE_JIT = asked


def intrinsic_type(function: Callable[..., Any]) -> Any:
    """Return the type by which kernels know a function that writes LLVM instructions."""
    instructions = numba_intrinsic(function)

    def call(*arguments: Any) -> Any:
        return instructions(*arguments)

    return linked(call)._numba_type_
