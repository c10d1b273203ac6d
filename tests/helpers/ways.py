"""The two ways of a kernel, whichever would answer sooner."""

from collections.abc import Iterator
from contextlib import contextmanager

from mjopt._internal import jit


@contextmanager
def plain_ways(answer: bool = True) -> Iterator[None]:
    """Have everything that can be answered in plain Python answered so, or nothing."""
    before = jit._Kernel.is_dear
    jit._Kernel.is_dear = lambda _kernel, _seconds: answer  # type: ignore[method-assign]
    try:
        yield
    finally:
        jit._Kernel.is_dear = before  # type: ignore[method-assign]
