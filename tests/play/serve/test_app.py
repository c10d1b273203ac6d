"""The application: unknown addresses, static files and navigation."""

import pytest
from helpers.browsing import search_nothing
from starlette.testclient import TestClient

from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import NAVIGATION, Settings


@pytest.fixture
def ask() -> TestClient:
    return TestClient(make_app(Settings()), base_url="http://127.0.0.1:8000")


@pytest.mark.parametrize("address", [address for address, _ in NAVIGATION])
def test_every_page_of_the_navigation_exists(
    ask: TestClient, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_nothing(monkeypatch)
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
def test_unknown_address_has_a_readable_error_page(ask: TestClient, path: str) -> None:
    answer = ask.get(path, follow_redirects=True)
    assert answer.status_code == 404
    assert "there is no " in answer.text
    assert len(answer.text) < 2000
    assert "<script>alert" not in answer.text


def test_unsupported_http_method_is_refused(ask: TestClient) -> None:
    answer = ask.post("/statistics", headers={"origin": "http://127.0.0.1:8000"})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    assert "/statistics accepts no POST" in answer.text


def test_unchanged_static_file_is_not_sent_again(ask: TestClient) -> None:
    for name in ("style.css", "tiles.svg"):
        first = ask.get(f"/static/{name}")
        assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
        again = ask.get(f"/static/{name}", headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
