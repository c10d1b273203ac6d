"""Run a command in this process, as `execute` runs it, and return its output."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

import pytest
from helpers.plain_reports import simplify_reports
from helpers.surroundings import standard_input

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


@pytest.fixture
def mjopt(capfd: pytest.CaptureFixture[str]) -> Call:
    def call(*words: str, stdin: str | bytes | TextIO = "") -> Ran:
        with standard_input(stdin):
            status = execute(words)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return call


@pytest.fixture
def short_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write reports of studies without their slow parts."""
    simplify_reports(monkeypatch)
