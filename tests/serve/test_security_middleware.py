"""The guard: what is refused before a page is asked, and what every answer says."""

import logging
from collections.abc import AsyncIterator, Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from mjopt.serve import security_middleware
from mjopt.serve.app import make_app
from mjopt.serve.app_context import Settings
from mjopt.serve.rate import Rate
from mjopt.serve.security_middleware import HEADERS, MOST_BYTES, Guard

HERE = "http://127.0.0.1:8000"
OURS = {"origin": HERE}


async def read(request: Request) -> Response:
    return PlainTextResponse(f"read {len(await request.body())} bytes")


async def leave(_: Request) -> Response:
    return PlainTextResponse("not read")


async def break_down(_: Request) -> Response:
    raise ValueError("a fault\nof ours")


async def forfeit(_: Request) -> Response:
    async def half() -> AsyncIterator[str]:
        yield "half"
        raise ValueError("the other half")

    return StreamingResponse(half())


def guarded(**options: object) -> TestClient:
    routes = [
        Route("/read", read, methods=["GET", "POST"]),
        Route("/leave", leave, methods=["GET", "POST"]),
        Route("/play/1", leave),
        Route("/break", break_down),
        Route("/half", forfeit),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(
                Guard,
                names=("localhost", "127.0.0.1", "other.example:81"),
                port=8000,
                broken=lambda _, error: PlainTextResponse(f"broken: {error}", 500),
                **options,  # type: ignore[arg-type]
            )
        ],
    )
    return TestClient(app, base_url=HERE)


@pytest.fixture
def ask() -> TestClient:
    return guarded()


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "LOCALHOST:8000",
        "127.0.0.1:8000",
        "other.example:81",
        "localhost",  # a port that is forwarded from elsewhere
        "localhost:8001",
        "127.0.0.1:9000",
    ],
)
def test_names_of_the_site(ask: TestClient, host: str) -> None:
    assert ask.get("/read", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "other.example",  # that is port 80
        "localhost:8000.evil.example",
        "localhost.evil.example:8000",
        "evil.example@localhost:8000",
        "localhost:8000@evil.example",
        "localhost:8000/",
        "other.example:8000",
        "10.0.0.1:8000",  # an address, but not the one at which this came
        "[::1]:8000",
        "[::1",
        ":8000",
        "localhost:99999999",
    ],
)
def test_other_names_are_refused(ask: TestClient, host: str) -> None:
    answer = ask.get("/read", headers={"host": host})
    assert answer.status_code == 400
    assert "not served under that name" in answer.text


def test_the_address_itself_is_a_name_where_others_may_ask() -> None:
    there = TestClient(guarded().app, base_url="http://192.168.1.5:8000")
    assert there.get("/read").status_code == 200
    assert there.get("/read", headers={"host": "192.168.1.6:8000"}).status_code == 400
    assert there.get("/read", headers={"host": "192.168.1.5"}).status_code == 400


def test_a_mere_name_at_which_a_request_arrives_is_none() -> None:
    there = TestClient(guarded().app, base_url="http://evil.example:8000")
    assert there.get("/read").status_code == 400
    assert there.get("/read", headers={"host": "none:8000"}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://127.0.0.1"},
        {"origin": "http://127.0.0.1:8001"},
        {"origin": "http://localhost:8000"},
        {"origin": "http://127.0.0.1:8000.evil.example"},
        {"origin": "ftp://127.0.0.1:8000"},
        {**OURS, "sec-fetch-site": "cross-site"},
        {**OURS, "sec-fetch-site": "same-site"},
        {**OURS, "sec-fetch-site": "none"},
    ],
)
def test_forms_of_other_pages_are_refused(ask: TestClient, headers: dict[str, str]) -> None:
    answer = ask.post("/read", content=b"x", headers=headers)
    assert (answer.status_code, "own pages" in answer.text) == (403, True)


def test_a_forwarded_port_takes_forms_of_its_own_pages_alone(ask: TestClient) -> None:
    def status(host: str, origin: str) -> int:
        sent = {"host": host, "origin": origin}
        return ask.post("/read", content=b"x", headers=sent).status_code

    assert status("localhost:9000", "http://localhost:9000") == 200
    assert status("localhost:9000", "http://localhost:8000") == 403
    assert status("localhost:9000", "http://127.0.0.1:9000") == 403
    assert status("localhost:8000", "http://localhost:3000") == 403  # another server here
    assert status("localhost.evil.example:9000", "http://localhost.evil.example:9000") == 400


