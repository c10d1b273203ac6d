"""What numba makes of kernels: typed, cached where a cache can be written.

:mod:`mjopt.runtime.jit` is the door, and loads this with the first batch.

A kernel is compiled on its first call and kept beside the package, or in the user's
own cache directory. What is kept there and cannot be read is compiled again; where
nothing can be written, kernels are compiled once a process: slower to start, never a
failure.
"""

import hashlib
import operator
import os
import pickle
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any, Final

import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserWideCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.serialize import dumps
from numba.core.typed_passes import NopythonTypeInference
from numba.core.types import Function, unliteral  # type: ignore[attr-defined]  # by a star
from numba.core.typing import Context
from numba.core.typing.templates import _OverloadFunctionTemplate, make_intrinsic_template
from numba.extending import intrinsic as numba_intrinsic

from mjopt.errors import FileError
from mjopt.runtime.compiling import heard_kernel, heard_part
from mjopt.runtime.folder import hold_lock, write_whole
from mjopt.runtime.garbage import garbage_later
from mjopt.runtime.room import with_room

_PACKAGE: Final = Path(__file__).parents[1]
PATIENCE: Final = 60.0  # seconds that another process is waited for
LOOK: Final = 0.02  # seconds between two looks whether it is done
_MARK: Final = b"mjopt.runtime.jit import"  # in every file that compiles something


def compiled(function: Callable[..., Any], number: Callable[[], int] = lambda: 1) -> Any:
    """Return a function that is compiled on its first call, and kept.

    ``number`` tells how many functions are to be compiled for it.
    """
    made = _made(function)
    with suppress(RuntimeError):  # numba: "cannot cache function ...: no locator available"
        made._cache = _Cache(function)
    _hear(made, lambda: heard_kernel(number, made._cache.cache_path is not None))
    return made


@contextmanager
def _left(cache: Any) -> Iterator[None]:
    """Let others compile a kernel that could not be compiled here."""
    try:
        yield
    except BaseException:
        if isinstance(cache, _Cache):
            cache.leave()
        raise


def linked(function: Callable[..., Any], *, by_constant: bool = False) -> Any:
    """Return a function as kernels call it: code that becomes a part of theirs."""
    made = _made(function, by=_Linking, no_cpython_wrapper=True)
    if not by_constant:
        template = made.get_call_template
        made.get_call_template = lambda args, kws: template(tuple(map(unliteral, args)), kws)
    _hear(made, heard_part)
    return made


def _hear(made: Any, heard: Callable[[], AbstractContextManager[None]]) -> None:
    """Tell whenever a function is compiled, and not only read from where it is kept."""
    compiler = made._compiler
    compile_one = compiler.compile

    def compile_heard(args: Any, return_type: Any) -> Any:
        with _left(made._cache), heard(), garbage_later():
            return with_room(compile_one)(args, return_type)

    compiler.compile = compile_heard


def _made(
    function: Callable[..., Any], by: type["_Compiling"] | None = None, **options: Any
) -> Any:
    options |= {"nogil": True, "no_cfunc_wrapper": True, "pipeline_class": by or _Compiling}
    with _allowed():
        made: Any = numba.njit(**options)(function)
    made.compile = _allowed()(made.compile)
    return made


