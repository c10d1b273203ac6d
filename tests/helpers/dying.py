"""Processes that die at a step of writing, in the middle of it where there is one."""

import multiprocessing
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

DIED = 77


def dies_at(step: int, work: Callable[[], object]) -> bool:
    """Run some work in a process that dies at a step; return whether it came so far.

    A step is one call that writes, flushes, cuts off, closes, syncs, places or removes a
    file, or makes or removes a folder. Half of what a call was to write is written.
    """
    # Fork: nothing has to be imported again.
    process = multiprocessing.get_context("fork").Process(target=_run, args=(step, work))
    process.start()
    process.join()
    assert process.exitcode in (0, DIED), process.exitcode
    return process.exitcode == DIED


def _run(step: int, work: Callable[[], object]) -> None:
    left = [step]

    def count(half: Callable[[], object] = lambda: None) -> None:
        left[0] -= 1
        if not left[0]:
            half()
            os._exit(DIED)

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            count()
            return function(*args, **kwargs)

        return call

    class DyingFile:
        """A file that counts."""

        def __init__(self, file: Any) -> None:
            self.file = file
            for name in ("flush", "truncate", "close"):
                setattr(self, name, counted(getattr(file, name)))

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def __enter__(self) -> "DyingFile":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()  # type: ignore[attr-defined]

        def write(self, content: Any) -> object:
            def half() -> None:
                self.file.write(memoryview(content).cast("B")[: memoryview(content).nbytes // 2])
                self.file.flush()

            count(half)
            return self.file.write(content)

    opened = Path.open

    def dying_open(path: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        file = opened(path, mode, *args, **kwargs)
        return DyingFile(file) if "b" in mode and mode != "rb" else file

    Path.open = dying_open  # type: ignore[method-assign, assignment]
    for owner, names in (
        (Path, ("replace", "unlink", "mkdir")),
        (os, ("fsync", "ftruncate", "pwrite", "rmdir")),
        (shutil, ("rmtree",)),
    ):
        for name in names:
            setattr(owner, name, counted(getattr(owner, name)))
    work()
