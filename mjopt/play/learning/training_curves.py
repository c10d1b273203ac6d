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
    to_svg,
)
from mjopt._internal.report import Column, Part, Plot, Section, Table, make_table, render_report

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
    columns = [Column(name, "count" if name in COUNTS else "number", 5) for name in names]
    cells = (tuple(row.get(name) for name in names) for row in rows)
    caption = "An empty cell was not measured at that step."
    return make_table("curves", "Measurements during training", columns, cells, caption=caption)


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


def draw_curves(rows: list[Row], names: list[str]) -> "Figure":
    """Draw some columns over the steps, one panel each."""
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
    table = curve_table(rows)
    parts: list[Part] = [table]
    names = [column.name for column in table.columns if column.name not in (*COUNTS, "seconds")]
    if names and find_spec("matplotlib") is not None:
        svg = to_svg(draw_curves(rows, names))
        parts.insert(0, Plot(name="curves", title="Curves over the steps", svg=svg))
    text = render_report(title, paragraphs, [Section("curves", "Curves", parts)])
    atomic_write(folder / REPORT, text)
