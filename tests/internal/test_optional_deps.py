"""What an extra brings is imported while something else is done."""

import sys
from pathlib import Path

import pytest

from mjopt._internal.optional_deps import imported_meanwhile


def test_modules_are_there_when_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brought_along.py").write_text("HELD = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with imported_meanwhile("no_such_package.part", "brought_along"):
        done = "work"

    assert done == "work"
    assert sys.modules.pop("brought_along").HELD == 3


def test_one_that_breaks_is_left_to_who_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breaks_here.py").write_text("raise RuntimeError('broken')\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with imported_meanwhile("breaks_here"):
        pass

    assert "breaks_here" not in sys.modules
    with pytest.raises(RuntimeError, match="broken"):
        __import__("breaks_here")


def test_what_fails_meanwhile_is_told() -> None:
    with pytest.raises(ValueError, match="of the work"), imported_meanwhile("wave"):
        raise ValueError("of the work")
