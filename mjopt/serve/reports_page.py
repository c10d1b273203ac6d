"""The page `/reports`: the studies and battles of a folder."""

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.serve.app_context import Site
from mjopt.serve.report_files import report_page, reports_in
from mjopt.serve.request_parsing import paginate

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy of reports: inline styles only, no scripts."""


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    folder = site.settings.reports

    def reports(request: Request) -> Response:
        found, at_page = paginate(list(reports_in(folder).values()), request)
        return site.page(
            "reports.html",
            here="/reports",
            title="Reports",
            folder=folder is not None,
            reports=found,
            at_page=at_page,
        )

    def report(request: Request) -> Response:
        if (found := reports_in(folder).get(request.path_params["id"])) is None:
            raise HTTPException(404, "no such report here")
        return HTMLResponse(report_page(found), headers={"content-security-policy": POLICY})

    return [
        Route("/reports", site.endpoint(reports), name="reports"),
        Route("/reports/{id}/", site.endpoint(report)),
    ]
