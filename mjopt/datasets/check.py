"""Check a dataset: checksums, row numbers, splits, and the labels of a sample."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import sha256_of
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import shorten
from mjopt._internal.user_module import source_digest
from mjopt._internal.validation import expect, expect_all, whole
from mjopt._version import __version__
from mjopt.datasets.labels.registry import engines, get_label
from mjopt.datasets.manifest import FileEntry, ShardRecord, unexpected_files
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reader import Cells, OpenDataset
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.recipes.registry import is_from_file, read_recipe
from mjopt.datasets.row_filter import load_filter
from mjopt.datasets.shard import hand_rows, read_block, wrong_labels
from mjopt.datasets.splits import split_of
from mjopt.errors import ArgumentError, FileError, MjoptError

Sampled = dict[int, tuple[str, Cells]]
"""The split and the cells of some rows, by row number."""


@dataclass(slots=True)
class CheckReport:
    """Result of a check.

    Parameters
    ----------
    rows
        Rows counted in the files.
    files, bytes
        Files with the right SHA-256, and their size.
    sampled
        Rows that were redrawn and labelled again by a second method.
    faults
        Errors, one line each.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, check_dataset, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = build(make_plan("deals:100", seed=1), folder)
    ...     report = check_dataset(folder)
    >>> report.is_sound, report.faults
    (True, [])
    """

    rows: int = 0
    files: int = 0
    bytes: int = 0
    sampled: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether there are no errors."""
        return not self.faults


def check_dataset(
    folder: Path | str,
    *,
    sample: int = 4,
    seed: int = 0,
    labels: Sequence[str] = (),
    recipe: str = "",
    where: str = "",
    advance: Callable[[int], object] = ignore,
) -> CheckReport:
    """Check a complete dataset.

    The folder must contain all files with the right SHA-256, and no others; every row number must
    occur once. Random rows of each shard are redrawn from the recipe, must be in the right split,
    and are labelled again by a second method (a deficiency is certified).

    Parameters
    ----------
    folder
        The dataset.
    sample, seed
        Number of rows of each shard to label again, and the seed that selects them.
    labels
        Labels whose plug-in may be loaded to label again; the dataset itself loads none.
    recipe
        The recipe, if it is ``FILE.py:NAME``, a plug-in, or ``file:PATH`` or ``positions:PATH``,
        perhaps at another path; the dataset itself loads and reads none.
    where
        The filter, to verify which hands it keeps; the dataset itself loads none.
    advance
        Called with the number of rows of every checked shard.

    Raises
    ------
    FileError
        If there is no dataset to check.
    ArgumentError
        If a label needs a plug-in and is not among the labels, or the hands come from outside and
        the recipe is not given.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as name:
    ...     _ = build(make_plan("deals:100", seed=1), name)
    ...     report = check_dataset(name)
    >>> report.rows, report.sampled, report.is_sound
    (100, 4, True)
    """
    data = OpenDataset.find(folder)
    trusted = expect_all(labels, str, "labels")
    expect(recipe, str, "recipe")
    expect(where, str, "where")
    data = replace(data, plan=_with_own_code(data.plan, trusted, recipe, where))
    place, plan, manifest = data.folder, data.plan, data.manifest
    report = CheckReport()
    report.faults += (
        f"{path}: not in the manifest" for path in unexpected_files(place, manifest["shards"])
    )
    report.faults += _check_engine(place, plan)
    totals = dict.fromkeys(data.splits, 0)
    if whole(sample, "sample") < 0:
        raise ArgumentError(argument="sample", value=str(sample), expected="0 or more")
    for label in plan.label_list() if sample else ():
        if label.plugin and label.name not in trusted:
            raise ArgumentError(
                f"{place}: label {shorten(label.name)} is not built in, and a plug-in "
                "is loaded only for a label that you name yourself",
                expected="it among the labels, or sample 0",
            )
    if sample and plan.needs_recipe and not recipe:
        raise ArgumentError(
            f"{place}: recipe {shorten(plan.recipe)} is loaded or read only if you name it "
            "yourself",
            expected="the recipe, or sample 0",
        )
    if whole(seed, "seed") < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="0 or more")
    for record in manifest["shards"]:
        start, stop = plan.shard_rows(record["shard"])
        report.faults += list(_check_shard(data, record, sample, seed, report, totals))
        advance(stop - start)
    if totals != manifest["rows"] and not report.faults:
        report.faults.append(f"the manifest says {manifest['rows']} rows, the files hold {totals}")
    return report


