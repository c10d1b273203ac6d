"""Run a study: the deficiencies of its hands, then every missing run, over processes."""

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.executor import open_executor
from mjopt._internal.files import as_path, lock_folder, make_folder
from mjopt._internal.progress import NoProgress, Progress
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt._internal.validation import expect, whole
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import TILE_SETS
from mjopt.heuristics.result import Batch
from mjopt.studies.chunk import MIN_COST, Chunk, run_chunk
from mjopt.studies.config import HandSet, StudyConfig, Unit, describe_difference
from mjopt.studies.instances import certify_labels, describe_hands
from mjopt.studies.method import describe_change
from mjopt.studies.study import Study
from mjopt.studies.study_files import (
    CONFIG,
    CURVES,
    HANDS,
    ROWS,
    Columns,
    UnitRecord,
    certificates_path,
    merge_units,
    read_parquet,
    read_records,
    unit_store,
    write_certificate_seconds,
    write_parquet,
    write_unit,
)

CHUNK_SECONDS: Final = 0.5  # CPU time of a chunk
MIN_SECONDS: Final = 2.0  # searches shorter than this run in this process
MAX_CHUNK: Final = 16_384
PILOT_HANDS: Final = 4  # hands of each deficiency that are searched first to estimate the cost
PILOT_SECONDS: Final = 0.01  # a shorter pilot has more hands: it would measure the call itself
MAX_PILOT_SECONDS: Final = 0.25  # if one hand takes longer, it is the pilot

REPORT_FILES: Final = ("summary.json", "report.html", "tables.md")
"""Files of a complete study that become stale when its rows change."""


def run_study(
    config: StudyConfig,
    folder: Path | str,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    only: Container[str] | None = None,
) -> Study:
    """Compute every row that a study lacks.

    The rows depend on the configuration only, not on the number of processes or on
    interruptions. The CPU times do.

    Parameters
    ----------
    config
        The configuration; its hand sets hold their hands.
    folder
        The folder of the study; made if it does not exist.
    jobs
        Processes.
    scheduler
        The address of a Dask scheduler whose workers search instead.
    progress
        Receives the progress.
    only
        Labels of the methods to run; by default all.

    Returns
    -------
    Study
        Complete for the methods that were run.

    Raises
    ------
    ArgumentError
        If a method fails.
    CertificateError
        If a certificate is refused.
    FileError
        If the folder holds another study or something else, a file is damaged, or another process
        writes there.
    WorkerError
        If a worker is killed. Finished runs are kept.

    Examples
    --------
    >>> import tempfile
    >>> import mjopt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = mjopt.compare(
    ...         ["tree-search"], hands="two-type:20", runs=1, seed=1, folder=folder
    ...     )
    ...     run_study(study.config, folder).is_complete
    True
    """
    expect(config, StudyConfig, "config")
    folder, progress = as_path(folder, "folder", utf8=True), progress or NoProgress()
    if whole(jobs, "jobs") < 1:
        raise ArgumentError(argument="jobs", value=str(jobs), expected="at least 1")
    make_folder(folder)
    with lock_folder(folder):
        document = json.loads(config.to_json())
        check = partial(_check_stored, config, folder, progress)
        is_changed = claim_run(folder, CONFIG, document, what="study", accept=check)
        records, store = read_records(folder), unit_store(folder)
        pending = [
            unit
            for unit in config.units()
            if (only is None or unit.method in only)
            and unit.key not in records
            and unit.key not in store
        ]
        truths = {
            hands.name: _true_values(config, hands, folder, progress, jobs, scheduler)
            for hands in config.sets
            if pending or not _has_hands(folder, hands)
        }
        if is_changed or pending or store.all_keys():
            for name in REPORT_FILES:
                (folder / name).unlink(missing_ok=True)
            if pending:
                chunks = _Chunks(config, pending, truths)
                _search(chunks, store, jobs, scheduler, progress)
            merge_units(folder, config)
    return Study(folder)


