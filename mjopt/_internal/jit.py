"""Kernels: array functions that numba compiles on their first call.

Calling a kernel runs it compiled; ``in_python(kernel)`` is the same function in Python, which is
faster for a single hand. Numba is imported on the first call. Machine code is cached in a folder
named by a digest of the kernels' source, because numba does not detect changes in functions or
constants of other files.
"""

import gc
import hashlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial, update_wrapper
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock, Timer
from types import FunctionType, ModuleType
from typing import Final, Generic, ParamSpec, Protocol, TypeVar, TypeVarTuple, overload

from mjopt._internal.signals import find_end
from mjopt.errors import MjoptError

Function = TypeVar("Function", bound=Callable[..., object])
Parameters = ParamSpec("Parameters")
Arguments = TypeVarTuple("Arguments")  # of a kernel, which takes them by position
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)

PATIENCE: Final = 2.0  # seconds of compiling before a message on stderr
NOTE: Final = (
    "mjopt: compiling for some seconds; each kind of work does it once on this machine, "
    "`mjopt warm` does it for all"
)
NOTED: Final = "noted"  # file in the cache folder: the note has been printed on this machine
_PACKAGE: Final = Path(__file__).parents[1]
_INNER: Final[dict[Callable[..., object], tuple[Callable[..., object], bool]]] = {}
"""For each inner function: the function to compile, and whether LLVM inlines it."""
_LOCK: Final = RLock()  # threads share compiled code
_COMPILED: Final[list[str]] = []  # kernels that this process compiled because the cache had none
_always = False  # use kernels for small batches too
_has_note = True  # whether to print the note


def kernel(function: Callable[[*Arguments], Result]) -> "Kernel[*Arguments, Result]":
    """Compile a function and the inner functions it calls; it runs without the GIL."""
    return Kernel(function)


@overload
def inner(function: Function, /) -> Function: ...


@overload
def inner(
    *, inline: bool = False, compiled_as: Callable[..., object] | None = None
) -> Callable[[Function], Function]: ...


def inner(
    function: Function | None = None,
    /,
    *,
    inline: bool = False,
    compiled_as: Callable[..., object] | None = None,
) -> Function | Callable[[Function], Function]:
    """Let kernels call a function; outside of kernels it remains plain Python.

    Parameters
    ----------
    inline
        Whether LLVM inlines it into its callers, which avoids reference counting. Numba's own
        inlining (``inline="always"``) runs at most a tenth faster but compiles twice as long.
    compiled_as
        Another inner function, which replaces this one in compiled code.
    """
    if function is None:
        return partial(inner, inline=inline, compiled_as=compiled_as)
    _INNER[function] = _INNER[compiled_as] if compiled_as else (function, inline)
    return function


def specialised(
    function: Callable[Parameters, Result], name: str, **names: object
) -> Callable[Parameters, Result]:
    """Return a copy of a function with the given functions and constants for its global names.

    The copy is to become a kernel or an inner function. Numba caches it by its name; it does not
    cache closures, nor functions as arguments.
    """
    copy = FunctionType(
        function.__code__,
        function.__globals__ | names,
        name,
        function.__defaults__,
        function.__closure__,
    )
    copy.__qualname__ = name
    return copy


def in_python(function: "Kernel[*Arguments, Result]") -> Callable[[*Arguments], Result]:
    """Return the Python function of a kernel."""
    return function.__wrapped__


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


@contextmanager
def hide_note(is_on: bool = True) -> Iterator[None]:
    """Compile without a message, also in worker processes that start meanwhile."""
    global _has_note  # noqa: PLW0603 - one switch for all threads
    before, _has_note = _has_note, _has_note and not is_on
    try:
        yield
    finally:
        _has_note = before


def note_is_hidden() -> bool:
    """Return whether compiling is silent."""
    return not _has_note


def compiled_kernels() -> list[str]:
    """Return the names of the kernels that this process compiled."""
    return [*_COMPILED]


