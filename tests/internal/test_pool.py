"""The pool: the same results from whoever works, and one line when somebody is killed."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import pytest

from mjopt._internal.pool import AHEAD, Pool, in_order, open_pool
from mjopt.errors import WorkerError


def doubled(number: int) -> int:
    return 2 * number


def killed(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class Plain(Executor):
    """All that the pool may ask for: `submit` with arguments by position."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2)

    def submit(self, work: Any, /, *batch: Any) -> Future[Any]:  # type: ignore[override]
        return self._threads.submit(work, *batch)

    def map(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("not every executor can map")

    def shutdown(self, *_: Any, **__: Any) -> None:
        raise AssertionError("it is not ours to shut down")


@pytest.mark.parametrize(
    "who",
    [{}, {"jobs": 2}, {"jobs": 2, "kind": "threads"}, {"jobs": 2, "executor": Plain()}],
    ids=["here", "processes", "threads", "executor"],
)
def test_the_same_results_from_whoever_works(who: dict[str, Any]) -> None:
    with open_pool(**who) as pool:
        for number in (0, 1, 50):
            wanted = [2 * n for n in range(number)]
            assert list(pool.in_order(doubled, range(number))) == wanted
            assert sorted(pool.as_done(doubled, range(number))) == wanted


@pytest.mark.parametrize(("who", "first"), [({}, "here"), ({"kind": "threads"}, "given")])
def test_something_else_is_done_once_work_is_given_out(who: dict[str, Any], first: str) -> None:
    order: list[str] = []

    def given() -> Iterator[int]:
        order.append("given")
        yield 1

    with open_pool(1, apart=bool(who), **who) as pool:
        assert (pool.executor is None) == (not who)  # one works apart, if it is asked to
        found = pool.in_order(doubled, given(), meanwhile=lambda: order.append("here"))
        assert list(found) == [2]
    assert order[0] == first
    assert sorted(order) == ["given", "here"]


def test_only_a_few_are_read_ahead() -> None:
    read = []

    def stream() -> Iterator[int]:
        for number in range(1000):
            read.append(number)
            yield number

    with open_pool(2, kind="threads") as pool:
        results = pool.in_order(doubled, stream())
        assert list(islice(results, 3)) == [0, 2, 4]
        assert len(read) == 2 * AHEAD + 3


def test_what_is_slow_does_not_hold_up_what_is_done() -> None:
    is_let_go: Future[None] = Future()

    def work(number: int) -> int:
        if number == 0:
            is_let_go.result()
        return number

    with open_pool(2, kind="threads") as pool:
        results = pool.as_done(work, range(5))
        assert sorted(islice(results, 4)) == [1, 2, 3, 4]
        is_let_go.set_result(None)
        assert list(results) == [0]


def test_an_error_of_the_work_comes_through_and_stops_it() -> None:
    begun = []

    def work(number: int) -> int:
        begun.append(number)
        time.sleep(0.01)
        return 1 // (number - 1)

    with pytest.raises(ZeroDivisionError):
        list(in_order(work, range(1000), jobs=2, kind="threads"))
    assert len(begun) <= 2 * AHEAD + 1


KILLED = "a worker process was killed (out of memory?)%s: run the same command again"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="what Windows lacks")
def test_a_killed_worker_is_one_line() -> None:
    with pytest.raises(WorkerError) as caught:
        list(in_order(killed, range(9), jobs=2, kept=True))
    assert str(caught.value) == KILLED % "; what is done is kept"


def test_nothing_is_said_to_be_kept_that_is_not() -> None:
    class Breaks(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise BrokenExecutor

    with open_pool(executor=Breaks()) as pool, pytest.raises(WorkerError) as caught:
        list(pool.in_order(killed, range(9)))
    assert str(caught.value) == KILLED % ""


def test_work_that_was_called_off_is_an_error_too() -> None:
    class CallsOff(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise CancelledError

    with pytest.raises(WorkerError, match=r"the cluster gave up \(CancelledError\): run"):
        list(Pool(executor=CallsOff(), jobs=2).as_done(doubled, [1]))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"jobs": 0}, "0 jobs, expected at least 1"),
        ({"kind": "fibers"}, "executor 'fibers', expected processes or threads"),
    ],
)
def test_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(WorkerError, match=message):
        list(in_order(doubled, [1], **how))
