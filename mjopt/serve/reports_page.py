"""The page `/reports`: studies and battles that stand in a folder, each on a page of its own."""

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from mjopt.serve.asked import page_of
from mjopt.serve.report_files import report_page, reports_in
from mjopt.serve.site import Site

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""For pages that were made elsewhere: they carry their style with them, and may do nothing."""


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    folder = site.settings.reports

    async def show_list(request: Request) -> Response:
        return site.page("reports.html", **await site.work(reports, request))

    def reports(request: Request) -> dict[str, Any]:
        found, number, last = page_of(list(reports_in(folder).values()), request)
        return {
            "here": "/reports",
            "title": "Reports",
            "folder": folder is not None,
            "reports": found,
            "number": number,
            "last": last,
        }

    def text_of(request: Request) -> str:
        if (found := reports_in(folder).get(request.path_params["id"])) is None:
            raise HTTPException(404, "no such report here")
        return report_page(found)

    async def show(request: Request) -> Response:
        text = await site.work(text_of, request)
        return HTMLResponse(text, headers={"content-security-policy": POLICY})

    return [Route("/reports", show_list, name="reports"), Route("/reports/{id}/", show)]
