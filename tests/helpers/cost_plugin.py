"""The pytest plug-in that decides by measured processor time which tests are slow.

``tests/slow_tests.txt`` lists the slow ones; ``python -m tools.slow_tests`` writes it. A test that
is not listed and takes more than `MOST` fails `make test`. Processor time, with that of child
processes, depends little on the load of the machine. Imports and compiled kernels, which later
tests use too, are not counted.
"""

import builtins
import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from mjopt._internal import jit
from mjopt._internal.kernel_cache import open_cache

SLOW: Final = Path(__file__).parents[1] / "slow_tests.txt"
KEPT: Final = SLOW.with_name("quick_tests.txt")  # kept in `make test` whatever they take
SLOW_SECONDS: Final = 0.3  # seconds of processor time; a test of more is slow
# Of a test that is not listed. Two threads of one core take up to twice as much time each.
MOST: Final = 2.5
UNREPEATED: Final = 5.0  # of one that cannot run twice, so that its own part is not known
MEASURED: Final = "MJOPT_TEST_COSTS"  # names a folder for the costs of all tests

_stat: Final = os.stat  # some tests replace it
_FOLDER: Final = open_cache().folder
COLLECTED: Final = pytest.StashKey[frozenset[str]]()  # of the configuration: all tests
_IS_KEPT: Final = pytest.StashKey[bool]()
_costs: Final[list[float]] = []  # processor seconds of the tests that ran
_shared = 0.0  # seconds spent on imports and kernels so far
_depth = 0


def read_list(path: Path) -> frozenset[str]:
    """Return the tests of a list: node identifiers, a whole test or one of its cases."""
    lines = [line.partition("  #")[0] for line in path.read_text("utf-8").splitlines()]
    return frozenset(line for line in lines if line and not line.startswith("#"))


def is_listed(node: str, tests: frozenset[str]) -> bool:
    """Return whether a list contains a test, or the test whose case it is."""
    return node in tests or node.partition("[")[0] in tests


def processor_seconds() -> float:
    """Return the processor time of this process and of its child processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def _not_counted() -> Iterator[None]:
    """Count the time of the outermost block as shared by all tests."""
    global _shared, _depth  # noqa: PLW0603 - the two counters of the plug-in
    start = time.process_time()
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _depth == 0:
            _shared += time.process_time() - start


def _timed(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        with _not_counted():
            return function(*arguments, **options)

    return call


def pytest_configure(config: pytest.Config) -> None:
    """Measure imports and the compilation of kernels."""
    builtins.__import__ = _timed(builtins.__import__)
    jit.Kernel._compile = _timed(jit.Kernel._compile)  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests, and those that are kept, before `-m` deselects some."""
    slow, kept = read_list(SLOW), read_list(KEPT)
    config.stash[COLLECTED] = frozenset(item.nodeid for item in items)
    for item in items:
        if is_listed(item.nodeid, kept):
            item.stash[_IS_KEPT] = True
        elif is_listed(item.nodeid, slow):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Measure a test; fail it if it is not slow and takes too long."""
    kernels = _time_of_kernels()
    start = _own_seconds()
    try:
        yield
    finally:
        cost = _own_seconds() - start
        item.user_properties.append(("cost", cost))
    is_measured = MEASURED in os.environ
    is_slow = item.get_closest_marker("slow") is not None or _IS_KEPT in item.stash
    if cost <= (SLOW_SECONDS if is_measured else MOST) or (is_slow and not is_measured):
        return
    # What it computed for later tests, such as tables in memory, is not its own: it runs again.
    start, most = _own_seconds(), UNREPEATED
    with suppress(Exception, pytest.fail.Exception):  # it may find what it left the first time
        item.runtest()
        cost, most = min(cost, _own_seconds() - start), MOST
        item.user_properties.append(("cost", cost))
    # A child process may have compiled kernels meanwhile, which the next run finds in the cache.
    if cost > most and not is_measured and kernels == _time_of_kernels():
        pytest.fail(
            f"takes {cost:.2f} s of processor time, and only slow tests may take more than "
            f"{MOST:g} s: shorten it, or run python -m tools.slow_tests",
            pytrace=False,
        )


def _own_seconds() -> float:
    return processor_seconds() - _shared


def _time_of_kernels() -> float:
    """Return when an entry of the cache of kernels was last added or removed."""
    return _stat(_FOLDER).st_mtime if _FOLDER else 0


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the cost of each test; write it if the environment names a folder for them.

    With several workers only in the controller: in a worker the test's changes still hold.
    """
    if report.when != "call" or "PYTEST_XDIST_WORKER" in os.environ:
        return
    cost = dict(report.user_properties).get("cost")
    _costs.append(float(cost or 0))
    if folder := os.environ.get(MEASURED):
        with Path(folder, "costs.jsonl").open("a", encoding="utf-8") as file:
            print(json.dumps([report.nodeid, cost, report.outcome]), file=file)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the processor time of all tests."""
    total = f"{sum(_costs):,.0f} s of processor time in {len(_costs):,} tests"
    terminalreporter.write_line(f"{total}, imports and kernels not counted")
