"""What the README prints is what the commands and the code print."""

import doctest
import re
import shlex

import pytest
from helpers.readme import CHECKOUT, README, plain, python_block, sessions

from mjopt.cli.main import execute


def test_there_are_commands_to_check() -> None:
    assert len(sessions()) >= 4


@pytest.mark.parametrize(("words", "printed"), sessions(), ids=lambda text: text[:60])
def test_command(words: str, printed: str, capfd: pytest.CaptureFixture[str]) -> None:
    execute(shlex.split(words)[1:])
    assert plain(capfd.readouterr().out) == plain(printed)


def test_links_work_wherever_it_is_read() -> None:
    """Also in a wheel's metadata, where no other file of ours is: in the page, or whole."""
    anchors = {
        re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", README, flags=re.MULTILINE)
    }
    links = re.findall(r"\]\(([^)]*)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or link.removeprefix("#") in anchors, link


def test_pages_that_it_names_exist() -> None:
    table = README.partition("## Documentation")[2].partition("## Sources")[0]
    named = re.findall(r"`([\w-]+(?:/|\.md))`", table)
    assert len(named) >= 10
    for name in named:
        assert any((folder / name).exists() for folder in (CHECKOUT, CHECKOUT / "docs")), name


def test_python_block() -> None:
    test = python_block()
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
