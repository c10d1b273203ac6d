"""The measurements of a training run as CSV and as a page with curves."""

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
from mjopt._internal.report import (
    Column,
    Part,
    Plot,
    Section,
    Table,
    make_table,
    render_report,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES: Final = "curves.csv"
PAGE: Final = "report.html"
COUNTS: Final = ("step", "version", "games")
"""Columns of counts."""

Row = dict[str, float | None]


def curve_table(rows: list[Row]) -> Table:
    r"""Return the measurements, one row for each time.

    Examples
    --------
    >>> curve_table([{"step": 10, "loss": 5.25}, {"step": 20, "wins": 0.5}]).shown_rows()
    [['10', '5.25000', '\u2013'], ['20', '\u2013', '0.50000']]
    """
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["step"]
    columns = [Column(name, "count" if name in COUNTS else "number", 5) for name in names]
    cells = (tuple(row.get(name) for name in names) for row in rows)
    caption = "An empty cell was not measured at that time."
    return make_table("curves", "Measurements", columns, cells, caption=caption)


def write_curves(folder: Path, rows: list[Row]) -> None:
    """Write the measurements so far as CSV."""
    atomic_write(folder / CURVES, curve_table(rows).to_csv())


def draw_curves(rows: list[Row], names: list[str]) -> "Figure":
    """Draw columns over the steps, one panel each."""
    with plot_style():
        figure, axes = make_panels(len(names), share_y=False)
        for index, (panel, name) in enumerate(zip(axes, names, strict=True)):
            points = [(row["step"], row[name]) for row in rows if row.get(name) is not None]
            style = series_style(index)
            panel.plot(*zip(*points, strict=True), color=style.color, linestyle=style.line)
            panel.set_xlabel("step")
            set_panel_title(panel, name)
        return figure


def write_report(folder: Path, title: str, lines: list[str], rows: list[Row]) -> None:
    """Write a page with a description, the curves and all measurements.

    Without Jinja2 there is no page, without Matplotlib no figure.
    """
    if find_spec("jinja2") is None:
        return
    table = curve_table(rows)
    parts: list[Part] = []
    names = [c.name for c in table.columns if c.name not in (*COUNTS, "seconds")]
    if names and find_spec("matplotlib") is not None:
        svg = to_svg(draw_curves(rows, names))
        caption = "Over the steps of the training."
        parts.append(Plot(name="curves", title="Curves", caption=caption, svg=svg))
    sections = [Section("curves", "Curves", [*parts, table])]
    atomic_write(folder / PAGE, render_report(title, lines, sections))
