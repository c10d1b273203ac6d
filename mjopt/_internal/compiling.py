"""Who hears that kernels are being compiled: nobody, unless the command line listens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """Hears of every function that is compiled in this process."""

    def foretell(self, number: int, kept: bool, processes: int, /) -> None:
        """Hear that so many functions are about to be compiled by so many processes."""

    def begin(self, number: int, kept: bool, /) -> None:
        """Hear that a kernel is begun: of how many functions, and whether it will be kept."""

    def advance(self, number: int = 1, /) -> None:
        """Hear that so many more of them are done."""

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


class NotCompiled(BaseException):
    """A kernel would have to be compiled: of ``number`` functions, to be ``kept`` or not."""

    def __init__(self, number: int, kept: bool) -> None:
        super().__init__(f"{number} functions are not compiled")
        self.number, self.kept = number, kept


class _Refusing:
    """Compiles nothing: whoever asks for it is told what it would be."""

    def begin(self, number: int, kept: bool) -> None:
        raise NotCompiled(number, kept)

    def foretell(self, *_: int) -> None:
        """Hear it."""

    end = advance = foretell


def uncompiled(work: Callable[[], object]) -> NotCompiled | None:
    """Do some work, but no further than to the first kernel that is not compiled; return that."""
    try:
        with heard_by(_Refusing()):
            work()
    except NotCompiled as found:
        return found
    return None


def foretell(number: int, kept: bool, processes: int) -> None:
    """Tell that so many functions are about to be compiled by so many processes."""
    for listener in _listeners:
        listener.foretell(number, kept, processes)


@contextmanager
def heard_apart(number: int, kept: bool) -> Iterator[Callable[[int], None]]:
    """Tell of functions that other processes compile, and how many are done."""
    listeners = list(_listeners)

    def advance(done: int) -> None:
        for listener in listeners:
            listener.advance(done)

    with heard_kernel(lambda: number, kept):
        yield advance


@contextmanager
def heard_kernel(number: Callable[[], int], kept: bool) -> Iterator[None]:
    """Tell of a kernel that is compiled meanwhile."""
    listeners = _listeners[::-1]  # one that refuses came last
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
