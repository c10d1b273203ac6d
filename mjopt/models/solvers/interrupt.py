"""Run solvers so that Ctrl-C can interrupt them."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_STOP_SECONDS = 10.0  # for a solver to stop on request

_TICK = 0.2  # seconds; on Windows a signal is handled at the end of a tick


def run_interruptibly(call: Callable[[], T], stop: Callable[[], object] | None = None) -> T:
    """Call a function in a new thread, so that this thread can handle signals.

    Python runs signal handlers in the main thread between two bytecodes, hence not while that
    thread is inside a solver. Solvers release the interpreter lock, so the main thread can wait. A
    new thread takes about 0.1 ms to start, and unlike a pool it works after ``os.fork``.

    ``stop`` ends the call early. Without it, an interrupted call continues in a daemon thread, and
    this function does not wait for it. Exceptions of ``call`` pass, and KeyboardInterrupt
    immediately.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:  # raised again below
            errors.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="mjopt-solve", daemon=True)
    try:
        thread.start()
        while not done.wait(_TICK):
            pass
    except BaseException:
        # An event, because an interrupt may come while the thread is starting and does not
        # count as alive. A solver still running when the interpreter ends would abort the
        # process, so it gets some time to stop.
        deadline = time.monotonic() + (_STOP_SECONDS if stop is not None else _TICK)
        while not done.is_set() and time.monotonic() < deadline:
            if stop is not None:
                stop()
            done.wait(_TICK / 4)
        raise
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