def _check_stored(config: StudyConfig, folder: Path, progress: Progress, _: object) -> None:
    """Refuse a folder with another study; report the methods whose rows are stale."""
    stored = Study(folder).config
    if difference := describe_difference(stored, config):
        raise FileError(
            f"holds another study ({difference})", argument=str(folder), hint="name another folder"
        )
    before = {method.label: method for method in stored.methods}
    for method in config.methods:
        changes = describe_change(before.get(method.label, method), method)
        if changes:
            progress.say(f"{method.label}: {changes}: its rows are recomputed")


def _hands_path(folder: Path, hands: HandSet) -> Path:
    return folder / "hands" / f"{hands.name}.parquet"


def _has_hands(folder: Path, hands: HandSet) -> bool:
    """Whether a hand set was labelled and its certificates were timed."""
    return all(
        p.is_file() for p in (_hands_path(folder, hands), certificates_path(folder, hands.name))
    )


def _true_values(
    config: StudyConfig,
    hands: HandSet,
    folder: Path,
    progress: Progress,
    jobs: int,
    scheduler: str | None,
) -> npt.NDArray[np.int8]:
    """Return the deficiencies of a hand set; label and certify the hands the first time."""
    path = _hands_path(folder, hands)
    if _has_hands(folder, hands):
        columns, texts = read_parquet(path, HANDS)
        if texts.get("digest") != hands.digest:
            raise FileError(
                f"holds another hand set {hands.name}",
                argument=str(folder),
                hint="name another folder",
            )
    else:
        if hands.counts is None:
            raise ArgumentError(
                f"hand set {hands.name}: no hands; read_hand_set({hands.recipe!r}, ...)"
            )
        tiles = TILE_SETS[config.tiles]
        columns = describe_hands(hands.counts, tiles, threads=jobs)
        seconds = certify_labels(hands, columns, tiles, jobs=jobs, scheduler=scheduler)
        make_folder(path.parent)
        write_certificate_seconds(folder, hands.name, seconds)
        write_parquet(path, HANDS, [columns], metadata={"digest": hands.digest})
        proved = int(columns["certified"].sum())
        progress.say(f"{hands.name}: {hands.num_hands:,} hands, {proved:,} certified")
    truth: npt.NDArray[np.int8] = columns["deficiency"]
    return truth


# Searches -----------------------------------------------------------------------------


CostKey = tuple[str, str, bool, bool]
"""Hand set, method, early_stop, and whether curves are stored."""


