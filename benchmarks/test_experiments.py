"""The overhead of a study beside its searches: processes and files.

The goals: `reproduce all --scale quick` under 10 minutes and `--scale paper`
(48 million searches) under 3 hours on two cores, which is 450 microseconds per search of
two cores, search included.
"""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt.studies.config import StudyConfig
from mjopt.studies.instances import read_hand_set
from mjopt.studies.method import parse_methods
from mjopt.studies.runner import run_study

HANDS = 20_000


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("method", ["ndde", "tree-search"])
def test_a_run_on_one_type_hands(
    benchmark: BenchmarkFixture, tmp_path: Path, method: str, jobs: int
) -> None:
    hands = read_hand_set(f"one-type@{HANDS}", seed=0, certificates=0)
    config = StudyConfig(
        methods=parse_methods([method]), sets=(hands,), runs=1, seed=0, early_stop=True
    )
    folders = iter(range(100))

    def run() -> float:
        study = run_study(config, tmp_path / str(next(folders)), jobs=jobs)
        return float(study.times(*study.sets, *study.methods)["seconds"].sum())

    searching = benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    benchmark.extra_info["us_a_search"] = 1e6 * benchmark.stats["median"] / HANDS
    benchmark.extra_info["us_a_search_cpu"] = 1e6 * searching / HANDS
