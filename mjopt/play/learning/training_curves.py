"""Curves of a training: a CSV file, and a report with a figure."""

import csv
import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write
from mjopt._internal.plot_style import (
    make_panels,
    plot_style,
    series_style,
    set_panel_title,
)
from mjopt._internal.report_page import Section, render_report
from mjopt._internal.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES: Final = "curves.csv"
REPORT: Final = "report.html"
COUNTS: Final = ("step", "version", "games")
"""Columns of whole numbers."""

Row = dict[str, float | None]


def curve_table(rows: list[Row]) -> Table:
    r"""Return all measurements, one row for each time.

    Examples
    --------
    >>> curve_table([{"step": 10, "loss": 5.25}, {"step": 20, "wins": 0.5}]).shown_rows()
    [['10', '5.25000', '\u2013'], ['20', '\u2013', '0.50000']]
    """
    names = _column_names(rows)
    return Table(
        name="curves",
        title="Measurements during training",
        rows=[{name: row.get(name) for name in names} for row in rows],
        formats={name: ",.0f" if name in COUNTS else ",.5f" for name in names},
        notes=("An empty cell was not measured at that step.",),
    )


def _column_names(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row)) or ["step"]


def write_curves(folder: Path, rows: list[Row]) -> None:
    """Write the measurements as CSV."""
    names = _column_names(rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        values = (row.get(name) for name in names)
        writer.writerow(["" if value is None else f"{value:.12g}" for value in values])
    atomic_write(folder / CURVES, text.getvalue())


def plot_curves(rows: list[Row], names: list[str]) -> "Figure":
    """Plot some columns over the steps, one panel each."""
    with plot_style():
        figure, axes = make_panels(len(names), share_y=False)
        for index, (panel, name) in enumerate(zip(axes, names, strict=True)):
            points = [(row["step"], row[name]) for row in rows if row.get(name) is not None]
            style = series_style(index)
            panel.plot(*zip(*points, strict=True), color=style.color, linestyle=style.line)
            panel.set_xlabel("step")
            set_panel_title(panel, name)
        return figure


def write_report(folder: Path, title: str, paragraphs: list[str], rows: list[Row]) -> None:
    """Write a page about a training with its curves.

    Without Matplotlib it has no figure; without Jinja2 there is no page.
    """
    if find_spec("jinja2") is None:
        return
    names = [name for name in _column_names(rows) if name not in (*COUNTS, "seconds")]
    is_plotted = rows and names and find_spec("matplotlib") is not None
    section = Section(curve_table(rows), plot_curves(rows, names) if is_plotted else None)
    atomic_write(folder / REPORT, render_report(title, [section], lead=paragraphs))
