"""The adapter of a bot that must be cloned: without a clone, one line says what is missing."""

from pathlib import Path

import pytest

from mjopt.errors import GameError
from mjopt.play.game.agents.registry import read_agent

SPEC = f"{Path(__file__).parents[2] / 'reproduction' / 'riichi' / 'tenhou_bot.py'}:TenhouBot"


@pytest.mark.parametrize("folder", ["", "."])
def test_a_missing_clone_is_named(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setenv("TENHOU_PYTHON_BOT", folder)
    with pytest.raises(GameError, match=r"TENHOU_PYTHON_BOT.*a clone of tenhou-python-bot"):
        read_agent(SPEC)
