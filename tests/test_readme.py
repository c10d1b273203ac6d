"""What the README prints is what the commands and the code print."""

import doctest
import shlex

import pytest
from helpers.readme import plain, python_block, sessions

from mjopt.cli.main import execute


def test_there_are_commands_to_check() -> None:
    assert len(sessions()) >= 4


@pytest.mark.parametrize(("words", "printed"), sessions(), ids=lambda text: text[:60])
def test_command(words: str, printed: str, capfd: pytest.CaptureFixture[str]) -> None:
    execute(shlex.split(words)[1:])
    assert plain(capfd.readouterr().out) == plain(printed)


def test_python_block() -> None:
    test = python_block()
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
