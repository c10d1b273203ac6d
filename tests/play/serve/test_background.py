"""Answers computed in the background: shared by equal queries, cancelled when nobody waits."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, wait
from pathlib import Path

import pytest
from helpers.fresh_process import run_python
from helpers.waits import LONG, wait_until

from mjopt._internal.cancellation import check_cancelled
from mjopt.play.serve.background import Background

Query = tuple[str, str]
Answers = Background[Query, str]


def meet(query: Query) -> str:
    """Write a line to a file, and wait until another one exists."""
    own, other = map(Path, query)
    with own.open("a") as file:
        print("started", file=file)

    def is_there() -> bool:
        check_cancelled()
        return other.exists()

    wait_until(is_there, f"{other} is not there")
    return own.name


def name_process(query: Query) -> str:
    """Return the process; end it for a query that says so."""
    if "end" in query:
        os.kill(os.getpid(), signal.SIGKILL)
    return str(os.getpid())


def meet_and_name(query: Query) -> str:
    meet(query)
    return name_process(query)


def fail(query: Query) -> str:
    raise ValueError(query)


@pytest.fixture
def answers() -> Iterator[Answers]:
    opened = Background(meet, most=8, num_workers=2, most_queued=2)
    yield opened
    opened.close()


@pytest.fixture
def one_at_a_time() -> Iterator[Answers]:
    opened = Background(meet, most=1, num_workers=1, most_queued=2)
    yield opened
    opened.close()


def never(folder: Path, name: str) -> Query:
    """Return a query that is never answered."""
    return str(folder / name), str(folder / "never")


def at_once(folder: Path, name: str) -> Query:
    return str(folder / name), str(folder / name)


def test_a_long_query_does_not_delay_another_one(answers: Answers, tmp_path: Path) -> None:
    """Each of two queries ends only while the other one runs, or has run."""
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    first, second, again = (answers.submit(pair) for pair in ((one, two), (two, one), (one, two)))
    assert (first.result(LONG), second.result(LONG), again.result(LONG)) == ("one", "two", "one")
    assert Path(one).read_text() == "started\n"  # computed once


def test_close_cancels_the_queries_and_forgets_the_answers(
    answers: Answers, tmp_path: Path
) -> None:
    known, open_query = at_once(tmp_path, "one"), never(tmp_path, "two")
    assert answers.submit(known).result(LONG) == "one"
    lost = answers.submit(open_query)
    answers.close()
    assert answers.known(known) is None
    assert lost.cancelled()
    assert answers.submit(known).result(LONG) == "one"


def test_cancelled_query_frees_its_worker(one_at_a_time: Answers, tmp_path: Path) -> None:
    endless = one_at_a_time.submit(never(tmp_path, "one"))
    wait_until((tmp_path / "one").exists, "the first query does not start")
    following = one_at_a_time.submit(at_once(tmp_path, "two"))
    assert not following.done()
    assert endless.cancel()
    assert following.result(LONG) == "two"


def test_process_of_a_cancelled_query_computes_the_next_one(tmp_path: Path) -> None:
    answers: Background[Query, str] = Background(
        meet_and_name, most=8, num_workers=1, most_queued=2
    )
    try:
        process = answers.submit(at_once(tmp_path, "one")).result(LONG)
        endless = answers.submit(never(tmp_path, "two"))
        wait_until((tmp_path / "two").exists, "the second query does not start")
        assert endless.cancel()
        assert answers.submit(at_once(tmp_path, "three")).result(LONG) == process
    finally:
        answers.close()


@pytest.mark.parametrize("is_idle", [False, True])
def test_dead_process_is_replaced_before_the_next_query(*, is_idle: bool) -> None:
    """The first query of its successor is answered, and its answer is not kept."""
    first = ("first", "")
    others = {one.pid for one in multiprocessing.active_children()}  # of other tests
    answers = Background(name_process, most=8, num_workers=1, most_queued=2, first=first)

    def successors() -> list[int | None]:
        pids = [one.pid for one in multiprocessing.active_children() if one.pid not in others]
        return [pid for pid in pids if str(pid) != dead]

    try:
        dead = answers.submit(("one", "")).result(LONG)
        if is_idle:
            os.kill(int(dead), signal.SIGKILL)
        else:
            assert isinstance(answers.submit(("end", "")).exception(LONG), BrokenExecutor)
        wait_until(successors, "there is no new process")
        [successor] = successors()
        assert answers.submit(("two", "")).result(LONG) == str(successor)
        assert answers.known(first) is None
    finally:
        answers.close()


def test_process_that_dies_at_its_start_is_not_replaced() -> None:
    answers = Background(name_process, most=8, num_workers=1, most_queued=2, first=("end", ""))
    try:
        answers.warm_up()
        assert answers.submit(("one", "")).result(LONG)
    finally:
        answers.close()


def test_cancelled_query_in_the_queue_is_never_computed(
    one_at_a_time: Answers, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    first = one_at_a_time.submit((str(tmp_path / "one"), str(release)))
    abandoned = one_at_a_time.submit(at_once(tmp_path, "abandoned"))
    last = one_at_a_time.submit(at_once(tmp_path, "last"))
    assert abandoned.cancel()
    release.touch()
    assert (first.result(LONG), last.result(LONG)) == ("one", "last")
    assert not (tmp_path / "abandoned").exists()


def test_query_is_computed_as_long_as_one_client_waits(
    one_at_a_time: Answers, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    query = str(tmp_path / "one"), str(release)
    left, stays = one_at_a_time.submit(query, "a"), one_at_a_time.submit(query, "b")
    wait_until((tmp_path / "one").exists, "the first query does not start")
    assert left.cancel()
    release.touch()
    assert stays.result(LONG) == "one"
    assert (tmp_path / "one").read_text() == "started\n"


def test_oldest_queued_queries_of_a_client_are_cancelled(
    one_at_a_time: Answers, tmp_path: Path
) -> None:
    running = one_at_a_time.submit(never(tmp_path, "running"), "a")
    other = one_at_a_time.submit(at_once(tmp_path, "other"), "b")
    queued = [one_at_a_time.submit(at_once(tmp_path, f"queued-{n}"), "a") for n in range(5)]
    assert [future.cancelled() for future in queued] == [True] * 3 + [False] * 2
    assert not running.done()  # a computation that has begun does not count
    assert running.cancel()
    assert not wait([other, *queued[3:]], LONG).not_done
    assert [(tmp_path / f"queued-{n}").exists() for n in range(5)] == [False] * 3 + [True] * 2


def test_least_recently_used_answer_is_forgotten(one_at_a_time: Answers, tmp_path: Path) -> None:
    one, two = at_once(tmp_path, "one"), at_once(tmp_path, "two")
    for query in (one, two):
        one_at_a_time.submit(query).result(LONG)
    assert (one_at_a_time.known(one), one_at_a_time.known(two)) == (None, "two")


def test_error_reaches_every_client_and_the_next_query_is_computed() -> None:
    failing: Background[Query, str] = Background(fail, most=8, num_workers=1, most_queued=2)
    try:
        for _ in range(2):
            futures = [failing.submit(("a", "b"), client) for client in "ab"]
            for future in futures:
                assert isinstance(future.exception(LONG), ValueError)
    finally:
        failing.close()


def test_program_ends_although_its_queries_are_not_closed() -> None:
    run_python(
        "from mjopt.play.serve.background import Background\n"
        "answers = Background(abs, most=1, num_workers=1, most_queued=1)\n"
        "assert answers.submit(-1).result() == 1"
    )
