"""The options of all commands: one meaning for each; tools/house.toml limits their number."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from cli.conftest import Call

from mjopt.cli.main import COMMANDS, load_command
from mjopt.cli.options import Work


def options() -> Iterator[tuple[str, Any]]:
    """Yield each option of each command, without ``--help``."""
    for name in (name for names in COMMANDS.values() for name in names):
        command = load_command(name)
        for sub, each in getattr(command, "commands", {"": command}).items():
            for param in each.params:
                if param.opts[0].startswith("-"):
                    yield f"{name} {sub}".strip(), param


def test_a_name_is_either_a_flag_or_has_a_value() -> None:
    kinds: dict[str, set[bool]] = {}
    for _, param in options():
        for name in param.opts:
            kinds.setdefault(name, set()).add(bool(getattr(param, "is_flag", False)))
    assert [name for name, kind in kinds.items() if len(kind) > 1] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("discards", "1112345678999m1p", "--throw"), "No such option: --throw"),
        (("battle", *["l1"] * 4, "-j", "all"), "--jobs all, expected a number, or tcp://HOST:PORT"),
        (("win", "11m", "--called", "two"), "--called 'two': 't' at character 1: not a suit"),
    ],
)
def test_unknown_option_or_value_is_one_line(
    mjopt: Call, words: tuple[str, ...], message: str
) -> None:
    ran = mjopt(*words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"mjopt: {message}")


def test_called_melds_are_a_number_or_tiles(mjopt: Call) -> None:
    words = ("--called", "111p", "--meld", "222p", "--called", "333p")
    known = mjopt("targets", "1123m", *words, "--json").json
    assert mjopt("targets", "1123m", "--called", "3", "--json").json == known
    assert mjopt("targets", "1123m", *words, "--called", "2").status == 2


def test_a_command_uses_all_processors_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert (Work().num_jobs, Work(jobs="2").num_jobs) == (3, 2)
    monkeypatch.setattr(os, "cpu_count", lambda: None)  # Python does not know the number
    assert Work().num_jobs == 1
