"""Surroundings of a test: environment variables, packages, full disks, standard input.

Each is a context manager, and a decorator of tests.
"""

import io
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from mjopt._internal.registry import plug_ins


@contextmanager
def environment(**variables: str | Path | None) -> Iterator[None]:
    """Set environment variables; None removes one."""
    before = {name: os.environ.get(name) for name in variables}
    try:
        _set(variables)
        yield
    finally:
        _set(before)


def _set(variables: dict[str, str | Path | None] | dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = str(value)


@contextmanager
def without_packages(*names: str) -> Iterator[None]:
    """Make packages look as if they were not installed, to imports and to ``find_spec``."""
    kept = {
        name: sys.modules.pop(name)
        for name in [*sys.modules]
        if any(name == each or name.startswith(f"{each}.") for each in names)
    }
    sys.modules.update(dict.fromkeys(names))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(kept)


def install(folder: Path, name: str, source: str, entry_points: str = "") -> Path:
    """Install a package of one module into a folder, for :func:`package_folder`."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(source)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    return folder


@contextmanager
def package_folder(folder: Path) -> Iterator[None]:
    """Import the packages of a folder before others, and know their entry points."""
    names = {path.stem for path in folder.iterdir()}
    kept = {name: sys.modules.pop(name) for name in [*sys.modules] if name in names}
    sys.path.insert(0, str(folder))
    plug_ins.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        plug_ins.cache_clear()
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(kept)


@contextmanager
def disk_full_after(size: int) -> Iterator[None]:
    """Let the system refuse to write a file of more bytes, as a full disk does."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


@contextmanager
def standard_input(content: str | bytes | TextIO) -> Iterator[None]:
    """Type a text, or read a stream."""
    before = sys.stdin
    if isinstance(content, str):
        content = content.encode()
    if isinstance(content, bytes):
        content = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    sys.stdin = content
    try:
        yield
    finally:
        sys.stdin = before


@contextmanager
def arguments(*words: str | Path) -> Iterator[None]:
    """Set the words of the command line, the name of the program first."""
    before, sys.argv = sys.argv, [str(word) for word in words]
    try:
        yield
    finally:
        sys.argv = before
