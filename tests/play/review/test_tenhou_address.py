"""Logs are fetched by their id, from one server, within limits of time and size."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from helpers.waits import BRIEF, LONG, POLL

from mjopt.errors import FileError
from mjopt.play.review import tenhou_address
from mjopt.play.review.tenhou_address import fetch_log, is_address, parse_address

ID = "2019010100gm-0089-0000-0123abcd"
Answer = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingHTTPServer):
    """A local server that answers as a test wants."""

    answer: Answer
    paths: list[str]
    daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.server.answer(self)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as running:
        running.paths = []
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def send(status: int, body: bytes = b"", **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_log_is_fetched_by_its_id(server: Server) -> None:
    server.answer = send(200, b"<mjloggm/>")
    assert fetch_log(ID, address(server)) == b"<mjloggm/>"
    assert server.paths == [f"/0/log/?{ID}"]


def test_redirections_stay_on_the_server(server: Server) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        other = "/moved" if handler.path != "/moved" else ""
        send(302 if other else 200, b"" if other else b"<mjloggm/>", location=other)(handler)

    server.answer = answer
    assert fetch_log(ID, address(server)) == b"<mjloggm/>"
    for elsewhere in ("http://127.0.0.1:1/", "file:///etc/passwd", "//example.org/x"):
        server.answer = send(302, location=elsewhere)
        with pytest.raises(FileError, match="status 302"):
            fetch_log(ID, address(server))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (send(404), r"does not send this log \(status 404\)"),
        (send(200), "has no log with this id"),
        (send(200, b"x" * 101), "sends more than 100 bytes"),
        (send(200, b"x", **{"content-length": "50"}), "sends no log"),
        (lambda handler: handler.wfile.write(b"rubbish\r\n\r\n"), "sends no log"),
    ],
)
def test_failure_is_one_line(server: Server, answer: Answer, message: str, monkeypatch) -> None:
    monkeypatch.setattr(tenhou_address, "MOST_BYTES", 100)
    server.answer = answer
    with pytest.raises(FileError, match=f"^tenhou.net {message}") as caught:
        fetch_log(ID, address(server))
    assert "\n" not in str(caught.value)


def test_server_that_does_not_answer_is_left(server: Server) -> None:
    released = threading.Event()
    server.answer = lambda _: released.wait(LONG)
    with pytest.raises(FileError, match="sends no log .*timed out"):
        fetch_log(ID, address(server), seconds=BRIEF)
    released.set()


def test_server_that_sends_byte_by_byte_is_left(server: Server) -> None:
    ended = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        send(200, b"<")(handler)
        while not ended.wait(POLL):
            handler.wfile.write(b" ")

    server.answer = drip
    with pytest.raises(FileError, match="sends no log .*timed out"):
        fetch_log(ID, address(server), seconds=BRIEF)
    ended.set()


def test_server_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(FileError, match="sends no log .*refused"):
        fetch_log(ID, f"http://127.0.0.1:{port}")


def test_addresses_of_games_are_recognised() -> None:
    assert is_address(f"tenhou.net/3/?log={ID}")
    assert parse_address(f"tenhou.net/3/?log={ID}") == (ID, 0)
    assert parse_address(f"http://tenhou.net/0/?log={ID}&tw=3") == (ID, 3)
    assert parse_address(f"https://tenhou.net/5/?log={ID}&tw=9") == (ID, 0)
    assert not is_address("see https://tenhou.net/")
    assert not is_address("https://tenhou.net.example.org/")
