"""Advice for all pages, computed in the background by worker processes.

Processes of their own, so that neither searches nor the compilation of kernels delay other pages.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Final

from mjopt._internal.jit import compile_always
from mjopt.chances.advice.advise import NORMAL, QUICK, advise
from mjopt.chances.advice.options import Advice
from mjopt.chances.advice.position import Position
from mjopt.play.serve.background import Background

KEPT: Final = 2048  # answers, about 5 kB each
NUM_WORKERS: Final = 2  # a search far from a win takes seconds, others do not wait for it
MOST_QUEUED: Final = 8  # queries of one browser: a page has two
LEASE: Final = 5.0  # seconds of a search after its page was sent

AdviceQuery = tuple[Position, str]
"""A position and an effort."""


def compute_advice(query: AdviceQuery) -> Advice:
    """Advise on a position."""
    position, effort = query
    with compile_always():
        return advise(position, effort=effort)


class BackgroundAdvice:
    """Advice by position and effort, each computed once by one of two worker processes."""

    def __init__(self) -> None:
        self._answers: Background[AdviceQuery, Advice] = Background(
            compute_advice,
            most=KEPT,
            num_workers=NUM_WORKERS,
            most_queued=MOST_QUEUED,
            first=(Position.parse("123456m789p1146s1z"), NORMAL),
        )

    def known(self, position: Position, effort: str = NORMAL) -> Advice | None:
        """Return the advice if it has been computed, else None."""
        return self._answers.known((position, effort))

    def latest(self, position: Position) -> Advice | None:
        """Return the advice of normal effort; until it is known, the quick one, or None."""
        return self.known(position) or self.known(position, QUICK)

    def submit(
        self, position: Position, effort: str = NORMAL, browser: str = ""
    ) -> "Future[Advice]":
        """Return a future of the advice; cancel it when the answer is no longer of use."""
        return self._answers.submit((position, effort), browser)

    async def wait(
        self, queries: Sequence[AdviceQuery], browser: str, patience: float | None = None
    ) -> bool:
        """Submit queries, wait some seconds for the last one; return whether it is answered.

        If the client leaves, they are cancelled at once, and otherwise a few seconds later: the
        page that is sent now asks for them again, as long as it is shown.
        """
        futures = [self.submit(position, effort, browser) for position, effort in queries]

        def cancel() -> None:
            for future in futures:
                future.cancel()

        waiting = asyncio.wrap_future(futures[-1])
        # No page shows an error after the time limit, and asyncio would log it.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            await asyncio.wait([waiting], timeout=patience)
        except asyncio.CancelledError:
            cancel()
            raise
        asyncio.get_running_loop().call_later(LEASE, cancel)
        return waiting.done() and not waiting.cancelled() and waiting.exception() is None

    def warm_up(self) -> None:
        """Start the worker processes and let each compile its kernels, or load them."""
        self._answers.warm_up()

    def close(self) -> None:
        """Cancel all queries, end the processes at once, and forget the answers."""
        self._answers.close()
