"""Logs of real games, which lie beside the project and not in it."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from helpers.watched_games import record

from mjopt.game_review.detect_format import games_of
from mjopt.game_review.events import Did

DISCARDS = 811  # of the longest real game
AGENTS = "l3 deficiency l1 deficiency"
LOGS = Path(__file__).parents[3] / "shared" / "data" / "logs"


@pytest.fixture(scope="session")
def logs():
    """Return the folder of the logs, or skip."""
    if not LOGS.is_dir():
        pytest.skip(f"no real games in {LOGS.name}: this test reads them")
    return LOGS


@pytest.fixture(scope="session")
def longest():
    """Return the longest of the real games; without them one of as many discards, made here."""
    if LOGS.is_dir():
        paths = sorted(LOGS.glob("tenhou-mjlog/*"))
        games = [game for path in paths for _, game in games_of(path.read_bytes())]
        return max(games, key=num_discards)
    [(_, game)] = games_of(record("gmjbg", 0, AGENTS).encode())
    for number in count(1):
        if num_discards(game) >= DISCARDS:
            return game
        [(_, more)] = games_of(record("gmjbg", number, AGENTS).encode())
        rounds = (*game.rounds, *more.rounds)
        game = replace(game, rounds=tuple(replace(deal, change=()) for deal in rounds))
    raise AssertionError


def num_discards(game):
    """Count the discards of a game."""
    return sum(event.did is Did.DISCARD for deal in game.rounds for event in deal.events)
