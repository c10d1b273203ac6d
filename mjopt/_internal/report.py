"""Tables and HTML reports, shared by studies, tournaments, audits and the command line.

pandas writes Markdown and LaTeX, one Jinja2 template writes every HTML page. The terminal and CSV
files need neither.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjopt._internal.files import atomic_write
from mjopt._internal.optional_deps import need
from mjopt._internal.plot_style import GRID, INK, MUTED, PALETTE
from mjopt.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

Cell = str | int | float | None

EMPTY: Final = "\u2013"  # an en dash for a cell without a value
MINUS: Final = "\u2212"  # wider than a hyphen
THIN: Final = "\u202f"  # narrow no-break space, between thousands

FORMS: Final = ("text", "count", "number", "percent", "points", "p", "micros", "signed")
SCALES: Final = {"percent": ("%", 100.0), "points": ("points", 100.0), "micros": ("µs", 1e6)}
"""Unit and scale factor of forms."""

DARK_PALETTE: Final = (
    *("#5db4f0", "#ff8f4d", "#3ecf9f", "#e592c2", "#f0b93a", "#8fd0f7", "#ab90d9", "#bfc45c"),
)
"""The colours of figures in dark mode."""

MARKDOWN: Final = str.maketrans({sign: "\\" + sign for sign in "\\`*_{}<>[]|#"})
LATEX: Final = {"∞": r"$\infty$", MINUS: "$-$", "≤": r"$\le$", "≥": r"$\ge$", "\u00d7": r"$\times$",
                EMPTY: "--", THIN: r"\,", "µ": r"\textmu{}", "<": r"\textless{}",
                ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"}  # fmt: skip


class Column(NamedTuple):
    """The name of a column and the format of its values.

    Parameters
    ----------
    name
        The heading without its unit.
    form
        ``text``; ``count``; ``number``; ``percent`` (a share in 0..1, shown in percent);
        ``points`` (a difference of shares, in percentage points); ``p`` (a p-value); ``micros``
        (seconds, shown in microseconds); ``signed`` (a number with its sign).
    digits
        Decimals in formatted output; CSV files keep twelve digits.
    unit
        Shown after the name; percent, points and microseconds have fixed units.

    Examples
    --------
    >>> Column("accuracy", "percent", 2).heading
    'accuracy (%)'
    """

    name: str
    form: str = "text"
    digits: int = 2
    unit: str = ""

    @property
    def is_text(self) -> bool:
        """Whether the values are text."""
        return self.form == "text"

    @property
    def scale(self) -> float:
        """The factor from a stored value to the value shown."""
        return SCALES.get(self.form, ("", 1.0))[1]

    @property
    def heading(self) -> str:
        """The name with its unit."""
        unit = self.unit or SCALES.get(self.form, ("", 1.0))[0]
        return f"{self.name} ({unit})" if unit else self.name


def parse_columns(*texts: str) -> tuple[Column, ...]:
    """Parse columns written ``NAME:FORM:DIGITS:UNIT``; all but the name are optional.

    Parameters
    ----------
    texts
        Each holds one column, or several separated by ``" | "``.

    Examples
    --------
    >>> parse_columns("method | accuracy:percent:3") == (
    ...     Column("method"), Column("accuracy", "percent", 3))
    True
    """
    columns = []
    for text in " | ".join(texts).split(" | "):
        name, form, digits, unit = (text.split(":") + [""] * 3)[:4]
        if form and form not in FORMS:
            raise StudyError(f"column {name}: form {form!r}, expected one of {', '.join(FORMS)}")
        columns.append(Column(name, form or "text", int(digits or 2), unit))
    return tuple(columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of values with the format of every column.

    Parameters
    ----------
    name
        Name in file names: lower-case letters, digits and hyphens.
    title
        One line that describes the content.
    columns, rows
        Every row has a value for every column.
    notes
        Sentences below the table.
    caption
        A sentence below the table in HTML: how to read it.
    optional
        Columns that a narrow terminal may omit, the least important first; ``" | "`` separates
        names that are omitted together.

    Raises
    ------
    StudyError
        If a row does not fit the columns, or a value is NaN.

    Examples
    --------
    >>> table = make_table("t", "Accuracy", "method | accuracy:percent:1", [("ndde", 0.93325)])
    >>> table.shown_rows()
    [['ndde', '93.3']]
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    caption: str = ""
    optional: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Validate the rows."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", self.name):
            raise StudyError(f"table name {self.name!r}, expected small letters, digits and '-'")
        for number, row in enumerate(self.rows):
            where = f"table {self.name}, row {number}"
            if len(row) != len(self.columns):
                raise StudyError(f"{where}: {len(row)} cells, expected {len(self.columns)}")
            for column, cell in zip(self.columns, row, strict=True):
                wrong = isinstance(cell, str) != column.is_text and cell is not None
                if wrong or (isinstance(cell, float) and isnan(cell)):
                    raise StudyError(
                        f"{where}, column {column.name}: {cell!r}, expected {column.form}"
                    )

    @property
    def headings(self) -> list[str]:
        """The name of every column with its unit."""
        return [column.heading for column in self.columns]

    def shown_rows(self) -> list[list[str]]:
        """Return every cell as formatted text."""
        return [
            [format_cell(cell, column) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def _shown_frame(self) -> "pd.DataFrame":
        need("pandas", extra="experiments")
        import pandas as pd

        return pd.DataFrame(self.shown_rows(), columns=self.headings, dtype=object)

    def to_markdown(self, level: int = 3) -> str:
        r"""Return the table as GitHub Markdown, below a heading of a level.

        Examples
        --------
        >>> print(make_table("t", "Hands", "set | hands:count",
        ...     [("one|type", 118_800)]).to_markdown(), end="")
        ### Hands
        <BLANKLINE>
        | set       |   hands |
        |:----------|--------:|
        | one\|type | 118\u202f800 |
        """
        frame = self._shown_frame().map(lambda text: text.translate(MARKDOWN))
        frame.columns = [heading.translate(MARKDOWN) for heading in frame.columns]
        align = ["left" if column.is_text else "right" for column in self.columns]
        body = frame.to_markdown(index=False, disable_numparse=True, colalign=align)
        notes = [note.translate(MARKDOWN) for note in self.notes]
        heading = f"{'#' * level} {self.title.translate(MARKDOWN)}"
        return "\n\n".join([heading, body, *notes]) + "\n"

    def to_csv(self) -> str:
        """Return the table as CSV for machines: unrounded numbers, no notes.

        Percentages, points and microseconds are scaled as the headings indicate. A cell without a
        value is empty; ``inf`` is infinite.

        Examples
        --------
        >>> print(make_table("t", "T", "p:percent", [(0.5,), (None,)]).to_csv())
        p (%)
        50
        ""
        <BLANKLINE>
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.headings)
        for row in self.rows:
            writer.writerow(
                [_csv_cell(cell, column) for cell, column in zip(row, self.columns, strict=True)]
            )
        return text.getvalue()

    def to_latex(self) -> str:
        """Return the table as a LaTeX float; it needs the packages booktabs and textcomp."""
        frame = self._shown_frame()
        text: str = frame.to_latex(
            index=False,
            escape=True,
            caption=re.sub(r"([&%$#_{}])", r"\\\1", self.title),
            label=f"tab:{self.name}",
            column_format="".join("l" if column.is_text else "r" for column in self.columns),
        )
        return re.sub("|".join(map(re.escape, LATEX)), lambda sign: LATEX[sign[0]], text)


