"""Kernels: array functions that numba compiles on their first call.

Calling a kernel runs it compiled; ``in_python(kernel)`` is the same function in Python, which is
faster for a single hand. Numba is imported on the first call. Machine code is cached in a folder
named by a digest of the kernels' source, because numba does not detect changes in functions or
constants of other files.
"""

import gc
import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, update_wrapper
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock, Timer
from types import FunctionType
from typing import Any, Final, TypeVar, cast

from mjopt._internal.signals import find_end
from mjopt.errors import MjoptError

Function = TypeVar("Function", bound=Callable[..., Any])

PATIENCE: Final = 2.0  # seconds of compiling before a message on stderr
NOTE: Final = "mjopt: compiling for some seconds, once for this machine (or `mjopt warm` ahead)"
_PACKAGE: Final = Path(__file__).parents[1]
_OPTIONS: Final[dict[Any, dict[str, Any]]] = {}  # of every function that kernels call
_OTHERS: Final[dict[Any, Any]] = {}  # replacements of functions in compiled code
_LOCK: Final = RLock()  # threads share compiled code
_COMPILED: Final[list[str]] = []  # kernels that this process compiled because the cache had none
_always = False  # compile small batches too


def inner(function: Function) -> Function:
    """Register a function that kernels call; outside of kernels it remains plain Python."""
    _OPTIONS[function] = {}
    return function


def inlined(function: Function) -> Function:
    """Register a function that LLVM inlines into its callers, which avoids reference counting.

    Numba's own inlining (``inline="always"``) runs at most a tenth faster but compiles twice as
    long.
    """
    _OPTIONS[function] = {"forceinline": True}
    return function


def compiled_as(other: Callable[..., Any]) -> Callable[[Function], Function]:
    """Register a replacement for a registered function in compiled code."""

    def mark(function: Function) -> Function:
        _OPTIONS[function] = {}
        _OTHERS[function] = other
        return function

    return mark


def kernel(function: Function) -> Function:
    """Compile a function and the registered functions it calls; it runs without the GIL."""
    return cast("Function", Kernel(function))


def specialised_kernel(function: Function, name: str, **names: Any) -> Function:
    """Compile a copy of a function with the given functions and constants for its global names.

    Numba caches the copy by its name. It does not cache closures, nor functions as arguments.
    """
    return kernel(cast("Function", _copy(function, name, names)))


def specialised_inner(function: Function, name: str, **names: Any) -> Function:
    """Register a copy of a function that kernels call, with values for its global names."""
    return inner(cast("Function", _copy(function, name, names)))


def in_python(function: Function) -> Function:
    """Return the Python function of a kernel."""
    return cast("Function", cast("Any", function).__wrapped__)


def is_few(number: int, limit: int) -> bool:
    """Return whether a batch is so small that Python finishes before numba has loaded."""
    return number < limit and not _always


@contextmanager
def compile_always(is_on: bool = True) -> Iterator[None]:
    """Use kernels for small batches too: in tests, and to compile ahead."""
    global _always  # noqa: PLW0603 - one switch for all threads
    before, _always = _always, is_on
    try:
        yield
    finally:
        _always = before


def compiled_kernels() -> list[str]:
    """Return the names of the kernels that this process compiled."""
    return [*_COMPILED]


