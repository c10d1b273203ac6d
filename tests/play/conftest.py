"""Sites of all tests in a process share the processes of their advisers."""

from collections.abc import Iterator

import pytest
from helpers.lasting_advisers import lasting_processes

OWN = ("test_abandoned_queries", "test_background")  # test how the processes start and end


@pytest.fixture(scope="module", autouse=True)
def advisers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Start the processes of an adviser once, and not for each site."""
    if request.path.stem in OWN:
        yield
        return
    with lasting_processes():
        yield