class Kernel(Generic[*Arguments, Result]):
    """A function that is compiled, or loaded from the cache, on first call."""

    __wrapped__: Callable[[*Arguments], Result]

    def __init__(self, function: Callable[[*Arguments], Result]) -> None:
        self._compiled: Callable[..., Result] | None = None
        self._is_second = False
        update_wrapper(self, function)

    def serves_one(self) -> bool:
        """Return whether to use it for one item: once loaded, and from the second item on.

        Python has finished the first item before numba has loaded.
        """
        is_second, self._is_second = self._is_second, True
        return self._compiled is not None or ((is_second or _always) and _has_numba())

    def load(self, *arguments: *Arguments) -> Callable[..., Result]:
        """Return the compiled function for arguments of these types; it is not called."""
        if self._compiled is None:
            with _LOCK:
                self._compiled = self._compiled or self._compile(arguments)
        return self._compiled

    def __call__(self, *arguments: *Arguments) -> Result:
        compiled = self.load(*arguments)
        try:
            return compiled(*arguments)
        except SystemError as error:  # numba reports Ctrl-C during a call like this
            if end := find_end(error):
                raise end from None
            raise

    def _compile(self, arguments: tuple[*Arguments]) -> Callable[..., Result]:
        from filelock import FileLock

        function, folder = self.__wrapped__, cache_folder()
        name = f"{function.__module__}.{function.__name__}"
        # One process compiles, and the others load the result.
        lock = FileLock(folder / f"{name}.lock") if folder else nullcontext()
        with _settings(folder), _note(folder), lock:
            signature = tuple(map(_import_numba().typeof, arguments))
            compiled = _dispatcher(function, cache=folder is not None)
            try:
                compiled.compile(signature)
            # The cache raises OSError on a full disk, and anything on a damaged file, which it
            # unpickles. Faults of the function recur without the cache.
            except Exception:
                compiled = _dispatcher(function)
                compiled.compile(signature)
            if not compiled.stats.cache_hits:
                _COMPILED.append(name)
        return compiled


class _CacheStats(Protocol):
    """The part of numba's statistics that is used here."""

    @property
    def cache_hits(self) -> Mapping[object, int]: ...


class _Dispatcher(Protocol[Result_co]):
    """The part of a function compiled by numba that is used here."""

    @property
    def stats(self) -> _CacheStats: ...

    def compile(self, signature: tuple[object, ...]) -> object: ...

    def __call__(self, *arguments: object) -> Result_co: ...


def _dispatcher(function: Callable[..., Result], **options: bool) -> _Dispatcher[Result]:
    """Return a numba function for a function, with inner functions replaced by numba's."""
    names = {
        name: _inner_dispatcher(*_INNER[value])
        for name in function.__code__.co_names
        if isinstance(value := function.__globals__.get(name), FunctionType) and value in _INNER
    }
    decorate = _import_numba().njit(
        nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options
    )
    compiled: _Dispatcher[Result] = decorate(specialised(function, function.__name__, **names))
    return compiled


@cache
def _inner_dispatcher(function: Callable[..., object], inline: bool) -> _Dispatcher[object]:
    return _dispatcher(function, no_cpython_wrapper=True, forceinline=inline)


@cache
def _import_numba() -> ModuleType:
    try:
        return import_module("numba")
    except Exception as error:  # various: an invalid setting, an unsupported NumPy
        raise MjoptError(f"numba, which batches need, does not load: {error}") from error


@cache
def _has_numba() -> bool:
    try:
        _import_numba()
    except MjoptError:
        return False
    return True


@contextmanager
def _settings(folder: Path | None) -> Iterator[None]:
    """Set numba's cache folder, and enable compilation even if NUMBA_DISABLE_JIT is set.

    Garbage collection stops meanwhile: numba keeps most of the many objects that it makes, and
    looking through them takes a tenth of the time.
    """
    config, collects = _import_numba().config, gc.isenabled()
    before = config.CACHE_DIR, config.DISABLE_JIT
    config.CACHE_DIR, config.DISABLE_JIT = str(folder or ""), 0
    gc.disable()
    try:
        yield
    finally:
        config.CACHE_DIR, config.DISABLE_JIT = before
        if collects:
            gc.enable()


@contextmanager
def _note(folder: Path | None) -> Iterator[None]:
    """Print a message on stderr if a block takes long, once for each cache folder.

    No message if kernels are compiled on purpose, or the note is hidden.
    """
    timer = Timer(PATIENCE, _print_note, (folder,))
    timer.daemon = True
    if _has_note and not _always:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _print_note(folder: Path | None) -> None:
    with suppress(OSError):  # the file exists, or stderr is closed
        if folder:
            (folder / NOTED).touch(exist_ok=False)
        print(NOTE, file=sys.stderr)


def cache_folder() -> Path | None:
    """Return the folder of the machine code, created if necessary; None if that fails."""
    return _folder(_import_numba().config.CACHE_DIR)


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