def test_forms_of_our_own_pages_are_taken(ask: TestClient) -> None:
    assert ask.post("/read", content=b"x", headers=OURS).text == "read 1 bytes"
    said = {**OURS, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
    assert ask.post("/read", content=b"x", headers=said).text == "read 1 bytes"


def test_other_pages_may_link_here_but_load_nothing(ask: TestClient) -> None:
    def status(site: str, mode: str) -> int:
        sent = {"sec-fetch-site": site, "sec-fetch-mode": mode}
        return ask.get("/read", headers=sent).status_code

    assert status("cross-site", "navigate") == status("none", "navigate") == 200
    assert status("same-origin", "cors") == status("none", "no-cors") == 200
    assert status("cross-site", "no-cors") == status("same-site", "cors") == 403


def test_other_methods_are_refused(ask: TestClient) -> None:
    answer = ask.request("DELETE", "/read", headers=OURS)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.parametrize("where", ["/read", "/leave"])
def test_a_body_announced_as_too_long_is_not_read(ask: TestClient, where: str) -> None:
    sent = {**OURS, "content-length": str(MOST_BYTES + 1)}
    assert ask.post(where, content=b"x", headers=sent).status_code == 413
    for odd in ("-1", "x", "9" * 5000):
        answer = ask.post(where, content=b"x", headers={**OURS, "content-length": odd})
        assert answer.status_code == 413


def test_an_address_that_is_too_long_is_refused(ask: TestClient) -> None:
    assert ask.get("/read?" + "x" * 8000).status_code == 200
    assert ask.get("/read?" + "x" * 8200).status_code == 414
    assert ask.get("/" + "x" * 8200).status_code == 414


def test_a_body_that_is_longer_than_announced_is_not_read_to_its_end(ask: TestClient) -> None:
    def pieces(number: int) -> Iterator[bytes]:  # a body that comes in chunks announces nothing
        yield from [bytes(1024)] * number

    whole = ask.post("/read", content=pieces(1024), headers=OURS)
    assert whole.text == f"read {MOST_BYTES} bytes"
    answer = ask.post("/read", content=pieces(1025), headers=OURS)
    assert (answer.status_code, answer.text) == (413, f"more than {MOST_BYTES} bytes")


def test_what_every_answer_says(ask: TestClient) -> None:
    refused = ask.get("/read", headers={"host": "evil.example"})
    for answer in (ask.get("/read"), ask.get("/nothing"), ask.get("/break"), refused):
        assert HEADERS.items() <= answer.headers.items()
        assert "unsafe" not in answer.headers["content-security-policy"]
    assert ask.get("/read").headers["cache-control"] == "private"
    assert ask.get("/play/1").headers["cache-control"] == "no-store"


def test_a_fault_of_ours_is_a_page_and_one_line(
    ask: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="mjopt.serve"):
        answer = ask.get("/break")
    assert answer.status_code == 500
    [record] = caplog.records
    assert record.getMessage().startswith("GET /break: ValueError: a fault")
    assert "test_guard.py:" in record.getMessage()
    assert record.exc_info is None


def test_half_an_answer_does_not_look_whole(ask: TestClient) -> None:
    with pytest.raises((ValueError, ExceptionGroup)):
        ask.get("/half")


def test_the_page_of_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(Settings())

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("<b>secret</b>")

    [route] = [route for route in app.routes if getattr(route, "name", "") == "hand"]
    monkeypatch.setattr(route, "app", broken)
    answer = TestClient(app, base_url=HERE).get("/")
    assert answer.status_code == 500
    assert "something went wrong here (ZeroDivisionError)" in answer.text
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_who_asks_too_often_is_told_so() -> None:
    now = [0.0]
    rate = Rate(2, 3, clock=lambda: now[0])
    ask = TestClient(guarded(rate=rate).app, base_url=HERE, client=("10.0.0.7", 1))
    other = TestClient(ask.app, base_url=HERE, client=("10.0.0.8", 1))

    assert [ask.get("/read").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert ask.get("/read").headers["retry-after"] == "1"
    assert other.get("/read").status_code == 200
    now[0] = 0.5
    assert [ask.get("/read").status_code for _ in range(2)] == [200, 429]
    now[0] = 100.0
    assert [ask.get("/read").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_addresses_that_are_remembered_are_bounded() -> None:
    rate = Rate(1, 1, most=10, clock=lambda: 0.0)
    for number in range(100):
        assert rate.takes((f"10.0.0.{number}", 1))
    assert len(rate) == 10
    assert not rate.takes(("10.0.0.99", 2))


def test_half_an_address_of_version_6_is_one_subscriber() -> None:
    rate = Rate(1, 1, clock=lambda: 0.0)
    assert rate.takes(("2001:db8:0:1::1", 1))
    assert not rate.takes(("2001:db8:0:1:ffff::2", 1))
    assert rate.takes(("2001:db8:0:2::1", 1))
    assert rate.takes(("fe80::1%eth0", 1))
    assert rate.takes(("::ffff:10.0.0.1", 1))
    assert rate.takes(("::ffff:10.0.0.2", 1))  # of version 4, though a socket of 6 took it
    assert not rate.takes(("10.0.0.1", 1))


def test_what_has_no_address_is_not_counted() -> None:
    rate = Rate(1, 1, clock=lambda: 0.0)
    assert all(rate.takes(client) for client in (None, ("testclient", 1)) for _ in range(5))


def test_what_broke_is_told_with_its_place() -> None:
    error = ValueError("no trace")
    assert security_middleware.told(error) == security_middleware.told(
        ExceptionGroup("of one", [error])
    )
    assert security_middleware.told(error) == "ValueError: no trace"
