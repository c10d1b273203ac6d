"""Every example runs, quickly."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from helpers.surroundings import environment

from mjopt.datasets import HandRows, read_recipe
from tools.pages import EXAMPLES, registries_kept

FEWER = {
    "demo": {"number": 8},
    "own_heuristic": {"number": 10},
    "own_rule": {"deals": 2},
    "recursive_method": {"number": 50},
}
"""Numbers of hands or deals, of the examples that take one."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example_runs(path: Path, in_tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with environment(MPLBACKEND="agg"), registries_kept():
        main = runpy.run_path(str(path))["main"]
        main(**FEWER.get(path.stem, {}))
    printed = capsys.readouterr().out
    assert printed.strip()
    if path.stem == "one_type_hands":
        assert np.load(in_tmp_path / "one_type.npy").shape == (118_800, 27)


def test_own_label_accepts_honours() -> None:
    with registries_kept():
        label = runpy.run_path(str(EXAMPLES / "own_label.py"))["SUITS"]
        recipe = read_recipe("deals:50", tiles="136")
        hands = recipe.counts(seed=1)
        rows = HandRows(deal=recipe.deal, hands=hands, rows=np.arange(50), seed=1)
        assert label.values(rows)["num_suits"].tolist() == [
            label.verify(rows.row(place).hand) for place in range(50)
        ]
