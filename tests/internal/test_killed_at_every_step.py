"""Resumable work killed before any write step resumes to the same bytes."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from helpers.crash_states import crash_states

import mjopt
from mjopt import label
from mjopt.cli.main import execute
from mjopt.datasets import build, label_file, make_plan
from mjopt.datasets.label_file import LabelProgram
from mjopt.hands.hand import Hand
from mjopt.play.tournaments import checkpoint
from mjopt.studies.config import StudyConfig
from mjopt.studies.instances import read_hand_set
from mjopt.studies.method import parse_methods
from mjopt.studies.runner import run_study


def files(folder: Path) -> dict[str, bytes]:
    """Return every file except those with CPU times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and not path.name.endswith(("units.csv", "blocks.csv", ".certificates.csv"))
    }


def check_every_step(work: Callable[[Path], object], tmp_path: Path, *, at_least: int) -> None:
    """Resume the work from every state that a kill could leave, and compare the files."""
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    states = crash_states(partial(work, folder), folder, tmp_path / "copies")
    expected = files(folder)
    for state in states:
        shutil.rmtree(folder)
        state.rename(folder)
        work(folder)
        assert files(folder) == expected, f"killed in state {state.name}"
    assert len(states) >= at_least


def test_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_table(self: LabelProgram, hand: Hand) -> int:
        return int(label(np.array([hand.counts], np.uint8))[0])

    def label_hands(folder: Path) -> None:
        words = [str(tmp_path / "hands.txt"), "--model", "blockwise", "-j", "1"]
        assert execute(["label", *words, "-o", str(folder / "out.csv")]) == 0

    monkeypatch.setattr(LabelProgram, "label", by_table)
    monkeypatch.setattr(label_file, "CHUNK", 2)
    (tmp_path / "hands.txt").write_text("1112345678999m1p\n" * 2 + "123m456p789s11122m\n")
    check_every_step(label_hands, tmp_path, at_least=6)


def test_dataset(tmp_path: Path) -> None:
    plan = make_plan("deals:2", seed=3, shards=2)
    check_every_step(lambda folder: build(plan, folder / "out"), tmp_path, at_least=6)


def test_addition_to_a_dataset(tmp_path: Path) -> None:
    """Fewer files than before, so that one of the old ones is removed."""
    less = make_plan("deals:4", seed=3, shards=2)
    more = make_plan(
        "deals:5", seed=3, shards=1, labels=("deficiency", "win"), splits="a=1,train=1"
    )

    build(less, tmp_path / "work" / "out")
    check_every_step(lambda folder: build(more, folder / "out"), tmp_path, at_least=15)


def test_study(tmp_path: Path) -> None:
    config = StudyConfig(
        methods=parse_methods(("ga:generations=1",)),
        sets=(read_hand_set("deals:3", seed=4),),
        runs=1,
        seed=11,
        curves=1,
    )
    check_every_step(lambda folder: run_study(config, folder / "out"), tmp_path, at_least=10)


def test_battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(folder: Path) -> None:
        paths = {"folder": folder / "out", "records": folder / "games.txt"}
        mjopt.play.battle(["l1", "random"] * 2, rules="m0", games=10, rounds=1, seed=2, **paths)

    monkeypatch.setattr(checkpoint, "FLUSH_SECONDS", 0.0)
    check_every_step(play, tmp_path, at_least=8)
