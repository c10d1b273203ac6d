"""Answers to queries, computed by worker processes in the background."""

import atexit
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from threading import RLock, Thread
from typing import Generic, TypeVar

from mjopt._internal.worker_processes import WorkerProcesses

Q = TypeVar("Q", bound=Hashable)
R = TypeVar("R")


class Background(Generic[Q, R]):
    """Answers by query, computed by processes that start with the first queries.

    Every caller gets a future of its own, and equal queries are computed once. A query whose
    futures are all cancelled leaves the queue; if it is being computed, it is cancelled as well
    (see :mod:`mjopt._internal.cancellation`), and its process computes the next one. A process
    that has died is replaced at once.

    ``function`` is that of a module; queries and answers are pickled. ``most`` answers are kept.
    One client may have ``most_queued`` futures in the queue; beyond it, its oldest are cancelled.
    Every new process computes the query ``first``, so that the next one need not wait until all is
    imported and compiled.
    """

    def __init__(
        self,
        function: Callable[[Q], R],
        *,
        most: int,
        num_workers: int,
        most_queued: int,
        first: Q | None = None,
    ) -> None:
        self._function = pickle.dumps(function)
        self._most, self._most_queued = most, most_queued
        self._first = first
        self._num_free = num_workers
        self._idle: list[WorkerProcesses] = []  # those of the free workers that have started
        self._busy: set[WorkerProcesses] = set()
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

    def warm_up(self) -> None:
        """Start all processes that have not started, each with the first query."""
        assert self._first is not None
        with self._lock:
            while len(self._idle) < self._num_free:
                self._compute(self._first, self._new_worker())

    def _start_queued(self) -> None:
        """Let free workers compute the first queries of the queue."""
        for query in [query for query, worker in self._workers.items() if worker is None]:
            if self._num_free and self._workers.get(query, self) is None:
                worker = self._idle.pop() if self._idle else self._new_worker()
                self._workers[query] = worker
                self._compute(query, worker)

    def _new_worker(self) -> WorkerProcesses:
        worker = WorkerProcesses(1, can_cancel=True)
        worker.start()
        Thread(target=self._replace_idle, args=(worker,), daemon=True).start()
        # The function that is registered last runs first. Once a process has started, that of
        # multiprocessing is registered, which would wait for the process.
        atexit.unregister(self.close)
        atexit.register(self.close)
        return worker

    def _compute(self, query: Q, worker: WorkerProcesses) -> None:
        self._num_free -= 1
        self._busy.add(worker)
        sent = worker.submit(self._function, pickle.dumps(query))
        sent.add_done_callback(partial(self._receive, query, worker))

    def _receive(self, query: Q, worker: WorkerProcesses, sent: "Future[bytes]") -> None:
        """Pass the result of a worker on, unless its query was cancelled; the worker is free."""
        error, futures = sent.exception(), list[Future[R]]()
        with self._lock:
            if worker not in self._busy:  # closed
                return
            if self._workers.get(query) is worker:
                del self._workers[query]
                if error is None:
                    answer: R = pickle.loads(sent.result())  # written by our own process
                    self._answers[query] = answer
                    if len(self._answers) > self._most:
                        self._answers.popitem(last=False)
                futures = [one for one, (wanted, _) in self._waiting.items() if wanted == query]
                for future in futures:
                    del self._waiting[future]
            self._busy.remove(worker)
            self._num_free += 1
            if not isinstance(error, BrokenExecutor):
                self._idle.append(worker)
            elif self._first not in (None, query):  # not if it died as it started
                self.warm_up()
            self._start_queued()
        for future in futures:
            with suppress(InvalidStateError):  # cancelled meanwhile
                if error is None:
                    future.set_result(answer)
                else:
                    future.set_exception(error)

    def _replace_idle(self, worker: WorkerProcesses) -> None:
        """Wait for the end of a worker; if it was idle, another one takes its place."""
        worker.wait_for_end()
        with self._lock:
            if worker in self._idle:
                self._idle.remove(worker)
                if self._first is not None:
                    self.warm_up()

    def _leave(self, future: "Future[R]") -> None:
        """Forget a cancelled future, and its query if it has no other."""
        with self._lock:
            query, _ = self._waiting.pop(future, (None, ""))
            if query is None or any(wanted == query for wanted, _ in self._waiting.values()):
                return
            worker = self._workers.pop(query)
            if worker is not None:
                worker.cancel()

    def close(self) -> None:
        """Cancel all queries, end the processes at once, and forget the answers."""
        with self._lock:
            futures, workers = [*self._waiting], [*self._busy, *self._idle]
            self._num_free += len(self._busy)
            for state in (self._waiting, self._workers, self._busy, self._idle, self._answers):
                state.clear()
        atexit.unregister(self.close)
        for future in futures:
            future.cancel()
        for worker in workers:
            worker.terminate()
