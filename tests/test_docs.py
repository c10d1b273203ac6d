"""What the pages of docs/ print is what the commands and the code print."""

import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from helpers.pages import DOCS, PAGES, among_examples, block_pattern, renewed, run_outside

from mjopt.cli.main import execute

RUNNABLE = [path for path in PAGES if block_pattern("console", "python").search(path.read_text())]


def test_there_are_pages_to_check() -> None:
    assert len(RUNNABLE) >= 8


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_page(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """After a change of printed text: ``PYTHONPATH=tests python -m helpers.pages``."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("MPLBACKEND", "agg")
    if "process:node" in (page := path.read_text(encoding="utf-8")) and not shutil.which("node"):
        pytest.skip("its player is for Node, which is not installed")

    def run(command: str) -> str:
        """Run a command as a shell would, in this process where no shell is needed."""
        words = shlex.split(command)
        capfd.readouterr()
        if words[0] not in ("mjopt", "python") or {"|", ">", "<"} & set(words):
            return run_outside(command)
        if words[0] == "mjopt":
            execute(words[1:])
        else:
            monkeypatch.setattr(sys, "argv", words[1:])
            runpy.run_path(words[1], run_name="__main__")
        return capfd.readouterr().out

    with among_examples(tmp_path):
        assert renewed(page, run) == page
