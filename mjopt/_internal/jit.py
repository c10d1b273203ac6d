"""Kernels: functions on arrays, compiled by numba when they are first called.

Calling a kernel runs it compiled; ``in_python(kernel)`` runs the same lines in Python, which is
sooner for one hand. Numba loads with the first call. Machine code is cached in a folder named
by a digest of the kernels' source, since numba does not see that a function that a kernel
calls, or a constant, has changed in another file.
"""

import hashlib
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

PATIENCE: Final = 2.0  # seconds of compiling before a note on stderr
NOTE: Final = "mjopt: compiling for some seconds, once for this machine (or `mjopt warm` ahead)"
_PACKAGE: Final = Path(__file__).parents[1]
_OPTIONS: Final[dict[Any, dict[str, Any]]] = {}  # of every function that kernels call
_OTHERS: Final[dict[Any, Any]] = {}  # functions that stand for others in compiled code
_LOCK: Final = RLock()  # threads share what they compile
_COMPILED: Final[list[str]] = []  # kernels that this process did not find in the cache
_always = False  # compile for few hands too


def inner(function: Function) -> Function:
    """Mark a function that kernels call; called from Python it is plain Python."""
    _OPTIONS[function] = {}
    return function


def inlined(function: Function) -> Function:
    """Mark such a function to be copied into its callers, which spares counting references."""
    _OPTIONS[function] = {"inline": "always"}
    return function


def compiled_as(other: Callable[..., Any]) -> Callable[[Function], Function]:
    """Mark a function whose place another one, marked before, takes in compiled code."""

    def mark(function: Function) -> Function:
        _OPTIONS[function] = {}
        _OTHERS[function] = other
        return function

    return mark


def kernel(function: Function) -> Function:
    """Compile a function, and the inner functions it calls; it runs without the GIL."""
    return cast("Function", Kernel(function))


def in_python(function: Function) -> Function:
    """Return the Python function of a kernel."""
    return cast("Function", cast("Any", function).__wrapped__)


def is_few(number: int, limit: int) -> bool:
    """Return whether a batch is so small that Python is done before numba has loaded."""
    return number < limit and not _always


@contextmanager
def compile_always(is_on: bool = True) -> Iterator[None]:
    """Use kernels for few hands too: in tests, and to compile ahead."""
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
    """A function that is compiled, or loaded from the cache, on its first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._compiled: Any = None
        update_wrapper(cast("Any", self), function)

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled or self._compile(arguments)
        try:
            return compiled(*arguments)
        except SystemError as error:  # how numba reports Ctrl-C during a call
            if end := find_end(error):
                raise end from None
            raise

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        function = cast("Any", self).__wrapped__
        name = f"{function.__module__}.{function.__name__}"
        with _LOCK, ExitStack() as stack:
            numba, folder = _import_numba(), cache_folder()
            if folder is not None:
                from filelock import FileLock

                stack.enter_context(FileLock(folder / f"{name}.lock"))  # others wait for the code
            stack.enter_context(_note_on_stderr())
            stack.enter_context(_settings(numba, folder))
            signature = tuple(map(numba.typeof, arguments))
            compiled = _dispatcher(function, cached=folder is not None)
            try:
                compiled.compile(signature)
            except Exception:  # a full disk, a damaged file: any fault of the function comes again
                compiled = _dispatcher(function)
                compiled.compile(signature)
            if not compiled.stats.cache_hits:
                _COMPILED.append(name)
            self._compiled = compiled
        return compiled


def _dispatcher(function: Any, cached: bool = False, **options: Any) -> Any:
    """Return a copy of a function as numba's, in which inner functions are numba's too."""
    names = {
        name: _inner_dispatcher(_OTHERS.get(value, value))
        for name in function.__code__.co_names
        if (value := function.__globals__.get(name)).__class__ is FunctionType and value in _OPTIONS
    }
    copy = FunctionType(
        function.__code__,
        function.__globals__ | names,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__qualname__ = function.__qualname__
    decorate = _import_numba().njit(cache=cached, nogil=True, error_model="numpy", **options)
    return decorate(copy)


@cache
def _inner_dispatcher(function: Any) -> Any:
    return _dispatcher(function, **_OPTIONS[function])


@cache
def _import_numba() -> Any:
    try:
        import numba
    except Exception as error:  # of many kinds: a setting it refuses, a NumPy it does not know
        raise MjoptError(f"numba, which batches need, does not load: {error}") from error
    return numba


@contextmanager
def _settings(numba: Any, folder: Path | None) -> Iterator[None]:
    """Set where numba caches, and let it compile though NUMBA_DISABLE_JIT is set."""
    config = numba.config
    before = config.CACHE_DIR, config.DISABLE_JIT
    config.CACHE_DIR, config.DISABLE_JIT = str(folder or ""), 0
    try:
        yield
    finally:
        config.CACHE_DIR, config.DISABLE_JIT = before


@contextmanager
def _note_on_stderr() -> Iterator[None]:
    timer = Timer(PATIENCE, _print_note)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _print_note() -> None:
    with suppress(OSError):
        print(NOTE, file=sys.stderr)


@cache
def cache_folder() -> Path | None:
    """Return the folder of the kernels' machine code, made if need be; None if it cannot be."""
    from platformdirs import user_cache_path

    parent = Path(_import_numba().config.CACHE_DIR or user_cache_path("mjopt", appauthor=False))
    folder = parent / f"kernels-{_digest()[:16]}"
    try:
        if not parent.is_absolute():  # there is no home
            return None
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _digest() -> str:
    """Return a SHA-256 of the modules that hold kernels and those whose constants they use."""
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
