"""Resumable work killed at each write step in turn resumes to the same bytes."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from helpers.dying import dies_at, left_at

from mjopt.cli.main import execute
from mjopt.datasets import build, label_file, make_plan
from mjopt.datasets.label_file import LabelProgram
from mjopt.datasets.manifest import MANIFEST
from mjopt.hands.hand import Hand
from mjopt.studies.config import StudyConfig, parse_methods
from mjopt.studies.instances import read_hand_set
from mjopt.studies.runner import run_study
from mjopt.tables import label

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

Work = Callable[[Path], object]


def files(folder: Path) -> dict[str, bytes]:
    """Return every file except units.csv, which has CPU times."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes() for name, path in found.items() if not name.endswith("units.csv")
    }


def check_every_step(work: Work, tmp_path: Path, *, at_least: int) -> None:
    """Kill the work at each write step, resume it and compare the files.

    Some kills are real signals, and some resumed runs are killed again.
    """
    folder, copies = tmp_path / "work", tmp_path / "copies"
    folder.mkdir()
    work(folder)
    wanted, gone = files(folder), tmp_path / "gone"
    folder.rename(gone)
    folder.mkdir()
    left = left_at(partial(work, folder), folder, copies)
    assert files(folder) == wanted
    for step, copy in enumerate(left, start=1):
        shutil.rmtree(folder)
        if step % 10 == 0 and step < len(left) - 2:
            folder.mkdir()
            assert dies_at(step, partial(work, folder))
        else:
            copy.rename(folder)
        if step % 7 == 0:
            for again in left_at(partial(work, folder), folder, gone, [step // 2]):
                shutil.rmtree(folder)
                again.rename(folder)
        work(folder)
        assert files(folder) == wanted, f"killed at step {step}"
    assert len(left) >= at_least


def label_some(folder: Path) -> None:
    words = [str(folder.parent / "hands.txt"), "--model", "blockwise", "-j", "1", "--quiet"]
    assert execute(["label", *words, "-o", str(folder / "out.csv")]) == 0


def test_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(self: LabelProgram, hand: Hand) -> int:
        return int(label(np.array([hand.counts], np.uint8))[0])

    monkeypatch.setattr(LabelProgram, "label", quick)
    monkeypatch.setattr(label_file, "CHUNK", 2)
    (tmp_path / "hands.txt").write_text("1112345678999m1p\n" * 2 + "123m456p789s11122m\n")
    check_every_step(label_some, tmp_path, at_least=15)


def test_dataset(tmp_path: Path) -> None:
    plan = make_plan("deals:2", seed=3, shards=2)

    def build_it(folder: Path) -> None:
        was_complete = (folder / "out" / MANIFEST).exists()
        # The manifest is written last.
        assert not (build(plan, folder / "out").rows and was_complete)

    check_every_step(build_it, tmp_path, at_least=20)


def test_study(tmp_path: Path) -> None:
    config = StudyConfig(
        methods=parse_methods(("ga:generations=1",)),
        sets=(read_hand_set("deals:3", seed=4),),
        runs=1,
        seed=11,
        curves=1,
    )
    check_every_step(lambda folder: run_study(config, folder / "out"), tmp_path, at_least=20)
