"""Answers to queries, computed by worker processes in the background."""

import atexit
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from threading import RLock, Thread
from typing import Generic, TypeVar

from mjopt._internal.executor import WorkerProcesses

Q = TypeVar("Q", bound=Hashable)
R = TypeVar("R")


class Background(Generic[Q, R]):
    """Answers by query, computed by processes that start with the first queries.

    Every caller gets a future of its own, and equal queries are computed once. A query whose
    futures are all cancelled leaves the queue; if it is being computed, its process is ended.

    Parameters
    ----------
    function
        Function of a module, which computes an answer; queries and answers are pickled.
    most
        Number of answers that are kept.
    num_workers
        Number of processes.
    most_queued
        Number of futures of one client in the queue. Beyond it, its oldest are cancelled.
    """

    def __init__(
        self, function: Callable[[Q], R], *, most: int, num_workers: int, most_queued: int
    ) -> None:
        self._function = pickle.dumps(function)
        self._most, self._most_queued = most, most_queued
        self._num_free = num_workers
        self._idle: list[WorkerProcesses] = []  # those of the free workers that have started
        self._workers: dict[Q, WorkerProcesses | None] = {}  # by open query; None in the queue
        self._waiting: dict[Future[R], tuple[Q, str]] = {}  # query and client, oldest first
        self._answers: OrderedDict[Q, R] = OrderedDict()  # least recently used first
        self._lock = RLock()

    def known(self, query: Q) -> R | None:
        """Return an answer if it is known, else None."""
        with self._lock:
            if query in self._answers:
                self._answers.move_to_end(query)
            return self._answers.get(query)

    def submit(self, query: Q, client: str = "") -> "Future[R]":
        """Return a future for the answer to a query, which is computed unless it is known."""
        future: Future[R] = Future()
        with self._lock:
            if (answer := self.known(query)) is not None:
                future.set_result(answer)
                return future
            self._workers.setdefault(query, None)
            self._waiting[future] = query, client
            future.add_done_callback(self._leave)
            self._start_queued()
            queued = [
                other
                for other, (wanted, owner) in self._waiting.items()
                if owner == client and self._workers[wanted] is None
            ]
            for other in queued[: -self._most_queued]:
                other.cancel()
        return future

    def _start_queued(self) -> None:
        """Let free workers compute the first queries of the queue."""
        queue = [query for query, worker in self._workers.items() if worker is None]
        for query in queue[: self._num_free]:
            worker = self._idle.pop() if self._idle else WorkerProcesses(1)
            self._num_free -= 1
            self._workers[query] = worker
            sent = worker.submit(self._function, pickle.dumps(query))
            # The last function that is registered runs first. Once a process has started, that of
            # multiprocessing is registered, which would wait for the process.
            atexit.unregister(self.close)
            atexit.register(self.close)
            sent.add_done_callback(partial(self._receive, query, worker))

    def _receive(self, query: Q, worker: WorkerProcesses, sent: "Future[bytes]") -> None:
        """Pass the result of a worker on, unless its query was cancelled."""
        with self._lock:
            if self._workers.get(query) is not worker:
                return
            if (error := sent.exception()) is None:
                answer: R = pickle.loads(sent.result())  # written by our own process
                self._answers[query] = answer
                if len(self._answers) > self._most:
                    self._answers.popitem(last=False)
            futures = [one for one, (wanted, _) in self._waiting.items() if wanted == query]
            for future in futures:
                del self._waiting[future]
            self._free(query, worker, is_ended=error is not None)
        for future in futures:
            with suppress(InvalidStateError):  # cancelled meanwhile
                if error is None:
                    future.set_result(answer)
                else:
                    future.set_exception(error)

    def _leave(self, future: "Future[R]") -> None:
        """Forget a cancelled future, and its query if it has no other."""
        with self._lock:
            query, _ = self._waiting.pop(future, (None, ""))
            if query is None or any(wanted == query for wanted, _ in self._waiting.values()):
                return
            self._free(query, self._workers[query], is_ended=True)

    def _free(self, query: Q, worker: WorkerProcesses | None, *, is_ended: bool) -> None:
        """Remove a query, and let its worker compute another one or end it."""
        del self._workers[query]
        if worker is None:
            return
        if is_ended:  # in a thread, because it may take seconds
            Thread(target=worker.terminate).start()
        else:
            self._idle.append(worker)
        self._num_free += 1
        self._start_queued()

    def close(self) -> None:
        """Cancel all queries, end the processes at once, and forget the answers."""
        with self._lock:
            futures = [*self._waiting]
            running = [worker for worker in self._workers.values() if worker is not None]
            workers = [*running, *self._idle]
            self._num_free += len(running)
            for state in (self._waiting, self._workers, self._idle, self._answers):
                state.clear()
        atexit.unregister(self.close)
        for future in futures:
            future.cancel()
        for worker in workers:
            worker.terminate()
