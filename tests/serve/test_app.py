"""The application: addresses that there are not, files, and pages without a fault."""

import re
import time
from pathlib import Path
from threading import Event

import pytest
from starlette.testclient import TestClient

from mjopt.serve import files
from mjopt.serve.app import make_app
from mjopt.serve.app_context import NAVIGATION, Settings, Site


@pytest.fixture
def ask() -> TestClient:
    return TestClient(make_app(Settings()), base_url="http://127.0.0.1:8000")


@pytest.mark.parametrize("address", [address for address, _ in NAVIGATION])
def test_every_page_of_the_navigation_is_there(ask: TestClient, address: str) -> None:
    page = ask.get(address)
    assert page.status_code == 200
    assert 'aria-current="page"' in page.text
    head = ask.head(address)
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/static",
        "/static/",
        "/static/nothing.css",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/style.css%00",
        "/%ff",
        "/<script>alert(1)</script>",
        "/" + "x" * 5000,
    ],
)
def test_what_is_not_there_is_told_in_words(ask: TestClient, path: str) -> None:
    answer = ask.get(path, follow_redirects=True)
    assert answer.status_code == 404
    assert "there is no " in answer.text
    assert len(answer.text) < 2000
    assert "<script>alert" not in answer.text


def test_a_method_that_a_page_does_not_answer_to(ask: TestClient) -> None:
    answer = ask.post("/statistics", headers={"origin": "http://127.0.0.1:8000"})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    assert "/statistics does not answer to POST" in answer.text


def test_a_file_is_kept_as_long_as_its_address_names_its_content(ask: TestClient) -> None:
    site: Site = ask.app.state.site  # type: ignore[attr-defined]
    for name, otherwise in (("style.css", "no-cache"), ("tiles.svg", "public, max-age=86400")):
        address = site.files.address(name)
        first = ask.get(address)
        assert first.status_code == 200
        assert "immutable" in first.headers["cache-control"]
        for other in (f"/static/{name}", f"/static/{name}?v=old"):
            assert ask.get(other).headers["cache-control"] == otherwise
        tag = first.headers["etag"]
        for seen in (tag, f"W/{tag}", f'"other", {tag}'):
            again = ask.get(f"/static/{name}", headers={"if-none-match": seen})
            assert (again.status_code, again.content) == (304, b"")
        stale = ask.get(f"/static/{name}", headers={"if-none-match": '"other"'})
        assert stale.content == first.content


def test_pages_ask_for_files_by_their_content(ask: TestClient) -> None:
    assert "/static/style.css?v=" in ask.get("/").text


def test_a_site_says_whether_it_is_ready() -> None:
    site, may_end = Site(Settings()), Event()
    assert site.is_ready

    def compile_all() -> None:
        may_end.wait(60)

    site.warm(compile_all)
    assert not site.is_ready
    may_end.set()
    deadline = time.monotonic() + 60
    while not site.is_ready:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    site.close()


def test_every_page_names_its_files_by_their_content() -> None:
    templates = Path(files.__file__).parent / "templates"
    for path in templates.glob("*.html"):
        named = re.findall(r'(?:src|href)="(/static/[^"#]*)', path.read_text(encoding="utf-8"))
        assert set(named) <= {"/static/tiles.svg"}, path.name
