"""Units of work whose rows are kept in files, so that an interrupted run resumes."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from mjopt._internal.executor import open_executor
from mjopt._internal.files import atomic_write, make_folder

FOLDER: Final = "parts"

Rows = list[dict[str, Any]]


def run_units(
    folder: Path,
    units: dict[str, Any],
    function: Callable[[Any], Rows],
    *,
    jobs: int | None,
    scheduler: str | None,
    advance: Callable[[int], object],
) -> Iterator[Rows]:
    """Yield the rows of every unit in order; units that are already in the folder are read.

    Parameters
    ----------
    folder
        Folder of the run.
    units
        Argument of the function for each unit, by a name that is safe in a file name.
    function
        Returns the rows of a unit as JSON data.
    jobs, scheduler
        As for :func:`mjopt._internal.executor.open_executor`.
    advance
        Called with the number of rows of each unit.
    """
    kept = make_folder(folder / FOLDER)
    missing = {name: unit for name, unit in units.items() if not (kept / name).exists()}
    for name in units.keys() - missing.keys():
        advance(len(_read(kept / name)))
    with open_executor(jobs, scheduler=scheduler) as workers:
        for number in workers.map_unordered(partial(_run, kept, function), missing.items()):
            advance(number)
    for name in units:
        yield _read(kept / name)


def remove_parts(folder: Path) -> None:
    """Remove the files of a run that is complete."""
    rmtree(folder / FOLDER, ignore_errors=True)


def in_units(items: Iterable[Any], size: int) -> dict[str, list[Any]]:
    """Return items in units of a size, by file name."""
    every = list(items)
    starts = range(0, len(every), size)
    return {f"{start:05}.json": every[start : start + size] for start in starts}


def _run(folder: Path, function: Callable[[Any], Rows], unit: tuple[str, Any]) -> int:
    name, argument = unit
    rows = function(argument)
    atomic_write(folder / name, json.dumps(rows))
    return len(rows)


def _read(path: Path) -> Rows:
    rows: Rows = json.loads(path.read_text())
    return rows
