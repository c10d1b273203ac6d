"""Reports of studies, battles and leagues in a folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mjopt._internal.sanitize import plain, short
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError
from mjopt.serve.file_index import Listed, files_in

REPORT: Final = "report.html"
MAX_LETTERS: Final = 1 << 25  # maximum length of a report, in characters
MAX_NAMES: Final = 200  # maximum length of the names shown for a report, in characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report that can be shown."""

    file: Listed
    name: str  # path of its folder, sanitized
    kind: str  # study, battle or league
    about: str  # the methods or agents; empty if unknown


def reports_in(folder: Path | None) -> dict[str, Report]:
    """Return the reports of a folder, by id, the newest first."""
    reports = {}
    for key, file in files_in(folder, REPORT).items():
        if file.path.name == REPORT:
            name = file.name.rpartition("/")[0] or "."
            kind, about = _describe(file.path.parent)
            reports[key] = Report(file=file, name=name, kind=kind, about=about)
    return reports


def _describe(folder: Path) -> tuple[str, str]:
    """Return the kind of a report and the names of its methods or agents."""
    for kind, file, parts in (
        ("battle", "battle.json", ("settings", "agents")),
        ("league", "league.json", ("members",)),
        ("study", "study.json", ("methods",)),
    ):
        path = folder / file
        if path.is_file() and not path.is_symlink():
            return kind, _names(path, parts)
    return "study", ""


def _names(path: Path, parts: tuple[str, ...]) -> str:
    try:
        value: Any = read_json_file(path)
    except (FileError, OSError):
        return ""
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return ""
    names = [
        one.get("label", one.get("name", "")) if isinstance(one, dict) else one for one in value
    ]
    return plain(short(", ".join(map(str, names)), MAX_NAMES))


def report_page(report: Report) -> str:
    """Return the unmodified HTML of a report.

    Raises
    ------
    FileError
        If it is not text, or too long.
    """
    path = report.file.path
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_LETTERS + 1)
    except UnicodeDecodeError:
        raise FileError(f"{path.name}: not UTF-8 text") from None
    if len(text) > MAX_LETTERS:
        raise FileError(f"{path.name}: more than {MAX_LETTERS:,} letters")
    return text
