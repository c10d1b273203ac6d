"""An empty folder for derived tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mjopt._internal import cache_folder
from mjopt.tables.bundles import bundle_file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep no tables but those of this test."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(bundle_file, "SHIPPED", tmp_path / "none")
    monkeypatch.setattr(bundle_file, "LEAST_KEPT", 1)
    cache_folder._open.cache_clear()
    yield tmp_path / bundle_file.FOLDER
    cache_folder._open.cache_clear()
