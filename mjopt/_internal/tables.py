"""Tables of results: unrounded values by column, shown as text, Markdown and LaTeX.

pandas writes Markdown and LaTeX. A terminal and CSV files need no optional package.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mjopt._internal.files import atomic_write
from mjopt._internal.optional_deps import need

if TYPE_CHECKING:
    import pandas as pd

Value = str | int | float | None
Row = Mapping[str, Value]
Format = str | Callable[[float], str]

EMPTY: Final = "\u2013"  # an en dash for a missing value

SHARE: Final = ".2%"
"""Format of shares that need no third decimal."""

_LATEX: Final = {sign: "\\" + sign for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    EMPTY: "--",
    "∞": r"$\infty$",
    "µ": r"\textmu{}",
    "\u202f": r"\,",
}
LATEX: Final = str.maketrans(_LATEX)

NUMBERED: Final = re.compile(r"(Table|Figure) \d+: ")
"""Start of a title that a LaTeX caption omits: LaTeX numbers its floats."""

LONG: Final = 60  # characters of a text from which its LaTeX column breaks lines

MARKDOWN: Final = str.maketrans({sign: "\\" + sign for sign in "\\`*_{}<>[]|#"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of values, with a title and notes.

    Examples
    --------
    >>> table = Table(name="t", title="T", rows=[{"method": "ndde", "accuracy": 0.93325}])
    >>> table.shown_rows()
    [['ndde', '0.93325']]
    """

    name: str  # of its files
    title: str  # one line that describes the content
    rows: Sequence[Row]  # a mapping from column to value for each row; all have the same columns
    # Format specifications of Python, or functions, by column: for numbers that need other digits
    # than five significant ones, such as ``".2%"`` for a share.
    formats: Mapping[str, Format] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences below the table
    # Columns that a narrow terminal may omit, the least important first; ``" | "`` separates names
    # that are omitted together.
    optional: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """The names of the columns; none without rows."""
        return list(self.rows[0]) if self.rows else []

    def is_text(self, column: str) -> bool:
        """Return whether a column holds a text."""
        return any(isinstance(row[column], str) for row in self.rows)

    def shown_rows(self) -> list[list[str]]:
        """Return every value as formatted text."""
        return [
            [format_value(value, self.formats.get(column, "")) for column, value in row.items()]
            for row in self.rows
        ]

    def _shown_frame(self) -> "pd.DataFrame":
        need("pandas", extra="experiments")
        import pandas as pd

        return pd.DataFrame(self.shown_rows(), columns=self.columns, dtype=object)

    def to_markdown(self, level: int = 3) -> str:
        r"""Return the table as GitHub Markdown, below a heading of a level.

        Examples
        --------
        >>> rows = [{"set": "one|type", "hands": 118_800}]
        >>> print(Table(name="t", title="Hands", rows=rows).to_markdown(), end="")
        ### Hands
        <BLANKLINE>
        | set       |   hands |
        |:----------|--------:|
        | one\|type | 118,800 |
        """
        frame = self._shown_frame().map(lambda text: text.translate(MARKDOWN))
        frame.columns = [column.translate(MARKDOWN) for column in frame.columns]
        align = ["left" if self.is_text(column) else "right" for column in self.columns]
        body = frame.to_markdown(index=False, disable_numparse=True, colalign=align or None)
        notes = [note.translate(MARKDOWN) for note in self.notes]
        heading = f"{'#' * level} {self.title.translate(MARKDOWN)}"
        return "\n\n".join([heading, body, *notes]) + "\n"

    def to_csv(self) -> str:
        """Return the unrounded values as CSV, without notes.

        Examples
        --------
        >>> print(Table(name="t", title="T", rows=[{"a": 0.5, "b": None}]).to_csv(), end="")
        a,b
        0.5,
        """
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def to_latex(self) -> str:
        r"""Return the table with its notes as a LaTeX float.

        A table that is too wide is scaled to the width of the line. It needs the packages booktabs
        and graphicx.

        Examples
        --------
        >>> rows = [{"method": "ndde", "accuracy": "0.93 *"}]
        >>> table = Table(name="t", title="Table 1: accuracy", rows=rows, notes=("* outside",))
        >>> print(table.to_latex(), end="")
        \begin{table}
        \centering
        \caption{Accuracy}
        \label{tab:t}
        \resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
        \begin{tabular}{ll}
        \toprule
        method & accuracy \\
        \midrule
        ndde & 0.93 * \\
        \bottomrule
        \end{tabular}%
        }
        \par\smallskip\begin{minipage}{\linewidth}\footnotesize
        * outside
        \end{minipage}
        \end{table}
        """
        frame = self._shown_frame().map(lambda text: text.translate(LATEX))
        frame.columns = [column.translate(LATEX) for column in frame.columns]
        body = frame.to_latex(
            index=False, escape=False, column_format="".join(map(self._latex_column, self.columns))
        )
        title = NUMBERED.sub("", self.title)
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{(title[:1].upper() + title[1:]).translate(LATEX)}}}",
            rf"\label{{tab:{self.name}}}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            f"{body.rstrip()}%",
            "}",
        ]
        if self.notes:
            notes = "\n\n".join(note.translate(LATEX) for note in self.notes)
            lines.append(r"\par\smallskip\begin{minipage}{\linewidth}\footnotesize")
            lines += [notes, r"\end{minipage}"]
        return "\n".join([*lines, r"\end{table}"]) + "\n"

    def _latex_column(self, column: str) -> str:
        """Return the LaTeX format of a column: right-aligned numbers, texts in lines if long."""
        if not self.is_text(column):
            return "r"
        is_long = any(len(str(row[column])) > LONG for row in self.rows)
        return r"p{0.5\linewidth}" if is_long else "l"


