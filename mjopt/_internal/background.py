"""Answers to queries, computed by worker processes in the background."""

import atexit
import pickle
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from functools import lru_cache
from typing import Generic, TypeVar

from mjopt._internal.executor import WorkerProcesses

Q = TypeVar("Q", bound=Hashable)
R = TypeVar("R")


class Background(Generic[Q, R]):
    """Answers by query, computed by processes that start with the first queries.

    Parameters
    ----------
    function
        Function of a module, which computes an answer; queries and answers are pickled.
    most
        Number of answers that are kept.
    num_workers
        Number of processes.
    """

    def __init__(self, function: Callable[[Q], R], most: int, num_workers: int) -> None:
        self._function = pickle.dumps(function)
        self._num_workers = num_workers
        self._workers: WorkerProcesses | None = None
        self._answers = lru_cache(maxsize=most)(self._compute)

    def submit(self, query: Q) -> "Future[R]":
        """Return the answer to a query, which is computed unless it is known."""
        return self._answers(query)

    def _compute(self, query: Q) -> "Future[R]":
        if self._workers is None:
            self._workers = WorkerProcesses(self._num_workers)
            atexit.register(self.close)  # otherwise the interpreter waits for them
        answer: Future[R] = Future()

        def receive(sent: "Future[bytes]") -> None:
            error = CancelledError() if sent.cancelled() else sent.exception()
            if error is None:
                answer.set_result(pickle.loads(sent.result()))  # written by our own process
            else:
                answer.set_exception(error)
                self.close()  # the next query starts other processes

        self._workers.submit(self._function, pickle.dumps(query)).add_done_callback(receive)
        return answer

    def close(self) -> None:
        """End the processes at once, and forget the answers."""
        workers, self._workers = self._workers, None
        self._answers.cache_clear()
        if workers is not None:
            atexit.unregister(self.close)
            workers.terminate()
