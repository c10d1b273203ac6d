"""Kernels: agreement with Python, caching by source, interruption by Ctrl-C."""

import ast
import os
import shutil
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer
from typing import Any

import numpy as np
import pytest
from helpers.fresh_process import run_python
from helpers.waits import BRIEF

from mjopt._internal import jit, kernel_cache
from mjopt._internal.cache_folder import CacheFolder
from mjopt._internal.jit import (
    compile_always,
    hide_note,
    in_python,
    inner,
    is_few,
    kernel,
    note_is_hidden,
    specialised,
)
from mjopt._internal.kernel_cache import CHECKSUMS, FOLDER

Run = Callable[[Path], tuple[str, bool]]
"""Returns the result of the kernel of the package in a folder, and whether it was cached."""

CALLED = """
from mjopt._internal.jit import inner

SCALE = 2

@inner
def add(pair):
    return SCALE * (pair[0] + pair[1])
"""

CALLS = """
from mjopt._internal.jit import kernel
from package.called import add

@kernel
def scaled(pair):
    return add(pair)
"""

RUNS = """
import os
import sys
from mjopt._internal import jit

@jit.kernel
def first(number):
    return number

with jit.compile_always():
    first(1)
for line in sys.stdin:
    folder, cache = line.rstrip().split("|")
    if child := os.fork():
        if os.waitpid(child, 0)[1]:
            sys.exit("a run has failed")
        continue
    os.environ["NUMBA_CACHE_DIR"] = cache
    sys.path.insert(0, folder)
    from package.calls import scaled
    print(scaled((3, 4)), "package.calls.scaled" not in jit.compiled_kernels(), flush=True)
    os._exit(0)
"""
"""Forks for each line of stdin, loads the package in its folder, and calls a kernel of it."""


@inner
def twice(number: float) -> float:
    return 2 * number


@inner
def thrice(number: float) -> float:
    return 3 * number


@inner(inline=True)
def bumped(numbers: Any, step: float) -> float:
    return float(numbers[0] + step)


def once_more_function(numbers: Any) -> float:
    return twice(bumped(numbers, 0.5)) + 1


once_more = kernel(once_more_function)
once_more_by_three = kernel(specialised(once_more_function, "once_more_by_three", twice=thrice))


@inner
def one() -> int:
    return 1


@inner(compiled_as=one)
def one_if_compiled() -> int:
    return 0


@kernel
def is_compiled_now(number: int) -> int:
    return number + one_if_compiled()


@kernel
def count_random(times: int) -> Any:
    counts, number = np.zeros(34, np.int64), np.uint64(1)
    for _ in range(times):
        number = number * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        counts[np.int64(number >> np.uint64(33)) % 34] += 1
    return counts, counts[:1].copy()  # for two array results numba allocates the second anyway


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run a kernel in a process that has not loaded its package before.

    The processes are forks of one that has loaded numba and compiled something, which takes two
    seconds. Kernels are compiled though it disables JIT, because row access exists as compiled
    code only. Python itself writes no bytecode: it would take an edit within the same second, of
    the same size, for the file it has compiled before.
    """
    if sys.platform == "win32":  # which has no os.fork
        pytest.skip("kernels run in forks of a process")
    folder = tmp_path_factory.mktemp("runs")
    script = folder / "runs.py"
    script.write_text(RUNS)
    settings = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "1"}
    with Popen(
        [sys.executable, script],
        env={**os.environ, **settings, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=PIPE,
        stdout=PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        requests, results = process.stdin, process.stdout

        def run_kernel(folder: Path) -> tuple[str, bool]:
            print(folder, folder / "cache", sep="|", file=requests, flush=True)
            number, is_cached = results.readline().split()
            return number, is_cached == "True"

        yield run_kernel
        requests.close()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder with a package of one kernel and its helper function."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "called.py").write_text(CALLED)
    (folder / "calls.py").write_text(CALLS)
    return tmp_path


def test_a_kernel_and_its_python_function_agree() -> None:
    numbers = np.array([3.0])
    assert once_more(numbers) == in_python(once_more)(numbers) == 8


def test_a_kernel_is_loaded_before_its_first_call() -> None:
    @kernel
    def fill(numbers: Any) -> None:
        numbers[0] = 5

    numbers = np.zeros(1)
    fill.load(numbers)
    assert numbers[0] == 0
    fill(numbers)
    assert numbers[0] == 5


def test_a_copy_uses_other_functions() -> None:
    numbers = np.array([3.0])
    assert once_more_by_three(numbers) == in_python(once_more_by_three)(numbers) == 11.5
    assert once_more(numbers) == 8


def test_compiled_code_uses_the_replacement_of_a_function() -> None:
    assert (in_python(is_compiled_now)(3), is_compiled_now(3)) == (3, 4)


def test_small_batches_use_python_unless_kernels_are_requested() -> None:
    with compile_always(False):
        assert [is_few(number, 100) for number in (0, 99, 100)] == [True, True, False]
    with compile_always():
        assert not is_few(1, 100)


def test_an_edit_never_runs_stale_code(run: Run, package: Path) -> None:
    """Neither of a function that the kernel calls nor of a constant of another file."""
    assert run(package) == ("14", False)
    assert run(package) == ("14", True)
    for old, new, expected in (
        ("pair[0] + pair[1]", "pair[0] * pair[1]", "24"),
        ("SCALE = 2", "SCALE = 3", "21"),
    ):
        (package / "package" / "called.py").write_text(CALLED.replace(old, new))
        assert run(package) == (expected, False)


def test_edit_without_effect_and_another_place_compile_nothing(run: Run, package: Path) -> None:
    """Neither comments and docstrings nor other functions are part of a kernel's code."""
    assert run(package) == ("14", False)
    other = package / "elsewhere"
    shutil.copytree(package / "package", other / "package")
    called = (
        CALLED.replace("    return", '    "Add."  # both\n    return') + "\n\ndef unused(): ...\n"
    )
    (other / "package" / "called.py").write_text(called)
    (other / "cache").symlink_to(package / "cache")
    assert run(other) == ("14", True)


