"""Run a study: its hands, then every missing file of raw rows, over processes."""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.folder import hold_folder
from mjopt._internal.pool import Pool, open_pool
from mjopt._internal.progress import Quiet, Watcher
from mjopt.errors import FileError, StudyError
from mjopt.studies.opening import open_study
from mjopt.studies.plan import Plan
from mjopt.studies.row_files import (
    CURVES,
    HANDS,
    ROWS,
    TIMES,
    read_columns,
    write_columns,
)
from mjopt.studies.searching import Lot, search_lot
from mjopt.studies.study import Kind, Study, Unit
from mjopt.studies.study_hands import HandSet, certify_labels, describe_hands
from mjopt.studies.unit_files import UnitWriter, rows_done

LOT_SECONDS: Final = 0.5  # of CPU time: what a kill loses, and what Ctrl-C waits for
MIN_SHARE: Final = 2.0  # seconds of searches: fewer are done sooner in this process
LARGEST_LOT: Final = 16_384
LEAST: Final = 1e-7  # seconds of a search, lest a clock that stood still divide by zero
PILOT: Final = 12  # hands of each set that tell what a search costs

_Key = tuple[str, str, bool, bool]
"""Units of one key cost the same a search."""


def run_study(
    plan: Plan,
    sets: Sequence[HandSet],
    folder: Path,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    watcher: Watcher | None = None,
) -> Study:
    """Make every file of raw rows that a study still lacks.

    Rows depend on the plan alone: not on the number of processes, on how hands are
    cut into lots, or on how often the run was stopped and went on. Times do.

    Parameters
    ----------
    plan
        The plan; its sets are those of ``sets``.
    sets
        The hands.
    folder
        Where the study stands; it is made if it does not exist.
    jobs
        Processes.
    scheduler
        The address of a Dask scheduler whose workers search instead.
    watcher
        Is told how it goes.

    Returns
    -------
    Study
        Complete.

    Raises
    ------
    StudyError
        If the folder holds another study, another process writes to it, a
        certificate fails or a method does.
    FileError
        If a file of the folder is damaged.
    WorkerError
        If a worker is killed. What is done stays done.
    """
    watcher = watcher or Quiet()
    with open_rest(plan, sets, folder, jobs=jobs, scheduler=scheduler, watcher=watcher) as rest:
        watcher.begin(rest.expected_seconds)
        rest.run()
        return rest.study


@contextmanager
def open_rest(
    plan: Plan,
    sets: Sequence[HandSet],
    folder: Path,
    *,
    jobs: int,
    scheduler: str | None = None,
    watcher: Watcher,
    only: Container[str] | None = None,
) -> Iterator["Rest"]:
    """Hold the folder of a study and find out what it still lacks.

    The parameters are those of :func:`run_study`; ``only`` names methods by label, and
    the others are left for another time.
    """
    if jobs < 1:
        raise StudyError(f"{jobs} jobs, expected at least 1")
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: is a file, expected a folder")
    folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(folder), ExitStack() as workers:
        study = open_study(plan, folder, only=only, say=watcher.say)
        known = {
            hands.planned.name: (hands, _truth(study, hands, watcher, jobs, scheduler))
            for hands in sets
        }
        wanted = (u for u in study.units() if only is None or u.method.label in only)
        lacking = [unit for unit in wanted if not _is_done(unit, study)]
        study.sums.forget(unit.path for unit in lacking)
        yield Rest(study, lacking, known, jobs, scheduler, watcher, workers)


