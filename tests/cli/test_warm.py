"""`mjopt warm`: nothing is left to compile."""

from importlib import import_module
from pathlib import Path

import pytest

import mjopt
from mjopt._internal import kept_kernels
from mjopt._internal.compiling import heard_kernel
from mjopt._internal.jit import _Kernel
from mjopt.cli import warm
from mjopt.cli.main import execute

LINKED = {"random", "start", "list_elements", "judge", "shuffle"}  # parts of other kernels
RARE = {"judge_hands"}  # the paper's audit alone has it, and takes longer by far


def kernels_of_the_package() -> dict[str, _Kernel]:
    found = {}
    root = Path(mjopt.__file__).parent
    for path in root.rglob("*.py"):
        if kept_kernels._MARK in path.read_bytes():
            name = ".".join(("mjopt", *path.relative_to(root).with_suffix("").parts))
            for key, value in vars(import_module(name)).items():
                if isinstance(value, _Kernel) and value._function.__module__ == name:
                    found[f"{name}.{key}"] = value
    return found


def test_every_kernel_is_compiled_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["warm", "--jobs", "1"]) == 0
    assert "compiled" in capsys.readouterr().out
    for name, kernel in kernels_of_the_package().items():
        if name.rpartition(".")[2] not in LINKED | RARE:
            assert kernel.compiled.signatures, f"{name} is not compiled"


def test_where_all_is_compiled_there_is_nothing_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warm, "WORKS", {"audits": warm.WORKS["audits"]})
    warm.compiled_by("audits")
    assert execute(["warm", "--jobs", "1"]) == 0
    assert capsys.readouterr() == ("nothing to do: every kernel is compiled\n", "")


def test_without_a_folder_to_keep_them_it_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compile_in_vain() -> None:
        with heard_kernel(lambda: 1, kept=False):
            pass

    monkeypatch.setattr(warm, "WORKS", {"one": compile_in_vain})
    assert execute(["warm", "--jobs", "1"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "NUMBA_CACHE_DIR=FOLDER" in shown.err
