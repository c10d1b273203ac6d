"""Kernels: array functions that numba compiles on their first call.

Calling a kernel runs it compiled; ``in_python(kernel)`` is the same function in Python, which is
faster for a single hand. Numba is imported on the first call. Machine code is kept on disk by
:mod:`mjopt._internal.kernel_cache`, named by all that it depends on, because numba does not detect
changes in functions or constants of other files.
"""

import gc
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial, update_wrapper
from importlib import import_module
from pathlib import Path
from threading import RLock, Timer
from types import FunctionType, ModuleType
from typing import Final, Generic, ParamSpec, Protocol, TypeVar, TypeVarTuple, overload

from mjopt._internal.signals import delayed_signals, find_end
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
UNKEPT_NOTE: Final = (
    "mjopt: compiling for some seconds, each time, because the result cannot be kept: {} "
    "(NUMBA_CACHE_DIR=FOLDER names another folder)"
)
NOTED: Final = "noted"  # file in the cache folder: the note has been printed on this machine
_OPTIONS: Final = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_INNER: Final[dict[Callable[..., object], tuple[Callable[..., object], bool]]] = {}
"""For each inner function: the function to compile, and whether LLVM inlines it."""
_LOCK: Final = RLock()  # threads share compiled code
_COMPILED: Final[list[str]] = []  # kernels that this process compiled because the cache had none
_LOADED: Final[list[str]] = []  # kernels that this process loaded from the cache
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

    With ``inline``, LLVM inlines it into its callers, which avoids reference counting. Numba's own
    inlining (``inline="always"``) runs at most a tenth faster but compiles twice as long. The inner
    function ``compiled_as`` replaces this one in compiled code.
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


def loaded_kernels() -> list[str]:
    """Return the names of the kernels that this process loaded from the cache."""
    return [*_LOADED]


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
        except OSError:  # code for further types of arguments has no entry in the cache
            return compiled(*arguments)

    def _compile(self, arguments: tuple[*Arguments]) -> Callable[..., Result]:
        from mjopt._internal.code_digest import code_digest
        from mjopt._internal.kernel_cache import entry_of, open_cache

        function = self.__wrapped__
        name = f"{function.__module__}.{function.__name__}"
        signature = tuple(map(_import_numba().typeof, arguments))
        cache = open_cache()
        entry = entry_of(cache, name, code_digest(function, signature, _INNER, _OPTIONS))
        with _settings():
            compiled = _load(function, signature, entry)
            if compiled is None and entry is not None and cache.is_writable:
                compiled = _compile_and_keep(function, signature, entry)
            if compiled is None:
                with _note(cache.problem and UNKEPT_NOTE.format(cache.problem)):
                    compiled = _compile(function, signature)
            (_LOADED if compiled.stats.cache_hits else _COMPILED).append(name)
        return compiled


def _load(
    function: Callable[..., Result], signature: tuple[object, ...], entry: Path | None
) -> "_Dispatcher[Result] | None":
    """Return a compiled function from the cache; None if it is not there, or damaged."""
    from mjopt._internal.kernel_cache import EntryLocator, is_intact

    if entry is None or not is_intact(entry):
        return None
    try:
        # An exception of a signal in a finaliser of llvmlite would let it free memory twice.
        with delayed_signals(), EntryLocator.use(entry):
            return _compile(function, signature, cache=True)
    except Exception:  # anything: numba unpickles it
        return None


def _compile_and_keep(
    function: Callable[..., Result], signature: tuple[object, ...], entry: Path
) -> "_Dispatcher[Result] | None":
    """Compile a function into the cache; None if that fails, perhaps because of the cache."""
    from filelock import FileLock

    from mjopt._internal.kernel_cache import write_entry

    folder, name = entry.parent, entry.name.rpartition("-")[0]
    # One process compiles, and the others load the result.
    with _note("", folder), FileLock(folder / f"{name}.lock"):
        if compiled := _load(function, signature, entry):
            return compiled
        try:
            with write_entry(entry):
                return _compile(function, signature, cache=True)
        # A full disk, for example. Faults of the function recur without the cache.
        except Exception:
            return None


def _compile(
    function: Callable[..., Result], signature: tuple[object, ...], **options: bool
) -> "_Dispatcher[Result]":
    compiled = _dispatcher(function, **options)
    compiled.compile(signature)
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
    decorate = _import_numba().njit(**_OPTIONS, **options)
    compiled: _Dispatcher[Result] = decorate(specialised(function, function.__name__, **names))
    return compiled


@cache
def _inner_dispatcher(function: Callable[..., object], inline: bool) -> _Dispatcher[object]:
    return _dispatcher(function, no_cpython_wrapper=True, forceinline=inline)


@cache
def _import_numba() -> ModuleType:
    """Import numba so that its file of settings in the working folder, if any, has no effect.

    Whoever unpacks an archive and works in its folder does not expect that a file there chooses
    the folder from which code is loaded. Numba reads ``.numba_config.yaml`` when it is imported and
    again whenever it compiles, if it could import PyYAML; so it cannot, while it is imported.
    """
    yaml = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]  # the documented way to block an import
    try:
        with _no_advice_on_yaml():
            return import_module("numba")
    except Exception as error:  # various: an invalid setting, an unsupported NumPy
        raise MjoptError(f"numba, which batches need, does not load: {error}") from error
    finally:
        del sys.modules["yaml"]
        if yaml is not None:
            sys.modules["yaml"] = yaml


@contextmanager
def _no_advice_on_yaml() -> Iterator[None]:
    """Hide numba's warning that PyYAML is missing, in a folder with a file of its settings."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "A Numba config file is found")
        yield


@cache
def _has_numba() -> bool:
    try:
        _import_numba()
    except MjoptError:
        return False
    return True


@contextmanager
def _settings() -> Iterator[None]:
    """Set where numba keeps code, and enable compilation even if NUMBA_DISABLE_JIT is set.

    Garbage collection stops meanwhile: numba keeps most of the many objects that it makes, and
    looking through them takes a tenth of the time.
    """
    from mjopt._internal.kernel_cache import EntryLocator

    config, collects = _import_numba().config, gc.isenabled()
    before = config.CACHE_LOCATOR_CLASSES, config.DISABLE_JIT
    locator = f"{EntryLocator.__module__}.{EntryLocator.__qualname__}"
    config.CACHE_LOCATOR_CLASSES, config.DISABLE_JIT = locator, 0
    gc.disable()
    try:
        with _no_advice_on_yaml():
            yield
    finally:
        config.CACHE_LOCATOR_CLASSES, config.DISABLE_JIT = before
        if collects:
            gc.enable()


@contextmanager
def _note(problem: str, folder: Path | None = None) -> Iterator[None]:
    """Print a message on stderr if a block takes long, once for each cache folder.

    No message if kernels are compiled on purpose, or the note is hidden.
    """
    timer = Timer(PATIENCE, _print_note, (problem or NOTE, folder))
    timer.daemon = True
    if _has_note and not _always:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _print_note(note: str, folder: Path | None) -> None:
    with suppress(OSError):  # the file exists, or stderr is closed
        if folder:
            (folder / NOTED).touch(exist_ok=False)
        print(note, file=sys.stderr)
