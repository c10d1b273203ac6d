"""Exit statuses: success, a negative answer, bad input, a refused certificate, interruption."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from cli.conftest import Call

from mjopt._internal.signals import Terminated
from mjopt.cli.main import COMMANDS, load_command

HAND = "1112345678999m1p"
WIN_OF_17, NO_WIN_OF_17 = "123456789m123p12344s", "123456789m123p12345s"
GAME = ("first", "first", "first", "first", "--games", "1", "--seed", "1")
TINY = ("--hands", "two-type:1", "--runs", "1", "--jobs", "1")

STATUSES: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "deficiency": [(0, (HAND,)), (2, ("123x",))],
    "win": [
        *((0, ("11122233344455s",)), (1, (HAND,)), (2, ("1m",))),
        *((0, (WIN_OF_17, "--rules", "taiwan")), (1, (NO_WIN_OF_17, "--rules", "taiwan"))),
    ],
    "forms": [(0, ()), (2, ("--nonsense",))],
    "shanten": [(0, (HAND,)), (2, ("123x",))],
    "discards": [(0, (HAND,)), (2, ("123x",))],
    "targets": [(0, (HAND,)), (2, ("123x",))],
    "draws": [(0, ("1m", "--called", "4")), (2, ("123x",))],
    "export": [(0, (HAND,)), (2, (HAND, "-o", "hand.xls"))],
    "label": [
        *((0, ("hands.txt",)), (2, ("missing.txt",))),
        *((0, ("taiwan.txt", "--rules", "taiwan")), (2, ("hands.txt", "--rules", "taiwan"))),
    ],
    "audit": [(0, ("right.csv",)), (1, ("wrong.csv",)), (2, ("missing.csv",))],
    "audit-engine": [
        (0, ("xiangting", "--hands", "hands.txt")),
        (0, ("--command", "sed s/.*/0/", "--ask", "win", "--hands", "hands.txt")),
        (1, ("--command", "sed s/.*/1/", "--ask", "win", "--hands", "hands.txt")),
        (2, ("--command", "false", "--ask", "win", "--hands", "hands.txt")),
        (2, ("none", "--hands", "deals:2")),
    ],
    "audit-package": [(0, ("xiangting", "--hands", "hands.txt")), (2, ("none",))],
    "census": [(0, ()), (2, ("--size", "12"))],
    "ceiling build": [(2, ("--called", "5"))],
    "ceiling check": [(0, ("t.ceiling",)), (2, ("missing",)), (3, ("forged.ceiling",))],
    "ceiling describe": [(0, ("t.ceiling",)), (2, ("missing",)), (2, ("hands.txt",))],
    "instances build": [(2, ("--number", "3", "-o", "made"))],
    "instances solve": [(2, ("missing", "-o", "made"))],
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
    "dataset positions": [(2, ("none", "-o", "made.parquet"))],
    "battle": [(0, GAME), (2, ("none",) * 4)],
    "league": [(2, ("none", "l1"))],
    "solitaire": [(0, ("useful", "-n", "1", "-j", "1")), (2, ("none",))],
    "play": [(2, ("none",) * 3)],
    "mjai": [(2, ("none",))],
    "advise": [(0, ("12m called=4 draws=3",)), (2, ("123x",))],
    "danger": [(0, ("12m called=4", "--opponent", "called=4")), (2, ("123x", "--opponent", ""))],
    "win-chance": [(0, ("12m", "--called", "4")), (2, ("123x",))],
    "review": [(0, ("forged.txt",)), (2, ("missing.txt",)), (1, ("no_tile.txt",))],
    "serve": [(2, ("--port", "70000"))],
    "replay": [(0, ("game.txt",)), (2, ("missing.txt",)), (1, ("forged.txt",))],
    "train": [
        (2, ("perfect", "-o", "made", "--preset", "none")),
        (2, ("normal", "-o", "made", "--from", "missing")),
        (2, ("imitation", "-o", "made", "--from", "process:bot")),
    ],
    "models": [(0, ()), (2, ("--nonsense",))],
    "warm": [(2, ("--jobs", "0"))],
    "methods": [(0, ()), (2, ("--nonsense",))],
    "agents": [(0, ()), (2, ("--nonsense",))],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of valid and invalid files."""
    from mjopt.cli.main import execute

    folder = tmp_path_factory.mktemp("statuses")
    (folder / "hands.txt").write_text(f"{HAND}\n")
    (folder / "taiwan.txt").write_text(f"{WIN_OF_17}\n")
    (folder / "right.csv").write_text(f"hand,deficiency\n{HAND},1\n")
    (folder / "wrong.csv").write_text(f"hand,deficiency\n{HAND},2\n")
    sound, game = folder / "sound.json", folder / "game.txt"
    assert execute(["certify", HAND, "-o", str(sound)]) == 0
    document = json.loads(sound.read_text())
    (folder / "forged.json").write_text(json.dumps({**document, "deficiency": 2}))
    assert execute(["battle", *GAME, "--records", str(game)]) == 0
    table = folder / "t.ceiling"
    assert execute(["ceiling", "build", "--called", "4", "--draws", "2", "-o", str(table)]) == 0
    (folder / "forged.ceiling").write_bytes(table.read_bytes()[:-1] + b"\0")
    scores = re.sub(r"scores=\S+", "scores=9,-3,-3,-3", game.read_text())
    (folder / "forged.txt").write_text(scores)
    (folder / "no_tile.txt").write_text(re.sub(r"moves=0M\d\d", "moves=0M99", scores))
    return folder


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (status, (*name.split(), *words))
        for name, calls in STATUSES.items()
        for status, words in calls
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_exit_status(mjopt: Call, status: int, words: tuple[str, ...], files: Path) -> None:
    with chdir(files):
        ran = mjopt(*words)
    assert ran.status == status, ran
    if status == 2:
        lines = ran.out if words[0] == "verify" else ran.err  # one line for each file
        assert len(lines.splitlines()) == 1


def test_every_command_has_a_bad_input() -> None:
    for name in (name for names in COMMANDS.values() for name in names):
        commands = getattr(load_command(name), "commands", None)
        for words in [f"{name} {sub}" for sub in commands] if commands else [name]:
            assert 2 in [status for status, _ in STATUSES[words]]


@pytest.mark.parametrize(
    ("stop", "status"),
    [(KeyboardInterrupt(), 130), (Terminated(), 143), (Terminated(signal.SIGHUP), 129)],
)
def test_interrupted_command_prints_nothing(
    mjopt: Call, stop: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise stop

    monkeypatch.setattr("mjopt.cli.census.command", interrupted)
    assert mjopt("census") == (status, "", "")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signal_during_import_shows_no_traceback(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    (tmp_path / "typer.py").write_text(f"import signal\nsignal.raise_signal({number:d})\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mjopt", "census"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, b"", b"")


@pytest.mark.parametrize(("name", "handler"), [("mjopt", "0"), ("study.py", "default_int_handler")])
def test_only_the_program_mjopt_changes_what_ctrl_c_does(
    name: str, handler: str, tmp_path: Path
) -> None:
    """As the script `mjopt` loads, Ctrl-C ends it without a traceback."""
    script = tmp_path / name
    script.write_text("import signal, mjopt\nprint(signal.getsignal(signal.SIGINT))\n")
    words = [sys.executable, str(script), "census"]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert handler in ran.stdout
