"""Visits report defects of a page; the other browser tests rely on these reports."""

from play.browser.served import Served
from play.browser.visit import NARROW, Open, Visit, wait_in
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

BAD = (
    "<!DOCTYPE html><html><head><title>Bad</title></head><body>"
    "<img src='http://elsewhere.example/x.png'><script>document.title = 'run'</script>"
    f"<p style='color: red'>inline</p><pre>{'wide ' * 100}</pre></body></html>"
)
CSP = "Content Security Policy"


def bad_page(site: Served, visit: Open) -> Visit:
    async def show(_: Request) -> HTMLResponse:
        return HTMLResponse(BAD)

    site.app.router.routes.insert(0, Route("/bad", show))
    return visit(site, "/bad", size=NARROW)


def test_defects_of_a_page_are_reported(site: Served, visit: Open) -> None:
    page = bad_page(site, visit)
    wait_in(page.page, lambda: "".join(page.complaints).count(CSP) >= 2, "too few complaints")
    messages = "\n".join(page.complaints)
    assert "request to another host: http://elsewhere.example/x.png" in messages
    assert page.page.title() == "Bad"
    assert any("image-alt" in line for line in page.findings())
    assert any("html-has-lang" in line for line in page.findings())
    assert page.overflow() > 1000
    page.complaints.clear()


def test_unexpected_error_status_is_reported(site: Served, visit: Open) -> None:
    page = visit(site)
    page.goto("/nothing")
    wait_in(page.page, lambda: page.complaints, "nothing is reported")
    assert any("404" in line for line in page.complaints)
    page.complaints.clear()
    assert visit(site, "/nothing", refusals=True).complaints == []
