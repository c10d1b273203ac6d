"""What every test shares: a garbage collector that leaves loaded libraries alone."""

import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.ways import plain_ways

_last_file: list[Path] = []

# A shell may have put us in the background, where Ctrl-C is ignored: what the tests start
# would inherit that, and some of them interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collecting the tests loads modules, and modules are garbage for nobody."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nor is what is there when a file begins: whole libraries by now.

    Each full collection would go through them, and some libraries ask for one at
    every call.
    """
    if _last_file != [item.path]:
        _last_file[:] = [item.path]
        gc.freeze()


@pytest.fixture(autouse=True)
def _kernels_are_compiled() -> Iterator[None]:
    """However few the rows, kernels answer here; tests of the plain ways ask for those."""
    with plain_ways(False):
        yield
