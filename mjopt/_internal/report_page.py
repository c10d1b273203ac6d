"""Reports: one HTML page, one Markdown page and exported files from tables and their figures."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write, make_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.plot_style import GRID, INK, MUTED, PALETTE, to_svg
from mjopt._internal.tables import Table, export_tables, tables_page

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup
    from matplotlib.figure import Figure

DARK_PALETTE: Final = (
    *("#5db4f0", "#ff8f4d", "#3ecf9f", "#e592c2", "#f0b93a", "#8fd0f7", "#ab90d9", "#bfc45c"),
)
"""The colours of figures in dark mode."""


@dataclass(frozen=True)
class Section:
    """A section of a report: a table, the figure above it, or both."""

    table: Table
    figure: "Figure | None" = None
    has_table: bool = True  # False if the rows only matter as data of the figure

    @cached_property
    def svg(self) -> str:
        """The figure as SVG, empty without one; drawn once for the page and its file."""
        return "" if self.figure is None else to_svg(self.figure)

    def inline_svg(self) -> "Markup | str":
        """Return the figure as an element of a page: with unique identifiers and its colours."""
        from markupsafe import Markup

        if not self.svg:
            return ""
        name, svg = self.table.name, self.svg[self.svg.index("<svg") :]
        for pattern, replacement in (
            (r"(?s)<metadata>.*?</metadata>\s*", ""),
            (r"(?s)<style[^>]*>.*?</style>\s*", ""),
            (r"(?s)<!--.*?-->\s*", ""),
            (r'\bid="([^"]+)"', rf'id="{name}-\1"'),
            (r'href="#([^"]+)"', rf'href="#{name}-\1"'),
            (r"url\(#([^)]+)\)", rf"url(#{name}-\1)"),
            (r'\A(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1"),
        ):
            svg = re.sub(pattern, replacement, svg)
        variables = {INK: "--ink", MUTED: "--muted", GRID: "--rule", "#ffffff": "--paper"}
        variables |= {color: f"--s{index}" for index, color in enumerate(PALETTE)}
        for color, variable in variables.items():
            svg = svg.replace(color, f"var({variable})")
        label = f'<svg role="img" aria-label="{escape(self.table.title)}"'
        return Markup(svg.replace("<svg", label, 1).rstrip())


def _heading(column: str) -> "Markup":
    """Return the heading of a column, broken after spaces and underscores but not in ndde-20-50."""
    from markupsafe import Markup

    text = column if len(column) > 14 else column.replace("-", "\u2011")
    return Markup("_<wbr>").join(text.split("_"))


@cache
def _template() -> "Template":
    need("jinja2", extra="experiments")
    from jinja2 import Environment, PackageLoader

    environment = Environment(autoescape=True, loader=PackageLoader("mjopt._internal", "."))
    environment.filters["heading"] = _heading
    return environment.get_template("report.html")


def render_report(
    title: str,
    sections: Iterable[Section],
    *,
    lead: Sequence[str] = (),
    closing: Sequence[str] = (),
    command: str = "",
) -> str:
    """Return a self-contained HTML page: the first section, the contents, the other sections.

    A section without rows is left out. ``lead`` has paragraphs above the first section, ``closing``
    those of the last one, "Repeat", with the ``command`` that makes the same results below them.
    Without Jinja2 it raises `MissingExtraError`.
    """
    text: str = _template().render(
        title=title,
        lead=lead,
        closing=closing,
        command=command,
        sections=[section for section in sections if section.table.rows],
        ink=INK,
        muted=MUTED,
        grid=GRID,
        palette=PALETTE,
        dark_palette=DARK_PALETTE,
    )
    return text + "\n"


def table_html(table: Table) -> str:
    """Return a table as an HTML element."""
    return str(vars(_template().module)["table_block"](table))


def write_report(
    folder: Path,
    title: str,
    sections: Iterable[Section],
    *,
    lead: Sequence[str] = (),
    closing: Sequence[str] = (),
    command: str = "",
) -> None:
    """Write ``report.html`` and ``tables.md`` into a folder that exists.

    Every table is also written as CSV and LaTeX, and every figure as SVG, into ``export``. Other
    arguments are those of :func:`render_report`; a file that cannot be written is a `FileError`.
    """
    filled = [section for section in sections if section.table.rows]
    shown = [section.table for section in filled if section.has_table]
    atomic_write(folder / "tables.md", tables_page(title, shown))
    page = render_report(title, filled, lead=lead, closing=closing, command=command)
    atomic_write(folder / "report.html", page)
    export_sections(make_folder(folder / "export"), filled)


def export_sections(folder: Path, sections: Iterable[Section]) -> None:
    """Write every table as CSV and LaTeX and every figure as SVG."""
    for section in sections:
        export_tables(folder, [section.table])
        if section.svg:
            atomic_write(folder / f"{section.table.name}.svg", section.svg)
