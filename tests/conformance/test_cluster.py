"""Long-running functions on a Dask cluster of two processes write the same bytes as locally."""

import gc
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from helpers.dataset_folders import everything
from helpers.scripted_agents import Crashing
from helpers.support import deal
from helpers.waits import wait_until

import mjopt
from mjopt import M0, Hand
from mjopt._internal.executor import open_executor
from mjopt.analysis import certify as certify_module
from mjopt.analysis.certify import certify_many
from mjopt.audits.comparison import Audit
from mjopt.audits.export import write_findings
from mjopt.audits.hand_batch import HandBatch
from mjopt.cli.main import execute
from mjopt.datasets import build, label_file, make_plan
from mjopt.datasets.label_file import Labeller, LabelProgram
from mjopt.errors import WorkerError
from mjopt.hands.rules.read_forms import read_forms
from mjopt.play.game.agents.gmjbg import L1
from mjopt.play.review.api import files_in
from mjopt.play.review.batch import ReviewOptions, review_folder
from mjopt.studies.reproduction.run import Scale, reproduce

TIMED = ("*/units.csv", "*/blocks.csv", "*/hands/*.certificates.csv")
"""Files of a study with measured times."""

pytestmark = pytest.mark.usefixtures("distributed")


@pytest.fixture(scope="module")
def distributed() -> Any:
    """Import Dask lazily: the import takes half a second."""
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster(distributed: Any) -> Iterator[Any]:
    import dask

    # Dask closes a nanny whose worker is absent for this long; the tests kill workers.
    patience = {"distributed.deploy.lost-worker-timeout": "1h"}
    with (
        dask.config.set(patience),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as found,
    ):
        yield found


def some_hands(number: int) -> list[Hand]:
    dealt = random.Random(4)
    return [deal(dealt, M0, suits=3) for _ in range(number)]


def label(folder: Path, **workers: Any) -> None:
    with (
        patch.object(label_file, "BATCH", 8),  # small: several tasks
        Labeller(LabelProgram(model="blockwise"), **workers) as labeller,
    ):
        labels = list(labeller.labels(some_hands(40)))
    (folder / "labels").write_bytes(bytes(labels))


def certify(folder: Path, **workers: Any) -> None:
    certificates = certify_many(some_hands(640), **workers)
    (folder / "lines").write_text("\n".join(cert.to_json() for cert in certificates))


def audit(folder: Path, **workers: Any) -> None:
    """Audit an engine that answers 9 about every hand, and that no tile is useful."""
    hands = HandBatch.of(some_hands(640))
    given = {"deficiency": np.full(640, 9), "useful": np.zeros(640, np.int64)}
    with Audit({name: name for name in given}, tiles=M0, forms=read_forms(None, M0)) as found:
        found.add_answers(hands, given)
        assert found.columns["deficiency"].num_wrong == 640
        write_findings(folder, found, **workers)


def study(folder: Path, **workers: Any) -> None:
    """Run studies with `reproduce`; measured times differ between runs."""
    hands = {"one": "one-type@40", "two": "two-type:30", "three": "three-type:20"}
    tiny = Scale(hands=hands, runs=1, sample=9, timed=3)
    reproduce(["figure4"], tiny, folder, seed=5, rows_only=True, **workers)
    for path in chain.from_iterable(map(folder.glob, TIMED)):
        path.unlink()


def battle(folder: Path, **workers: Any) -> None:
    agents = ["deficiency", "l1", "first", "l1"]
    paths = {"folder": folder / "rows", "records": folder / "records"}
    mjopt.play.battle(agents, rules="m0", seed=1, games=16, **paths, **workers)


def league(folder: Path, **workers: Any) -> None:
    found = mjopt.play.league(["l1", "random"], rules="m0", games=16, seed=3, **workers)
    (folder / "members").write_text(str(found.members))


def dataset(folder: Path, **workers: Any) -> None:
    plan = make_plan("deals:120", seed=3, shards=6, labels=("deficiency", "digest"))
    build(plan, folder / "data", **workers)


def review(folder: Path, **workers: Any) -> None:
    """Review eight logs of one game each."""
    logs = folder.parent / "logs"
    logs.mkdir(exist_ok=True)
    for number in range(8):
        path = logs / f"{number}.txt"
        mjopt.play.battle(["first"] * 4, rules="m0", seed=number, games=1, rounds=1, records=path)
    review_folder(files_in(logs), folder / "judged", ReviewOptions(form="csv"), **workers)


class Deadly(Executor):
    """A cluster that loses a worker when one task is done and others are running."""

    def __init__(self, inner: Executor, victim: int, killed: set[int]) -> None:
        self._inner, self._victim, self._killed, self._given = inner, victim, killed, 0

    def submit(self, work: Any, /, *batch: Any, **_: Any) -> Future[Any]:
        self._given += 1
        future: Future[Any] = self._inner.submit(work, *batch)
        future.add_done_callback(self._kill)
        return future

    def _kill(self, _: object) -> None:
        if self._given > 2 and not self._killed:
            self._killed.add(self._victim)
            os.kill(self._victim, signal.SIGKILL)


