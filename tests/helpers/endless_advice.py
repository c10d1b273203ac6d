"""Functions in the place of ``compute_advice``. Few imports, since each worker process has them."""

import os
import signal
import time

from helpers.waits import FOREVER, POLL

from mjopt._internal.cancellation import check_cancelled
from mjopt.chances.advice.options import NOTHING, Advice
from mjopt.chances.advice.position import Position
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL

ANSWERED = "123456m789p1146s1z"


def compute_without_end(query: tuple[Position, str]) -> Advice:
    """Compute for ever, except for one hand, whose advice has no options."""
    position, effort = query
    if position.hand.counts != Hand.parse(ANSWERED, tiles=FULL).counts:
        deadline = time.monotonic() + FOREVER
        while time.monotonic() < deadline:  # as a search does between its layers
            check_cancelled()
            time.sleep(POLL)
    return Advice(
        position=position,
        effort=effort,
        measure=NOTHING,
        options=(),
        waste=None,
        is_closed=True,
        states=0,
    )


def end_process(query: tuple[Position, str]) -> Advice:
    """End as if the system had killed the process for its memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def find_nothing(query: tuple[Position, str]) -> Advice:
    """Fail as a search does that has too little memory."""
    raise MemoryError(query)
