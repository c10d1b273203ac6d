"""Reports without the parts that take longest, for tests that write many of them."""

from dataclasses import replace

import pytest

from mjopt._internal.tables import Table
from mjopt.studies import RESULTS


def simplify_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write reports of studies without figures, and tables without LaTeX."""
    for name, result in [*RESULTS.items()]:
        monkeypatch.setitem(RESULTS, name, replace(result, plot=None))
    monkeypatch.setattr(Table, "to_latex", lambda _: "")
