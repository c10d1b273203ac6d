"""Fixtures and hooks of all tests."""

import gc
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_last_file: list[Path] = []

# A shell may have put us in the background, where Ctrl-C is ignored: what the tests start
# would inherit that, and some of them interrupt it.
signal.signal(signal.SIGINT, signal.default_int_handler)


# What trains is not read for examples where JAX has no wheel.
NEED_JAX = ("networks.py", "perfect_training.py", "normal_training.py")


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the files that cannot be imported without JAX."""
    if find_spec("jax") is None:
        room = Path(__file__).parents[1] / "mjopt" / "learning"
        config.option.ignore = [*(config.option.ignore or ()), *(str(room / n) for n in NEED_JAX)]


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


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say it where the browser tests were skipped: a green run does not mean that they passed."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = {
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in skipped
        if "browser" in getattr(report, "keywords", ())  # a module skipped whole has none
    }
    for reason in sorted(reasons):
        terminalreporter.write_line(f"the browser tests did not run: {reason}")


@pytest.fixture(autouse=True)
def _kernels_are_compiled() -> Iterator[None]:
    """However few the rows, kernels answer here; tests of the plain ways ask for those."""
    from mjopt._internal.jit import compile_always

    with compile_always():
        yield
