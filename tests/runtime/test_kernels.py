"""What is kept of a compiled kernel is never that of another source."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mjopt.runtime import kernels

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
from called import Pair, add
from mjopt.runtime.kernels import kernel


@kernel
def twice(pair):
    return 2 * add(pair)


print(twice(Pair(3, 4)), sum(twice.stats.cache_hits.values()))
"""


def run(folder: Path) -> str:
    """Run the kernels of a folder as if they were the package's own."""
    program = (
        "import pathlib, sys\n"
        "from mjopt.runtime import kernels\n"
        f"kernels._PACKAGE = pathlib.Path({str(folder)!r})\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "import calls\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("first + pair.second", "first * pair.second", "24 0"), ("Pair", "Twins", "14 0")],
    ids=["a kernel that another calls", "a class that is gone"],
)
def test_what_is_kept_is_of_this_source(old: str, new: str, expected: str, tmp_path: Path) -> None:
    called, calls = tmp_path / "called.py", tmp_path / "calls.py"
    called.write_text(CALLED)
    calls.write_text(CALLS)
    assert [run(tmp_path), run(tmp_path)] == ["14 0", "14 1"]
    called.write_text(CALLED.replace(old, new))
    when = calls.stat()
    if old in CALLS:
        calls.write_text(CALLS.replace(f"import {old}", f"import {new} as {old}"))
        os.utime(calls, ns=(when.st_atime_ns, when.st_mtime_ns))
    assert run(tmp_path) == expected


def test_every_file_that_compiles_counts() -> None:
    """Other ways to write the import would be overlooked."""
    for path in kernels._PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path != Path(kernels.__file__) and ("@kernel" in text or "import numba" in text):
            assert kernels._MARK.decode() in text, path
