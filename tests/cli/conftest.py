"""Run a command in this process, as `execute` runs it, and return its output."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from mjopt.cli.main import execute


class Ran(NamedTuple):
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _no_compile_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print no message about compilation, whose duration depends on the machine."""
    monkeypatch.setattr("mjopt._internal.jit.PATIENCE", 1e6)


@pytest.fixture
def mjopt(capfd: pytest.CaptureFixture[str]) -> Call:
    def call(*words: str) -> Ran:
        status = execute(words)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
