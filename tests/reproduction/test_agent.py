"""The scripts in reproduction/agent: a small run from weights to reports."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from helpers.learning_states import normal_file, perfect_file

CHECKOUT = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    script = str(CHECKOUT / "reproduction" / "agent" / "run.py")
    return subprocess.run(
        [sys.executable, script, *words], capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """Return a folder with finished trainings of seed 0."""
    for name, write in (("perfect-4-0", perfect_file), ("normal-bernoulli-0", normal_file)):
        folder = tmp_path / "trainings" / name
        folder.mkdir(parents=True)
        write(folder / "weights.npz")
    return tmp_path


def test_finished_trainings_are_used_and_reports_are_written(trained: Path) -> None:
    words = ("--preset", "tiny", "--seeds", "1", "--walls", "2", "-o", str(trained))
    ran = run("table7", "table8", *words)
    assert ran.returncode == 0, ran.stderr
    assert "training" not in ran.stderr
    ranks = pd.read_csv(trained / "report" / "table7.csv")
    assert ranks["games"].tolist()[:3] == [4, 4, 4]  # per baseline two tournaments of two games
    wins = pd.read_csv(trained / "report" / "table8.csv")
    assert wins.loc[wins["source"] == "published", "wins"].sum() == 428
    assert "| published | 1 " in ran.stdout.replace("   ", " ").replace("  ", " ")


def test_weights_of_another_configuration_are_a_one_line_error(trained: Path) -> None:
    ran = run("table8", "--preset", "tiny", "--set", "channels=16", "-o", str(trained))
    assert ran.returncode == 1
    assert "weights of another configuration: channels 8, not 16" in ran.stderr.splitlines()[-1]
