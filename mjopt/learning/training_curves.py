"""What was measured while something was trained: a table, a figure, a page."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write, make_folder
from mjopt.reports.figure import look, name_panel, panels, save_figure, styled
from mjopt.reports.table import Field, Table, make_table
from mjopt.reports.table_formats import to_csv, write_table
from mjopt.reports.web_page import Section, figure_piece, page, table_piece, text_piece

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES: Final = "curves.csv"
PAGE: Final = "report.html"
WHOLE: Final = ("step", "version", "games")
"""Columns that count."""

Row = dict[str, float | None]


def curve_table(rows: list[Row]) -> Table:
    r"""Return every measurement, a row a time.

    Examples
    --------
    >>> curve_table([{"step": 10, "loss": 5.25}, {"step": 20, "wins": 0.5}]).written_rows()
    [['10', '5.25000', '\u2013'], ['20', '\u2013', '0.50000']]
    """
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["step"]
    columns = [Field(name, "count" if name in WHOLE else "number", 5) for name in names]
    cells = (tuple(row.get(name) for name in names) for row in rows)
    return make_table("curves", "What was measured on the way", columns, cells, groups=0)


def write_curves(folder: Path, rows: list[Row]) -> None:
    """Write the measurements so far as CSV, whole."""
    atomic_write(folder / CURVES, to_csv(curve_table(rows)))


def draw_curves(rows: list[Row], names: list[str]) -> "Figure":
    """Draw some columns over the steps, a panel each."""
    with styled():
        figure, axes = panels(len(names), share_y=False)
        for place, (panel, name) in enumerate(zip(axes, names, strict=True)):
            points = [(row["step"], row[name]) for row in rows if row.get(name) is not None]
            style = look(place)
            panel.plot(*zip(*points, strict=True), color=style.colour, linestyle=style.line)
            panel.set_xlabel("step")
            name_panel(panel, name)
        return figure


def write_report(folder: Path, title: str, told: list[str], rows: list[Row]) -> None:
    """Write a page of what was trained: what it is, its curves, and all that was measured.

    Without matplotlib there is no figure.
    """
    table = curve_table(rows)
    make_folder(folder / "tables")
    write_table(folder / "tables", table)
    pieces: list[str] = []
    names = [c.name for c in table.columns if c.name not in (*WHOLE, "seconds")]
    if names and find_spec("matplotlib") is not None:
        make_folder(folder / "figures")
        svg = save_figure(folder / "figures", "curves", draw_curves(rows, names))
        how = {"title": "Curves", "reading": "Over the steps of the training."}
        pieces.append(figure_piece("curves", svg, **how))
    pieces.append(table_piece(table, reading="An empty cell was not measured then."))
    sections = [Section("curves", "Curves", tuple(pieces))]
    text = page(title, [text_piece(line) for line in told], sections)
    atomic_write(folder / PAGE, text)
