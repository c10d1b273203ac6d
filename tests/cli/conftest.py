"""Run a command as a user would, and keep what it printed."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from mjopt.cli.main import execute


class Ran(NamedTuple):
    """What one command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _nothing_is_said_of_compiling(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """How long that takes is the machine's; `test_progress` has a clock of its own."""
    if request.module.__name__.rpartition(".")[2] != "test_progress":
        monkeypatch.setattr("mjopt._internal.jit.PATIENCE", 1e6)


@pytest.fixture
def mjopt(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*words: str) -> Ran:
        status = execute(words)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
