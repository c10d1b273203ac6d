"""What is kept of a compiled kernel is never that of another source."""

import os
import pickle
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from contextlib import ExitStack
from errno import ENOSPC
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from helpers.forking import started
from numba.core.runtime import _nrt_python as _nrt
from numba.core.runtime import rtsys

from mjopt._internal import kept_kernels, quick_kernels
from mjopt._internal.compiling import uncompiled
from mjopt._internal.folder import hold_lock
from mjopt._internal.jit import inner, kernel

BORROWS = True  # the kernels of this file

SCALE = "SCALE = 2\n"

CALLED = """
from typing import NamedTuple

from mjopt._internal.jit import inner, kernel


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
from mjopt._internal.jit import inner, kernel


@kernel
def scaled(pair):
    return SCALE * add(pair)


FOUND = scaled(Pair(3, 4))
"""

SOURCES = {"scale.py": SCALE, "called.py": CALLED, "calls.py": CALLS}


def run(folder: Path) -> tuple[int, int]:
    """Run the kernels of a folder in another process, as if they were the package's own."""
    found = folder.parent / "found.txt"
    process = started(lambda: found.write_text(repr(scaled_and_hits(folder))))
    process.join()
    assert not process.exitcode
    return literal_eval(found.read_text())  # type: ignore[no-any-return]


def scaled_and_hits(folder: Path) -> tuple[int, int]:
    kept_kernels._PACKAGE = folder  # type: ignore[misc]
    kept_kernels._digest_of_kernels.cache_clear()
    numba.config.CACHE_DIR = str(folder / "cache")  # type: ignore[attr-defined]
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder.parent))
    calls = import_module("made.calls")
    return calls.FOUND, sum(calls.scaled.compiled.stats.cache_hits.values())


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
    for path in kept_kernels._PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        makes_them = path.parent.name == "runtime" and path.stem.endswith("kernels")
        if not makes_them and ("@kernel" in text or "import numba" in text):
            assert kept_kernels._MARK.decode() in text, path


def one_more(number: float) -> float:
    return number + 1


def hits(compiled: Any) -> int:
    return sum(compiled.compiled.stats.cache_hits.values())


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which kernels are kept."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def test_what_is_damaged_is_compiled_again_and_replaced(kept: Path) -> None:
    def damage(file: Path) -> Iterator[bytes]:
        whole = file.read_bytes()
        other = pickle.dumps(["another pickle"])
        yield b""
        yield whole[:100]
        yield whole[:-1]
        yield b"garbage"
        yield whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]
        yield sha256(other).digest() + other

    assert kernel(one_more)(1) == 2
    [file] = kept.rglob("*.nbc")
    for content in damage(file):
        file.write_bytes(content)
        again = kernel(one_more)
        assert (again(1), hits(again)) == (2, 0)
        assert file.read_bytes() != content
    then = kernel(one_more)
    assert (then(1), hits(then)) == (2, 1)
    assert list(kept.rglob("*.nbc")) == [file]


def test_a_folder_in_the_place_of_what_is_kept_is_left_there(kept: Path) -> None:
    assert kernel(one_more)(1) == 2
    [file] = kept.rglob("*.nbc")
    file.unlink()
    file.mkdir()
    again = kernel(one_more)
    assert (again(1), hits(again), [*kept.rglob("*.nbc")]) == (2, 0, [file])


def test_on_a_full_disk_nothing_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert kernel(one_more)(1) == 2
    assert [path for path in kept.rglob("*") if path.is_file()] == []


def test_where_nothing_can_be_kept_kernels_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_kernels._Places, "_locator_classes", [])
    compiled: Any = kernel(one_more)
    assert (compiled(1), compiled.compiled.stats.cache_path) == (2, None)


def test_without_a_home_no_folder_is_made_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert kept_kernels._UserWideLocator.from_function(one_more, __file__) is None
    assert list(tmp_path.iterdir()) == []


