"""Fault injection: kill a process at any step of writing, in the middle of a write.

A step is one call that writes, flushes, truncates, closes, syncs, renames or removes a
file, or creates or removes a folder. A killed write leaves half of its data.
"""

import io
import os
import shutil
from collections.abc import Callable, Container, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from helpers.forking import started

DIED = 77

Half = Callable[[Path], object]
"""Performs half of a step on the file at a path."""

Watcher = Callable[[int, Path | None, Half], None]
"""Receives each step before it runs: its number, its file, and a function that does half of it."""


def dies_at(step: int, work: Callable[[], object]) -> bool:
    """Run work in a process that dies at a step; return whether it reached the step."""
    process = started(partial(_die_at, step, work))
    process.join()
    assert process.exitcode in (0, DIED), process.exitcode
    return process.exitcode == DIED


def _die_at(step: int, work: Callable[[], object]) -> None:
    def die(number: int, path: Path | None, half: Half) -> None:
        if number == step:
            if path:
                half(path)
            os._exit(DIED)

    watch(work, die)


def left_at(
    work: Callable[[], object], folder: Path, copies: Path, steps: Container[int] | None = None
) -> list[Path]:
    """Run work once; return copies of a folder as a crash at each of ``steps`` would leave it.

    A copy holds the data on disk at that step, without buffered data. No lock is held.
    """
    found = []

    def copy(number: int, path: Path | None, half: Half) -> None:
        if steps is None or number in steps:
            found.append(shutil.copytree(folder, copies / str(number)))
            if path:
                half(found[-1] / path.relative_to(folder))

    watch(work, copy)
    return found


def watch(work: Callable[[], object], watcher: Watcher) -> None:
    """Run work, and call the watcher before every step."""
    done = 0
    is_watching = False

    def step(path: Path | None = None, half: Half = Path.exists) -> None:
        nonlocal done, is_watching
        if not is_watching:  # ignore writes of the watcher
            is_watching = True
            done += 1
            watcher(done, path, half)
            is_watching = False

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            step()
            return function(*args, **kwargs)

        return call

    class WatchedFile:
        """A file that counts its steps, with an inspectable write buffer."""

        def __init__(self, path: Path, file: Any) -> None:
            self.path, self.file, self.waiting = path, file, b""
            for name in ("flush", "truncate", "close"):
                setattr(self, name, counted(getattr(self, f"_{name}")))

        def __getattr__(self, name: str) -> Any:
            if name in ("read", "readinto", "seek"):
                self._flush()
            return getattr(self.file, name)

        def __enter__(self) -> "WatchedFile":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()  # type: ignore[attr-defined]

        def write(self, content: Any) -> int:
            size = memoryview(content).nbytes
            content = bytes(content)

            def half(path: Path) -> None:
                with opened(path, "rb+") as file:
                    if "a" in self.file.mode:
                        file.seek(0, os.SEEK_END)
                    else:
                        file.seek(self.file.tell())
                    file.write(self.waiting + content[: size // 2])

            step(self.path, half)
            self.waiting += content
            if len(self.waiting) > io.DEFAULT_BUFFER_SIZE:
                self._flush()
            return size

        def writelines(self, lines: Iterable[bytes]) -> None:
            self.write(b"".join(lines))

        def tell(self) -> int:
            return int(self.file.tell()) + len(self.waiting)

        def _flush(self) -> None:
            waiting, self.waiting = self.waiting, b""
            if waiting:
                assert self.file.write(waiting) == len(waiting)

        def _truncate(self, size: int | None = None) -> int:
            self._flush()
            return int(self.file.truncate(size))

        def _close(self) -> None:
            self._flush()
            self.file.close()

    opened = Path.open

    def watched_open(path: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        if "b" not in mode or mode == "rb" or is_watching:
            return opened(path, mode, *args, **kwargs)
        return WatchedFile(path, opened(path, mode, buffering=0))

    with ExitStack() as stack:
        stack.enter_context(patch.object(Path, "open", watched_open))
        for owner, names in (
            (Path, ("replace", "unlink", "mkdir")),
            (os, ("fsync", "ftruncate", "write", "rmdir")),
            (shutil, ("rmtree",)),
        ):
            for name in names:
                stack.enter_context(patch.object(owner, name, counted(getattr(owner, name))))
        work()
