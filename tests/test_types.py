"""Annotations are exact: ``Any`` is left to data and packages whose types nobody knows."""

import re
from pathlib import Path
from typing import Final

import mjopt

ROOT: Final = Path(mjopt.__file__).parent
PACKAGES: Final = (
    *("_internal", "hands", "models", "proofs", "heuristics", "analysis", "statistics"),
    *("datasets", "studies", "audits", "instances", "cli"),
)
"""The packages that are counted, beside the modules on top."""

MOST: Final = 60
"""How often all of these may say ``Any``, imports included."""


def test_any_is_rare() -> None:
    paths = [*ROOT.glob("*.py"), *(p for name in PACKAGES for p in (ROOT / name).rglob("*.py"))]
    found = {
        path.relative_to(ROOT).as_posix(): len(re.findall(r"\bAny\b", text))
        for path in paths
        if "Any" in (text := path.read_text(encoding="utf-8"))
    }
    assert sum(found.values()) <= MOST, found