def _check_engine(place: Path, plan: DatasetPlan) -> Iterator[str]:
    """Yield an error if the engines of the plan are others than those of its labels and rules."""
    labels = plan.label_list()
    if plan.version == __version__ and not any(label.plugin for label in labels):
        expected = engines(labels)
        if plan.engine != expected:
            yield f"{place}: engine {shorten(plan.engine)!r}, expected {shorten(expected)!r}"


def _with_own_code(
    plan: DatasetPlan, labels: Sequence[str], recipe: str, where: str
) -> DatasetPlan:
    """Return a plan with the labels, the recipe and the filter that the user has named."""
    own = [get_label(one.name) if one.name in labels else one for one in plan.own_labels]
    is_file = is_from_file(recipe, plan.recipe)
    hands = (
        read_recipe(
            recipe,
            tiles=plan.deal.tiles,
            size=plan.size,
            called=plan.called,
            rules=plan.rules,
        )
        if (recipe and recipe == plan.recipe) or is_file
        else None
    )
    keep = load_filter(where) if where and where == plan.where else None
    if keep is not None and source_digest(where.rpartition(":")[0]) != plan.where_code:
        raise FileError(f"the filter {where} has changed since the build")
    return replace(
        plan,
        trusted=tuple(labels),
        own_labels=tuple(own),
        own_recipe=hands,
        own_filter=keep,
    )


def _check_shard(
    data: OpenDataset,
    record: ShardRecord,
    sample: int,
    seed: int,
    report: CheckReport,
    totals: dict[str, int],
) -> Iterator[str]:
    """Yield the errors of a shard; stop after a damaged file."""
    faults = [fault for file in record["files"] for fault in _check_file(data, file, report)]
    yield from faults
    if faults:
        return
    plan, rng = data.plan, np.random.default_rng([seed, record["shard"]])
    start, stop = plan.shard_rows(record["shard"])
    seen = np.zeros(stop - start, np.uint8)
    try:
        yield from _count_rows(data, record, seen, report, totals)
        wrong = np.flatnonzero(seen > 1 if plan.where else seen != 1)
        if len(wrong):
            row, times = start + int(wrong[0]), seen[wrong[0]]
            expected = "at most once" if plan.where else "once"
            yield f"shard {record['shard']}: row {row} occurs {times} times, expected {expected}"
            return
        rows = start + np.flatnonzero(seen)
        picked = np.sort(rng.choice(rows, min(sample, len(rows)), replace=False))
        sampled = _read_rows(data, record, picked)
    except FileError as error:
        yield str(error)
        return
    yield from _check_sample(replace(plan, own_filter=None), sampled, picked, (start, stop))
    report.sampled += len(sampled)
    if plan.own_filter is not None:
        size = min(sample, stop - start)
        tried = np.sort(start + rng.choice(stop - start, size, replace=False))
        yield from _check_filter(plan, tried, rows, (start, stop))


def _count_rows(
    data: OpenDataset,
    record: ShardRecord,
    seen: NDArray[np.uint8],
    report: CheckReport,
    totals: dict[str, int],
) -> Iterator[str]:
    """Count how often each row of a shard occurs, and yield files with a wrong number of rows."""
    start = data.plan.shard_rows(record["shard"])[0]
    for file in _files_by_split(record).values():
        counted = 0
        for values in data.read(record, file["split"], ["row"]):
            rows = values["row"]
            inside = (rows >= start) & (rows < start + len(seen))
            np.add.at(seen, rows[inside] - start, 1)
            counted += len(rows)
        report.rows += counted
        totals[file["split"]] = totals.get(file["split"], 0) + counted
        if counted != file["rows"]:
            yield f"{data.folder / file['name']}: {counted} rows, expected {file['rows']}"


