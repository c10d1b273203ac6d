"""Longer work that a page begins: one at a time, told of as it goes, stopped with the server."""

import secrets
import threading
from collections.abc import Callable
from typing import Final

from mjopt.errors import MjoptError

MOST_KEPT: Final = 20  # jobs that are remembered after their end


class Job:
    """A piece of work that counts how far it is."""

    def __init__(self, what: str, total: int) -> None:
        self.id = secrets.token_urlsafe(12)
        self.what, self.total, self.done = what, total, 0
        self.state = "running"
        self.stop = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether there is more to come."""
        return self.state == "running"


class Jobs:
    """The jobs of a site; one runs at a time.

    Examples
    --------
    >>> jobs = Jobs()
    >>> job = jobs.begin("counting", 3, lambda job: setattr(job, "done", 3))
    >>> jobs.wait()
    >>> job.state, job.done, jobs.get(job.id) is job
    ('done', 3, True)
    """

    def __init__(self) -> None:
        self._kept: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def begin(self, what: str, total: int, work: Callable[[Job], None]) -> Job | None:
        """Begin a job in a thread of its own; None while another is running."""
        with self._lock:
            if self.running is not None:
                return None
            job = Job(what, total)
            self._kept[job.id] = job
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._thread = threading.Thread(
                target=_run, args=(job, work), name="mjopt-job", daemon=True
            )
            self._thread.start()
        return job

    def get(self, id_: str) -> Job | None:
        """Return a job by its id."""
        return self._kept.get(id_)

    @property
    def running(self) -> Job | None:
        """The job that is running now."""
        return next((job for job in self._kept.values() if job.is_running), None)

    @property
    def last(self) -> Job | None:
        """The job that was begun last, if there was any."""
        return next(reversed(self._kept.values()), None)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the job that is running."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Stop the job that is running, and wait a moment for its end."""
        for job in list(self._kept.values()):
            job.stop.set()
        self.wait(5)


def _run(job: Job, work: Callable[[Job], None]) -> None:
    try:
        work(job)
        job.state = "stopped" if job.stop.is_set() and job.done < job.total else "done"
    except (MjoptError, OSError) as error:
        job.state = f"failed: {error}"
    except BaseException:
        job.state = "failed"
        raise
