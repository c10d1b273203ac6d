"""Worker processes on this machine, which run pickled functions on pickled items."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from mjopt._internal.cancellation import cancelled_by
from mjopt._internal.jit import hide_note, note_is_hidden
from mjopt._internal.signals import (
    Terminated,
    delayed_signals,
    exit_on_signals,
    exit_status,
    handle_signals,
)
from mjopt.errors import WorkerError

if TYPE_CHECKING:  # slow to load, and not needed with one process
    from concurrent.futures import Future
    from ctypes import c_bool
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

_GRACE_SECONDS: Final = 1.0  # time for a worker to release its resources after SIGTERM
_KILL_SECONDS: Final = 1.5  # time until a worker is killed
_SAFE_PATH: Final = "PYTHONSAFEPATH"
_RESULT, _ERROR = b"result", b"error"  # what a worker sends before a pickled object


class WorkerProcesses:
    """Worker processes, each with a pipe of its own.

    In ``concurrent.futures.ProcessPoolExecutor`` all workers share one pipe: if one of them ends
    in the middle of a result, the parent waits for the rest forever.

    ``can_cancel`` says whether :meth:`cancel` is used, which needs shared memory.
    """

    def __init__(self, jobs: int, *, can_cancel: bool = False) -> None:
        from concurrent.futures import ThreadPoolExecutor
        from ctypes import c_bool
        from multiprocessing import get_context

        self._jobs = jobs
        self._context = get_context("spawn")  # fork would copy solver threads in any state
        self._flag = self._context.RawValue(c_bool) if can_cancel else None
        self._threads = ThreadPoolExecutor(jobs)
        self._processes: list[SpawnProcess] = []
        self._idle: SimpleQueue[Connection] = SimpleQueue()

    def submit(self, function: bytes, item: bytes) -> "Future[bytes]":
        """Run a pickled function on a pickled item in a worker, which is started if needed."""
        if len(self._processes) < self._jobs:
            self.start()
        if self._flag is not None:
            self._flag.value = False
        return self._threads.submit(self._run, function, item)

    def start(self) -> None:
        """Start one of the workers."""
        with delayed_signals():
            self._start()

    def _start(self) -> None:
        from multiprocessing import resource_tracker

        ours, theirs = self._context.Pipe()
        arguments = theirs, self._flag, note_is_hidden(), os.environ.get(_SAFE_PATH)
        process = self._context.Process(target=_work, args=arguments)
        with _safe_path():
            # Workers inherit the mask, so that Ctrl-C reaches this process only.
            if hasattr(signal, "pthread_sigmask"):
                resource_tracker.ensure_running()  # its start would unblock the signal
                before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                process.start()
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            else:
                process.start()
        theirs.close()
        self._processes.append(process)
        self._idle.put(ours)

    def _run(self, function: bytes, item: bytes) -> bytes:
        """Let an idle worker run a task; executed in a thread."""
        from concurrent.futures import BrokenExecutor

        import cloudpickle

        connection = self._idle.get()
        try:
            connection.send_bytes(function)
            connection.send_bytes(item)
            is_result = connection.recv_bytes() == _RESULT
            answer = connection.recv_bytes()
        except (EOFError, OSError):
            raise BrokenExecutor from None
        finally:
            self._idle.put(connection)
        if not is_result:
            raise cloudpickle.loads(answer)
        return answer

    def cancel(self) -> None:
        """Let tasks raise :class:`Cancelled` when they next look, until another is submitted."""
        assert self._flag is not None
        self._flag.value = True

    def wait_for_end(self) -> None:
        """Wait until one of the processes has ended."""
        from multiprocessing.connection import wait

        wait([process.sentinel for process in self._processes])

    def close(self) -> None:
        """Wait for the tasks, and end the workers."""
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get().close()
        for process in self._processes:
            process.join()

    def terminate(self) -> None:
        """End the workers at once; they release their resources first."""
        with delayed_signals():
            self._threads.shutdown(wait=False, cancel_futures=True)
            for process in self._processes:
                process.terminate()
            deadline = time.monotonic() + _KILL_SECONDS
            for process in self._processes:
                process.join(max(0, deadline - time.monotonic()))
                if process.is_alive():
                    process.kill()
                    process.join()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Start Python processes that import no modules from the working folder.

    multiprocessing starts ``python -c``, which would import ``multiprocessing.py`` from there.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = value


def _work(
    connection: "Connection", flag: "c_bool | None", is_quiet: bool, safe_path: str | None
) -> None:
    """Run tasks in a worker process until the parent closes the pipe; compile in silence if quiet.

    While the flag is set, tasks are cancelled. The value of PYTHONSAFEPATH is that of the parent,
    for programs that tasks start. On SIGTERM, the resources of a running task are released first.
    """
    _set_safe_path(safe_path)
    with hide_note(is_quiet), cancelled_by(lambda: flag is not None and flag.value):
        _run_tasks(connection)


def _run_tasks(connection: "Connection") -> None:
    import traceback
    from threading import Thread

    import cloudpickle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        handle_signals(_GRACE_SECONDS)
        Thread(target=_end_with_parent, daemon=True).start()
        while True:
            try:
                function, item = connection.recv_bytes(), connection.recv_bytes()
            except EOFError:
                exit_on_signals()
                return
            try:
                answer = _RESULT, call_pickled(function, item)
            except BaseException as error:
                if exit_status():
                    os._exit(exit_status())
                error.add_note(f"In a worker:\n{''.join(traceback.format_exception(error))}")
                answer = _ERROR, cloudpickle.dumps(error)
            for part in answer:
                connection.send_bytes(part)
    except Terminated as stop:
        os._exit(exit_status(stop))


def _end_with_parent() -> None:
    """Terminate this worker process when its parent ends."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_KILL_SECONDS)
    os._exit(1)


def call_pickled(function: bytes, item: bytes) -> bytes:
    """Call a pickled function with a pickled item, and pickle the result."""
    import cloudpickle

    try:
        call, argument = cloudpickle.loads(function), cloudpickle.loads(item)
    except ImportError as error:
        raise WorkerError(
            f"a worker cannot import what it needs ({error})",
            hint="install that module on every worker",
        ) from None
    result: bytes = cloudpickle.dumps(call(argument))
    return result
