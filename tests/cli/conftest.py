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


@pytest.fixture
def mjopt(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*words: str) -> Ran:
        status = execute(words)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