def test_two_that_compile_at_once_keep_their_own(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's own index would give one's file to the other."""
    one, other, write = kernel(one_more), kernel(one_more), kept_kernels.write_whole

    def write_late(path: Path, content: bytes) -> None:
        monkeypatch.setattr(kept_kernels, "write_whole", write)
        assert other(0.5) == 1.5
        write(path, content)

    monkeypatch.setattr(kept_kernels, "write_whole", write_late)
    assert one(1) == 2
    third = kernel(one_more)
    assert (third(1), third(0.5), hits(third)) == (2, 1.5, 2)


def test_what_another_compiles_just_now_is_waited_for(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kernel(one_more)(1) == 2
    [file] = kept.rglob("*.nbc")
    content, looks = file.read_bytes(), []
    file.unlink()
    lock = file.with_suffix(".lock")
    other = ExitStack()
    other.enter_context(hold_lock(lock, "held"))

    def look(_: float) -> None:
        looks.append(lock.exists())
        if len(looks) == 3:
            file.write_bytes(content)
            other.close()

    monkeypatch.setattr(kept_kernels.time, "sleep", look)
    then = kernel(one_more)
    assert (then(1), hits(then)) == (2, 1)
    assert looks == [True] * 3
    assert not lock.exists()


def test_what_cannot_be_compiled_keeps_nobody_waiting(kept: Path) -> None:
    def wrong(number: float) -> float:
        return number.no_such_thing  # type: ignore[attr-defined, no-any-return]

    with pytest.raises(numba.TypingError):
        kernel(wrong)(1)
    assert uncompiled(lambda: kernel(one_more)(1)) is not None
    assert list(kept.rglob("*.lock")) == []


def test_kernels_are_compiled_even_if_nothing_is_to_be(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machine instructions have no other way to run."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)

    @kernel
    def filled(number: int) -> int:
        return int(np.count_nonzero(np.ones(number)))  # numba has it in Python, for its compiler

    assert filled(3) == 3
    assert numba.njit(one_more) is one_more


@pytest.mark.parametrize("threads", ["0", "abc"])
def test_numba_loads_whatever_its_threads(threads: str) -> None:
    code = "import mjopt, os; print(os.environ.get('NUMBA_NUM_THREADS'))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_NUM_THREADS": threads},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ran.stdout, ran.stderr) == ("None\n", "")


@inner
def widest(rows: Any) -> Any:
    """Look at views, and take the maximum by a function of numba's own; make nothing."""
    found = 0
    for i in range(len(rows)):
        row = rows[i]
        for j in range(len(row)):
            found = max(found, row[j])
    return found


@inner
def doubled(row: Any) -> Any:
    twice = np.zeros(len(row), np.int64)
    for j in range(len(row)):
        twice[j] = 2 * row[j]
    return twice


@kernel
def looks(rows: Any) -> Any:
    return widest(rows)


@kernel
def passes_on(row: Any) -> Any:
    return row


@kernel
def makes(row: Any) -> Any:
    return doubled(row)[1:]


def counts_references(function: Any) -> bool:
    """Return whether a kernel's code, or that of what it took in, counts references."""
    compiled = function.compiled
    text = compiled.inspect_llvm(compiled.signatures[-1])
    return "NRT_incref" in text or "NRT_decref" in text


def test_references_are_counted_where_arrays_are_made_or_returned(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.array([[1, 5], [7, 2]])
    row, before = rows[0].copy(), sys.getrefcount(rows)

    assert looks(rows) == 7
    assert passes_on(row).tolist() == [1, 5]
    assert makes(row).tolist() == [10]

    assert [counts_references(one) for one in (looks, passes_on, makes)] == [False, True, True]
    assert sys.getrefcount(rows) == before


def test_arrays_that_kernels_return_are_given_back(kept: Path) -> None:
    row = np.arange(1000)
    passes_on(row), makes(row), looks(row[None, :])
    held, known = sys.getrefcount(row), _nrt.memsys_stats_enabled()
    _nrt.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        for _ in range(20):
            passes_on(row), makes(row), looks(row[None, :])
        now = rtsys.get_allocation_stats()
    finally:
        if not known:
            _nrt.memsys_disable_stats()

    assert sys.getrefcount(row) == held
    assert now.mi_alloc - before.mi_alloc == now.mi_free - before.mi_free >= 20


def larger(a: int, b: int) -> int:
    return max(a, b)


@numba.extending.overload(larger)  # type: ignore[untyped-decorator]
def overload_of_larger(a: Any, b: Any) -> Any:
    def larger_one(a: Any, b: Any) -> Any:
        return a if a > b else b

    return larger_one


@kernel
def ours(row: Any) -> Any:
    return larger(row[0], row[1])


@numba.njit  # type: ignore[untyped-decorator]
def theirs(row: Any) -> Any:
    return larger(row[0], row[1])


def test_overloads_are_linked_in_for_our_kernels_alone(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    own = quick_kernels.JITCodeLibrary._finalize_final_module

    def finalize(library: Any) -> None:
        made.append(library.name)
        own(library)

    monkeypatch.setattr(quick_kernels.JITCodeLibrary, "_finalize_final_module", finalize)
    row = np.array([3, 4])
    assert [ours(row), len([name for name in made if "larger_one" in name])] == [4, 0]
    assert [name for name in made if name.startswith("ours")]
    made.clear()
    assert [theirs(row), len([name for name in made if "larger_one" in name])] == [4, 1]
