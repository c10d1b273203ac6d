"""What every benchmark shares: kernels, however few the rows."""

import pytest

from mjopt._internal import jit


@pytest.fixture(autouse=True)
def _kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "WORTH", -1.0)
