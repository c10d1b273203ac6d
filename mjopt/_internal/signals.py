"""End a process within seconds after SIGINT, SIGTERM or SIGHUP, whatever it is doing.

The signal handler raises an exception in the main thread, so that resources are released. That is
not enough: compiled code delays the handler, and libraries can discard the exception. Therefore a
thread reads the wake-up descriptor, to which the interpreter writes when a signal arrives. The
thread repeats a signal whose exception was discarded. After a grace period, or at a second signal,
it runs the registered cleanups and ends the process.
"""

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn
from weakref import ref

ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that end a command."""

GRACE_SECONDS: Final = 2.5
"""Seconds for a command to release its resources before it is ended."""

_SAME_SECONDS: Final = 0.25  # `timeout` and terminals send a signal twice: it counts once
_TICK: Final = 0.05  # seconds between looks at the state of the main thread
_CLEANUP_SECONDS: Final = 1.0


class Interrupted(KeyboardInterrupt):
    """SIGINT was received."""

    number = signal.SIGINT


class Terminated(BaseException):
    """SIGTERM or SIGHUP was received. Like KeyboardInterrupt, it is not an error."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.number = number


STOPPED: Final = (KeyboardInterrupt, Terminated)
"""Exceptions that stop a command from outside."""

_received = 0  # the first signal, or 0
_raised: "ref[BaseException] | None" = None  # the latest exception for it
_is_closing = False  # whether the interpreter may be closing down
_unblocked = threading.local()  # the signal mask of a thread that forks
_cleanups: Final[list[Callable[[], object]]] = []


def find_end(error: BaseException | None) -> BaseException | None:
    """Return the signal exception that caused an error, or None.

    Examples
    --------
    >>> error = SystemError("a result with an exception set")
    >>> error.__cause__ = KeyboardInterrupt()
    >>> find_end(error), find_end(ValueError())
    (KeyboardInterrupt(), None)
    """
    while error is not None and not isinstance(error, STOPPED):
        error = error.__cause__ or error.__context__
    return error


def exit_status(stop: BaseException | None = None) -> int:
    """Return the exit status for a signal exception or for the received signal; 0 if there is none.

    Examples
    --------
    >>> exit_status(KeyboardInterrupt()), exit_status(Terminated()), exit_status()
    (130, 143, 0)
    """
    if stop is None:
        return 128 + _received if _received else 0
    return 128 + getattr(stop, "number", signal.SIGINT)


def handle_signals(grace: float = GRACE_SECONDS) -> None:
    """Make the signals of this process raise :class:`Interrupted` or :class:`Terminated`.

    Signals that are ignored, as below ``nohup``, or have a handler already stay as they are. A
    second call does nothing. During an import a signal ends the process at once if no cleanup is
    registered; otherwise the exception is raised after the import.

    The process ends at the latest ``grace`` seconds after a signal.
    """
    handled = [number for number in ENDING if signal.getsignal(number) in _DEFAULTS]
    if not handled or threading.current_thread() is not threading.main_thread():
        return
    sys.unraisablehook = _hide_stops
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading, grace), name="signals", daemon=True).start()
    for number in handled:
        signal.signal(number, _raise_stop)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=_block_signals, after_in_parent=_unblock_signals, after_in_child=_leave_parent
        )


_DEFAULTS: Final = (signal.SIG_DFL, signal.default_int_handler)


def _raise_stop(number: int, frame: FrameType | None) -> None:
    """Raise the exception of a signal, unless that must wait or it is on its way."""
    global _received  # noqa: PLW0603 - one state for the process
    _received = _received or number
    if _raised is not None and _raised() is not None:
        return
    if not _is_importing(frame):
        raise _new_stop()
    if not _cleanups:
        os._exit(128 + _received)


def _new_stop() -> BaseException:
    # In a function of its own: a variable of the handler would keep the exception alive.
    global _raised  # noqa: PLW0603
    stop = Interrupted() if _received == signal.SIGINT else Terminated(_received)
    _raised = ref(stop)
    return stop


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a frame is below an import: C modules and fallback imports discard exceptions."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _hide_stops(error: "sys.UnraisableHookArgs") -> None:
    """Print nothing for a signal in a callback or finaliser: the signal is repeated."""
    if not isinstance(error.exc_value, STOPPED):
        sys.__unraisablehook__(error)


def _block_signals() -> None:
    _unblocked.mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)


def _unblock_signals() -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, _unblocked.mask)


def _leave_parent() -> None:
    """Restore the defaults in a forked process, which has the pipe but not the thread."""
    signal.set_wakeup_fd(-1)
    _cleanups.clear()
    for number in ENDING:
        if signal.getsignal(number) is _raise_stop:
            is_int = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_int else signal.SIG_DFL)
    _unblock_signals()


def _watch(descriptor: int, grace: float) -> None:
    """Wait for a signal, repeat it while its exception is lost, and end the process in time."""
    number, since, is_own = 0, 0.0, False
    while True:
        if select.select([descriptor], [], [], _TICK if number else None)[0]:
            for caught in os.read(descriptor, 1 << 10):
                if caught not in ENDING:
                    continue
                if is_own:
                    is_own = False
                elif not number:
                    number, since = caught, time.monotonic()
                elif time.monotonic() - since > _SAME_SECONDS:
                    end_process(number)
        if number and time.monotonic() - since > grace:
            end_process(number)
        is_lost = _received and not _is_closing and (_raised is None or _raised() is None)
        if number and is_lost and hasattr(signal, "pthread_kill"):
            is_own = True
            signal.pthread_kill(threading.main_thread().ident or 0, number)


def end_process(number: int) -> NoReturn:
    """Run the registered cleanups, and end the process with the status of a signal."""
    threading.Thread(target=_exit_later, args=(128 + number,), daemon=True).start()
    for clean in _cleanups[::-1]:
        with suppress(Exception):
            clean()
    os._exit(128 + number)


def _exit_later(status: int) -> None:
    time.sleep(_CLEANUP_SECONDS)
    os._exit(status)


def add_cleanup(clean: Callable[[], object]) -> None:
    """Register a function that is called if a signal ends the process.

    It runs in another thread, beside the main thread.
    """
    _cleanups.append(clean)


def remove_cleanup(clean: Callable[[], object]) -> None:
    """Remove a registered function."""
    with suppress(ValueError):  # a forked process has none
        _cleanups.remove(clean)


@contextmanager
def cleanup_at_end(clean: Callable[[], object]) -> Iterator[None]:
    """Register a function as :func:`add_cleanup` does, for the time of a block."""
    add_cleanup(clean)
    try:
        yield
    finally:
        remove_cleanup(clean)


def exit_on_signals() -> None:
    """Make signals end the process at once: the interpreter may be closing down.

    There, an exception of a signal handler would be printed with its traceback.
    """
    global _is_closing  # noqa: PLW0603
    _is_closing = True
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda caught, _: os._exit(128 + caught))


@contextmanager
def delayed_signals() -> Iterator[None]:
    """Deliver signals that end a command at the end of the block instead of inside it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signal handlers run in the main thread only
        return
    received: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING}
    delayed = [number for number in handlers if handlers[number] not in (None, signal.SIG_IGN)]
    for number in delayed:
        signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number in delayed:
            signal.signal(number, handlers[number])
        for caught in received:
            handler = handlers[caught]
            if callable(handler):  # not sent again: the wake-up descriptor has seen it
                handler(caught, None)
            else:
                signal.raise_signal(caught)
