"""The output in the README is the output of the commands and the code."""

import doctest
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from mjopt.cli.main import execute
from tools.readme import (
    CHECKOUT,
    FLAGS,
    README,
    commands,
    differences,
    in_shell,
    missing_extras,
    python_block,
    sessions,
)

MJOPT = f'"{sys.executable}" -m mjopt'


def test_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
    assert len(sessions()) >= 3
    for block in re.findall(r"```\w+\n(.*?)```", README, flags=re.DOTALL):
        assert block.strip().count("\n") < 8, block


@pytest.mark.parametrize("block", sessions(), ids=lambda text: text.splitlines()[-1][:40])
@pytest.mark.usefixtures("in_tmp_path")
def test_output_of_the_commands_is_current(
    block: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # no worker processes by default

    def run(words: str) -> tuple[int, str, str]:
        if not words.startswith("mjopt "):
            return in_shell(MJOPT, ".")(words)
        command, _, file = words.partition(" > ")
        capfd.readouterr()
        status = execute(shlex.split(command)[1:])
        out, err = capfd.readouterr()
        if file:
            Path(file).write_text(out)
        return status, "" if file else out, err

    assert not missing_extras(block)
    assert commands(block)
    assert differences(block, run) == ""


def test_other_output_is_found(tmp_path: Path) -> None:
    block = "$ mjopt win 11122233344455s\nwins no form\n"
    assert "The README says:\nwins no form" in differences(block, in_shell(MJOPT, str(tmp_path)))


def test_python_session_is_current() -> None:
    test = python_block()
    assert test.examples
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]*)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (CHECKOUT / link).is_file(), link
