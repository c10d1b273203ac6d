"""Every example runs, quickly."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main = runpy.run_path(str(path))["main"]
    if path.stem == "demo":
        main(number=40)
    else:
        main()
    printed = capsys.readouterr().out
    assert printed.strip()
    if path.stem == "one_type_hands":
        assert np.load(tmp_path / "one_type.npy").shape == (118_800, 27)
