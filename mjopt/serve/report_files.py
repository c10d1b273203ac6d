"""Studies, battles and leagues that stand in a folder, and each as a page of its own."""

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mjopt._internal.sanitize import plain, short
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError
from mjopt.reports.web_page import Section, inline_svg, page, text_piece
from mjopt.serve.file_index import Listed, files_in

KINDS: Final = {"report.html": "study", "report.json": "battle", "league.json": "league"}
"""What a report is of, by the name of the file that is there once it is finished."""

MOST_BYTES: Final = 1 << 25  # of a report
MOST_WORDS: Final = 200

CELLS: Final = re.compile(r"(?<!\\)\|")
ESCAPED: Final = re.compile(r"\\(&\w+;|.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report that can be shown."""

    file: Listed  # the file that tells that it is there
    name: str  # the folder it stands in, fit to be shown
    kind: str  # of :data:`KINDS`
    about: str  # who took part, if its plan says so


def reports_in(folder: Path | None) -> dict[str, Report]:
    """Return the reports of a folder, by id, the newest first."""
    found = {}
    for key, file in files_in(folder, *KINDS).items():
        if file.path.name in KINDS:
            name = file.name.rpartition("/")[0] or "."
            kind = KINDS[file.path.name]
            found[key] = Report(file=file, name=name, kind=kind, about=_about(file.path.parent))
    return found


def _about(folder: Path) -> str:
    """Return who took part, as the plan has them; empty if it says nothing."""
    if (path := folder / "plan.json").is_symlink():
        return ""
    try:
        plan = read_json_file(path)
    except (FileError, OSError):
        return ""
    told: Any = plan.get("agents") or plan.get("methods") if isinstance(plan, dict) else ()
    if not isinstance(told, list):
        return ""
    names = [one.get("label", "") if isinstance(one, dict) else one for one in told]
    return plain(short(", ".join(map(str, names)), MOST_WORDS))


def report_page(report: Report) -> str:
    """Return a report as one page: a study's own, or one made of a battle's tables and figures."""
    if report.kind == "study":
        return _text(report.file.path)
    folder = report.file.path.parent
    figures = [path for path in sorted(folder.glob("*.svg")) if not path.is_symlink()]
    tables = [path for path in sorted(folder.glob("*.md")) if not path.is_symlink()]
    shown = tuple(
        f"<figure>{inline_svg(plain(path.stem), _text(path), title=plain(path.stem))}</figure>"
        for path in figures
    )
    read = tuple(shown_table(_text(path), name=path.stem) for path in tables)
    sections = [Section("figures", "Figures", shown), Section("tables", "Tables", read)]
    lead = [text_piece(report.about, classes="main")]
    title = f"{report.kind.capitalize()} in {report.name}"
    return page(title, lead, [section for section in sections if section.pieces])


def shown_table(text: str, *, name: str) -> str:
    r"""Return as HTML a table that :func:`mjopt.reports.table_formats.to_markdown` wrote.

    Examples
    --------
    >>> shown_table("### Hands\n\n| set |\n|---|\n| a\\|<b> |\n", name="t").splitlines()[-1]
    '<tr><td>a|&lt;b&gt;</td></tr></table></div>'
    """
    title, *lines = [html.escape(line) for line in text.splitlines() if line] or [""]
    rows = [CELLS.split(line)[1:-1] for line in lines if line.startswith("|")]
    if not title.startswith("### ") or len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise FileError(f"{name}.md: not a table that was written here")
    heads, sides, *rows = rows
    classes = [' class="num"' if side.endswith(":") else "" for side in sides]
    parts = [
        "".join(f"<{tag}{side}>{cell.strip(' ')}</{tag}>" for cell, side in cells)
        for tag, row in [("th", heads), *(("td", row) for row in rows)]
        for cells in [list(zip(row, classes, strict=True))]
    ]
    body = "\n".join(f"<tr>{part}</tr>" for part in parts)
    notes = "".join(f'\n<p class="note">{line}</p>' for line in lines if line[0] != "|")
    found = (
        f'<div class="scroll"><table>\n<caption>{title.removeprefix("### ")}</caption>\n'
        f"{body}</table></div>{notes}"
    )
    return ESCAPED.sub(r"\1", found)


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except UnicodeDecodeError:
        raise FileError(f"{path.name}: not UTF-8 text") from None
    if len(text) > MOST_BYTES:
        raise FileError(f"{path.name}: more than {MOST_BYTES:,} letters")
    return text
