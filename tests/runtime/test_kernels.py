"""What is kept of a compiled kernel is never that of another source."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import numba
import pytest

from mjopt.runtime import kernels

SCALE = "SCALE = 2\n"

CALLED = """
from typing import NamedTuple

from mjopt.runtime.kernels import kernel


class Pair(NamedTuple):
    first: int
    second: int


@kernel
def add(pair):
    return pair.first + pair.second
"""

CALLS = """
from made.called import Pair, add
from made.scale import SCALE
from mjopt.runtime.kernels import kernel


@kernel
def scaled(pair):
    return SCALE * add(pair)


FOUND = scaled(Pair(3, 4))
"""

SOURCES = {"scale.py": SCALE, "called.py": CALLED, "calls.py": CALLS}


def run(folder: Path) -> tuple[int, int]:
    """Run the kernels of a folder in another process, as if they were the package's own."""
    # Fork, where it can be: numba need not be imported again.
    way = get_context("fork" if hasattr(os, "fork") else "spawn")
    with ProcessPoolExecutor(1, way) as other:
        return other.submit(scaled_and_hits, folder).result()


def scaled_and_hits(folder: Path) -> tuple[int, int]:
    kernels._PACKAGE = folder  # type: ignore[misc]
    kernels._digest_of_kernels.cache_clear()
    numba.config.CACHE_DIR = str(folder / "cache")  # type: ignore[attr-defined]
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder.parent))
    calls = import_module("made.calls")
    return calls.FOUND, sum(calls.scaled.stats.cache_hits.values())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose kernels are kept."""
    folder = tmp_path_factory.mktemp("kept") / "made"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    assert [run(folder), run(folder)] == [(14, 0), (14, 1)]
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("called.py", "first + pair.second", "first * pair.second", 24),
        ("called.py", "Pair", "Twins", 14),
        ("scale.py", "2", "3", 21),
    ],
    ids=["a kernel that another calls", "a class that is gone", "a constant"],
)
def test_what_is_kept_is_of_this_source(
    file: str, old: str, new: str, expected: int, made: Path
) -> None:
    sources = {**SOURCES, file: SOURCES[file].replace(old, new)}
    if new == "Twins":
        sources["calls.py"] = CALLS.replace("Pair, add", "add, Twins").replace("Pair(", "Twins(")
    for name, text in sources.items():
        when = (made / name).stat()
        (made / name).write_text(text)
        if name != file:  # it looks as it did
            os.utime(made / name, ns=(when.st_atime_ns, when.st_mtime_ns))
    assert run(made) == (expected, 0)


def test_every_file_that_compiles_counts() -> None:
    """Other ways to write the import would be overlooked."""
    for path in kernels._PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path != Path(kernels.__file__) and ("@kernel" in text or "import numba" in text):
            assert kernels._MARK.decode() in text, path
