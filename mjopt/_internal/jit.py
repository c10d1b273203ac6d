"""Kernels: compiled for batches, plain Python for one hand; numba loads with the first batch.

A function so marked stays what it is. Called by itself it is compiled, with all that it
calls; its plain way runs the same lines in Python, and there is nothing to import.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from importlib import import_module
from threading import RLock, local
from typing import Any, Final, TypeVar, cast

from mjopt._internal.signals import find_end

Function = TypeVar("Function", bound=Callable[..., Any])

WORTH: Final = 1.0
"""Seconds of plain calls after which compiling is worth it: about what it takes."""

_LOCK: Final = RLock()  # threads that share a batch share its compiled kernels


class later:  # noqa: N801 - it is called like a function
    """A module of numba's or llvmlite's, imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


class _Thread(local):
    """Of each thread: whether it runs a kernel's plain way, and so what that calls."""

    is_plain = False
    is_compiling = False  # for its own sake: see no_plain_way


_here: Final = _Thread()


class _Lazy:
    """A function, and what numba makes of it once it is asked for.

    A kernel that calls it knows it by ``_numba_type_``, which numba looks for, and takes its
    code in: that is compiled apart from what is called from Python.
    """

    _made: Any = None
    _linked: Any = None

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self._function, self._options = function, options
        update_wrapper(cast("Any", self), function)

    @property
    def compiled(self) -> Any:
        """The compiled function."""
        if self._made is None:
            from mjopt._internal.kernels import way

            with _LOCK:
                self._made = self._made or way().compiled(self._function, self._number)
        return self._made

    def _number(self) -> int:
        """Count what is to be compiled: it, and all that it calls and nobody has linked in yet."""
        called: dict[int, _Lazy] = {id(self): self}
        waiting = [self]
        while waiting:
            function = waiting.pop()._function
            for name in function.__code__.co_names:
                found = function.__globals__.get(name)
                if isinstance(found, _Lazy) and not found._linked and id(found) not in called:
                    called[id(found)] = found
                    waiting.append(found)
        return len(called)

    @property
    def _numba_type_(self) -> Any:
        if self._linked is None:
            from mjopt._internal.kernels import way

            with _LOCK:
                self._linked = self._linked or way().linked(self._function, **self._options)
        return self._linked._numba_type_


class _Inner(_Lazy):
    """Only kernels call it: from Python, that is a kernel's plain way."""

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)


class _Kernel(_Lazy):
    _spent = 0.0  # seconds of plain calls

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._function if _here.is_plain else self.compiled)(*arguments)
        except SystemError as error:  # a signal that came while it ran is met by numba first
            if end := find_end(error):
                raise end from None
            raise

    def plain(self, *arguments: Any) -> Any:
        """Run the function as it stands, and so what it calls."""
        before, _here.is_plain = _here.is_plain, True
        try:
            return self._function(*arguments)
        finally:
            _here.is_plain = before

    def is_dear(self, seconds: float) -> bool:
        """Return whether compiling it now costs more than an answer of so many seconds."""
        if self._made is not None or _here.is_compiling or self._spent + seconds > WORTH:
            return False
        self._spent += seconds
        return True


class _Intrinsic(_Lazy):
    def __init__(self, function: Callable[..., Any], plain: Callable[..., Any] | None) -> None:
        super().__init__(function)
        self._plain = plain

    def __call__(self, *arguments: Any) -> Any:
        if self._plain is None:
            raise TypeError(f"{self._function.__name__}: only compiled kernels call it")
        return self._plain(*arguments)

    @property
    def _numba_type_(self) -> Any:
        if self._made is None:
            from mjopt._internal.kernels import way

            with _LOCK:
                self._made = self._made or way().intrinsic_type(self._function)
        return self._made


def kernel(function: Function) -> Function:
    """Compile a function that touches arrays and numbers only, without the GIL."""
    return cast("Function", _Kernel(function))


def inner(function: Function) -> Function:
    """Compile a function that kernels alone call: without a way in from Python it is quicker."""
    return cast("Function", _Inner(function))


def inner_by_constant(function: Function) -> Function:
    """Compile such a function anew for every constant that it is given, as numba does."""
    return cast("Function", _Inner(function, by_constant=True))


def intrinsic(
    plain: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turn a function that writes LLVM instructions into one that kernels can call.

    Parameters
    ----------
    plain
        What their plain ways call instead.
    """
    return lambda function: _Intrinsic(function, plain)


@contextmanager
def no_plain_way() -> Iterator[None]:
    """Compile what would not be worth it: to have it later, or because that is measured."""
    before, _here.is_compiling = _here.is_compiling, True
    try:
        yield
    finally:
        _here.is_compiling = before


def is_plain_sooner(function: Callable[..., Any], seconds: float) -> bool:
    """Return whether to answer without a kernel, in plain Python.

    That is so until it has been compiled, or such answers have taken about as long as
    compiling would.

    Parameters
    ----------
    function
        The kernel.
    seconds
        What this answer takes without it, about.
    """
    return cast("_Kernel", function).is_dear(seconds)


def way_of(function: Function, seconds: float) -> Function:
    """Return a kernel, or the same lines in plain Python while they are done sooner."""
    if is_plain_sooner(function, seconds):
        return cast("Function", cast("_Kernel", function).plain)
    return function