def test_damaged_entries_are_replaced(run: Run, package: Path) -> None:
    """One flipped bit in machine code may end the process with a signal."""
    assert run(package) == ("14", False)
    for pattern in ("*/*.nbc", "*/*.nbi", f"*/{CHECKSUMS}"):
        [file] = (package / "cache" / FOLDER).glob(pattern)
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
        assert run(package) == ("14", False)
        assert run(package) == ("14", True)


def test_interrupted_entry_is_not_used(run: Run, package: Path) -> None:
    assert run(package) == ("14", False)
    [checksums] = (package / "cache" / FOLDER).glob(f"*/{CHECKSUMS}")
    checksums.unlink()
    assert run(package) == ("14", False)
    assert run(package) == ("14", True)


def test_without_a_writable_folder_kernels_run_uncached(run: Run, package: Path) -> None:
    (package / "cache").write_text("a file")
    assert run(package) == ("14", False)
    assert not [*package.rglob("*.nbc")]


def test_invalid_numba_setting_is_a_one_line_error() -> None:
    code = (
        "from mjopt.errors import MjoptError\nfrom mjopt._internal import jit\n"
        "try: jit.kernel(abs)(1)\nexcept MjoptError as error: print(error)"
    )
    assert (
        "numba, which batches need, does not load" in run_python(code, NUMBA_NUM_THREADS="0").stdout
    )


@pytest.fixture
def compile_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Path | None], None]:
    """Return a function that compiles another kernel, and takes long for a process of its own."""

    def compile_kernel(folder: Path | None) -> None:
        cache = CacheFolder(folder, folder is not None, "" if folder else "no folder")
        monkeypatch.setattr(jit, "PATIENCE", 0.0)
        monkeypatch.setattr(kernel_cache, "open_cache", lambda: cache)
        if folder:  # the code is new again
            for entry in folder.glob("*/"):
                shutil.rmtree(entry)
        jit._print_note.cache_clear()

        @kernel
        def own(number: int) -> int:
            return number

        with compile_always(False):
            assert own(3) == 3

    return compile_kernel


def test_slow_compiling_is_announced_once_for_a_machine(
    compile_slowly: Callable[[Path | None], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for _ in range(3):
        compile_slowly(tmp_path)
    assert capsys.readouterr() == ("", f"{jit.NOTE}\n")
    compile_slowly(None)
    assert capsys.readouterr() == ("", f"{jit.UNKEPT_NOTE.format('no folder')}\n")


def test_compiling_can_be_silent(
    compile_slowly: Callable[[Path | None], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    with hide_note():
        assert note_is_hidden()
        compile_slowly(tmp_path)
        with hide_note(False):
            assert note_is_hidden()
    assert not note_is_hidden()
    assert capsys.readouterr() == ("", "")
    assert not (tmp_path / jit.NOTED).exists()


def test_ctrl_c_while_a_kernel_runs_is_a_keyboard_interrupt() -> None:
    assert count_random(3)[0].sum() == 3

    def count_until_interrupted() -> None:
        Timer(BRIEF, interrupt_main).start()  # at a moment of a kernel, or between two
        for _ in range(10_000):
            count_random(50_000_000)

    with pytest.raises(KeyboardInterrupt):
        count_until_interrupted()


def arithmetic_on_slices(source: str) -> list[str]:
    """Return the statements of kernels that compute with slices, or copy to one."""
    return [
        ast.unparse(statement)
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef) and is_compiled(function)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr)
        and any(isinstance(node, ast.Slice) for node in ast.walk(statement))
        and not fills_slice(statement)
        and not unpacks_tuple(statement)
        and not only_takes_views(statement)
    ]


def is_compiled(function: ast.FunctionDef) -> bool:
    names = {ast.unparse(decorator).split("(")[0] for decorator in function.decorator_list}
    return bool(names & {"kernel", "inner"})


def fills_slice(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and (
        isinstance(statement.value, ast.Constant | ast.UnaryOp)
        or ast.unparse(statement.value).isupper()
    )


def only_takes_views(statement: ast.stmt) -> bool:
    """Return whether slices are only named or passed to a function of the kernels, for loops."""
    value = getattr(statement, "value", None)
    targets = getattr(statement, "targets", [])
    return all(isinstance(target, ast.Name) for target in targets) and (
        isinstance(value, ast.Subscript)
        or (isinstance(value, ast.Call) and isinstance(value.func, ast.Name))
    )


def unpacks_tuple(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and all(
        isinstance(name, ast.Name) for name in getattr(statement.targets[0], "elts", [statement])
    )


def test_kernels_use_loops_in_place_of_slices() -> None:
    """Numba compiles arithmetic on slices for seconds: its errors format the shapes."""
    texts = [path.read_text("utf-8") for path in Path(jit.__file__).parents[1].rglob("*.py")]
    sources = [text for text in texts if "_internal.jit import" in text]

    assert arithmetic_on_slices("@kernel\ndef copy(to, many):\n    to[:2] = many[1:]")
    assert arithmetic_on_slices("@inner\ndef largest(many):\n    most = np.max(many[1:])")
    assert not arithmetic_on_slices(
        "@inner\ndef use(many):\n    rest = many[1:]\n    copy(rest[1:])"
    )
    assert [found for source in sources for found in arithmetic_on_slices(source)] == []