def make_table(
    name: str,
    title: str,
    columns: str | Iterable[Column],
    rows: Iterable[tuple[Cell, ...]],
    *notes: str,
    caption: str = "",
    optional: Iterable[str] = (),
) -> Table:
    """Return a table; columns may be text for :func:`parse_columns`."""
    return Table(
        name=name,
        title=title,
        columns=parse_columns(columns) if isinstance(columns, str) else tuple(columns),
        rows=tuple(rows),
        notes=notes,
        caption=caption,
        optional=tuple(optional),
    )


def format_cell(cell: Cell, column: Column) -> str:
    """Return a formatted value.

    Examples
    --------
    >>> format_cell(0.000021, Column("p", "p")), format_cell(118800, Column("hands", "count"))
    ('<0.0001', '118\u202f800')
    >>> format_cell(float("inf"), Column("n", "number")), format_cell(None, Column("n", "count"))
    ('∞', '\u2013')
    """
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        return cell
    if cell in (inf, -inf):
        return "∞" if cell > 0 else MINUS + "∞"
    if column.form == "p":
        return "<0.0001" if cell < 0.0001 else f"{cell:.4f}"
    if column.form == "count":
        return f"{round(cell):,}".replace(",", THIN).replace("-", MINUS)
    sign = "+" if column.form in ("points", "signed") else ""
    text = f"{cell * column.scale:{sign},.{column.digits}f}".replace(",", THIN)
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")  # zero has no sign
    elif column.form == "percent" and text.startswith("100") and cell < 1:
        text = f">{100 - 10.0**-column.digits:.{column.digits}f}"  # 100 would mean all
    return text.replace("-", MINUS)


