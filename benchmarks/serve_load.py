"""Response times of the web page with concurrent sessions on loopback, the server on one core.

``python benchmarks/serve_load.py --sessions 200`` starts a server. Half of the sessions play and
half analyse hands, with pauses like a person's. The script prints the time of each kind of
request. Every session uses its own loopback address (``127.1.x.y``).
"""

import argparse
import asyncio
import gzip
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

Answer = tuple[int, dict[str, str], bytes]
WARM = 'id="say"'  # stands in the answer to a hand


class Session:
    """A person with a browser: one connection, kept open, and an address of its own."""

    def __init__(self, port: int, number: int, times: dict[str, list[float]]) -> None:
        self.port, self.times = port, times
        self.source = f"127.1.{number // 250}.{number % 250 + 1}"
        self.rng = random.Random(number)
        self.sent = self.got = 0
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, kind: str, path: str, form: dict[str, str] | None = None) -> Answer:
        """Ask for a page, and note how long it took until all of it was there."""
        began = time.perf_counter()
        try:
            answer = await self._ask(path, form)
        except (ConnectionError, asyncio.IncompleteReadError):  # closed while nothing was asked
            self.streams = None
            answer = await self._ask(path, form)
        self.times[kind].append(1000 * (time.perf_counter() - began))
        if answer[0] >= 400:
            self.times[f"{kind}: status {answer[0]}"].append(0.0)
        return answer

    async def _ask(self, path: str, form: dict[str, str] | None) -> Answer:
        if self.streams is None:
            self.streams = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.source, 0), limit=1 << 20
            )
        reader, writer = self.streams
        host = f"127.0.0.1:{self.port}"
        head = [f"Host: {host}", "Accept-Encoding: gzip"]
        body = b""
        if form is not None:
            body = urlencode(form).encode()
            head += [f"Origin: http://{host}", f"Content-Length: {len(body)}"]
            head += ["Content-Type: application/x-www-form-urlencoded"]
        method = "GET" if form is None else "POST"
        writer.write(f"{method} {path} HTTP/1.1\r\n".encode())
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])
        }
        content = b""
        if headers.get("transfer-encoding") == "chunked":
            while length := int(await reader.readline(), 16):
                content += (await reader.readexactly(length + 2))[:-2]
            await reader.readline()
        else:
            content = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            writer.close()
            self.streams = None
        if headers.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        return int(lines[0].split()[1]), headers, content

    async def pause(self, seconds: float) -> None:
        """Think, between half and one and a half times as long as people do."""
        await asyncio.sleep(seconds * self.rng.uniform(0.5, 1.5))

    async def look_at_hands(self, until: float, think: float) -> None:
        """Ask for hands: one in four is fresh, the others many ask for."""
        common = random.Random(0)
        known = [hand_of(common) for _ in range(20)]
        while time.monotonic() < until:
            await self.pause(think)
            is_fresh = self.rng.random() < 0.25
            hand = hand_of(self.rng) if is_fresh else self.rng.choice(known)
            await self.ask("hand, fresh" if is_fresh else "hand, known", f"/?hand={hand}")

    async def play(self, until: float, think: float) -> None:
        """Play matches: do anything that may be done, and deal the next hand."""
        while time.monotonic() < until:
            await self.pause(think)
            form = {"rules": "gmjbg", "seconds": "none"}  # against L1, L2 and L3
            _, headers, _ = await self.ask("match begun", "/play", form)
            if (path := headers.get("location")) is None:  # too many at once
                continue
            while time.monotonic() < until:
                _, _, content = await self.ask("match shown", path)
                page = content.decode()
                number = re.search(r'name="number" value="(\d+)"', page)
                if number is None:
                    break
                await self.pause(think)
                moves = re.findall(r'name="move" value="([^"]+)"', page)
                act = {"move": self.rng.choice(moves)} if moves else {"next": "1"}
                await self.ask("move", path, {"number": number[1], **act})


