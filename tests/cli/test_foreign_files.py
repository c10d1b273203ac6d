"""No command removes a file that mjopt did not write, whatever its name and its folder."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli.conftest import Call

from mjopt._internal.unit_store import UnitStore

LOGS = Path(__file__).parents[1] / "data" / "logs" / "tenhou-mjlog"

COMMANDS = {
    "instances build": ["--number", "7", "-j", "1"],
    "dataset build": ["deals:20", "-j", "1"],
    "battle": ["random", "random", "random", "random", "-n", "1", "-j", "1"],
    "compare": ["tree-search", "--hands", "two-type:3", "--runs", "1", "-j", "1"],
    "solitaire": ["deficiency", "-n", "10", "--draws", "3", "-j", "1"],
    "train": ["imitation", "--preset", "tiny", "--set", "normal_games=2", "-j", "1"],
    "review": [str(LOGS / "game-15.mjlog"), "-j", "1"],
}
"""Commands that write a folder."""

FILE_COMMANDS = {
    "label": (["hands.txt", "--model", "blockwise", "-j", "1"], "out.csv"),
    "ceiling build": (["--called", "4", "--draws", "2", "-j", "1"], "t.ceiling"),
}
"""Commands that keep finished work in a folder beside the file that they write."""

OTHER_OPTIONS = {"review": ["--seat", "1"], "solitaire": ["-n", "20"], "battle": ["-n", "2"]}
"""Options with which a command replaces or extends what a folder holds."""


@pytest.fixture(autouse=True)
def _fewer_files(monkeypatch: pytest.MonkeyPatch, short_reports: None) -> None:
    """Write the same kinds of files, but fewer that take long."""
    monkeypatch.setattr("mjopt.instances.build.MODELS", ("blockwise",))


STRANGE_FOLDER = ".a.0123456789abcdef.mjopt.tmp"
STRANGERS = ("mine.txt", "00000.json", "discards-mine.csv", "samples-0000.npz", "x.unit", ".x.tmp")


def call(command: str, mjopt: Call, folder: Path, *options: str) -> int:
    if command.startswith("train") and find_spec("jax") is None:
        pytest.skip("JAX has no wheel for this machine")
    if command in COMMANDS:
        words, target = COMMANDS[command], folder
    else:
        words, name = FILE_COMMANDS[command]
        target = folder / name
    return mjopt(*command.split(), *words, *options, "-o", str(target)).status


def strangers_in(folder: Path) -> dict[str, str]:
    """Make a file, a folder and a link with names of temporary files; return their contents."""
    (folder / ".x.tmp").write_text("mine")
    (folder / ".y.0123456789abcdef.tmp").mkdir()
    (folder / ".y.0123456789abcdef.tmp" / "x").write_text("mine too")
    (folder / ".z.tmp").symlink_to(folder / ".y.0123456789abcdef.tmp")
    (folder / STRANGE_FOLDER).mkdir()
    (folder / STRANGE_FOLDER / "a").write_text("not written by mjopt")
    return contents(folder)


def contents(folder: Path) -> dict[str, str]:
    hidden = [path for path in folder.glob(".*") if path.name != ".mjopt.lock"]
    files = [file for path in hidden for file in (path, *path.glob("*")) if file.is_file()]
    links = [path for path in hidden if path.is_symlink()]
    return {str(file): file.read_text() for file in files} | {
        str(link): os.readlink(link) for link in links
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_only_hidden_files_of_a_killed_run_are_removed(
    command: str, mjopt: Call, tmp_path: Path
) -> None:
    code = """
import os, sys
from mjopt._internal.files import atomic_path
with atomic_path(sys.argv[1]) as temporary:
    os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code, tmp_path / "part"], check=False)
    [killed] = tmp_path.iterdir()
    found = strangers_in(tmp_path)
    before = {name: text for name, text in found.items() if str(killed) not in name}
    assert call(command, mjopt, tmp_path) == 0
    assert not killed.exists()
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.rglob("*.mjopt.tmp")] == [STRANGE_FOLDER]
    assert call(command, mjopt, tmp_path) == 0  # a complete folder
    assert contents(tmp_path) == before


def test_bad_input_makes_no_folder(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("instances", "build", "--number", "3", "-o", str(tmp_path / "new"))
    assert ran.status == 2
    assert "3 hands, expected at least 7" in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_refused_folder_stays_as_it_is(command: str, mjopt: Call, tmp_path: Path) -> None:
    before = strangers_in(tmp_path)
    (tmp_path / "other.txt").touch()
    assert call(command, mjopt, tmp_path) == 2
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.glob("[!.]*")] == ["other.txt"]


@pytest.mark.usefixtures("in_tmp_path")
@pytest.mark.parametrize("command", [*COMMANDS, *FILE_COMMANDS])
def test_files_of_others_beside_finished_work_stay(
    command: str, mjopt: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resumed runs, and runs with other options, remove only files that mjopt wrote."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "hands.txt").write_text("1112345678999m1p\n")
    (tmp_path / "work").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(UnitStore, "finish", interrupt)
        call(command, mjopt, tmp_path / "work")
    units = list((tmp_path / "work").rglob("*.unit"))
    assert units
    folders = {path for path in (tmp_path / "work").rglob("*") if path.is_dir()}
    files = {folder / name: f"{folder} {name}" for folder in folders for name in STRANGERS}
    for path, text in files.items():
        path.write_text(text)
    assert call(command, mjopt, tmp_path / "work") == 0
    assert {path: path.read_text() for path in files} == files
    assert call(command, mjopt, tmp_path / "work", *OTHER_OPTIONS.get(command, ())) == 0
    assert {path: path.read_text() for path in files} == files
    if command == "review":
        assert not any(path.exists() for path in units)
