"""Kernels that are compiled ahead have the types of arguments that commands use."""

from pathlib import Path
from typing import Any

import pytest

from mjopt._internal.jit import cache_folder, marker_folder
from mjopt.analysis.win_chance import _kernels
from mjopt.analysis.win_chance.optimal_play import optimal_play
from mjopt.cli import compilation
from mjopt.cli.compilation import compile_ahead, compile_batch


def test_bounds_of_plays_are_compiled_for_the_arguments_of_a_search() -> None:
    compile_batch("play bounds")
    optimal_play("1123m", called=3, draws=2, waste=1)
    kernels: list[Any] = [
        _kernels.depletion_kernel,
        _kernels.lower_kernel,
        _kernels.depletion_caps_kernel,
    ]
    assert [len(kernel._compiled.signatures) for kernel in kernels] == [1, 1, 1]


def test_compiled_batches_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "open_executor", None)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    compile_batch("play bounds")
    with compile_ahead(["play bounds"]) as is_compiling:
        assert not is_compiling


def test_one_core_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "open_executor", None)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with compile_ahead(["missing"]) as is_compiling:
        assert not is_compiling


def test_a_failure_ahead_does_not_stop_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with compile_ahead(["missing"]) as is_compiling:
        assert is_compiling
    folder = marker_folder()
    assert folder
    assert folder == cache_folder()
    assert not Path(folder, "missing.batch").exists()
