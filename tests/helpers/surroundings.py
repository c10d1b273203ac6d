"""Surroundings of a test: environment variables, packages that are missing, standard input.

Each is a context manager, and a decorator of tests.
"""

import io
import os
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


@contextmanager
def package_folder(folder: Path) -> Iterator[None]:
    """Make the packages of a folder importable, and their entry points known."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    plug_ins.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        plug_ins.cache_clear()
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


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