def _read_rows(data: OpenDataset, record: ShardRecord, picked: NDArray[np.int64]) -> Sampled:
    """Return the split and the cells of these rows of a shard."""
    sampled: Sampled = {}
    for split in _files_by_split(record) if len(picked) else ():
        for values in data.read(record, split, data.column_names, only=picked):
            for place in np.flatnonzero(np.isin(values["row"], picked)).tolist():
                row = {name: cells[place] for name, cells in values.items()}
                sampled[int(row["row"])] = split, row
    return sampled


def _files_by_split(record: ShardRecord) -> dict[str, FileEntry]:
    """Return the first file of each split."""
    return {file["split"]: file for file in reversed(record["files"])}


def _check_filter(
    plan: DatasetPlan,
    tried: NDArray[np.int64],
    rows: NDArray[np.int64],
    limits: tuple[int, int],
) -> Iterator[str]:
    """Yield hands of the recipe that are in the dataset although the filter drops them, or not."""
    for number in np.unique(tried // BLOCK_ROWS).tolist():
        kept = read_block(plan, number, *limits)["row"]
        for row in tried[tried // BLOCK_ROWS == number].tolist():
            if (row in kept) != (row in rows):
                state = "missing" if row in kept else "in the dataset"
                yield f"row {row}: {state}, unlike the filter {plan.where} says"


def _check_file(data: OpenDataset, listed: FileEntry, report: CheckReport) -> Iterator[str]:
    """Yield an error if the bytes of a file are wrong; otherwise count the file."""
    path = data.folder / listed["name"]
    if not path.is_file():
        yield f"{path}: missing"
    elif path.stat().st_size != listed["bytes"]:
        yield f"{path}: {path.stat().st_size} bytes, expected {listed['bytes']}"
    elif sha256_of(path) != listed["sha256"]:
        yield f"{path}: SHA-256 differs from the manifest"
    else:
        report.files += 1
        report.bytes += listed["bytes"]


def _check_sample(
    plan: DatasetPlan,
    sampled: Sampled,
    picked: NDArray[np.int64],
    limits: tuple[int, int],
) -> Iterator[str]:
    """Redraw the sampled rows, and label them again by a second method."""
    names = [split for split, _ in plan.splits]
    labels = plan.label_list()
    for number in np.unique(picked // BLOCK_ROWS).tolist():
        drawn = read_block(plan, number, *limits)
        block = hand_rows(plan, drawn)
        for row in picked[picked // BLOCK_ROWS == number].tolist():
            if row not in sampled:
                yield f"row {row}: not found where the file's statistics say it is"
                continue
            split, values = sampled[row]
            place = row - int(drawn["row"][0])
            one = block.row(place)
            counts, hand = one.hands[0], one.hand
            where = f"row {row}, {hand.to_text()}"
            if not np.array_equal(values["hand"], counts):
                yield f"row {row}: the recipe draws {hand.to_text()}, the file holds another hand"
                continue
            if plan.text and values["text"] != hand.to_text():
                yield f"{where}: text {values['text']!r}"
            if values["engine"] != plan.engine:
                yield f"{where}: engine {values['engine']!r}, expected {plan.engine!r}"
            for name in sorted({*drawn} - {"row", "hand", "text", "engine"}):  # weight, position
                if not np.array_equal(values[name], drawn[name][place]):
                    yield f"{where}: {name} {values[name]}, expected {drawn[name][place]}"
            [number_of_split] = split_of(counts[None], plan.splits, plan.deal.tiles, plan.rules)
            if names[number_of_split] != split:
                yield f"{where}: is in split {split}, unlike equivalent hands"
            try:
                for _, name, value, again in wrong_labels(labels, one, values):
                    yield f"{where}: {name} is {value}, proved to be {again}"
            except MjoptError as error:
                yield f"{where}: {error}"
