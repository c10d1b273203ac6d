"""The page `/reports`: reports of studies, battles and leagues in a folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt._internal.file_index import Listed, files_in
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.language import gettext
from mjopt.play.serve.request_parsing import paginate
from mjopt.play.serve.step_view import player_words

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy of reports: inline styles only, no scripts."""

REPORT: Final = "report.html"
KINDS: Final = {
    "study": "comparison of methods",
    "battle": "games of computer players",
    "league": "league of computer players",
}
MAX_CHARACTERS: Final = 1 << 25  # of a report
MAX_NAMES: Final = 200  # characters of the names shown for a report


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
        value: object = read_json_file(path)
    except (FileError, OSError):
        return ""
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return ""
    names = [
        item.get("label", item.get("name", "")) if isinstance(item, dict) else item
        for item in value
    ]
    return shorten(", ".join(player_words(str(name)) for name in names), MAX_NAMES)


def read_report(report: Report) -> str:
    """Return the unmodified HTML of a report; an error if it is not text, or too long."""
    path = report.file.path
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise FileError(f"{path.name}: not UTF-8 text") from None
    if len(text) > MAX_CHARACTERS:
        raise FileError(f"{path.name}: more than {MAX_CHARACTERS:,} characters")
    return text


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    folder = site.settings.reports

    def reports(request: Request) -> Response:
        on_page, at_page = paginate(list(reports_in(folder).values()), request)
        return site.page(
            "reports.html",
            here="/statistics",
            title=gettext("Reports"),
            folder=folder is not None,
            reports=on_page,
            kinds=KINDS,
            at_page=at_page,
        )

    def report(request: Request) -> Response:
        if (listed := reports_in(folder).get(request.path_params["id"])) is None:
            raise HTTPException(404, "no such report here")
        return HTMLResponse(read_report(listed), headers={"content-security-policy": POLICY})

    return [
        Route("/reports", site.endpoint(reports), name="reports"),
        Route("/reports/{id}/", site.endpoint(report)),
    ]
