"""The server process: address, shutdown and slow clients."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from helpers.waits import FOREVER, LONG, POLL

from mjopt.cli.main import execute
from mjopt.play.serve.server import public_names

SERVE = ("-m", "mjopt", "serve", "--port", "0")

# A page that never ends, one that raises, and one that works in a thread.
WITH_MORE_PAGES = f"""
import asyncio, sys, time
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from mjopt.cli.main import run
from mjopt.play.serve import app
from mjopt.play.serve.background_advice import BackgroundAdvice

class more:
    @staticmethod
    def routes(site):
        async def stream(_):
            async def pieces():
                while True:
                    yield "data: 1\\n\\n"
                    await asyncio.sleep({POLL})
            return StreamingResponse(pieces(), media_type="text/event-stream")
        async def flood(_):
            async def pieces():
                while True:
                    yield "data: 1\\n\\n"
            return StreamingResponse(pieces(), media_type="text/event-stream")
        async def broken(_):
            raise ZeroDivisionError("two\\nlines")
        async def works(_):
            return PlainTextResponse(str(await site.run(time.sleep, {FOREVER})))
        pages = stream, flood, broken, works
        return [Route("/" + page.__name__, page) for page in pages]

app.PAGES = (*app.PAGES, more)
BackgroundAdvice.warm_up = lambda _: None  # its kernels take seconds of processor time
sys.argv[1:] = ["serve", "--port", "0"]
run()
"""


class Server:
    """A server process and its port."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stderr is not None
        self.lines = [process.stderr.readline()]
        while not (found := re.search(r"serving on http://[0-9.]+:([0-9]+)/", self.lines[-1])):
            assert self.lines[-1], self.lines
            self.lines.append(process.stderr.readline())
        self.port = int(found[1])

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONG)

    def ask(self, path: str, host: str | None = None) -> tuple[int, str]:
        to = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        to.request("GET", path, headers={"host": host or f"127.0.0.1:{self.port}"})
        answer = to.getresponse()
        text = answer.read().decode()
        to.close()
        return answer.status, text

    def post(self, header: str) -> socket.socket:
        """Send the head of a form to a page that takes none, with a header more."""
        to = self.connect()
        host = f"127.0.0.1:{self.port}"
        head = f"POST / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{header}\r\n\r\n"
        to.sendall(head.encode())
        return to

    def begin(self, path: str) -> socket.socket:
        """Request a page whose response never ends."""
        to = self.connect()
        to.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return to

    def end(self, which: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit status and the output after the first line."""
        self.process.send_signal(which)
        _, rest = self.process.communicate(timeout=LONG)
        return self.process.returncode, rest


@contextmanager
def started(*words: str) -> Iterator[Server]:
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Server(process)
    finally:
        with suppress(OSError):
            process.kill()
        process.communicate()


def read_to_end(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(1 << 12), b""))


def test_errors_do_not_stop_the_server_and_ctrl_c_stops_it_silently() -> None:
    with started("-c", WITH_MORE_PAGES) as server:
        assert server.lines[0].startswith("mjopt: serving on http://127.0.0.1:")
        status, page = server.ask("/broken")
        assert (status, "internal error (ZeroDivisionError)" in page) == (500, True)
        assert server.ask("/statistics?" + "1" * 4000)[0] == 200
        with server.connect() as to, suppress(ConnectionError):  # closed before everything was sent
            to.sendall(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100_000)
            assert to.recv(20).startswith(b"HTTP/1.1 400")
        with server.post("Transfer-Encoding: chunked") as to:
            assert to.recv(1 << 12).startswith(b"HTTP/1.1 405")  # an answer before the body
            to.sendall(b"no chunk\r\n")
            read_to_end(to)
        with server.post("Content-Length: 4\r\nTransfer-Encoding: chunked") as to:
            assert read_to_end(to).startswith(b"HTTP/1.1 400")
        assert server.ask("/")[0] == 200
        status, output = server.end(signal.SIGINT)
    first, second = output.splitlines()
    assert status == 130
    assert first.startswith("mjopt: GET /broken: ZeroDivisionError: two lines (")
    assert second.startswith("mjopt: Fatal error: protocol.data_received() call failed. (")


HANGUP = pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow)


@pytest.mark.parametrize(("which", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), HANGUP])
def test_open_connections_do_not_delay_the_exit(which: signal.Signals, status: int) -> None:
    """A page that is being written when the signal arrives prints nothing."""
    with started("-c", WITH_MORE_PAGES) as server:
        streams = [server.begin("/stream") for _ in range(3)]
        for stream in streams:
            assert stream.recv(1) == b"H"
        working = server.begin("/works")
        silent, half = server.connect(), server.connect()
        half.sendall(b"POST / HTTP/1.1\r\nHost:")
        kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
        kept.request("GET", "/")
        assert kept.getresponse().read()
        flood = server.begin("/flood")
        assert flood.recv(1)
        drain = threading.Thread(target=lambda: [*iter(lambda: flood.recv(1 << 16), b"")])
        drain.start()
        assert server.end(which) == (status, "")
        drain.join()
        for each in (*streams, working, silent, half, flood):
            each.close()


def test_port_in_use_is_a_one_line_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert execute(["serve", "--port", str(port)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mjopt: 127.0.0.1, port {port}: ")
    assert "in use" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "70000"], "--port 70000, expected 0 to 65535"),
        (["--port", "-1"], "--port -1, expected 0 to 65535"),
        (["--host", "256.0.0.1"], "256.0.0.1, port 0: "),
        (["--host", "no.such.name.invalid"], "no.such.name.invalid, port 0: "),
        (["--host", "x" * 70], "port 0: "),
        (["--host", "127.0.0.1,a b"], "--host 127.0.0.1,a b, expected host names, not 'a b'"),
        (["--games", "/no/such/folder"], "--games /no/such/folder: no such folder"),
    ],
)
def test_invalid_arguments_are_one_line_errors(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["serve", "--port", "0", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_public_address_prints_a_warning_and_accepts_other_hosts() -> None:
    with started(*SERVE, "--host", "0.0.0.0,mjopt.example") as server:
        assert server.lines[0] == (
            "mjopt: warning: other machines can connect to 0.0.0.0, without a password\n"
        )
        assert server.ask("/")[0] == 200  # by its IP address
        assert f"serving on http://127.0.0.1:{server.port}/" in server.lines[1]
        if names := public_names("0.0.0.0"):
            assert server.process.stderr is not None
            line = server.process.stderr.readline()
            addresses = [f"http://{name}:{server.port}/" for name in names]
            assert line == f"mjopt: from other machines: {', '.join(addresses)}\n"
        for name in names:
            assert server.ask("/", host=f"{name}:{server.port}")[0] == 200
        assert server.ask("/", host="mjopt.example")[0] == 200
        assert server.ask("/", host="evil.example")[0] == 400
        assert server.end(signal.SIGTERM) == (143, "")
