"""Each command's exit statuses: done, the answer is no, bad input, refused."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path

import pytest

from mjopt._internal.signals import Terminated
from mjopt.cli.main import COMMANDS, load_command

Call = Callable[..., "Ran"]  # noqa: F821 - the fixture's type, from conftest

HAND = "1112345678999m1p"
GAME = ("first", "first", "first", "first", "--games", "1", "--seed", "1", "--quiet")
TINY = ("--hands", "two-type:1", "--runs", "1", "--quiet", "--rows-only", "--jobs", "1")

STATUSES: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "deficiency": [(0, (HAND,)), (2, ("123x",))],
    "win": [(0, ("11122233344455s",)), (1, (HAND,)), (2, ("1m",))],
    "shanten": [(0, (HAND,)), (2, ("123x",))],
    "discards": [(0, (HAND,)), (2, ("123x",))],
    "targets": [(0, (HAND,)), (2, ("123x",))],
    "draws": [(0, ("1m", "--called", "4")), (2, ("123x",))],
    "export": [(0, (HAND,)), (2, (HAND, "--format", "xls"))],
    "label": [(0, ("hands.txt",)), (2, ("missing.txt",))],
    "audit": [(0, ("right.csv",)), (1, ("wrong.csv",)), (2, ("missing.csv",))],
    "census": [(0, ()), (2, ("--size", "12"))],
    "certify": [(0, (HAND,)), (2, ("123x",))],
    "verify": [(0, ("sound.json",)), (2, ("missing.json",)), (3, ("forged.json",))],
    "explain": [(0, (HAND,)), (2, ("123x",))],
    "tables verify": [(2, ("missing.json",)), (3, ("forged.json",))],
    "tables certify": [(2, ("-o", "no/such/folder.json"))],
    "search": [(0, (HAND, "--seed", "1")), (2, (HAND, "--method", "none"))],
    "compare": [(2, ("none", *TINY))],
    "reproduce": [(2, ("none",))],
    "dataset build": [(2, ("none", "-o", "made"))],
    "dataset check": [(2, ("missing",))],
    "dataset card": [(2, ("missing",))],
    "dataset describe": [(2, ("missing",))],
    "dataset sample": [(2, ("none",))],
    "battle": [(0, GAME), (2, ("none",) * 4)],
    "league": [(2, ("none", "l1"))],
    "play": [(2, ("none",) * 3)],
    "win-chance": [(0, ("12m", "--called", "4")), (2, ("123x",))],
    "review": [(0, ("game.txt",)), (2, ("missing.txt",)), (1, ("forged.txt",))],
    "serve": [(2, ("--port", "70000"))],
    "replay": [(0, ("game.txt",)), (2, ("missing.txt",)), (1, ("forged.txt",))],
    "train perfect": [(2, ("-o", "made", "--preset", "none"))],
    "train normal": [(2, ("-o", "made", "--from", "missing"))],
    "train imitation": [(2, ("-o", "made", "--teacher", "random"))],
    "models": [(0, ()), (2, ("--nonsense",))],
    "warm": [(2, ("--jobs", "0"))],
    "methods": [(0, ()), (2, ("--nonsense",))],
    "agents": [(0, ()), (2, ("--nonsense",))],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of files that are sound, and of files that are not."""
    from mjopt.cli.main import execute

    folder = tmp_path_factory.mktemp("statuses")
    (folder / "hands.txt").write_text(f"{HAND}\n")
    (folder / "right.csv").write_text(f"hand,deficiency\n{HAND},1\n")
    (folder / "wrong.csv").write_text(f"hand,deficiency\n{HAND},2\n")
    sound, game = folder / "sound.json", folder / "game.txt"
    assert execute(["certify", HAND, "-o", str(sound)]) == 0
    document = json.loads(sound.read_text())
    (folder / "forged.json").write_text(json.dumps({**document, "deficiency": 2}))
    assert execute(["battle", *GAME, "--records", str(game)]) == 0
    scores = re.sub(r"scores=\S+", "scores=9,-3,-3,-3", game.read_text())
    (folder / "forged.txt").write_text(scores)
    return folder


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (status, (*name.split(), *words))
        for name, calls in STATUSES.items()
        for status, words in calls
    ],
    ids=lambda told: " ".join(told) if isinstance(told, tuple) else str(told),
)
def test_status(
    mjopt: Call, status: int, words: tuple[str, ...], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    ran = mjopt(*words)
    assert ran.status == status, ran
    if status == 2:
        told = ran.out if words[0] == "verify" else ran.err  # one line for each file
        assert len(told.splitlines()) == 1


def test_every_command_is_here() -> None:
    for name in (name for names in COMMANDS.values() for name in names):
        commands = getattr(load_command(name), "commands", None)
        for each in [f"{name} {one}" for one in commands] if commands else [name]:
            assert 2 in [status for status, _ in STATUSES[each]]


@pytest.mark.parametrize(("stop", "status"), [(KeyboardInterrupt, 130), (Terminated, 143)])
@pytest.mark.parametrize("name", STATUSES)
def test_stopped_from_outside(
    mjopt: Call,
    name: str,
    stop: type[BaseException],
    status: int,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever a command does when it is stopped, nothing is said but how it goes on."""
    module, _, one = name.partition(" ")
    code = import_module(f"mjopt.cli.{module.replace('-', '_')}")
    begun = []

    def stopped(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def call(**_: object) -> int:
            begun.append(name)
            raise stop

        return call

    if one:
        commands = [stopped(c) if c.__name__ == one else c for c in code.commands]
        monkeypatch.setattr(code, "commands", commands)
    else:
        monkeypatch.setattr(code, "command", stopped(code.command))
    monkeypatch.chdir(files)
    ran = mjopt(*name.split(), *NEEDED.get(name, STATUSES[name][0][1]))
    assert ran == (status, "", "")
    assert begun == [name]


NEEDED = {
    "reproduce": ("table1",),
    "dataset sample": ("made",),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no process signals itself there")
def test_ctrl_c_while_it_loads_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mjopt", "census"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")
