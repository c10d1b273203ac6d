"""Measure the page: ``python benchmarks/serve_load.py [--sessions 200] [--moves 20] [--hands 50]``.

It starts ``mjopt serve``, plays matches in a number of browser sessions, one request at a time and
in turn, and then asks for hands one, two and three tiles away until all chances to win are shown.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import numpy as np

from mjopt.datasets.planner import make_plan
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL

BUTTON = re.compile(r'<button class="tile[^>]*name="move" value="([^"]+)"')
CALL = re.compile(r'<button name="move" value="([^"]+)"')
NUMBER = re.compile(r'name="number" value="(\d+)"')
EVENTS = re.compile(r'data-events="([^"]+)"')


@contextmanager
def site() -> Iterator[tuple[str, float]]:
    """Run the server; yield its address and the seconds until the first page was there."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "mjopt", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://\S+", process.stderr.readline())
            assert found, "the server prints no address"
            address = found[0].rstrip("/")
            httpx.get(address).raise_for_status()
            yield address, time.perf_counter() - start
        finally:
            process.terminate()


def tell(name: str, seconds: list[float], unit: str = "ms") -> None:
    """Print median, 95 % quantile and maximum."""
    median, high = (1000 * np.quantile(seconds, part) for part in (0.5, 0.95))
    print(
        f"{name}: {len(seconds):,} times, median {median:.0f} {unit}, 95 % {high:.0f} {unit}, "
        f"at most {1000 * max(seconds):.0f} {unit}",
        flush=True,
    )


def play(address: str, sessions: int, moves: int, player: str) -> None:
    """Play matches in turn: the first button that is offered, or the last tile."""
    clients = [httpx.Client(base_url=address, timeout=60) for _ in range(sessions)]
    places: list[str] = []
    pages: list[str] = []
    begun: list[float] = []
    for client in clients:
        start = time.perf_counter()
        chosen = {f"player{seat}": player for seat in (1, 2, 3)}
        data = {"rules": "gmjbg", "seconds": "none", **chosen}
        client.get("/play")  # sets the cookie that matches belong to
        page = client.post("/play", data=data, headers={"origin": address}, follow_redirects=True)
        begun.append(time.perf_counter() - start)
        page.raise_for_status()
        places.append(page.url.path)
        pages.append(page.text)
    tell(f"{sessions} sessions against {player}, deal", begun)
    took: list[float] = []
    for _ in range(moves):
        for index, client in enumerate(clients):
            calls, tiles = CALL.findall(pages[index]), BUTTON.findall(pages[index])
            number = NUMBER.search(pages[index])
            if not number or not (calls or tiles):
                continue  # the hand is over
            data = {"number": number[1], "move": calls[-1] if calls else tiles[-1]}
            start = time.perf_counter()
            answer = client.post(
                places[index], data=data, headers={"origin": address}, follow_redirects=True
            )
            took.append(time.perf_counter() - start)
            answer.raise_for_status()
            pages[index] = answer.text
    tell(f"{sessions} sessions against {player}, move", took)
    for client in clients:
        client.close()


def rank(address: str, distance: int, number: int) -> None:
    """Ask for hands at a distance until the page is complete."""
    plan = make_plan(f"stratified:{number}:{distance}=1", tiles=FULL)
    first: list[float] = []
    last: list[float] = []
    with httpx.Client(base_url=address, timeout=120) as client:
        for row in plan.hand_recipe.block(0, seed=5)[:number]:
            query = {"hand": Hand.from_counts(row, tiles=FULL).to_text()}
            start = time.perf_counter()
            page = client.get("/", params=query).raise_for_status()
            first.append(time.perf_counter() - start)
            while found := EVENTS.search(page.text):
                client.get(found[1].replace("&amp;", "&")).raise_for_status()
                page = client.get("/", params=query).raise_for_status()
            last.append(time.perf_counter() - start)
    tell(f"hands {distance} away, first answer", first)
    tell(f"hands {distance} away, complete ranking", last)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--hands", type=int, default=50)
    parser.add_argument("--player", default="deficiency")
    options = parser.parse_args()
    with site() as (address, seconds):
        print(f"first page {seconds:.2f} s after the start", flush=True)
        query = {"hand": "123456m789p1146s1z", "wait": "1"}  # until kernels are compiled
        httpx.get(address, params=query, timeout=120).raise_for_status()
        for distance in (1, 2, 3):
            rank(address, distance, options.hands)
        play(address, options.sessions, options.moves, options.player)


if __name__ == "__main__":
    main()