class Kernel:
    """A function that is compiled, or loaded from the cache, on first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._compiled: Any = None
        update_wrapper(cast("Any", self), function)

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled or self._compile(arguments)
        try:
            return compiled(*arguments)
        except SystemError as error:  # numba reports Ctrl-C during a call like this
            if end := find_end(error):
                raise end from None
            raise

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        function = cast("Any", self).__wrapped__
        name = f"{function.__module__}.{function.__name__}"
        with _LOCK, ExitStack() as stack:
            numba, folder = _import_numba(), cache_folder()
            if not _always:  # code that compiles ahead announces it
                stack.callback(start_note().cancel)
            stack.enter_context(_settings(numba, folder))
            if folder is not None:
                stack.enter_context(_lock(folder / f"{name}.lock", numba))
            stack.enter_context(_no_garbage_collection())
            signature = tuple(map(numba.typeof, arguments))
            compiled = _dispatcher(function, cached=folder is not None)
            try:
                compiled.compile(signature)
            # The cache raises OSError on a full disk, and anything on a damaged file, which it
            # unpickles. Faults of the function recur without the cache.
            except Exception:
                compiled = _dispatcher(function)
                compiled.compile(signature)
            if not compiled.stats.cache_hits:
                _COMPILED.append(name)
            self._compiled = compiled
        return compiled


@contextmanager
def _lock(path: Path, numba: Any) -> Iterator[None]:
    """Lock the code of a kernel; if another process compiles it, prepare to load the result."""
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        # Numba loads most of its modules with the first function, which takes as long as a kernel.
        numba.njit(_nothing).compile(())
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _nothing() -> None:
    """Do nothing."""


def _dispatcher(function: Any, cached: bool = False, **options: Any) -> Any:
    """Return a numba function for a function, with registered functions replaced by numba's."""
    names = {
        name: _inner_dispatcher(_OTHERS.get(value, value))
        for name in function.__code__.co_names
        if (value := function.__globals__.get(name)).__class__ is FunctionType and value in _OPTIONS
    }
    decorate = _import_numba().njit(
        cache=cached, nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options
    )
    return decorate(_copy(function, function.__name__, names))


def _copy(function: Any, name: str, names: dict[str, Any]) -> Any:
    """Return a copy of a function with another name and other values of some globals."""
    copy = FunctionType(
        function.__code__,
        function.__globals__ | names,
        name,
        function.__defaults__,
        function.__closure__,
    )
    copy.__qualname__ = name
    return copy


@cache
def _inner_dispatcher(function: Any) -> Any:
    return _dispatcher(function, no_cpython_wrapper=True, **_OPTIONS[function])


@cache
def _import_numba() -> Any:
    try:
        import numba
    except Exception as error:  # various: an invalid setting, an unsupported NumPy
        raise MjoptError(f"numba, which batches need, does not load: {error}") from error
    return numba


@contextmanager
def _settings(numba: Any, folder: Path | None) -> Iterator[None]:
    """Set numba's cache folder, and enable compilation even if NUMBA_DISABLE_JIT is set."""
    config = numba.config
    before = config.CACHE_DIR, config.DISABLE_JIT
    config.CACHE_DIR, config.DISABLE_JIT = str(folder or ""), 0
    try:
        yield
    finally:
        config.CACHE_DIR, config.DISABLE_JIT = before


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Save a tenth of the compile time: numba keeps most of the many objects that it makes."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def start_note() -> Timer:
    """Return a timer that soon prints a message on stderr; cancel it when all is compiled."""
    timer = Timer(PATIENCE, _print_note)
    timer.daemon = True
    timer.start()
    return timer


@cache
def _print_note() -> None:
    with suppress(OSError):
        print(NOTE, file=sys.stderr)


def cache_folder() -> Path | None:
    """Return the folder of the machine code, created if necessary; None if that fails."""
    return _folder(_import_numba().config.CACHE_DIR)


def marker_folder() -> Path | None:
    """Return the folder of notes about the machine code, without loading numba.

    It differs from :func:`cache_folder` only if a configuration file of numba names a folder.
    """
    return _folder(os.environ.get("NUMBA_CACHE_DIR", ""))


@cache
def _folder(setting: str) -> Path | None:
    from platformdirs import user_cache_path

    parent = Path(setting or user_cache_path("mjopt", appauthor=False))
    folder = parent / f"kernels-{_digest()[:16]}"
    try:
        if not parent.is_absolute():  # no home folder
            return None
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _digest() -> str:
    """Return a SHA-256 of the modules with kernels and the modules whose constants they use."""
    sources = {path: path.read_bytes() for path in _PACKAGE.rglob("*.py")}
    holding = {path for path, source in sources.items() if b"_internal.jit import" in source}
    imported = re.compile(rf"^from {_PACKAGE.name}\.([\w.]+) import".encode(), re.MULTILINE)
    for path in [*holding]:
        for name in imported.findall(sources[path]):
            holding.add(_PACKAGE / (name.decode().replace(".", "/") + ".py"))
    digest = hashlib.sha256()
    for path in sorted(holding & sources.keys()):
        digest.update(f"{path.relative_to(_PACKAGE)} {len(sources[path])}\n".encode())
        digest.update(sources[path])
    return digest.hexdigest()
