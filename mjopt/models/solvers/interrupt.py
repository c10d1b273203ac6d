"""Solves that Ctrl-C can reach."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_PATIENCE = 10.0  # seconds for a solver that was told to stop

_TICK = 0.2  # seconds; on Windows a signal waits for the end of one


def run_interruptibly(call: Callable[[], T], stop: Callable[[], object] | None = None) -> T:
    """Call a function in a new thread, and wait where signals are heard.

    Python runs signal handlers in the main thread, between two bytecodes: never
    while that thread is inside a solver. The solvers let go of the interpreter
    lock, so the main thread can wait instead. A new thread costs about 0.1 ms,
    and unlike a pool it survives ``os.fork``.

    Parameters
    ----------
    call
        What to run.
    stop
        How to end it early, if there is a way. Without one an interrupted call
        is left to run on in a daemon thread, so that its caller need not wait.

    Raises
    ------
    BaseException
        Whatever ``call`` raises, and KeyboardInterrupt at once.

    Examples
    --------
    >>> run_interruptibly(lambda: 6 * 7)
    42
    """
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:  # handed to the caller below
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="mjopt-solve", daemon=True)
    try:
        thread.start()
        while not done.wait(_TICK):
            pass
    except BaseException:
        # The interrupt may come while the thread is still starting, when it does
        # not count as alive: hence an event of our own. A solver still running when
        # the interpreter ends would abort the process.
        patience = time.monotonic() + (_PATIENCE if stop is not None else _TICK)
        while not done.is_set() and time.monotonic() < patience:
            if stop is not None:
                stop()
            done.wait(_TICK / 4)
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
