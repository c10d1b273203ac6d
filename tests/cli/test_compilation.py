"""Kernels that are compiled ahead have the types of arguments that commands use."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjopt._internal.jit import cache_folder, marker_folder
from mjopt.chances.win_chance import _depletion_kernels
from mjopt.chances.win_chance.optimal_play import optimal_play
from mjopt.cli import compilation
from mjopt.cli.compilation import compile_ahead, compile_batch
from mjopt.hands.hand import Hand
from mjopt.heuristics.ndde import NDDE, search_ndde
from mjopt.heuristics.runner import run_batch


def test_bounds_of_plays_are_compiled_for_the_arguments_of_a_search() -> None:
    compile_batch("play bounds")
    optimal_play(Hand.parse("1123m", called=3), draws=2, waste=1)
    kernels: list[Any] = [
        _depletion_kernels.depletion_kernel,
        _depletion_kernels.lower_kernel,
        _depletion_kernels.depletion_caps_kernel,
    ]
    assert [len(kernel._compiled.signatures) for kernel in kernels] == [1, 1, 1]


def test_a_search_is_compiled_for_the_arguments_of_a_study() -> None:
    compile_batch("search ndde")
    rows = np.tile(np.repeat([1, 0], [13, 14]).astype(np.uint8), (3, 1))
    numbers, targets = np.arange(3), np.zeros(3, np.int8)
    batch: dict[str, Any] = {"seed": 0, "method": "ndde", "hand_numbers": numbers, "run": 0}
    run_batch(NDDE(), rows, **batch, targets=targets, stop_at_target=True)
    run_batch(NDDE(), rows, **batch, history=True, tiles="m0")
    kernel: Any = search_ndde
    assert len(kernel._compiled.signatures) == 1


def test_compiled_batches_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "WorkerProcesses", None)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    compile_batch("play bounds")
    with compile_ahead(["play bounds"]) as is_compiling:
        assert not is_compiling


def test_one_core_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "WorkerProcesses", None)
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