class Rest:
    """What a study still lacks.

    ``expected_seconds`` are the CPU seconds of searches to come, by a pilot of a few hands.
    """

    def __init__(
        self,
        study: Study,
        units: list[Unit],
        known: Mapping[str, tuple[HandSet, npt.NDArray[np.int8]]],
        jobs: int,
        scheduler: str | None,
        watcher: Watcher,
        workers: ExitStack,
    ) -> None:
        self.study = study
        self._units, self._known, self._watcher = units, known, watcher
        self._jobs, self._scheduler = jobs, scheduler
        self._done = [rows_done(unit) for unit in units]
        self._workers = workers
        self._expected, self._elapsed = self._pilot()  # the first is what the bar is drawn by
        self._costs = dict(self._expected)  # and this one learns
        self.expected_seconds = self._sum(self._expected)

    def _sum(self, costs: Mapping[_Key, float]) -> float:
        """Return what all searches cost that are to come."""
        left = zip(self._units, self._done, strict=True)
        return sum(costs[_key(unit)] * (unit.num_searches - done) for unit, done in left)

    def run(self) -> None:
        """Search every unit, several lots at once, and keep each lot as it comes."""
        for unit in self._units:
            for path in filter(None, (unit.path, unit.times_path)):
                path.parent.mkdir(parents=True, exist_ok=True)
        with UnitWriter(self._units) as writer:
            for unit, done in zip(self._units, self._done, strict=True):
                if unit.kind is not Kind.CURVES and done == len(unit.numbers):
                    writer.finish(unit)  # killed just before its file was written
            for searched in self._searchers().in_order(search_lot, self._lots()):
                writer.take(searched)
                key, rows = _key(self._units[searched.unit]), len(searched.batch)
                self._costs[key] = (self._costs[key] + max(searched.seconds / rows, LEAST)) / 2
                self._watcher.advance(self._expected[key] * rows)
        # Not the times: no result is read from them, and no two runs have the same.
        units = (unit.path for unit in self.study.units() if unit.kind is not Kind.REPEAT)
        hands = (self.study.path("hands", name) for name in self._known)
        self.study.sums.note(path for path in (*units, *hands) if path.exists())
        self._workers.close()

    def _searchers(self) -> Pool:
        """Return who searches."""
        jobs = 1 if self._sum(self._elapsed) < MIN_SHARE else self._jobs
        at_once = None if self._scheduler else jobs
        workers = open_pool(at_once, scheduler=self._scheduler, kept=True)
        return self._workers.enter_context(workers)

    def _pilot(self) -> tuple[dict[_Key, float], dict[_Key, float]]:
        """Return the seconds of one search, of CPU time and by the clock, from a few hands.

        That is for each kind of unit.
        """
        costs: dict[_Key, float] = {}
        elapsed: dict[_Key, float] = {}
        first: dict[_Key, Lot] = {}
        for at, unit in enumerate(self._units):
            if (key := _key(unit)) not in first:
                # Evenly over the set: one-type hands stand in order, the hardest first.
                some = unit.numbers[:: -(-len(unit.numbers) // PILOT)]
                first[key] = self._lot(at, unit.run, some)
        for searched in map(search_lot, first.values()):
            key, rows = _key(self._units[searched.unit]), len(searched.batch)
            costs[key] = max(searched.seconds / rows, LEAST)
            elapsed[key] = searched.elapsed / rows
        return costs, elapsed

    def _lots(self) -> Iterator[Lot]:
        """Yield the lots of every unit in order; their size follows what they cost."""
        for number, unit in enumerate(self._units):
            if unit.kind is Kind.CURVES:
                for run in range(unit.runs):
                    yield self._lot(number, run, unit.numbers)
                continue
            first = self._done[number]
            while first < len(unit.numbers):
                size = min(LARGEST_LOT, max(1, int(LOT_SECONDS / self._costs[_key(unit)])))
                yield self._lot(number, unit.run, unit.numbers[first : first + size])
                first += size

    def _lot(self, number: int, run: int, numbers: npt.NDArray[np.int32]) -> Lot:
        plan, unit = self.study.plan, self._units[number]
        hands, truth = self._known[unit.hands]
        return Lot(
            unit=number,
            method=unit.method,
            stream=plan.stream_name(hands.planned, unit.method),
            seed=plan.seed,
            run=run if unit.method.is_random else 0,
            numbers=numbers,
            counts=hands.counts[numbers],
            targets=truth[numbers],
            stop_at_target=unit.stop_at_target,
            history=unit.kind is Kind.CURVES,
            tiles=plan.tiles,
        )


def _truth(
    study: Study, hands: HandSet, watcher: Watcher, jobs: int, scheduler: str | None
) -> npt.NDArray[np.int8]:
    """Label the hands of a set and certify them, or read what was found."""
    name = hands.planned.name
    path = study.path("hands", name)
    if path.exists():
        study.sums.check(path)
        columns = read_columns(path, HANDS, rows=len(hands.counts))
    else:
        columns = describe_hands(hands, threads=jobs)
        certify_labels(hands, columns, jobs=jobs, scheduler=scheduler)
        path.parent.mkdir(exist_ok=True)
        write_columns(path, HANDS, columns)
        proved = int(columns["certified"].sum())
        watcher.say(f"{name}: {len(hands.counts):,} hands, {proved:,} certified")
    truth: npt.NDArray[np.int8] = columns["deficiency"]
    return truth


def _is_done(unit: Unit, study: Study) -> bool:
    """Return whether a unit's file stands; refuse a damaged one."""
    if not unit.path.exists():
        return False
    study.sums.check(unit.path)
    schema = {Kind.CURVES: CURVES, Kind.REPEAT: TIMES}.get(unit.kind, ROWS)
    found = read_columns(unit.path, schema, rows=len(unit.numbers) if schema is ROWS else None)
    if unit.kind is Kind.CURVES and found["run"].max(initial=-1) < unit.runs - 1:
        return False  # the study has grown by runs
    if unit.times_path is not None and not unit.times_path.exists():
        raise FileError(f"{unit.times_path}: no such file; delete {unit.path} and run again")
    unit.journal_path.unlink(missing_ok=True)
    return True


def _key(unit: Unit) -> _Key:
    return unit.hands, unit.method.label, unit.stop_at_target, unit.kind is Kind.CURVES
