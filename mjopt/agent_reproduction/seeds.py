"""Seeds side by side: each in a process of its own, and what they tell passed on as one."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Final

from mjopt._internal.folder import write_whole
from mjopt._internal.pool import open_pool
from mjopt._internal.progress import Quiet, Watcher
from mjopt.agent_reproduction.bench import Bench

SECONDS: Final = 1.0
"""Between two looks at what was told."""


@dataclass
class Told:
    """What a process tells of its work, in a file that others read.

    Parameters
    ----------
    path
        The file.
    total, done
        Of the stage that it is at.
    said
        All its lines.
    """

    path: Path
    total: float = 0
    done: float = 0
    said: list[str] = field(default_factory=list)
    _written: float = field(default=0, repr=False)

    def begin(self, total: float, _: str = "", done: int = 0) -> None:
        """Tell how much there is."""
        self.total, self.done = total, done
        self._write()

    def advance(self, number: float = 1) -> None:
        """Tell that more is done; once in a while."""
        self.done += number
        if time.monotonic() > self._written + SECONDS:
            self._write()

    def say(self, text: str) -> None:
        """Tell a line."""
        self.said.append(text)
        self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        write_whole(self.path, json.dumps([self.total, self.done, self.said]).encode())

    def read(self) -> list[str]:
        """Read what was told, and return the lines that are new."""
        if not self.path.exists():
            return []
        before = len(self.said)
        self.total, self.done, self.said = json.loads(self.path.read_text())
        return self.said[before:]


def side_by_side(bench: Bench, make: Callable[[Bench], object]) -> None:
    """Do something with a bench for each of its seeds, as many at once as there are jobs.

    What it makes in the folder stands there afterwards.

    Parameters
    ----------
    bench
        Its held-out decisions are made first: all seeds are asked about the same.
    make
        What to do with the bench of one seed; a function that another process can import.
    """
    len(bench.held_out.decisions)
    told = {seed: Told(bench.folder / f"seed-{seed}.json") for seed in bench.seeds}
    alone = replace(bench, scale=replace(bench.scale, seeds=1), jobs=1, progress=Quiet())
    work = partial(_make_one, bench=alone, make=make)
    with (
        _passed_on(told, bench.progress),
        open_pool(min(bench.jobs, len(told)), kept=True) as pool,
    ):
        for _ in pool.as_done(work, told.items()):
            pass


def _make_one(one: tuple[int, Told], *, bench: Bench, make: Callable[[Bench], object]) -> None:
    seed, told = one
    make(replace(bench, seed=seed, progress=told))


@contextmanager
def _passed_on(told: dict[int, Told], progress: Watcher) -> Iterator[None]:
    """Pass on what processes tell for as long as they work."""
    is_over = Event()
    for one in told.values():
        one.path.unlink(missing_ok=True)

    def listen() -> None:
        shown = [0.0, 0.0]  # total, done
        while True:
            was_last = is_over.wait(SECONDS)
            for seed, one in told.items():
                for text in one.read():
                    progress.say(f"seed {seed}: {text}")
            total, done = (
                sum(getattr(one, of) for one in told.values()) for of in ("total", "done")
            )
            if total != shown[0] or done < shown[1]:
                progress.begin(total)
                shown = [total, 0.0]
            progress.advance(done - shown[1])
            shown[1] = done
            if was_last:
                return

    thread = Thread(target=listen, name="mjopt seeds", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        for one in told.values():
            one.path.unlink(missing_ok=True)


def make_all(bench: Bench, targets: Sequence[Callable[[Bench], object]]) -> None:
    """Make what several targets need."""
    for target in targets:
        bench.progress.say(target.__name__)
        target(bench)
