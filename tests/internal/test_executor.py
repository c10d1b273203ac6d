"""Executors: all kinds give the same results, and no worker outlives its parent."""

import ctypes
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest
from helpers.processes import wait_for_workers, wait_until_gone
from helpers.waits import BRIEF, FOREVER, LONG, POLL, wait_until

from mjopt._internal.executor import TASKS_PER_WORKER, open_executor
from mjopt._internal.jit import hide_note, note_is_hidden
from mjopt.errors import ArgumentError, WorkerError


def double(number: int) -> int:
    return 2 * number


def die_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def has_hidden_note(_: int) -> bool:
    return note_is_hidden()


class MinimalExecutor(Executor):
    """An executor that supports only `submit` with positional arguments."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2)

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        return self._threads.submit(function, *arguments)

    def map(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("not every executor has a map")

    def shutdown(self, *_: Any, **__: Any) -> None:
        raise AssertionError("its owner shuts it down")


@pytest.mark.parametrize(
    "options",
    [{}, {"jobs": 2}, {"jobs": 2, "executor": MinimalExecutor()}],
    ids=["this process", "processes", "executor"],
)
def test_all_executors_give_the_same_results(options: dict[str, Any]) -> None:
    with open_executor(**options) as workers:
        for number in (0, 1, 50):
            expected = [2 * n for n in range(number)]
            assert list(workers.map(double, range(number))) == expected
            assert sorted(workers.map_unordered(double, range(number))) == expected


def test_only_a_few_items_are_read_ahead() -> None:
    read = []

    def items() -> Iterator[int]:
        for number in range(1000):
            read.append(number)
            yield number

    with open_executor(2, executor=MinimalExecutor()) as workers:
        assert list(islice(workers.map(double, items()), 3)) == [0, 2, 4]
        assert len(read) == 2 * TASKS_PER_WORKER + 3


class WaitingExecutor(MinimalExecutor):
    """The first task waits for an event."""

    def __init__(self) -> None:
        super().__init__()
        self.event, self.is_first = Event(), True

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        if self.is_first:
            self.is_first = False
            return self._threads.submit(lambda: (self.event.wait(), function(*arguments))[1])
        return super().submit(function, *arguments)


def test_slow_item_does_not_block_the_others() -> None:
    executor = WaitingExecutor()
    with open_executor(2, executor=executor) as workers:
        results = workers.map_unordered(double, range(5))
        assert sorted(islice(results, 4)) == [2, 4, 6, 8]
        executor.event.set()
        assert list(results) == [0]


def test_an_exception_of_the_function_reaches_the_caller() -> None:
    with open_executor(2) as workers, pytest.raises(ValueError, match="invalid literal"):
        list(workers.map(int, ["1", "x"]))


def test_killed_worker_is_a_one_line_error() -> None:
    message = r"^a worker process was killed \(out of memory\?\): run the same command again$"
    with pytest.raises(WorkerError, match=message), open_executor(2) as workers:
        list(workers.map(die_at_three, range(9)))


def end_in_large_result(folder: str) -> bytes:
    """Return a result larger than a pipe, once nobody reads it, and end while it is written."""
    started, deaf, ended = (Path(folder) / name for name in ("started", "deaf", "ended"))

    def end() -> None:
        ended.touch()
        os._exit(1)

    started.touch()
    wait_until(deaf.exists, "the results are still read")
    Timer(BRIEF, end).start()
    return bytes(10**7)


def test_worker_that_ends_in_a_large_result_is_an_error(tmp_path: Path) -> None:
    def items() -> Iterator[str]:
        yield str(tmp_path)
        wait_until((tmp_path / "started").exists, "the task does not start")
        # Holds the GIL, so that no thread reads the result meanwhile.
        wait = f"touch deaf; until test -e ended; do sleep {POLL}; done"
        ctypes.PyDLL(None).system(f"cd {shlex.quote(str(tmp_path))}; {wait}".encode())

    with pytest.raises(WorkerError, match="killed"), open_executor(2) as workers:
        list(workers.map(end_in_large_result, items()))


def test_cancelled_task_is_a_one_line_error() -> None:
    class Cancelling(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise CancelledError

    message = r"^the cluster gave up \(CancelledError\): run the same command again$"
    with open_executor(executor=Cancelling()) as workers, pytest.raises(WorkerError, match=message):
        list(workers.map_unordered(double, [1]))


def test_zero_jobs_are_refused() -> None:
    with pytest.raises(ArgumentError, match="jobs 0, expected at least 1"), open_executor(0):
        pass


PROGRAM = f"""
import sys, time
from pathlib import Path
from mjopt._internal import worker_processes
from mjopt._internal.executor import open_executor
from mjopt._internal.signals import handle_signals

worker_processes._GRACE_SECONDS = worker_processes._KILL_SECONDS = {LONG}  # for a busy machine

def work(name):
    path = Path(name)
    try:
        path.touch()
        time.sleep({FOREVER})
    finally:
        path.unlink()

if __name__ == "__main__":
    handle_signals()
    with open_executor(2) as workers:
        list(workers.map(work, sys.argv[1:]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_release_their_resources_and_end_with_the_parent(
    number: signal.Signals, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    names = [tmp_path / "a", tmp_path / "b"]
    words = [sys.executable, str(program), *map(str, names)]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as parent:
        workers = wait_for_workers(parent.pid, 2)
        wait_until(lambda: all(name.exists() for name in names), "the tasks do not start")
        parent.send_signal(number)
        parent.wait()
    wait_until_gone(workers)
    assert not any(name.exists() for name in names)


SCRIPT_WITH_OPEN_FILES = """
import sys, tempfile, weakref
from mjopt._internal.executor import open_executor

class Agent: ...

agent = Agent()
first_finalizer = weakref.finalize(agent, print, end="")  # exists before the worker runs a task

def work(folder):
    sys.opened = open(folder + "/written", "w"), tempfile.TemporaryDirectory(dir=folder)
    sys.opened[0].write("all")

if __name__ == "__main__":
    with open_executor(jobs=2) as workers:
        list(workers.map(work, sys.argv[1:]))
"""


def test_workers_write_out_files_and_remove_folders_at_their_end(tmp_path):
    script, folder = tmp_path / "script.py", tmp_path / "folder"
    script.write_text(SCRIPT_WITH_OPEN_FILES)
    folder.mkdir()
    subprocess.run([sys.executable, script, folder], check=True)
    assert [path.name for path in folder.iterdir()] == ["written"]
    assert (folder / "written").read_text() == "all"


def test_workers_compile_without_a_message_if_this_process_does() -> None:
    for is_hidden in (True, False):
        with hide_note(is_hidden), open_executor(2) as workers:
            assert list(workers.map(has_hidden_note, range(1))) == [is_hidden]
