"""What the pages of docs/ print is what the commands and the code print."""

import importlib
import os
import runpy
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from helpers.pages import CHECKOUT, DOCS, PAGES, among_examples, block_pattern, renewed, run_outside

from mjopt.cli.main import execute

CONF = runpy.run_path(str(DOCS / "conf.py"))
RUNNABLE = [path for path in PAGES if block_pattern("console", "python").search(path.read_text())]


def test_there_are_pages_to_check() -> None:
    assert len(RUNNABLE) >= 8


def test_the_reference_has_every_public_name() -> None:
    """Each room with an `__all__` is listed, and each name of it has a place."""
    package = CHECKOUT / "mjopt"
    rooms = {
        ".".join(("mjopt", *path.parent.relative_to(package).parts))
        for path in package.rglob("__init__.py")
        if "__all__" in path.read_text(encoding="utf-8")
    }
    contents = CONF["autosummary_context"]["contents"]
    assert rooms | {"mjopt.errors"} == set(contents)
    for name in rooms:
        room = importlib.import_module(name)
        placed = [item for items in contents[name].values() for item, _ in items]
        modules = [item for item in room.__all__ if isinstance(getattr(room, item), ModuleType)]
        assert sorted(placed + modules) == sorted(room.__all__)


def test_aliases_of_types_are_data() -> None:
    """Autodoc cannot describe ``Asked = tuple[...]``."""
    room = ModuleType("room")
    vars(room).update(Asked=tuple[int, ...], Either=int | str, Error=ValueError, LIMIT=3)
    found = CONF["contents_of"](room, {})
    assert [name for name, _ in found["pages"]] == ["Error"]
    assert found["data"] == [
        ("Asked", "``tuple[int, ...]``"),
        ("Either", "``int | str``"),
        ("LIMIT", "``3``"),
    ]


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
            if os.name == "nt":
                pytest.skip("needs a shell with cat and printf")
            return run_outside(command)
        monkeypatch.setattr(sys, "argv", words if words[0] == "mjopt" else words[1:])
        if words[0] == "mjopt":
            execute(words[1:])
        else:
            runpy.run_path(words[1], run_name="__main__")
        return capfd.readouterr().out

    with among_examples(tmp_path):
        assert renewed(page, run) == page
