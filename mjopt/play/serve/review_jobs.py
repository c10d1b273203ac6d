"""Reviews by chance, computed in the background while their pages are shown."""

import asyncio
import logging
import time
from typing import Final

from mjopt.play.review.chance import ChanceJudge
from mjopt.play.serve.background_advice import BackgroundAdvice

LEASE: Final = 60.0  # seconds of work after a page has asked
CLIENT: Final = "review"
_log = logging.getLogger("mjopt.play.serve")


class ReviewJobs:
    """Judges one position at a time, of the review last asked for."""

    def __init__(self, advice: BackgroundAdvice) -> None:
        self._advice = advice  # that of all pages
        self._asked: dict[ChanceJudge, float] = {}  # when; the last one last
        self._stopped: dict[ChanceJudge, float] = {}  # when an advice failed
        self._task: asyncio.Task[None] | None = None

    def has_stopped(self, judge: ChanceJudge) -> bool:
        """Return whether an advice for a review failed a short time ago."""
        oldest = time.monotonic() - LEASE
        self._stopped = {each: when for each, when in self._stopped.items() if when > oldest}
        return judge in self._stopped

    def ask(self, judge: ChanceJudge) -> bool:
        """Go on with a review for a while; return whether more of it will be judged."""
        if not judge.tasks() or self.has_stopped(judge):
            return False
        self._asked.pop(judge, None)
        self._asked[judge] = time.monotonic()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())
        return True

    def close(self) -> None:
        """Judge no more."""
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while (judge := self._last()) is not None:
            [(position, effort), *_] = judge.tasks()
            try:
                future = self._advice.submit(position, effort, CLIENT)
                judge.add(await asyncio.wrap_future(future))
            except Exception as error:  # of any kind, from another process
                _log.error("a review by chance stops: %r", error)
                self._asked.pop(judge, None)
                self._stopped[judge] = time.monotonic()

    def _last(self) -> ChanceJudge | None:
        """Return the review asked for last that is not judged, and forget the others."""
        oldest = time.monotonic() - LEASE
        self._asked = {
            judge: when for judge, when in self._asked.items() if when > oldest and judge.tasks()
        }
        return next(reversed(self._asked), None)
