"""All fixed times of the tests. No test measures speed, so a busy machine changes no result.

A test waits for a condition, with ``LONG`` as the limit. The other times are lower limits: what
they give time for must not happen, or never happens.
"""

import time
from collections.abc import Callable
from typing import Final

LONG: Final = 300.0
"""Seconds until a test gives up waiting: for a process that starts and compiles kernels on a busy
machine. Only a failure takes so long."""

FOREVER: Final = 600.0
"""Seconds of work that a test interrupts. More than ``LONG``: a command that wrongly waits for the
work fails. Not endless, since a process may outlive its test."""

BRIEF: Final = 0.2
"""Seconds of a time limit that must be exceeded, by a program or an agent that never answers."""

MOMENT: Final = 0.4
"""Seconds in which something must not happen: nothing announces an absence. Several times the
intervals of 0.02 to 0.05 s at which the tested code repeats its signals."""

POLL: Final = 0.02
"""Seconds between two looks at a condition that nothing announces."""

OLD: Final = (1e9, 1e9)
"""Times of access and change of a file, in 2001: a file that is written again has another one,
however soon that happens and however coarse the clock of the file system is."""


def wait_until(
    is_so: Callable[[], object], what: str, sleep: Callable[[float], object] = time.sleep
) -> None:
    """Wait until a condition is true, and fail with a message if that takes long."""
    deadline = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < deadline, what
        sleep(POLL)
