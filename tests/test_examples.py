"""Every example runs, quickly."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from helpers.pages import EXAMPLES, registries_kept


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    with registries_kept():
        main = runpy.run_path(str(path))["main"]
        if path.stem == "demo":
            main(number=40)
        else:
            main()
    printed = capsys.readouterr().out
    assert printed.strip()
    if path.stem == "one_type_hands":
        assert np.load(tmp_path / "one_type.npy").shape == (118_800, 27)
