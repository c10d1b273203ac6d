"""The cookie of a browser: its attributes, and when it is set."""

import re

import pytest
from starlette.testclient import TestClient

from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.browser_cookie import COOKIE

HERE = "http://127.0.0.1:8000"
TLS = "https://mjopt.example"
BEHIND_PROXY = {"host": "mjopt.example"}
VALUE = "Abc-_" + "x" * 17


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = make_app(Settings(names=("mjopt.example",)))
    return TestClient(app, base_url=HERE, follow_redirects=False)


def cookies_set(client: TestClient, path: str = "/", **headers: str) -> list[str]:
    """Request a page without the cookies of earlier requests; return the cookies it sets."""
    client.cookies.clear()
    return client.get(path, headers=headers).headers.get_list("set-cookie")


def test_first_page_sets_the_cookie(client: TestClient) -> None:
    for path in ("/", "/play", "/games", "/nothing"):
        [cookie] = cookies_set(client, path)
        value, *attributes = cookie.split("; ")
        assert re.fullmatch(rf"{COOKIE}=[\w-]{{22}}", value)
        assert {*attributes} == {"HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=lax"}


def test_every_browser_has_another_cookie(client: TestClient) -> None:
    assert len({cookies_set(client)[0] for _ in range(5)}) == 5


def test_cookie_is_kept(client: TestClient) -> None:
    assert not cookies_set(client, cookie=f"{COOKIE}={VALUE}")


@pytest.mark.parametrize("value", ["", "x", "x" * 23, "../" + "x" * 19, "%00" + "x" * 19])
def test_invalid_cookie_is_replaced(client: TestClient, value: str) -> None:
    [cookie] = cookies_set(client, cookie=f"{COOKIE}={value}")
    assert not cookie.startswith(f"{COOKIE}={value};")


def test_static_files_and_refused_requests_set_no_cookie(client: TestClient) -> None:
    assert not cookies_set(client, "/static/style.css")
    assert not cookies_set(client, host="evil.example")
    assert (
        "set-cookie" not in client.post("/play", headers={"origin": "http://evil.example"}).headers
    )


def test_cookie_is_secure_behind_tls(client: TestClient) -> None:
    [cookie] = cookies_set(client, **BEHIND_PROXY, **{"x-forwarded-proto": "https"})
    assert "Secure" in cookie.split("; ")
    [cookie] = cookies_set(client, **BEHIND_PROXY, **{"x-forwarded-proto": "http"})
    assert "Secure" not in cookie


def test_every_cookie_of_a_form_sent_by_tls_is_secure(client: TestClient) -> None:
    """A proxy need not name the protocol: the origin of the form does."""
    headers = {**BEHIND_PROXY, "origin": TLS, "cookie": f"{COOKIE}={VALUE}"}
    for path, form in (("/language", {"language": "ja"}), ("/play", {})):
        cookies = client.post(path, data=form, headers=headers).headers.get_list("set-cookie")
        assert len(cookies) == 2
        assert all({"Secure", "HttpOnly", "SameSite=lax"} <= {*c.split("; ")} for c in cookies)
        assert any(cookie.startswith(f"{COOKIE}={VALUE};") for cookie in cookies)


def test_cookie_appears_on_no_page_and_in_no_address(client: TestClient) -> None:
    client.cookies.clear()
    headers = {"origin": HERE, "cookie": f"{COOKIE}={VALUE}"}
    answer = client.post("/play", data={}, headers=headers)
    page = client.get(answer.headers["location"], headers=headers)
    assert page.status_code == 200
    assert VALUE not in answer.headers["location"]
    assert VALUE not in page.text
