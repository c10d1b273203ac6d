"""A real Dask cluster of two worker processes builds the same bytes, one of them killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.dataset_folders import everything
from mjopt.datasets.executors import dask_executor

from mjopt.cli.main import main
from mjopt.datasets import build, make_plan
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import DatasetError

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


def slow_plan() -> DatasetPlan:
    return make_plan("deals:1500", seed=3, shards=30, labels=("deficiency", "digest"))


def test_one_worker_is_killed_in_mid_run(cluster: Any, tmp_path: Path) -> None:
    build(slow_plan(), tmp_path / "alone")
    wanted = everything(tmp_path / "alone")
    killed: list[int] = []

    def kill_one(rows: int) -> None:
        if not killed:  # the first shard is done, most are not
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                [pid, *_] = client.run(os.getpid).values()
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    with dask_executor(cluster.scheduler_address) as (executor, cores):
        assert cores == 2
        report = build(
            slow_plan(), tmp_path / "dask", executor=executor, jobs=cores, advance=kill_one
        )
    assert killed
    assert report.rows == 1500
    assert everything(tmp_path / "dask") == wanted
    assert len(report.memory) >= 2  # others than the one that died took part


def test_nobody_answers() -> None:
    wanted = "--scheduler nonsense: no Dask scheduler answers"
    with pytest.raises(DatasetError, match=wanted), dask_executor("nonsense"):
        pass


def test_the_command_line_takes_a_scheduler(cluster: Any, tmp_path: Path) -> None:
    words = ["deals:300", "--seed", "3", "--shards", "3", "-o", str(tmp_path / "dask")]
    status = main(["dataset", "build", *words, "--scheduler", cluster.scheduler_address])
    assert status == 0
    build(make_plan("deals:300", seed=3, shards=3), tmp_path / "alone")
    assert everything(tmp_path / "dask") == everything(tmp_path / "alone")
