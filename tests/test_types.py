"""Annotations are exact: ``Any`` is left to data and packages without types."""

import re
from pathlib import Path
from typing import Final

import mjopt

ROOT: Final = Path(mjopt.__file__).parent
MOST: Final = 300
"""How often the package may say ``Any``, imports included."""


def test_any_is_rare() -> None:
    counts = {
        path.relative_to(ROOT).as_posix(): len(re.findall(r"\bAny\b", text))
        for path in ROOT.rglob("*.py")
        if "Any" in (text := path.read_text(encoding="utf-8"))
    }
    assert sum(counts.values()) <= MOST, counts
