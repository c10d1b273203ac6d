"""Compute the rows of a run in worker processes, and keep finished ones if it is interrupted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from mjopt._internal.executor import open_executor
from mjopt._internal.unit_store import Facts, UnitStore

FOLDER: Final = "units"

Rows = list[Facts]
T = TypeVar("T")


def run_units(
    store: UnitStore,
    units: Mapping[str, T],
    function: Callable[[T], tuple[Rows, list[Path]]],
    *,
    jobs: int | None,
    scheduler: str | None,
    advance: Callable[[int], object],
) -> Iterator[Facts]:
    """Yield the rows of all units in order; those that the store holds are read.

    Parameters
    ----------
    store
        The finished units.
    units
        Argument of the function for each unit, by its key.
    function
        Returns the rows of a unit as JSON data, and the files that it has written.
    jobs, scheduler
        As for :func:`mjopt._internal.executor.open_executor`.
    advance
        Called with the number of rows of each unit.
    """
    missing = {key: units[key] for key in store.missing(units)}
    for key in units.keys() - missing.keys():
        advance(len(store.read(key).facts["rows"]))
    with open_executor(jobs, scheduler=scheduler) as workers:
        for number in workers.map_unordered(partial(_run, store, function), missing.items()):
            advance(number)
    for key in units:
        yield from store.read(key).facts["rows"]


def in_units(items: Iterable[T], size: int) -> dict[str, list[T]]:
    """Return items in units of a size, by key."""
    every = list(items)
    return {f"{start:05}": every[start : start + size] for start in range(0, len(every), size)}


def _run(
    store: UnitStore,
    function: Callable[[T], tuple[Rows, list[Path]]],
    unit: tuple[str, T],
) -> int:
    key, argument = unit
    rows, files = function(argument)
    store.write(key, {"rows": rows}, files=files)
    return len(rows)
