"""Fixtures and hooks of all tests."""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from platformdirs import user_cache_path

pytest_plugins = ("helpers.cost_plugin",)

_last_file: list[Path] = []

# A background process of a shell ignores Ctrl-C, one below `nohup` SIGHUP, and child processes
# inherit that; some tests send these signals to their child processes.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Tests leave little garbage; a search for it after each 700 objects, as Python does it, would take
# a twentieth of their time.
gc.set_threshold(100_000, 20, 50)

# No test depends on how fast the machine is. Mutants fail many tests, which are not simplified.
settings.register_profile("mjopt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "mutants",
    settings.get_profile("mjopt"),
    phases=(Phase.explicit, Phase.generate),
    derandomize=True,
    database=None,
)
settings.load_profile(os.environ.get("MJOPT_HYPOTHESIS", "mjopt"))

# Results must not depend on tables in the user's data folder.
os.environ["MJOPT_DATA"] = "/nonexistent"


# Whether a command takes long enough to print lines of progress depends on the machine.
os.environ["MJOPT_PROGRESS"] = "0"

# No doctests of the training modules where JAX has no wheel.
NEED_JAX = ("networks.py", "perfect_training.py", "normal_training.py")


def pytest_configure(config: pytest.Config) -> None:
    """Ignore the files that cannot be imported without JAX, or let JAX cache its code.

    Tests train networks of the same shapes, also in other workers, processes and runs.
    """
    if find_spec("jax") is None:
        room = Path(__file__).parents[1] / "mjopt" / "play" / "learning"
        config.option.ignore = [*(config.option.ignore or ()), *(str(room / n) for n in NEED_JAX)]
    elif "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        folder = user_cache_path("mjopt", appauthor=False) / "jax-of-tests"
        os.environ["JAX_COMPILATION_CACHE_DIR"] = str(folder)
        os.environ["JAX_COMPILATION_CACHE_MAX_SIZE"] = str(100_000_000)
        os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
        os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable the garbage collector while modules are imported, which makes collection faster."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the files of this folder first: a long file at the end would leave one worker alone."""
    items.sort(key=lambda item: item.path.parent != Path(__file__).parent)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Exclude objects that exist before a test file from garbage collection.

    Otherwise each full collection visits all loaded libraries, and some libraries request one
    at every call.
    """
    if _last_file != [item.path]:
        _last_file[:] = [item.path]
        gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print a line if the browser tests were skipped."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = {
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in skipped
        if "browser" in getattr(report, "keywords", ())  # a skipped module has no keywords
    }
    for reason in sorted(reasons):
        terminalreporter.write_line(f"the browser tests did not run: {reason}")


@pytest.fixture
def in_tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Make the temporary folder of a test the working directory."""
    with chdir(tmp_path):
        yield tmp_path


@pytest.fixture(autouse=True)
def _kernels_are_compiled() -> Iterator[None]:
    """Use compiled kernels even for few rows."""
    from mjopt._internal.jit import compile_always

    with compile_always():
        yield
