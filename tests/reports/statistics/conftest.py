"""No result of statistics may come with a warning, whatever the data."""

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    """No result may come with a warning, whatever the data."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
