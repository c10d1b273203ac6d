"""Logs of real games, which lie beside the project and not in it."""

from pathlib import Path

import pytest

LOGS = Path(__file__).parents[3] / "shared" / "data" / "logs"


@pytest.fixture(scope="session")
def logs():
    """Return the folder of the logs, or skip."""
    if not LOGS.is_dir():
        pytest.skip(f"no real games in {LOGS.name}: this test reads them")
    return LOGS
