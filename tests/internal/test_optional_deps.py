"""Optional dependencies are imported in the background."""

import sys
from pathlib import Path

import pytest

from mjopt._internal.optional_deps import imported_meanwhile


def test_modules_are_loaded_when_the_block_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brought_along.py").write_text("HELD = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with imported_meanwhile("no_such_package.part", "brought_along"):
        done = "work"

    assert done == "work"
    assert sys.modules.pop("brought_along").HELD == 3


def test_failed_import_is_raised_again_on_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breaks_here.py").write_text("raise RuntimeError('broken')\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    with imported_meanwhile("breaks_here"):
        pass

    assert "breaks_here" not in sys.modules
    with pytest.raises(RuntimeError, match="broken"):
        __import__("breaks_here")


def test_error_in_the_block_is_raised() -> None:
    with pytest.raises(ValueError, match="of the work"), imported_meanwhile("wave"):
        raise ValueError("of the work")