class _LinkedCode(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """What kernels link in, optimise with what is theirs, and make machine code of.

    Numba would do all that for each function by itself as well, where nobody runs it.
    """

    @property
    def codegen(self) -> "_LinkedCode":
        """Who is asked to set the environment of what runs by itself: nothing here does."""
        return self

    def set_env(self, *_: Any) -> None:
        """Leave it."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _Typing(Context):  # type: ignore[misc]
    """Numba's own typing context, which remembers what it found of the language's functions.

    Numba would try all the ways there are to add, or to take an item, at every place anew:
    a sixth of its time.
    """

    def __init__(self, own: Context) -> None:
        self.__dict__ = own.__dict__  # one state, two ways to ask
        self._found: dict[tuple[object, ...], Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a function for such arguments."""
        if type(func) not in (Function, BuiltinFunctionType):  # others may have to be compiled
            return super().resolve_function_type(func, args, kws)
        asked = (func, tuple(args), tuple(kws.items()))
        if (found := self._found.get(asked)) is None:
            found = super().resolve_function_type(func, args, kws)
            self._found[asked] = found
        return found

    def resolve_setitem(self, *arguments: Any) -> Any:
        """Return the signature of ``arguments[0][arguments[1]] = arguments[2]``."""
        return self.resolve_function_type(operator.setitem, arguments, {})


@cache
def _remembering(own: Context) -> _Typing:
    return _Typing(own)


def _link_overloads() -> None:
    """Have numba's own functions, such as the maximum, compiled as ours are that are linked in.

    Only for kernels of ours: their typing context is :class:`_Typing`.
    """
    of_numba = _OverloadFunctionTemplate._get_jit_decorator

    def decorator(template: Any) -> Any:
        jit = of_numba(template)
        if type(template.context) is not _Typing:
            return jit
        return lambda **options: jit(**options | _LINKED)

    _OverloadFunctionTemplate._get_jit_decorator = decorator


@register_pass(mutates_CFG=False, analysis_only=False)
class _Borrowing(FunctionPass):  # type: ignore[misc]
    """Count no references where none is made or returned: arrays stay those of the caller.

    That is so in files that say ``BORROWS = True``. It halves the time that the heuristics take,
    but LLVM makes a slower loop of the tables' discards without: a file is measured first.
    """

    _name = "mjopt_borrowing"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Decide by the types of what is called and returned."""
        if not state.func_id.func.__globals__.get("BORROWS"):
            return False
        views = ("getitem", "static_getitem")
        signatures = [
            signature.return_type
            for place, signature in state.calltypes.items()
            if signature is not None and getattr(place, "op", None) not in views
        ]
        models = state.targetctx.data_model_manager
        made = (models[kind] for kind in (state.return_type, *signatures))
        if not any(model.contains_nrt_meminfo() for model in made):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


class _Compiling(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        self.state.typingctx = _remembering(self.state.typingctx)
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.add_pass_after(_Borrowing, NopythonTypeInference)
            pipeline.finalize()
        return pipelines


class _Linking(_Compiling):
    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _LinkedCode(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


_LINKED: Final = {
    "pipeline_class": _Linking,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_link_overloads()


@contextmanager
def _allowed() -> Iterator[None]:
    """Compile even if NUMBA_DISABLE_JIT is set: some kernels are machine instructions."""
    asked, config.DISABLE_JIT = config.DISABLE_JIT, 0
    try:
        yield
    finally:
        config.DISABLE_JIT = asked


class _UserWideLocator(UserWideCacheLocator):  # type: ignore[misc]
    """The user's own cache folder; where there is no home, it would be made right here."""

    @classmethod
    def from_function(cls, function: Any, file: str) -> Any:
        if os.path.isabs(cls(function, file).get_cache_path()):
            return super().from_function(function, file)
        return None


class _Places(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [  # noqa: RUF012 - numba's own
        _UserWideLocator if locator is UserWideCacheLocator else locator
        for locator in CompileResultCacheImpl._locator_classes
    ]


class _Cache(FunctionCache):  # type: ignore[misc]
    """What is kept of one kernel, a file for each signature.

    What cannot be read is compiled again and replaced; what cannot be written is not kept.
    What another process compiles just now is waited for.
    """

    _impl_class = _Places
    _held: ExitStack | None = None  # while this process compiles it

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator, name = self._impl.locator, self._impl.filename_base
        self._cache_file = _Files(Path(self._cache_path), name, locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._load(sig, target_context)
        if found is None and self._hold(self._index_key(sig, target_context.codegen())):
            found = self._load(sig, target_context)
            if found is not None:
                self.leave()
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever a damaged file makes of itself
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with suppress(OSError, FileError):
                super().save_overload(sig, data)
        finally:
            self.leave()

    def _hold(self, key: Any) -> bool:
        """Keep others from compiling it; return whether somebody did, who is done by now."""
        self.leave()
        lock = self._cache_file.path(key).with_suffix(".lock")
        begun, waited = time.monotonic(), False
        while time.monotonic() - begun < PATIENCE:
            held = ExitStack()
            try:
                held.enter_context(hold_lock(lock, str(lock)))
            except FileError:
                waited = True
                time.sleep(LOOK)
            except OSError:  # nothing can be written there
                break
            else:
                self._held = held
                break
        return waited

    def leave(self) -> None:
        """Let others compile it."""
        if self._held is not None:
            with suppress(OSError):
                self._held.close()
            self._held = None


class _Files:
    """Numba's own files have an index, which two processes that write at once can mix up.

    And what is kept of a kernel holds the kernels that it calls, but numba looks for changes
    in its own file only. Here the name of a file tells what it holds, for which signature and
    by which version of all our kernels, and its content begins with its digest.
    """

    def __init__(self, folder: Path, name: str, stamp: Any) -> None:
        self._start = folder / f"{_digest_of_kernels()[:12]}.{name}"
        self._version = f"{numba.__version__} {_digest_of_kernels()} {stamp!r}"

    def path(self, key: Any) -> Path:
        told = hashlib.sha256(f"{self._version} {key!r}".encode()).hexdigest()
        return self._start.with_name(f"{self._start.name}.{told[:16]}.nbc")

    def load(self, key: Any) -> Any:
        try:
            content = self.path(key).read_bytes()
        except OSError:
            return None
        digest, kept = content[:32], content[32:]
        if digest != hashlib.sha256(kept).digest():
            return None
        version, of, data = pickle.loads(kept)
        return data if (version, of) == (self._version, key) else None

    def save(self, key: Any, data: Any) -> None:
        kept = dumps((self._version, key, data))
        write_whole(self.path(key), hashlib.sha256(kept).digest() + kept)


def intrinsic_type(function: Callable[..., Any]) -> Any:
    """Return the type by which kernels know a function that writes LLVM instructions."""
    made = numba_intrinsic(function)
    return Function(make_intrinsic_template(made, function, function.__name__))


@cache
def _digest_of_kernels() -> str:
    """Return a digest of all that can stand in a compiled kernel, found in some 10 ms.

    These are the files of the package that compile something, and those that they import
    from, whose constants are compiled in.
    """
    found = (Path(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    sources = {path: path.read_bytes() for path in found if path.suffix == ".py"}
    compiling = {path for path, source in sources.items() if _MARK in source}
    compiling.add(Path(__file__))  # how they are compiled
    imports = re.compile(rf"^from {_PACKAGE.name}\.([\w.]+) import".encode(), re.MULTILINE)
    for path in list(compiling & sources.keys()):
        for name in imports.findall(sources[path]):
            compiling.add(_PACKAGE / (name.decode().replace(".", "/") + ".py"))
    digest = hashlib.sha256()
    for path in sorted(compiling & sources.keys()):
        digest.update(f"{path.relative_to(_PACKAGE)} {len(sources[path])}\n".encode())
        digest.update(sources[path])
    return digest.hexdigest()
