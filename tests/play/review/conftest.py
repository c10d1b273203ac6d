"""Logs of real games, two of each Tenhou form and one of mjai."""

from pathlib import Path

import pytest

from mjopt.play.review.detect_format import read_games


@pytest.fixture(scope="session")
def logs():
    """Return the folder of the logs."""
    return Path(__file__).parents[2] / "data" / "logs"


@pytest.fixture(scope="session")
def longest(logs):
    """Return the longest of the games."""
    [(_, game)] = read_games((logs / "tenhou-mjlog" / "game-01.mjlog").read_bytes())
    return game
