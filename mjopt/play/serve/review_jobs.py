"""Reviews by chance, computed in the background while their pages are shown."""

import asyncio
import logging
import time
from typing import Final

from mjopt.errors import MjoptError
from mjopt.play.review.chance import ChanceJudge
from mjopt.play.serve.background_advice import BackgroundAdvice

LEASE: Final = 60.0  # seconds of work after a page has asked
CLIENT: Final = "review"
_log = logging.getLogger("mjopt.play.serve")


class ReviewJobs:
    """Judges one position at a time, of the review last asked for.

    Parameters
    ----------
    advice
        What computes advice: pages that are shown meanwhile use it too.
    """

    def __init__(self, advice: BackgroundAdvice) -> None:
        self._advice = advice
        self._asked: dict[ChanceJudge, float] = {}  # when; the last one last
        self._task: asyncio.Task[None] | None = None

    def ask(self, judge: ChanceJudge) -> None:
        """Go on with a review for a while."""
        self._asked.pop(judge, None)
        self._asked[judge] = time.monotonic()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while (judge := self._last()) is not None:
            [(position, effort), *_] = judge.tasks()
            try:
                future = self._advice.submit(position, effort, CLIENT)
                judge.add(await asyncio.wrap_future(future))
            except MjoptError as error:
                _log.error("a review by chance stops: %s", error)
                del self._asked[judge]

    def _last(self) -> ChanceJudge | None:
        """Return the review asked for last that is not judged, and forget the others."""
        oldest = time.monotonic() - LEASE
        self._asked = {
            judge: when for judge, when in self._asked.items() if when > oldest and judge.tasks()
        }
        return next(reversed(self._asked), None)
