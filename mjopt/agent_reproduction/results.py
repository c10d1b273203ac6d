"""What is made for a target: tables, claims, curves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mjopt.agent_reproduction.measures import COLUMNS, LESS, READING, Claim
from mjopt.reports.table import Cell, Table, make_table

Row = tuple[Cell, ...]
Curve = dict[float, list[float]]
"""Values by place on the axis, one a seed."""


@dataclass(kw_only=True)
class Result:
    """What was made for a target."""

    # `title`, `told`: what it is, and sentences on how to read it
    title: str
    told: list[str]
    # `tables`, `claims`: its tables; what the article says, and our figures for it
    tables: list[Table] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    # `panels`, `axis`, `is_log`: curves by panel and name, over what, and whether that is
    # logarithmic
    panels: dict[str, dict[str, Curve]] = field(default_factory=dict)
    axis: str = ""
    is_log: bool = False


def measured_table(name: str, what: str, columns: str, rows: Iterable[Row], *notes: str) -> Table:
    """Return a table of how decisions were answered, each row beginning with columns of its own."""
    title = f"{name.partition('-')[0].replace('fig', 'Figure ').replace('table', 'Table ')}: {what}"
    return make_table(name, title, f"{columns} | {COLUMNS}", rows, *notes, READING, less=LESS)


def add_seed(curve: Curve, values: Mapping[float, float]) -> None:
    """Add the values of another seed to a curve."""
    for at, value in values.items():
        curve.setdefault(at, []).append(value)
