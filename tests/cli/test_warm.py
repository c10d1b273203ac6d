"""`mjopt warm` compiles every kernel."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from helpers.fresh_process import run_python

import mjopt
from mjopt._internal.jit import Kernel

RARE = {"judge_hands"}  # used only by the audit of the paper, and slowest to compile

# Compiled code is for some types of arguments. These are the ones of commands.
COMMANDS = """
import numpy as np
from mjopt import Hand, optimal_play
from mjopt._internal.jit import compiled_kernels
from mjopt.heuristics import NDDE, run_batch

optimal_play(Hand.parse("1123m", called=3), draws=3, waste=1)
batch = {"seed": 0, "method": "ndde", "hand_numbers": range(3), "run": 0, "targets": [0] * 3}
rows = [[2] * 7 + [0] * 20] * 3
run_batch(NDDE(), rows, **batch, stop_at_target=True)
run_batch(NDDE(), rows, **batch, history=True)
print(compiled_kernels())
"""

# The command with one of its examples, and then the work of that example.
ONE_EXAMPLE = """
from mjopt._internal.jit import compiled_kernels
from mjopt.cli.main import execute
from mjopt.cli.warm import EXAMPLES

example = EXAMPLES["files"]
EXAMPLES.clear()
EXAMPLES["files"] = example
status = execute(["warm", "--jobs", "1"])
before = compiled_kernels()
example()
print(status, compiled_kernels()[len(before):])
"""


def kernel_names() -> set[str]:
    """Return the kernels of the package by module and name."""
    names = set()
    for found in pkgutil.walk_packages(mjopt.__path__, "mjopt."):
        source = Path(found.module_finder.path, found.name.rpartition(".")[2]).with_suffix(".py")
        if source.exists() and "_internal.jit import" in source.read_text(encoding="utf-8"):
            values = vars(import_module(found.name)).values()
            kernels = [value for value in values if isinstance(value, Kernel)]
            names |= {f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels}
    return names


@pytest.mark.slow
def test_every_kernel_is_compiled() -> None:
    # In a process of its own: here kernels may have been loaded from a folder of another test.
    warm = run_python(
        "from mjopt.cli.main import execute\nassert not execute(['warm', '--jobs', '1', '--json'])"
    )
    assert '"compiled": ' in warm.stdout
    kept = run_python(
        "from mjopt._internal.kernel_cache import open_cache\n"
        "print(*(path.name.rpartition('-')[0] for path in open_cache().folder.glob('*-*')))"
    ).stdout.split()
    assert {name for name in kernel_names() if name.rpartition(".")[2] not in RARE} <= {*kept}
    assert run_python(COMMANDS).stdout == "[]\n"


def test_kernels_are_compiled_once(tmp_path: Path) -> None:
    first, second = (run_python(ONE_EXAMPLE, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert re.fullmatch(r"[1-9]\d* kernels compiled in \d+\.\d s\n0 \[\]\n", first.stdout)
    assert second.stdout == "nothing to do: all 1 kernels are compiled\n0 []\n"


def test_unwritable_cache_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code = "from mjopt.cli.main import execute; print(execute(['warm', '--jobs', '1']))"
    ran = run_python(code, NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert ran.stdout == "2\n"
    assert "NUMBA_CACHE_DIR=FOLDER" in ran.stderr