@pytest.fixture
def killed(distributed: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """Kill one worker during the test; yield the killed process ids, wait for a new worker."""
    found: set[int] = set()
    get_executor = distributed.Client.get_executor

    def get_deadly(client: Any, **how: Any) -> Executor:
        inner = get_executor(client, **how)
        [victim, *_] = client.run(os.getpid).values()
        return Deadly(inner, victim, found)

    monkeypatch.setattr(distributed.Client, "get_executor", get_deadly)
    monkeypatch.setattr(certify_module, "BATCH_SIZE", 128)  # small: several tasks per run
    yield found
    monkeypatch.undo()
    # A query or close while a worker restarts may block for ever.
    wait_until(
        lambda: all(is_there(nanny, cluster, found) for nanny in cluster.workers.values()),
        "no worker has come for the one killed",
    )


def is_there(nanny: Any, cluster: Any, killed: set[int]) -> bool:
    """Return whether a new worker runs and is registered with the scheduler."""
    runs = nanny.status.name == "running" and nanny.pid not in {None, *killed}
    return runs and nanny.worker_address in cluster.scheduler.workers


def check_same_output(write: Callable[..., None], cluster: Any, folder: Path) -> None:
    for name in ("alone", "far"):
        (folder / name).mkdir()
    write(folder / "alone")
    write(folder / "far", scheduler=cluster.scheduler_address)
    assert everything(folder / "far") == everything(folder / "alone") != {}


# league: plays battles
LEAGUE = pytest.param(league, marks=pytest.mark.slow)


@pytest.mark.parametrize("write", [label, audit, study, battle, LEAGUE, review])
def test_output_equals_that_of_one_process(
    write: Callable[..., None], cluster: Any, tmp_path: Path
) -> None:
    check_same_output(write, cluster, tmp_path)


# dataset: the workers write
@pytest.mark.parametrize("write", [pytest.param(certify, marks=pytest.mark.slow), dataset])
def test_output_is_identical_after_a_worker_is_killed(
    write: Callable[..., None], cluster: Any, killed: set[int], tmp_path: Path
) -> None:
    check_same_output(write, cluster, tmp_path)
    assert len(killed) == 1


def test_unreachable_scheduler_is_one_line() -> None:
    wanted = "scheduler nonsense: no Dask scheduler answers"
    with pytest.raises(WorkerError, match=wanted), open_executor(scheduler="nonsense"):
        pass
    gc.collect()  # closes its client here and not in the thread of the next client


def test_version_mismatch_is_refused(
    distributed: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"workers": {"tcp://a:1": {"packages": {"mjopt": "0.0.1"}}}}
    get_versions = distributed.Client.get_versions  # a starting client calls it too

    def answer(client: Any, **how: Any) -> Any:
        return found if "packages" in how else get_versions(client, **how)

    monkeypatch.setattr(distributed.Client, "get_versions", answer)
    wanted = f"worker tcp://a:1 has mjopt 0.0.1, expected {version('mjopt')}"
    address = cluster.scheduler_address
    with pytest.raises(WorkerError, match=wanted), open_executor(scheduler=address):
        pass


class GivesUp(Executor):
    """A cluster whose tasks kill one worker after another."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        from distributed import KilledWorker

        future: Future[Any] = Future()
        future.set_exception(KilledWorker("work", None, 3))
        return future


def test_repeatedly_failing_cluster_is_one_line() -> None:
    wanted = r"^the cluster gave up \(KilledWorker\): run the same"
    with (
        open_executor(executor=GivesUp()) as workers,
        pytest.raises(WorkerError, match=wanted),
    ):
        list(workers.map(len, ["a"]))


def test_agent_objects_are_sent_to_workers(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agent objects play as they do locally; a worker without their module reports one line."""
    agents, options = [Crashing(0), "l1", L1, Crashing(0)], {"games": 9, "rules": "m0", "seed": 2}
    far = mjopt.play.battle(agents, scheduler=cluster.scheduler_address, **options)
    assert (far.rows == mjopt.play.battle(agents, **options).rows).all()
    assert not far.faults
    here_alone = ModuleType("here_alone")
    monkeypatch.setitem(sys.modules, "here_alone", here_alone)
    monkeypatch.setattr(Crashing, "__module__", "here_alone")
    here_alone.Crashing = Crashing  # type: ignore[attr-defined]
    with pytest.raises(WorkerError, match="cannot import what it needs .*'here_alone'"):
        mjopt.play.battle(agents, scheduler=cluster.scheduler_address, **options)


def test_command_line_accepts_a_scheduler(cluster: Any, tmp_path: Path) -> None:
    words = ["deals:60", "--seed", "3", "--shards", "3", "-o", str(tmp_path / "dask")]
    status = execute(["dataset", "build", *words, "--scheduler", cluster.scheduler_address])
    assert status == 0
    build(make_plan("deals:60", seed=3, shards=3), tmp_path / "alone")
    assert everything(tmp_path / "dask") == everything(tmp_path / "alone")
