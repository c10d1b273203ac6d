"""Who hears that kernels are being compiled: nobody, unless the command line listens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """Hears of every function that is compiled in this process."""

    def begin(self, number: int, kept: bool, /) -> None:
        """Hear that a kernel is begun: of how many functions, and whether it will be kept."""

    def advance(self) -> None:
        """Hear that one more of them is done."""

    def end(self) -> None:
        """Hear that the kernel is done, or given up."""


_listeners: list[Listener] = []


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let somebody hear what is compiled meanwhile."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def heard_kernel(number: Callable[[], int], kept: bool) -> Iterator[None]:
    """Tell of a kernel that is compiled meanwhile."""
    listeners = list(_listeners)
    for listener in listeners:
        listener.begin(number(), kept)
    try:
        yield
    finally:
        for listener in listeners:
            listener.end()


@contextmanager
def heard_part() -> Iterator[None]:
    """Tell of a function that it takes in."""
    yield
    for listener in _listeners:
        listener.advance()
