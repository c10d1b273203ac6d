"""Visitors of the page who leave before they are answered, or ask for what is not theirs."""

import http.client
import random
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

from adversarial.attack import Attack, Judge, command, end, left_running, start
from helpers.waits import LONG

from mjopt.datasets.planner import make_plan
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL

NUM_VISITS = 60
SOON = 40.0  # seconds for the next visitor's, a fraction of the time that all queries take
LAST = "123456m789p1146s1z"
PENDING = "data-events="  # on a page whose chances are being computed
FORM = {"rules": "m0", "player1": "l1", "player2": "l1", "player3": "l1"}

Site = tuple[int, "subprocess.Popen[bytes]"]


@contextmanager
def site(folder: Path, mark: str, *options: str) -> Iterator[Site]:
    """Run the server; yield its port and its process."""
    process = start(command("serve", "--port", "0", *options), folder, ATTACK_MARK=mark)
    log = folder.parent / f".logs-{folder.name}" / "said.err"
    try:
        while not (found := re.search(r"serving on http://127\.0\.0\.1:(\d+)/", log.read_text())):
            if process.poll() is not None:
                raise RuntimeError(log.read_text())
            time.sleep(0.05)
        yield int(found[1]), process
    finally:
        with suppress(ProcessLookupError):
            process.kill()


def ask(
    port: int, path: str, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, str, str]:
    """Return status, cookie and text of an answer."""
    headers |= {"origin": f"http://127.0.0.1:{port}"}
    if body:
        headers |= {"content-type": "application/x-www-form-urlencoded"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
        return answer.status, cookie, f"{answer.headers['location']}\n{answer.read().decode()}"
    finally:
        connection.close()


def wait_for_chances(port: int, hand: str, seconds: float = LONG) -> None:
    """Ask until a page is complete; raise TimeoutError if it takes too long."""
    deadline, page = time.monotonic() + seconds, PENDING
    while PENDING in page:
        page = ask(port, f"/?hand={hand}&wait=1")[2]
        if time.monotonic() > deadline:
            raise TimeoutError(f"no chances within {seconds:.0f} s")


def hands(rng: random.Random) -> Iterator[str]:
    """Yield hands three tiles from a win, whose chances take about a second."""
    plan = make_plan(f"stratified:{NUM_VISITS}:3=1", tiles=FULL)
    for counts in plan.hand_recipe.block(0, seed=rng.randrange(10**6)):
        yield Hand.from_counts(counts, tiles=FULL).to_text()


DOORS: dict[str, Callable[[str], str]] = {
    "pages": lambda hand: f"/?hand={hand}",
    "waiting pages": lambda hand: f"/?hand={hand}&wait=1",
    "events": lambda hand: f"/chances?hand={hand}",
    "practice": lambda hand: f"/practice?hand={hand}&seed=1&wait=1",
    "proofs": lambda hand: f"/proof?hand={hand}",
}


def abandoned(doors: list[Callable[[str], str]]) -> Judge:
    """Ask, leave at random moments, and expect that the next visitor is answered."""

    def case(rng: random.Random, folder: Path) -> str | None:
        mark = f"{rng.getrandbits(64):x}"
        with site(folder, mark) as (port, process):
            wait_for_chances(port, LAST)  # loads the kernels, or compiles them
            sockets = []
            for hand in islice(hands(rng), NUM_VISITS):
                one = socket.create_connection(("127.0.0.1", port), LONG)
                cookie = f"mjopt-browser={rng.randrange(1 if rng.random() < 0.5 else 99):022}"
                path = rng.choice(doors)(hand)
                words = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
                one.sendall(words.encode() + b"\r\n" * (rng.random() < 0.9))
                sockets.append(one)
                time.sleep(rng.random() * 0.05)
                if rng.random() < 0.5:
                    sockets.pop(rng.randrange(len(sockets))).close()
            for one in sockets:
                one.close()
            wait_for_chances(port, f"{LAST[:-2]}2z", SOON)
            process.send_signal(rng.choice((signal.SIGTERM, signal.SIGINT)))
            ran = end(process, folder)
            fault = left_running(mark)
        if fault or ran.status not in (130, 143):
            return fault or f"status {ran.status}: {ran.err[-200:]}"
        return None if len(ran.err.splitlines()) == 1 else f"more than one line: {ran.err[-200:]}"

    return case


def strangers(rng: random.Random, folder: Path) -> str | None:
    """Ask for another browser's matches, with all cookies but its own."""
    mark = f"{rng.getrandbits(64):x}"
    (folder / "games").mkdir()
    with site(folder, mark, "--games", "games") as (port, _):
        _, cookie, _ = ask(port, "/play")
        _, _, text = ask(port, "/play", "POST", urlencode(FORM), cookie=cookie)
        address, *_ = text.splitlines()
        [file] = (folder / "games").iterdir()
        before, owner = file.read_bytes(), address.rpartition(".")[2]
        value = cookie.partition("=")[2]
        for other in ("", owner, value[:-1], value.swapcase(), f"{value}=", "*"):
            headers = {"cookie": f"mjopt-browser={other}"} if other else {}
            if address in ask(port, "/play", **headers)[2]:
                return f"listed for {other!r}"
            for method in ("GET", "POST"):
                for path in (address, f"{address}/delete", f"{address}/records.txt", address[:-1]):
                    status, _, _ = ask(port, path, method, "move=5m&number=1000", **headers)
                    if status not in (404, 405):
                        return f"{method} {path} with {other!r}: status {status}"
        if not file.exists() or file.read_bytes() != before:
            return "the match was changed"
        return None if address in ask(port, "/play", cookie=cookie)[2] else "the match is lost"


ATTACK = Attack(
    "visitors",
    "visitors of the page who leave, or ask for what is not theirs",
    {
        **{f"abandoned {name}": abandoned([door]) for name, door in DOORS.items()},
        "abandoned, of all kinds": abandoned([*DOORS.values()]),
        "matches of others": strangers,
    },
    limit=3 * LONG,
)
