"""Kernels before anything is compiled, and what stops one."""

from _thread import interrupt_main
from threading import Timer
from typing import Any

import numpy as np
import pytest
from helpers.ways import plain_ways

from mjopt._internal import jit
from mjopt._internal.jit import inner, intrinsic, kernel, way_of

IS_DEAR: Any = jit._Kernel.is_dear  # before the fixture that all tests share


@inner
def twice(number: float) -> float:
    return 2 * number


@kernel
def once_more(number: float) -> float:
    return twice(number) + 1


@kernel
def and_again(number: float) -> float:
    return once_more(number) + once_more(number)


@kernel
def count_random(times: int) -> Any:
    counts, number = np.zeros(34, np.int64), np.uint64(1)
    for _ in range(times):
        number = number * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        counts[np.int64(number >> np.uint64(33)) % 34] += 1
    return counts, counts[:1].copy()  # of two arrays numba makes the second all the same


def made(function: Any) -> bool:
    return function._made is not None


def test_a_plain_way_compiles_nothing_that_it_calls() -> None:
    with plain_ways():
        assert way_of(and_again, 0.1)(3) == 14
    assert not any(map(made, (twice, once_more, and_again)))


def test_a_plain_way_that_fails_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with plain_ways(), pytest.raises(TypeError):
        way_of(and_again, 0.1)(None)
    monkeypatch.setattr(once_more, "_made", lambda number: -number)
    assert once_more(3) == -3


def test_plain_until_it_has_taken_as_long_as_compiling() -> None:
    @kernel
    def own(number: int) -> int:
        return number

    assert [IS_DEAR(own, 0.4 * jit.WORTH) for _ in range(4)] == [True, True, False, False]


def test_once_compiled_it_is_not_dear() -> None:
    @kernel
    def own(number: int) -> int:
        return number

    assert own(3) == 3
    assert not IS_DEAR(own, 0.0)


def test_a_long_answer_is_not_plain() -> None:
    @kernel
    def own(number: int) -> int:
        return number

    assert not IS_DEAR(own, 2 * jit.WORTH)
    assert IS_DEAR(own, 0.1)


def test_instructions_without_a_plain_way_say_so() -> None:
    @intrinsic()
    def pure(_context: Any) -> Any:
        raise AssertionError

    with pytest.raises(TypeError, match="pure: only compiled kernels call it"):
        pure()


def test_ctrl_c_while_a_kernel_runs_is_told_as_such() -> None:
    assert count_random(3)[0].sum() == 3
    Timer(0.1, interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        all(count_random(50_000_000) for _ in range(10_000))
