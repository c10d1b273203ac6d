"""What is kept of a compiled kernel is never that of another source."""

import os
import subprocess
import sys
from pathlib import Path

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


print(scaled(Pair(3, 4)), sum(scaled.stats.cache_hits.values()))
"""


def run(folder: Path) -> str:
    """Run the kernels of a folder as if they were the package's own."""
    program = (
        "import pathlib, sys\n"
        "from mjopt.runtime import kernels\n"
        f"kernels._PACKAGE = pathlib.Path({str(folder)!r})\n"
        f"sys.path.insert(0, {str(folder.parent)!r})\n"
        "import made.calls\n"
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
    ("file", "old", "new", "expected"),
    [
        ("called.py", "first + pair.second", "first * pair.second", "24 0"),
        ("called.py", "Pair", "Twins", "14 0"),
        ("scale.py", "2", "3", "21 0"),
    ],
    ids=["a kernel that another calls", "a class that is gone", "a constant"],
)
def test_what_is_kept_is_of_this_source(
    file: str, old: str, new: str, expected: str, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    for name, text in (("scale.py", SCALE), ("called.py", CALLED), ("calls.py", CALLS)):
        (made / name).write_text(text)
    assert [run(made), run(made)] == ["14 0", "14 1"]
    changed = made / file
    changed.write_text(changed.read_text().replace(old, new))
    if new == "Twins":  # and the caller's own file looks as it did
        calls = made / "calls.py"
        when = calls.stat()
        calls.write_text(CALLS.replace("Pair, add", "add, Twins").replace("Pair(", "Twins("))
        os.utime(calls, ns=(when.st_atime_ns, when.st_mtime_ns))
    assert run(made) == expected


def test_every_file_that_compiles_counts() -> None:
    """Other ways to write the import would be overlooked."""
    for path in kernels._PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path != Path(kernels.__file__) and ("@kernel" in text or "import numba" in text):
            assert kernels._MARK.decode() in text, path
