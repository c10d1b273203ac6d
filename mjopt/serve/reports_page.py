"""The page `/reports`."""

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Route

from mjopt.serve.site import Site


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def show(_: Request) -> HTMLResponse:
        return site.page("error.html", here="/reports", title="Reports", message="")

    return [Route("/reports", show, name="reports")]
