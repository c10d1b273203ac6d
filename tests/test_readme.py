"""The output in the README is the output of the commands and the code."""

import doctest
import re
import shlex

import pytest
from helpers.readme import CHECKOUT, README, plain, python_block, sessions

from mjopt.cli.main import execute


def test_readme_has_commands() -> None:
    assert len(sessions()) >= 4


@pytest.mark.parametrize(("words", "printed"), sessions(), ids=lambda text: text[:60])
def test_output_of_a_command_is_current(
    words: str, printed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    execute(shlex.split(words)[1:])
    assert plain(capfd.readouterr().out) == plain(printed)


def test_links_are_absolute_or_anchors() -> None:
    """They must also work in the metadata of a wheel."""
    anchors = {
        re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", README, flags=re.MULTILINE)
    }
    links = re.findall(r"\]\(([^)]*)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or link.removeprefix("#") in anchors, link


def test_named_pages_exist() -> None:
    table = README.partition("## Documentation")[2].partition("## Sources")[0]
    named = re.findall(r"`([\w-]+(?:/|\.md))`", table)
    assert len(named) >= 10
    for name in named:
        assert any((folder / name).exists() for folder in (CHECKOUT, CHECKOUT / "docs")), name


def test_python_session_is_current() -> None:
    test = python_block()
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
