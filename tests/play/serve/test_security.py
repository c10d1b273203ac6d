"""The security middleware: refused requests and the headers of every response."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.security import HEADERS, MAX_BODY, MAX_BODY_AT, DisconnectMiddleware

HERE = "http://127.0.0.1:8000"
OWN = {"origin": HERE}
FORM = "application/x-www-form-urlencoded"


async def read(request: Request) -> Response:
    return PlainTextResponse(f"read {len(await request.body())} bytes")


async def fail(_: Request) -> Response:
    raise ValueError("a <b>secret</b>\nfault")


async def fail_halfway(_: Request) -> Response:
    async def half() -> AsyncIterator[str]:
        yield "half"
        raise ValueError("the other half")

    return StreamingResponse(half())


def client_of(settings: Settings) -> TestClient:
    app = make_app(settings)
    app.routes.extend(
        [
            Route("/read", read, methods=["GET", "POST"]),
            Route("/fail", fail),
            Route("/half", fail_halfway),
        ]
    )
    return TestClient(app, base_url=HERE, raise_server_exceptions=False)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(Settings(host="10.0.0.5", names=("other.example",)))


@pytest.mark.parametrize(
    "host",
    ["localhost:8000", "LOCALHOST", "127.0.0.1:9000", "[::1]:8000", "10.0.0.5", "other.example:81"],
)
def test_own_names_are_accepted_with_any_port(client: TestClient, host: str) -> None:
    assert client.get("/read", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example:8000",
        "evil.example@localhost:8000",
        "localhost:8000@evil.example",
        "www.other.example",
        "10.0.0.1:8000",
        "[::1",
    ],
)
def test_other_names_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/read", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1:8001",
        "http://localhost:8000",
        "http://127.0.0.1:8000.evil.example",
        "ftp://127.0.0.1:8000",
    ],
)
def test_forms_of_other_sites_are_refused(client: TestClient, origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    response = client.post("/read", content=b"x", headers=headers)
    assert (response.status_code, "own pages" in response.text) == (403, True)


def test_forms_of_own_pages_are_accepted(client: TestClient) -> None:
    assert client.post("/read", content=b"x", headers=OWN).text == "read 1 bytes"
    behind_proxy = {"host": "other.example", "origin": "https://other.example"}
    assert client.post("/read", content=b"x", headers=behind_proxy).text == "read 1 bytes"


def fetched(site: str, mode: str = "no-cors", dest: str = "image") -> dict[str, str]:
    return {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest}


@pytest.mark.parametrize(
    "headers",
    [
        fetched("cross-site"),
        fetched("same-site"),  # another port of this machine
        fetched("cross-site", "cors", "empty"),
        fetched("cross-site", "navigate", "iframe"),
        fetched("cross-site", "navigate", "object"),
        {"origin": "http://evil.example"},
        {"origin": "null"},
    ],
)
def test_pages_are_not_loaded_by_other_sites(client: TestClient, headers: dict[str, str]) -> None:
    for path in ("/", "/chances?hand=123m", "/practice", "/proof?hand=123m", "/read"):
        for ask in (client.get, client.head):
            answer = ask(path, headers=headers)
            assert (answer.status_code, answer.headers.get("set-cookie")) == (403, None)


@pytest.mark.parametrize(
    "headers",
    [
        fetched("cross-site", "navigate", "document"),  # a link
        fetched("same-origin"),
        fetched("none", "navigate", "document"),  # typed by the user
        OWN,
        {},
    ],
)
def test_links_and_own_pages_are_accepted(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/read", headers=headers).status_code == 200


def test_answer_is_cancelled_when_the_client_leaves() -> None:
    ended = []

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        assert await receive() == {"type": "http.request"}
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(scope["method"])

    messages = iter([{"type": "http.request"}, {"type": "http.disconnect"}])

    async def receive() -> Message:
        return next(messages)

    async def send(_: Message) -> None:
        raise AssertionError

    asyncio.run(DisconnectMiddleware(page)({"type": "http", "method": "GET"}, receive, send))
    assert ended == ["GET"]


def test_errors_of_an_answer_are_raised() -> None:
    async def page(*_: object) -> None:
        raise ValueError

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "http.request"}

    async def send(_: Message) -> None:
        raise AssertionError

    with pytest.raises(ValueError, match="^$"):
        asyncio.run(DisconnectMiddleware(page)({"type": "http", "method": "GET"}, receive, send))


@pytest.mark.parametrize("length", [str(MAX_BODY + 1), "-1", "x", "9" * 5000])
def test_body_with_too_large_content_length_is_not_read(client: TestClient, length: str) -> None:
    response = client.post("/read", content=b"x", headers={**OWN, "content-length": length})
    assert response.status_code == 413


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_two_lengths_of_a_body_close_the_connection(client: TestClient, method: str) -> None:
    """A proxy may take a part of the body for the next request (RFC 9112, 6.3)."""
    headers = {**OWN, "content-length": "4", "transfer-encoding": "chunked"}
    response = client.request(method, "/read", content=b"abcd", headers=headers)
    assert response.status_code == 400
    assert response.headers["connection"] == "close"


def test_body_longer_than_content_length_is_cut_off(client: TestClient) -> None:
    def chunks(number: int) -> Iterator[bytes]:
        yield from [bytes(1024)] * number

    response = client.post("/read", content=chunks(64), headers=OWN)
    assert response.text == f"read {MAX_BODY} bytes"
    response = client.post("/read", content=chunks(65), headers=OWN)
    assert response.status_code == 413
    assert f"more than {MAX_BODY} bytes" in response.text


def test_certificates_may_be_larger_than_other_forms(client: TestClient) -> None:
    content, headers = b"own=1&x=" + bytes(MAX_BODY), {"content-type": FORM, **OWN}
    assert client.post("/play", content=content, headers=headers).status_code == 413
    assert "certificate" in client.post("/verify", content=content, headers=headers).text
    content = bytes(MAX_BODY_AT["/verify"] + 1)
    assert client.post("/verify", content=content, headers=headers).status_code == 413


@pytest.mark.parametrize(
    "content",
    [
        b"--x\r\nContent-Disposition: " + b'a/b; c="' * 90_000 + b"\r\n\r\nv\r\n--x--\r\n",
        b"--x\r\n" + b"a: b\r\n" * 90_000 + b"\r\nv\r\n--x--\r\n",
        b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" * 9_000,
    ],
    ids=["long header", "many headers", "nested parts"],
)
def test_hostile_parts_are_refused(client: TestClient, content: bytes) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x", **OWN}
    assert client.post("/verify", content=content, headers=headers).status_code == 400


def test_every_response_has_the_security_headers(client: TestClient) -> None:
    refused = client.get("/read", headers={"host": "evil.example"})
    for response in (client.get("/"), client.get("/nothing"), client.get("/fail"), refused):
        assert HEADERS.items() <= response.headers.items()
        assert "unsafe" not in response.headers["content-security-policy"]
    assert client.get("/").headers["cache-control"] == "no-cache"
    assert client.get("/play").headers["cache-control"] == "no-store"


def test_an_internal_error_is_a_page_and_one_log_line(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="mjopt.play.serve"):
        response = client.get("/fail")
    assert response.status_code == 500
    assert "internal error (ValueError)" in response.text
    assert "secret" not in response.text
    [record] = caplog.records
    assert record.getMessage().startswith("GET /fail: ValueError: a <b>secret</b> fault (")
    assert "test_security.py:" in record.getMessage()


def test_interrupted_response_is_not_complete(client: TestClient) -> None:
    with pytest.raises((ValueError, ExceptionGroup)):
        TestClient(client.app, base_url=HERE).get("/half")
