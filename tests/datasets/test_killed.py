"""A build killed with SIGKILL at any time resumes to the same bytes."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.dataset_folders import everything
from helpers.forking import started

from mjopt.datasets import build, make_plan
from mjopt.datasets.check import check_dataset
from mjopt.datasets.plan import DatasetPlan

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

KILLS = 10


def slow_plan() -> DatasetPlan:
    """Return a plan that takes about a second because of its certificates."""
    return make_plan(
        "deals:600", seed=3, shards=24, labels=("deficiency", "digest"), splits="a=1,b=1"
    )


def test_build_killed_ten_times_has_the_same_bytes(tmp_path: Path) -> None:
    build(slow_plan(), tmp_path / "undisturbed")
    begun = time.perf_counter()
    build(slow_plan(), tmp_path / "again")
    lasted = time.perf_counter() - begun
    folder, rng = tmp_path / "killed", random.Random(1)
    in_time = 0
    for _ in range(KILLS):
        process = started(lambda: build(slow_plan(), folder))
        time.sleep(rng.uniform(0.0, lasted / 4))
        process.kill()
        process.join()
        in_time += process.exitcode == -signal.SIGKILL
    assert in_time >= KILLS // 2  # the others may have started after completion
    build(slow_plan(), folder)
    assert everything(folder) == everything(tmp_path / "undisturbed")


@pytest.mark.slow
def test_command_with_two_workers_resumes_after_a_kill(tmp_path: Path) -> None:
    """Takes half a minute: every start loads the package in three processes."""
    words = ["deals:40000", "--shards", "40", "--labels", "deficiency,useful,targets", "-j", "2"]

    def command(folder: Path) -> list[str]:
        return [sys.executable, "-m", "mjopt", "dataset", "build", *words, "-o", str(folder)]

    subprocess.run(command(tmp_path / "undisturbed"), check=True, capture_output=True)
    folder, rng = tmp_path / "killed", random.Random(2)
    for _ in range(KILLS):
        process = subprocess.Popen(command(folder), stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(1.5, 4.0))
        process.kill()
        process.wait()
    subprocess.run(command(folder), check=True, capture_output=True)
    assert everything(folder) == everything(tmp_path / "undisturbed")
    assert check_dataset(folder).is_sound
