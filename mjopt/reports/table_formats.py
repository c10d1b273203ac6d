"""A table as Markdown, CSV, LaTeX and HTML: the same table gives the same bytes."""

import csv
import html
import io
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from mjopt._internal.folder import write_whole
from mjopt.reports.table import MINUS, NOTHING, SCALES, THIN, Cell, Field, Table

WHOLE: Final = 14  # letters of a name that fit into a column as one

MARKDOWN: Final = str.maketrans({sign: "\\" + sign for sign in "\\`*_{}<>[]|#"})
LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{sign: "\\" + sign for sign in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "µ": r"\textmu{}",
        "∞": r"$\infty$",
        MINUS: r"$-$",
        "\u00d7": r"$\times$",
        "≤": r"$\le$",
        "≥": r"$\ge$",
        NOTHING: "--",
        THIN: r"\,",
    }
)


def to_markdown(table: Table) -> str:
    r"""Return a table in the Markdown that code hosts show.

    Examples
    --------
    >>> print(to_markdown(Table(name="t", title="Hands", columns=(Field("set"),
    ...     Field("hands", "count")), rows=(("one|type", 118_800),))), end="")
    ### Hands
    <BLANKLINE>
    | set | hands |
    |---|---:|
    | one\|type | 118\u202f800 |
    """
    lines = [f"### {table.title.translate(MARKDOWN)}", ""]
    lines.append(f"| {' | '.join(_marked(table.headings, MARKDOWN))} |")
    lines.append("|" + "|".join("---" if c.is_text else "---:" for c in table.columns) + "|")
    lines += [f"| {' | '.join(_marked(row, MARKDOWN))} |" for row in table.written_rows()]
    for note in _marked(table.notes, MARKDOWN):
        lines += ["", note]
    return "\n".join(lines) + "\n"


def _marked(texts: Iterable[str], signs: Mapping[int, str]) -> list[str]:
    """Return texts with every sign that would mean something written as itself."""
    return [text.translate(signs) for text in texts]


def to_csv(table: Table) -> str:
    """Return a table as CSV for machines: plain numbers, nothing rounded, no notes.

    Percentages and points are written as such, microseconds too, as the headings say.
    A cell without a value is empty; ``inf`` is infinite.

    Examples
    --------
    >>> print(to_csv(Table(name="t", title="T", columns=(Field("p", "percent"),),
    ...     rows=((0.5,), (None,)))))
    p (%)
    50
    ""
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        writer.writerow([_plain(cell, c) for cell, c in zip(row, table.columns, strict=True)])
    return file.getvalue()


def _plain(cell: Cell, column: Field) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    _, scale = SCALES.get(column.form, ("", 1.0))
    # Twelve digits: enough for any count of tries, and no traces of binary fractions.
    return str(cell) if isinstance(cell, int) else f"{cell * scale:.12g}"


def to_latex(table: Table) -> str:
    r"""Return a table as a LaTeX float; it needs the packages booktabs and textcomp.

    Examples
    --------
    >>> print(to_latex(Table(name="t", title="50 %", columns=(Field("a_b"),), rows=(("&",),))))
    \begin{table}
    \centering
    \caption{50 \%}
    \label{tab:t}
    \begin{tabular}{l}
    \toprule
    a\_b \\
    \midrule
    \& \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    align = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{table.title.translate(LATEX)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        " & ".join(_marked(table.headings, LATEX)) + r" \\",
        r"\midrule",
    ]
    for number, row in enumerate(table.written_rows()):
        if table.starts_group(number):
            lines.append(r"\addlinespace")
        lines.append(" & ".join(_marked(row, LATEX)) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip\footnotesize {note}" for note in _marked(table.notes, LATEX)]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def to_html(table: Table, *, reading: str = "") -> str:
    """Return a table as an HTML fragment; groups are set apart, numbers to the right.

    Below it stand ``reading``, a line on how to read it, and its notes.
    """
    head = "".join(f"<th{_side(c)}>{_whole(c.heading)}</th>" for c in table.columns)
    body = []
    for number, row in enumerate(table.written_rows()):
        cells = "".join(
            f"<td{_side(column, cell)}>{html.escape(cell)}</td>"
            for column, cell in zip(table.columns, row, strict=True)
        )
        opens = ' class="opens"' if table.starts_group(number) else ""
        body.append(f"<tr{opens}>{cells}</tr>")
    below = [reading, *table.notes] if reading else table.notes
    notes = "".join(f'<p class="note">{html.escape(note)}</p>\n' for note in below)
    lines = "\n".join(body)
    return (
        f'<div class="scroll"><table>\n<caption>{html.escape(table.title)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>\n{notes}"
    )


def _side(column: Field, cell: str = "") -> str:
    if not column.is_text:
        return ' class="num"'
    return ' class="long"' if len(cell) > 40 else ""


def _whole(text: str) -> str:
    """Keep short names with hyphens on one line; a heading may break between words."""
    return " ".join(
        f'<span class="whole">{html.escape(word)}</span>'
        if "-" in word and len(word) <= WHOLE
        else html.escape(word)
        for word in text.split(" ")
    )


WRITERS: dict[str, Callable[[Table], str]] = {
    "md": to_markdown,
    "csv": to_csv,
    "tex": to_latex,
}
"""Endings of file names and what writes such a file."""


def write_table(folder: Path, table: Table) -> None:
    """Write a table in every format, as ``NAME.md``, ``NAME.csv`` and ``NAME.tex``.

    Raises
    ------
    FileError
        If the folder does not exist.
    """
    for ending, writer in WRITERS.items():
        write_whole(folder / f"{table.name}.{ending}", writer(table).encode())
