"""The number of evaluations of the search that is running, wherever they take place.

A heuristic may evaluate costs outside the problem that it is given: by another ``Problem``, or by
running another heuristic. Each of these calls ``count_evaluations``, so a result has them all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Counter(Protocol):
    """Counts the evaluations of one search."""

    @property
    def evaluations(self) -> int:
        """Number of evaluations so far."""

    def count(self, number: int) -> None:
        """Count further evaluations."""


_RUNNING: ContextVar[Counter | None] = ContextVar("_RUNNING", default=None)


def count_evaluations(number: int) -> None:
    """Count evaluations for the search that is running, if there is one."""
    if (counter := _RUNNING.get()) is not None:
        counter.count(number)


@contextmanager
def counted_by(counter: Counter) -> Iterator[None]:
    """Count the evaluations of a block by a counter, and then for the search around it."""
    token = _RUNNING.set(counter)
    try:
        yield
    finally:
        _RUNNING.reset(token)
    count_evaluations(counter.evaluations)
