"""Each command's exit statuses: done, the answer is no, bad input, refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mjopt.cli.main import COMMANDS, load_command

Call = Callable[..., "Ran"]  # noqa: F821 - the fixture's type, from conftest

HAND = "1112345678999m1p"
GAME = ("first", "first", "first", "first", "--games", "1", "--seed", "1", "--quiet")
TINY = ("--hands", "two-type:1", "--runs", "1", "--quiet", "--rows-only", "--jobs", "1")

STATUSES: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "deficiency": [(0, (HAND,)), (2, ("123x",))],
    "win": [(0, ("11122233344455s",)), (1, (HAND,)), (2, ("1m",))],
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
    "replay": [(0, ("game.txt",)), (2, ("missing.txt",)), (1, ("forged.txt",))],
    "models": [(0, ()), (2, ("--nonsense",))],
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
