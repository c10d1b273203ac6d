"""What the README prints is what the commands and the code print."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from mjopt.cli.main import execute

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """Every `$ mjopt ...` of a console block, with the output under it."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            words, _, printed = part.partition("\n")
            if words.startswith("mjopt "):
                found.append((words, printed))
    return found


def plain(text: str) -> list[str]:
    """Drop what an editor drops: tabs, and blanks at the ends of lines."""
    return [line.rstrip() for line in text.expandtabs().rstrip().splitlines()]


def test_there_are_commands_to_check() -> None:
    assert len(sessions()) >= 4


@pytest.mark.parametrize(("words", "printed"), sessions(), ids=lambda text: text[:60])
def test_command(words: str, printed: str, capfd: pytest.CaptureFixture[str]) -> None:
    execute(shlex.split(words)[1:])
    assert plain(capfd.readouterr().out) == plain(printed)


def test_python_block() -> None:
    [block] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
