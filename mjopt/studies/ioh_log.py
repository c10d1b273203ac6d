"""The searches of a study in the format of IOHprofiler, whose programs then analyse them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt._internal.executor import open_executor
from mjopt._internal.files import as_path, atomic_write, make_folder
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.validation import expect
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import TILE_SETS
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.runner import run_batch
from mjopt.studies.config import StudyConfig, Unit
from mjopt.studies.study import Study

FORMATS: Final = ("ioh",)

LAYOUT: Final = "0.3.18"
"""Version of IOHexperimenter whose layout is written."""

MOST_COST: Final = 9  # of a hand of which nothing is kept
MAX_INSTANCES: Final = 65_535  # IOHprofiler numbers instances by 16 bits
DIMENSION: Final = 5
CHUNK: Final = 100  # hands
HEADER: Final = "evaluations raw_y"


class _Task(NamedTuple):
    """Some hands of a unit."""

    unit: int
    heuristic: Heuristic
    stream: str
    seed: int
    run: int
    tiles: str
    numbers: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]
    values: npt.NDArray[np.int8]  # the best cost of each search
    evaluations: npt.NDArray[np.int32]  # in total


def write_ioh_log(
    study: Study,
    config: StudyConfig,
    folder: Path | str,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Write when every search of a study improved, in the format of IOHprofiler.

    The searches are repeated with the same random streams, once for each cost down to the best one,
    and stopped when they reach it, so that the number of evaluations of each improvement is exact.
    A hand set is a function, a hand an instance (from 1), a method an algorithm.

    Files are ``METHOD/IOHprofiler_fN_SET.json`` in the folder, with the data beside them. The study
    is complete; ``config`` is its configuration, with the hands. A hand set of more than 65,535
    hands is an `ArgumentError`; missing or damaged rows are a `FileError`.

    References
    ----------
    .. [1] J. de Nobel et al. (2024), IOHexperimenter: Benchmarking Platform for Iterative
       Optimization Heuristics, Evolutionary Computation 32, 205-210.
    """
    expect(study, Study, "study")
    expect(config, StudyConfig, "config")
    folder, progress = as_path(folder, "folder"), progress or NoProgress()
    for hands in config.sets:
        if hands.num_hands > MAX_INSTANCES:
            raise ArgumentError(
                f"hand set {hands.name}: {hands.num_hands:,} hands",
                expected=f"at most {MAX_INSTANCES:,} for a log of IOHprofiler",
            )
    units = [unit for unit in config.units() if unit.kind == "rows"]
    progress.begin(float(sum(config.hand_set(unit.hand_set).num_hands for unit in units)))
    found: list[list[str]] = [[] for _ in units]
    runs: list[list[dict[str, object]]] = [[] for _ in units]
    with open_executor(jobs, scheduler=scheduler) as workers:
        tasks = _tasks(study, config, units)
        for task, improvements in workers.map(_improvements, tasks):
            hands_done = zip(
                task.numbers.tolist(), task.evaluations.tolist(), improvements, strict=True
            )
            for number, total, steps in hands_done:
                found[task.unit] += [HEADER, *(f"{at} {cost}" for at, cost in steps)]
                best = {"evals": steps[-1][0], "y": steps[-1][1], "x": []}
                runs[task.unit].append({"instance": number + 1, "evals": total, "best": best})
            progress.advance(len(task.numbers))
    for place, hands in enumerate(config.sets, start=1):
        for method in config.methods:
            own = [
                index
                for index, unit in enumerate(units)
                if (unit.hand_set, unit.method) == (hands.name, method.label)
            ]
            data = f"data_f{place}_{hands.name}/IOHprofiler_f{place}_DIM{DIMENSION}.dat"
            home = make_folder(folder / method.label)
            make_folder((home / data).parent)
            lines = [line for index in own for line in found[index]]
            atomic_write(home / data, "\n".join(lines) + "\n")
            document = {
                "version": LAYOUT,
                "suite": "mjopt",
                "function_id": place,
                "function_name": hands.name,
                "maximization": False,
                "algorithm": {"name": method.label, "info": method.text},
                "attributes": HEADER.split(),
                "scenarios": [
                    {
                        "dimension": DIMENSION,
                        "path": data,
                        "runs": [run for index in own for run in runs[index]],
                    }
                ],
            }
            atomic_write(
                home / f"IOHprofiler_f{place}_{hands.name}.json", json.dumps(document, indent=1)
            )


def _tasks(study: Study, config: StudyConfig, units: list[Unit]) -> Iterator[_Task]:
    heuristics = {method.label: method.make() for method in config.methods}
    for index, unit in enumerate(units):
        rows = study.rows(unit.hand_set, unit.method, unit.run)
        counts = config.hand_set(unit.hand_set).counts
        if counts is None:
            raise ArgumentError(f"hand set {unit.hand_set}: the configuration has no hands")
        for first in range(0, len(rows), CHUNK):
            some = rows.iloc[first : first + CHUNK]
            numbers = some["hand"].to_numpy()
            yield _Task(
                unit=index,
                heuristic=heuristics[unit.method],
                stream=config.stream_name(unit),
                seed=config.seed,
                run=unit.run,
                tiles=config.tiles,
                numbers=numbers,
                counts=counts[numbers],
                values=some["value"].to_numpy(),
                evaluations=some["evaluations"].to_numpy(),
            )


def _improvements(task: _Task) -> tuple[_Task, list[list[tuple[int, int]]]]:
    """Return the improvements of each search: the number of evaluations, and the cost."""
    steps: list[dict[int, int]] = [{} for _ in task.numbers]  # cost by number of evaluations
    for cost in range(MOST_COST, -1, -1):
        rows = np.flatnonzero(task.values <= cost)
        if not len(rows):
            continue
        batch = run_batch(
            task.heuristic,
            task.counts[rows],
            seed=task.seed,
            method=task.stream,
            hand_numbers=task.numbers[rows],
            run=task.run,
            targets=np.full(len(rows), cost, np.int8),
            stop_at_target=True,
            tiles=TILE_SETS[task.tiles],
        )
        for row, hit in zip(rows.tolist(), batch.hit_evaluations.tolist(), strict=True):
            steps[row][hit] = cost  # a later, lower cost at the same evaluation replaces it
    for each in steps:
        each.setdefault(1, MOST_COST)  # tree search evaluates nodes before it finds a first hand
    return task, [sorted(each.items()) for each in steps]
