"""The script that fits deficiencies to published accuracies."""

import runpy
from pathlib import Path

import numpy as np
import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "reproduction" / "hand_mix.py"))


def test_fit_recovers_the_shares_of_a_mixture() -> None:
    accuracy = np.array([[0.1, 0.4, 0.3], [0.5, 0.6, 0.9], [1.0, 0.9, 1.0]])
    shares = np.array([0.2, 0.0, 0.8])
    found = SCRIPT["fit"](accuracy, shares @ accuracy, np.array([1.0, 0.5, 2.0]))
    assert found == pytest.approx(shares, abs=1e-6)


def test_small_run_prints_shares_of_both_sets(capsys: pytest.CaptureFixture[str]) -> None:
    SCRIPT["main"](["--hands", "20", "--drawn", "3000", "--rounds", "3"])
    out = capsys.readouterr().out
    for types in ("two", "three"):
        table = out.partition(f"| {types} types: deficiency")[2].partition("\n\n")[0]
        cells = [line.split("|") for line in table.splitlines()[2:]]
        assert sum(float(cell[3]) for cell in cells) == pytest.approx(100, abs=0.3)