def make_rows(frame: "pd.DataFrame") -> list[dict[str, Value]]:
    """Return the rows of a DataFrame; missing values are None."""
    frame = frame.astype(object)
    rows: list[dict[str, Value]] = frame.where(frame.notna(), None).to_dict("records")
    return rows


def format_value(value: Value, spec: Format = "") -> str:
    r"""Return a value as text, a number by a format specification of Python or a function.

    Examples
    --------
    >>> format_value(118800), format_value(0.9333333), format_value(0.9333333, ".2%")
    ('118,800', '0.93333', '93.33%')
    >>> format_value(1234567.8), format_value(0.00001234567), format_value(None)
    ('1,234,568', '1.2346e-05', '\u2013')
    """
    if value is None or isinstance(value, str):
        return EMPTY if value is None else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in (inf, -inf):
        return "∞" if value > 0 else "-∞"
    if callable(spec):
        return spec(value)
    if not spec:
        spec = "," if isinstance(value, int) else ",.0f" if abs(value) >= 1e4 else ",.5g"
    text = format(value, spec)
    if spec.endswith("%") and 0.5 < value < 1 and text.startswith("100"):
        return ">" + text.replace("100", "99").replace("0", "9")  # 100 % would mean all
    return text


def format_micros(seconds: float) -> str:
    """Return seconds as microseconds."""
    return f"{1e6 * seconds:,.1f} µs"


def tables_page(title: str, tables: Iterable[Table]) -> str:
    """Return a Markdown page with a title and tables."""
    return "\n".join([f"# {title.translate(MARKDOWN)}\n", *(t.to_markdown(2) for t in tables)])


def export_tables(folder: Path, tables: Iterable[Table]) -> None:
    """Write every table as ``NAME.csv`` and ``NAME.tex``; `FileError` without the folder."""
    for table in tables:
        atomic_write(folder / f"{table.name}.csv", table.to_csv())
        atomic_write(folder / f"{table.name}.tex", table.to_latex())
