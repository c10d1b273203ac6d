"""Tables as Markdown, CSV, LaTeX and HTML: the same table gives the same bytes."""

import csv
import html
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from mjopt.reports.table import MINUS, NOTHING, THIN, Cell, Column, Table
from mjopt.runtime.folder import write_whole


def to_markdown(table: Table) -> str:
    r"""Return a table in the Markdown that code hosts show.

    Examples
    --------
    >>> print(to_markdown(Table(name="t", title="Hands", columns=(Column("set"),
    ...     Column("hands", "count")), rows=(("one|type", 118_800),))), end="")
    ### Hands
    <BLANKLINE>
    | set | hands |
    |---|---:|
    | one\|type | 118\u202f800 |
    """
    lines = [f"### {_markdown(table.title)}", ""]
    lines.append(_bar(column.heading for column in table.columns))
    lines.append("|" + "|".join("---" if c.form == "text" else "---:" for c in table.columns) + "|")
    lines += [_bar(row) for row in table.written_rows()]
    for note in table.notes:
        lines += ["", _markdown(note)]
    return "\n".join(lines) + "\n"


def _bar(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_markdown(cell) for cell in cells) + " |"


def _markdown(text: str) -> str:
    for sign in "\\`*_{}<>[]|#":
        if sign in text:
            text = text.replace(sign, "\\" + sign)
    return text


def to_csv(table: Table) -> str:
    """Return a table as CSV for machines: plain numbers, nothing rounded, no notes.

    Percentages and points are written as such, microseconds too, as the headings say.
    A cell without a value is empty; ``inf`` is infinite.

    Examples
    --------
    >>> print(to_csv(Table(name="t", title="T", columns=(Column("p", "percent"),),
    ...     rows=((0.5,), (None,)))))
    p (%)
    50
    ""
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column.heading for column in table.columns])
    for row in table.rows:
        writer.writerow([_plain(cell, c) for cell, c in zip(row, table.columns, strict=True)])
    return file.getvalue()


def _plain(cell: Cell, column: Column) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    scale = {"percent": 100, "points": 100, "micros": 1e6}.get(column.form)
    # Twelve digits: enough for any count of tries, and no traces of binary fractions.
    return str(cell) if isinstance(cell, int) else f"{cell * (scale or 1):.12g}"


LATEX: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
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


def to_latex(table: Table) -> str:
    r"""Return a table as a LaTeX float; it needs the packages booktabs and textcomp.

    Examples
    --------
    >>> print(to_latex(Table(name="t", title="50 %", columns=(Column("a_b"),), rows=(("&",),))))
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
    align = "".join("l" if column.form == "text" else "r" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        _ampersands(column.heading for column in table.columns),
        r"\midrule",
    ]
    for number, row in enumerate(table.written_rows()):
        if table.starts_group(number):
            lines.append(r"\addlinespace")
        lines.append(_ampersands(row))
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip\footnotesize {_latex(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(_latex(cell) for cell in cells) + r" \\"


def _latex(text: str) -> str:
    return "".join(LATEX.get(sign, sign) for sign in text)


def to_html(table: Table, *, reading: str = "") -> str:
    """Return a table as an HTML fragment; groups are set apart, numbers to the right.

    Below it stand ``reading``, a line on how to read it, and its notes.
    """
    head = "".join(f"<th{_side(c)}>{_heading(c.heading)}</th>" for c in table.columns)
    body = []
    for number, row in enumerate(table.written_rows()):
        cells = "".join(
            f"<td{_side(column, cell)}>{_html(cell)}</td>"
            for column, cell in zip(table.columns, row, strict=True)
        )
        opens = ' class="opens"' if table.starts_group(number) else ""
        body.append(f"<tr{opens}>{cells}</tr>")
    below = [reading, *table.notes] if reading else table.notes
    notes = "".join(f'<p class="note">{_html(note)}</p>\n' for note in below)
    lines = "\n".join(body)
    return (
        f'<div class="scroll"><table>\n<caption>{_html(table.title)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>\n{notes}"
    )


def _side(column: Column, cell: str = "") -> str:
    if column.form != "text":
        return ' class="num"'
    return ' class="long"' if len(cell) > 40 else ""


def _heading(text: str) -> str:
    """Keep hyphened names on one line; a heading may break between words."""
    return " ".join(
        f'<span class="whole">{_html(word)}</span>' if "-" in word else _html(word)
        for word in text.split(" ")
    )


def _html(text: str) -> str:
    return html.escape(text)


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