class _Chunks:
    """Split the pending units into chunks of about equal cost."""

    def __init__(
        self,
        config: StudyConfig,
        units: Sequence[Unit],
        truths: Mapping[str, npt.NDArray[np.int8]],
    ) -> None:
        self.units = units
        self.config, self._truths = config, truths
        labels = dict.fromkeys(unit.method for unit in units)
        self._heuristics = {label: config.method(label).make() for label in labels}
        self.costs: dict[CostKey, float] = {}  # CPU seconds of a search
        self.expected_seconds = self.expected_elapsed = 0.0
        for index, unit in enumerate(units):
            numbers, key = config.hand_numbers(unit), _cost_key(unit)
            if key not in self.costs:
                self.costs[key], ratio = self._measure_cost(index, numbers)
            self.expected_seconds += self.costs[key] * len(numbers)
            self.expected_elapsed += self.costs[key] * len(numbers) * ratio

    def _measure_cost(self, index: int, numbers: npt.NDArray[np.int32]) -> tuple[float, float]:
        """Return CPU seconds of a search, and elapsed seconds by CPU seconds.

        Some hands of each deficiency are searched: the cost depends on it, and few hands are hard.
        """
        truths = self._truths[self.units[index].hand_set][numbers]
        seconds = elapsed = 0.0
        for deficiency in np.unique(truths):
            stratum = numbers[truths == deficiency]
            size = 1
            while True:
                some = stratum[:: -(-len(stratum) // size)]
                result = run_chunk(self._chunk(index, some))
                enough = PILOT_SECONDS if size >= PILOT_HANDS else MAX_PILOT_SECONDS
                if result.seconds >= enough or len(some) == len(stratum):
                    break
                size *= PILOT_HANDS
            seconds += result.seconds * len(stratum) / len(some)
            elapsed += result.elapsed * len(stratum) / len(some)
        return max(seconds / len(numbers), MIN_COST), elapsed / max(seconds, MIN_COST)

    def __iter__(self) -> Iterator[Chunk]:
        for index, unit in enumerate(self.units):
            numbers = self.config.hand_numbers(unit)
            size = min(MAX_CHUNK, max(1, int(CHUNK_SECONDS / self.costs[_cost_key(unit)])))
            for first in range(0, len(numbers), size):
                yield self._chunk(index, numbers[first : first + size])

    def seconds_of(self, units: Mapping[CostKey, int]) -> float:
        """Return the expected CPU seconds of numbers of units by cost key."""
        hands = {_cost_key(unit): len(self.config.hand_numbers(unit)) for unit in self.units}
        return sum(number * self.costs[key] * hands[key] for key, number in units.items())

    def _chunk(self, index: int, numbers: npt.NDArray[np.int32]) -> Chunk:
        config, unit = self.config, self.units[index]
        counts = config.hand_set(unit.hand_set).counts
        assert counts is not None
        return Chunk(
            unit=index,
            heuristic=self._heuristics[unit.method],
            label=unit.method,
            stream=config.stream_name(unit),
            seed=config.seed,
            run=unit.run if config.method(unit.method).is_random else 0,
            numbers=numbers,
            counts=counts[numbers],
            targets=self._truths[unit.hand_set][numbers],
            stop_at_target=unit.early_stop,
            history=unit.kind == "curves",
            tiles=config.tiles,
        )


def _cost_key(unit: Unit) -> CostKey:
    """Return a key that is equal for units whose searches cost the same."""
    return unit.hand_set, unit.method, unit.early_stop, unit.kind == "curves"


def _search(
    chunks: _Chunks, store: UnitStore, jobs: int, scheduler: str | None, progress: Progress
) -> None:
    """Run the pending units and store each as soon as it is finished.

    The total of the progress is by pilots at first; every finished unit corrects it.
    """
    progress.begin(chunks.expected_seconds)
    done, to_do = 0.0, Counter(_cost_key(unit) for unit in chunks.units)
    if scheduler is None and chunks.expected_elapsed < MIN_SECONDS:
        jobs = 1  # faster than starting processes
    with open_executor(jobs, scheduler=scheduler) as workers:
        results = workers.map(run_chunk, chunks)
        for index, group in groupby(results, key=lambda result: result.unit):
            unit, parts = chunks.units[index], []
            for result in group:
                parts.append(result)
                progress.advance(result.seconds)
            numbers, key = chunks.config.hand_numbers(unit), _cost_key(unit)
            seconds = sum(part.seconds for part in parts)
            done, to_do[key] = done + seconds, to_do[key] - 1
            chunks.costs[key] = max(seconds / len(numbers), MIN_COST)
            progress.set_total(done + chunks.seconds_of(to_do))
            blocks = tuple(block for part in parts for block in part.blocks)
            record = UnitRecord(unit, len(numbers), seconds, blocks)
            write_unit(store, record, _unit_columns(unit, numbers, [p.batch for p in parts]))


def _unit_columns(unit: Unit, numbers: npt.NDArray[np.int32], batches: Sequence[Batch]) -> Columns:
    """Return the columns that are stored of a unit."""
    if unit.kind == "timing":
        return {"hand": numbers[:0]}
    if unit.kind == "curves":
        best = np.concatenate([batch.history for batch in batches])  # hand, generation
        hand, generation = (index.ravel() for index in np.indices(best.shape))
        columns = (numbers[hand], generation.astype(np.int32), best.ravel().astype(np.int8))
        return dict(zip(CURVES, columns, strict=True))
    names = [name for name in ROWS if name != "hand"]
    return {"hand": numbers} | {
        name: np.concatenate([getattr(batch, name) for batch in batches]) for name in names
    }
