"""Classes out of a file of one's own, such as ``sa.py:SA``, in this process and in workers.

Work that goes to workers takes the files along as they were read here: no worker has another
version, and a cluster needs no copy of its own.
"""

import os
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final, TypeVar

from mjopt._internal.sanitize import one_line
from mjopt._internal.source_code import code_files, digest_of

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read, with what it imports out of its own folder."""

    path: str  # as it was named
    files: Mapping[str, bytes]  # by their names from its folder

    @classmethod
    def read(cls, path: str) -> "Source":
        """Read a file.

        Raises
        ------
        OSError
            If it cannot be read.
        """
        folder = Path(path).absolute().parent
        return cls(path, code_files(Path(path).absolute(), folder, folder))


_known: Final[dict[str, Source]] = {}
_loaded: Final[dict[tuple[str, str], ModuleType]] = {}
_sent: ContextVar[Mapping[str, Source]] = ContextVar("_sent", default={})  # noqa: B039
_copies: Final[list[TemporaryDirectory[str]]] = []  # removed when the process ends


def find_class(path: str, name: str, *, error: type[Exception], fresh: bool = True) -> Any:
    """Return what a file of Python calls by a name.

    Parameters
    ----------
    path, name
        The file, and what in it.
    error
        What is raised where it cannot be had.
    fresh
        Look whether the file has changed since it was last read; else what was read then
        stays, as a run that has begun needs it.
    """
    source = _sent.get().get(path) or (None if fresh else _known.get(path))
    if source is None:
        try:
            source = Source.read(path)
        except OSError as fault:
            reason = "no such file" if isinstance(fault, FileNotFoundError) else fault.strerror
            raise error(f"{path}: {reason}") from None
        _known[path] = source
    key = os.path.abspath(path), digest_of(source.files)
    if key not in _loaded:
        _loaded[key] = _load(source, key, error)
    module = _loaded[key]
    if not hasattr(module, name):
        classes = [
            known
            for known, what in vars(module).items()
            if isinstance(what, type) and what.__module__ == module.__name__
        ]
        expected = f"one of {', '.join(classes)}" if classes else "a class: it has none"
        raise error(f"{path} has no {name!r}, expected {expected}")
    return getattr(module, name)


def with_own_files(work: Callable[..., R]) -> Callable[..., R]:
    """Return some work that takes along what files of one's own were read so far."""
    return partial(_work_with, dict(_known), work) if _known else work


def _work_with(sources: Mapping[str, Source], work: Callable[..., R], *batch: Any) -> R:
    before = _sent.set(sources)
    try:
        return work(*batch)
    finally:
        _sent.reset(before)


def _load(source: Source, key: tuple[str, str], error: type[Exception]) -> ModuleType:
    """Run a file as a module: where it lies if it still says so, else a copy of it."""
    path, digest = Path(key[0]), key[1]
    try:
        is_there = Source.read(source.path).files == source.files
    except OSError:
        is_there = False
    if not is_there:
        _copies.append(TemporaryDirectory(prefix="mjopt-"))
        path = Path(_copies[-1].name) / path.name
        for name, content in source.files.items():
            copy = path.parent / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    is_again = any(at == key[0] for at, _ in _loaded)
    for name in source.files:  # another file, or an earlier version, may have imported its own
        called = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        file = getattr(sys.modules.get(called), "__file__", None)
        if file is not None and (is_again or Path(file) != path.parent / name):
            del sys.modules[called]
    module = ModuleType(f"{path.stem}_{digest[:12]}")
    module.__file__, module.__dict__["__mjopt_files__"] = str(path), source.files
    sys.modules[module.__name__] = module  # dataclasses look there
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(path.parent))
    try:
        # Not by a loader: what Python keeps of a file that changes within a second is stale.
        exec(compile(source.files[path.name], str(path), "exec"), vars(module))
    except (Exception, SystemExit) as fault:
        del sys.modules[module.__name__]
        if isinstance(fault, SyntaxError):
            where = source.path if fault.filename == str(path) else fault.filename
            raise error(f"{where}, line {fault.lineno}: {fault.msg}") from None
        told = one_line(f"{type(fault).__name__}: {fault}")
        line = _line_of(fault)
        where = source.path if line is None else f"{source.path}, line {line},"
        raise error(f"{where} fails: {told}") from None
    finally:
        sys.dont_write_bytecode = before
        sys.path.remove(str(path.parent))
    if str(path.parent) not in sys.path:  # for what it imports later; last, so it hides nothing
        sys.path.append(str(path.parent))
    return module


def line_in_file(fault: BaseException) -> str:
    """Say in which line of a file of one's own something went wrong, if it went wrong there."""
    line = _line_of(fault)
    return "" if line is None else f" (line {line})"


def _line_of(fault: BaseException) -> int | None:
    at, line = fault.__traceback__, None
    while at is not None:
        line = at.tb_lineno if "__mjopt_files__" in at.tb_frame.f_globals else line
        at = at.tb_next
    return line