def _csv_cell(cell: Cell, column: Column) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    # Twelve digits suffice for any number of runs and hide binary rounding errors.
    return str(cell) if isinstance(cell, int) else f"{cell * column.scale:.12g}"


def tables_page(title: str, tables: Iterable[Table]) -> str:
    """Return a Markdown page with a title and tables."""
    return "\n".join([f"# {title.translate(MARKDOWN)}\n", *(t.to_markdown(2) for t in tables)])


def export_tables(folder: Path, tables: Iterable[Table]) -> None:
    """Write every table as ``NAME.csv`` and ``NAME.tex``.

    Raises
    ------
    FileError
        If the folder does not exist.
    """
    for table in tables:
        atomic_write(folder / f"{table.name}.csv", table.to_csv())
        atomic_write(folder / f"{table.name}.tex", table.to_latex())


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A figure of a report."""

    name: str  # its name in file names and prefix of its identifiers in the page
    title: str
    caption: str = ""  # how to read it
    svg: str = field(repr=False)  # from :func:`mjopt._internal.plot_style.to_svg`

    def inline_svg(self) -> Any:
        """Return the SVG as an element of a page: with unique identifiers and its colours."""
        from markupsafe import Markup

        svg = self.svg[self.svg.index("<svg") :]
        for pattern, replacement in (
            (r"(?s)<metadata>.*?</metadata>\s*", ""),
            (r"(?s)<style[^>]*>.*?</style>\s*", ""),
            (r"(?s)<!--.*?-->\s*", ""),
            (r'\bid="([^"]+)"', rf'id="{self.name}-\1"'),
            (r'href="#([^"]+)"', rf'href="#{self.name}-\1"'),
            (r"url\(#([^)]+)\)", rf"url(#{self.name}-\1)"),
            (r'\A(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1"),
        ):
            svg = re.sub(pattern, replacement, svg)
        variables = {INK: "--ink", MUTED: "--muted", GRID: "--rule", "#ffffff": "--paper"}
        variables |= {color: f"--s{index}" for index, color in enumerate(PALETTE)}
        for color, variable in variables.items():
            svg = svg.replace(color, f"var({variable})")
        label = f'<svg role="img" aria-label="{escape(self.title)}"'
        return Markup(svg.replace("<svg", label, 1).rstrip())


Part = Table | Plot | str | Sequence[str]
"""Part of a section: a table, a figure, a paragraph (``Markup`` stays HTML) or a bullet list."""


class Section(NamedTuple):
    """A section of a page; the contents link to it."""

    name: str  # in its address
    heading: str
    parts: Sequence[Part]


@cache
def _template() -> Any:
    need("jinja2", extra="experiments")
    from jinja2 import Environment, PackageLoader

    environment = Environment(autoescape=True, loader=PackageLoader("mjopt._internal", "."))
    # No line break inside a short name such as ndde-20-50.
    environment.filters["unbroken"] = lambda text: (
        text if len(text) > 14 else text.replace("-", "\u2011")
    )
    return environment.get_template("report_template.html")


def render_report(title: str, lead: Sequence[Part], sections: Iterable[Section]) -> str:
    """Return a self-contained HTML page.

    Parameters
    ----------
    title
        The heading of the page.
    lead
        Parts above the contents.
    sections
        Sections without parts are left out.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.
    """
    text: str = _template().render(
        title=title,
        lead=lead,
        sections=[section for section in sections if section.parts],
        ink=INK,
        muted=MUTED,
        grid=GRID,
        palette=PALETTE,
        dark_palette=DARK_PALETTE,
    )
    return text + "\n"


def table_html(table: Table) -> str:
    """Return a table as an HTML element."""
    return str(_template().module.table_block(table))
