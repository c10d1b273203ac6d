"""The same work on many batches, over several processes, results in order."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from mjopt.errors import ModelError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4  # batches given out per process: enough that none waits for the reader


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut a stream into lists of a size, the last one perhaps shorter.

    Examples
    --------
    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def in_order(work: Callable[[T], R], batches: Iterable[T], *, jobs: int) -> Iterator[R]:
    """Yield the result for each batch, in order, as soon as it and those before are done.

    Parameters
    ----------
    work
        What to do with a batch; a function that another process can import.
    batches
        The batches; only a few are read ahead.
    jobs
        Processes; one works in this process.

    Examples
    --------
    >>> list(in_order(sum, [[1, 2], [3]], jobs=1))
    [3, 3]
    """
    if jobs < 1:
        raise ModelError(f"{jobs} jobs, expected at least 1")
    stream = iter(batches)
    if jobs == 1:
        yield from map(work, stream)
        return
    # Rarely needed, and slow to load.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Not fork: a solver's threads in the parent would be copied half-alive.
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts
    )
    try:
        waiting = deque(pool.submit(work, batch) for batch in islice(stream, AHEAD * jobs))
        while waiting:
            done = waiting.popleft().result()
            waiting.extend(pool.submit(work, batch) for batch in islice(stream, 1))
            yield done
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which then stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
