"""The script that judges common advice."""

import json
from pathlib import Path

import pytest

from advice import run

WORDS = ("stratified:12:1=1", "--draws", "1", "--tiles", "136", "-j", "1")


def test_advice_is_judged_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run.main([*WORDS, "--seed", "1", "-o", str(tmp_path)])
    document = json.loads((tmp_path / "summary.json").read_text())
    by = {row["advice"]: row for row in document["advice"]}
    assert (by["useful"]["right"], by["useful"]["hands"]) == (12, 12)
    printed = capsys.readouterr().out
    assert "How often common advice is proven wrong" in printed
    run.main([*WORDS, "--seed", "1", "-o", str(tmp_path)])
    assert capsys.readouterr().out == printed
    with pytest.raises(SystemExit):
        run.main([*WORDS, "--seed", "2", "-o", str(tmp_path)])
    assert "holds another dataset (seed 1, not 2)" in capsys.readouterr().err


def test_rules_need_ceilings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main([*WORDS, "--rule", "mixture", "-o", str(tmp_path)])
    assert "--rule goes with --ceiling" in capsys.readouterr().err
