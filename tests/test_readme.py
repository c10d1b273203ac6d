"""The output in the README is the output of the commands and the code."""

import doctest
import re
import sys
from pathlib import Path

import pytest

from tools.readme import (
    CHECKOUT,
    FLAGS,
    README,
    commands,
    differences,
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
def test_output_of_the_commands_is_current(block: str, tmp_path: Path) -> None:
    assert not missing_extras(block)
    assert commands(block)
    assert differences(block, str(tmp_path), MJOPT) == ""


def test_other_output_is_found(tmp_path: Path) -> None:
    block = "$ mjopt win 11122233344455s\nwins no form\n"
    assert "The README says:\nwins no form" in differences(block, str(tmp_path), MJOPT)


def test_python_session_is_current() -> None:
    test = python_block()
    assert test.examples
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]*)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (CHECKOUT / link).is_file(), link
