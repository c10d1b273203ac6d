"""Queries whose clients have left do not delay the next visitor."""

import asyncio
import logging
from collections.abc import Callable, Iterator

import pytest
from helpers.browsing import Wire
from helpers.endless_advice import ANSWERED, compute_without_end, end_process
from helpers.waits import BRIEF, POLL

from mjopt.play.serve import background_advice as module
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings

NUM_LEFT = 3  # more than the workers
NUM_OPEN = 14  # more than the workers and the queue of a browser

DOORS: dict[str, Callable[[str], str]] = {
    "chances": lambda hand: f"/chances?hand={hand}",
    "waiting page": lambda hand: f"/?hand={hand}&wait=1",
    "page": lambda hand: f"/?hand={hand}",
    "practice": lambda hand: f"/practice?hand={hand}&seed=1&moves=1m",
}


def hands(number: int) -> list[str]:
    """Return hands of 14 tiles that are near a win."""
    return [f"123456m789p{at % 7 + 1}{at % 7 + 1}s1{at // 7 + 2}6z" for at in range(number)]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Wire]:
    monkeypatch.setattr(module, "compute_advice", getattr(request, "param", compute_without_end))
    monkeypatch.setattr(module, "LEASE", POLL)
    app = make_app(Settings())
    opened = Wire(app)
    yield opened
    app.state.site.close()
    opened.close()


@pytest.mark.parametrize("door", DOORS)
def test_abandoned_queries_do_not_delay_the_next_visitor(wire: Wire, door: str) -> None:
    async def run() -> bytes:
        addresses = map(DOORS[door], hands(NUM_LEFT))
        leaving = [
            wire.visit(address, cookie=f"{number:022}", stays=BRIEF)
            for number, address in enumerate(addresses)
        ]
        await asyncio.gather(*leaving)
        _, sent = await wire.visit(f"/chances?hand={ANSWERED}", cookie="v" * 22)
        return sent

    assert b"data: ready" in asyncio.run(run())


def test_one_browser_has_few_queries_in_the_queue(wire: Wire) -> None:
    most = module.NUM_WORKERS + module.MOST_QUEUED

    async def run() -> list[bytes]:
        addresses = [f"/chances?hand={hand}&effort=normal" for hand in hands(NUM_OPEN)]
        waiting = [asyncio.ensure_future(wire.visit(address)) for address in addresses]
        while sum(one.done() for one in waiting) < NUM_OPEN - most:
            await asyncio.sleep(POLL)
        ended = [one.result()[1] for one in waiting if one.done()]
        for one in waiting:
            one.cancel()
        await asyncio.wait(waiting)
        return ended

    ended = asyncio.run(run())
    assert len(ended) == NUM_OPEN - most
    assert not any(b"ready" in sent for sent in ended)


@pytest.mark.parametrize("wire", [end_process], indirect=True)
def test_killed_worker_is_silent(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> tuple[int, bytes]:
        [hand] = hands(1)
        await wire.visit(f"/?hand={hand}")  # is sent before the process is killed
        return await wire.visit(f"/chances?hand={hand}")

    with caplog.at_level(logging.ERROR):
        status, sent = asyncio.run(run())
    assert status == 200
    assert b"ready" not in sent
    assert not caplog.records
