"""Options and fixtures of all benchmarks."""

from collections.abc import Iterator

import pytest

from mjopt._internal.jit import compile_always


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="few rounds and small sets")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "claim: a table of docs/results/benchmarks.md")


@pytest.fixture
def quick(request: pytest.FixtureRequest) -> bool:
    """Whether to show only that everything runs."""
    return bool(request.config.getoption("--quick"))


@pytest.fixture(autouse=True)
def _kernels_are_compiled() -> Iterator[None]:
    """Use compiled kernels for any number of rows."""
    with compile_always():
        yield
