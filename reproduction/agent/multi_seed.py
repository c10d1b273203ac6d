"""Run seeds in separate processes, so that their trainings run in parallel."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

from evaluation import Evaluation

Experiment = Callable[[Evaluation], object]


def prepare_seeds(evaluation: Evaluation, experiments: Sequence[Experiment], jobs: int) -> None:
    """Run experiments once for each seed, in ``jobs`` processes.

    All results are stored in the folder; the caller then runs the experiments over all seeds.
    """
    if min(jobs, len(evaluation.seeds)) < 2:
        return
    evaluation.held_out.decisions  # noqa: B018 (create it before the processes read it)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [
            pool.submit(_run_seed, replace(evaluation, seeds=range(seed, seed + 1)), experiments)
            for seed in evaluation.seeds
        ]
        for future in futures:
            future.result()


def _run_seed(evaluation: Evaluation, experiments: Sequence[Experiment]) -> None:
    for experiment in experiments:
        experiment(evaluation)