def hand_of(rng: random.Random) -> str:
    """Draw 14 of 136 tiles."""
    tiles = sorted(rng.sample(range(136), 14))
    suits = dict.fromkeys("mpsz", "")
    for tile in tiles:
        suits["mpsz"[tile // 36]] += str(tile % 36 // 4 + 1)
    return "".join(ranks + suit for suit, ranks in suits.items() if ranks)


@contextmanager
def server(core: int) -> Iterator[int]:
    """Start the server on one core; yield its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mjopt", "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {core})
    try:
        began = time.perf_counter()
        line = process.stderr.readline() if process.stderr else ""
        found = re.search(r":(\d+)/", line)
        assert found, line
        print(f"address told after {time.perf_counter() - began:.2f} s")
        yield int(found[1])
    finally:
        process.terminate()
        process.wait()


async def alone(port: int, repeats: int) -> dict[str, list[float]]:
    """Ask with nobody else there: what a page takes by itself."""
    times: dict[str, list[float]] = defaultdict(list)
    session = Session(port, 999, times)
    began = time.perf_counter()
    _, _, content = await session.ask("first hand", "/?hand=123456m789p1146s1z")
    assert WARM in content.decode()
    while "just begun" in content.decode():
        await asyncio.sleep(0.2)
        _, _, content = await session.ask("while warming", "/?hand=123456m789p1146s1z")
    print(f"warm after {time.perf_counter() - began:.1f} s")
    for _ in range(repeats):
        hand = hand_of(session.rng)
        await session.ask("hand, fresh", f"/?hand={hand}")
        await session.ask("hand, known", f"/?hand={hand}")
    await session.play(time.monotonic() + repeats / 10, 0.05)
    return times


async def weigh(port: int) -> list[tuple[str, int, int]]:
    """Return each page's bytes over the wire with its files, by one who was never there."""
    times: dict[str, list[float]] = defaultdict(list)
    rows = []
    for path in ("/", "/?hand=123456m789p1146s1z", "/play", "/games", "/statistics", "/reports"):
        session = Session(port, 998, times)
        _, headers, content = await session.ask("", path)
        own = int(headers.get("content-length", len(content)))
        files = set(re.findall(r'(?:href|src)="(/static/[^"#]*)', content.decode()))
        rest = 0
        for file in files:
            _, sent, body = await session.ask("", file)
            rest += int(sent.get("content-length", len(body)))
        rows.append((path, own, own + rest))
    return rows


async def together(
    port: int, sessions: int, seconds: float, think: float
) -> dict[str, list[float]]:
    """Let all sessions ask at once."""
    times: dict[str, list[float]] = defaultdict(list)
    until = time.monotonic() + seconds
    people = [Session(port, number, times) for number in range(sessions)]
    ways = [(each.play if n % 2 else each.look_at_hands) for n, each in enumerate(people)]
    await asyncio.gather(*(way(until, think) for way in ways))
    return times


def show(title: str, times: dict[str, list[float]]) -> None:
    """Print a table."""
    print(f"\n{title}\n{'':24}{'number':>8}{'median':>10}{'p95':>10}{'most':>10}  ms")
    for kind, taken in sorted(times.items()):
        cuts = statistics.quantiles(taken, n=20) if len(taken) > 1 else taken
        middle = statistics.median(taken)
        print(f"{kind:24}{len(taken):8}{middle:10.1f}{cuts[-1]:10.1f}{max(taken):10.1f}")


def main() -> None:
    """Run the load, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--think", type=float, default=5.0, help="seconds between two requests")
    parser.add_argument("--repeats", type=int, default=50, help="requests with nobody else there")
    asked = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))  # the sessions keep off the server's core
    with server(cores[0]) as port, suppress(KeyboardInterrupt):
        show("nobody else there", asyncio.run(alone(port, asked.repeats)))
        print()
        for path, own, whole in asyncio.run(weigh(port)):
            print(f"{path:32}{own:8} bytes, {whole:8} with its files")
        times = asyncio.run(together(port, asked.sessions, asked.seconds, asked.think))
        every = [taken for some in times.values() for taken in some]
        show(f"{asked.sessions} sessions", {**times, "all": every})


if __name__ == "__main__":
    main()
