"""Where machine code of kernels is kept: beside the package, or in the user's cache folder.

What is kept there and cannot be read is compiled again; where nothing can be written,
kernels are compiled once a process: slower to start, never a failure.
"""

import hashlib
import os
import pickle
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserWideCacheLocator
from numba.core.serialize import dumps

from mjopt._internal.folder import hold_lock, write_whole
from mjopt.errors import FileError

_PACKAGE: Final = Path(__file__).parents[1]
PATIENCE: Final = 60.0  # seconds that another process is waited for
LOOK: Final = 0.02  # seconds between two looks whether it is done
_MARK: Final = b"mjopt._internal.jit import"  # in every file that compiles something


@contextmanager
def leaving(cache: Any) -> Iterator[None]:
    """Let others compile a kernel that could not be compiled here."""
    try:
        yield
    except BaseException:
        if isinstance(cache, KeptKernel):
            cache.leave()
        raise


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


class KeptKernel(FunctionCache):  # type: ignore[misc]
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
        """Return what is kept of a signature, or None if it has to be compiled."""
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
        """Keep what was compiled, and let others read it."""
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


@cache
def _digest_of_kernels() -> str:
    """Return a digest of all that can stand in a compiled kernel, found in some 10 ms.

    These are the files of the package that compile something, and those that they import
    from, whose constants are compiled in.
    """
    found = (Path(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    sources = {path: path.read_bytes() for path in found if path.suffix == ".py"}
    compiling = {path for path, source in sources.items() if _MARK in source}
    compiling |= {*Path(__file__).parent.glob("*kernels.py")}  # how they are compiled
    imports = re.compile(rf"^from {_PACKAGE.name}\.([\w.]+) import".encode(), re.MULTILINE)
    for path in list(compiling & sources.keys()):
        for name in imports.findall(sources[path]):
            compiling.add(_PACKAGE / (name.decode().replace(".", "/") + ".py"))
    digest = hashlib.sha256()
    for path in sorted(compiling & sources.keys()):
        digest.update(f"{path.relative_to(_PACKAGE)} {len(sources[path])}\n".encode())
        digest.update(sources[path])
    return digest.hexdigest()
