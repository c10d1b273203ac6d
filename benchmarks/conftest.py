"""Benchmarks always use compiled kernels, for any number of rows."""

from collections.abc import Iterator

import pytest

from mjopt._internal.jit import compile_always


@pytest.fixture(autouse=True)
def _kernels_are_compiled() -> Iterator[None]:
    with compile_always():
        yield
