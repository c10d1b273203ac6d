"""Files of raw rows in the making: blocks come in, whole files go out."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt.experiments.studies.block_journal import BlockJournal
from mjopt.experiments.studies.row_files import CURVES, ROWS, TIMES, Columns, write_columns
from mjopt.experiments.studies.searching import Searched
from mjopt.experiments.studies.units import Kind, Unit


class Making:
    """Takes blocks in order and writes each unit's files as soon as it is complete.

    Use it in a ``with`` block: what is done of the last unit then stays in its journal.

    Parameters
    ----------
    units
        The units; blocks name them by number.

    Attributes
    ----------
    num_files
        Units completed.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self.num_files = 0
        self._units = units
        self._journal: BlockJournal | None = None
        self._curves: list[tuple[int, npt.NDArray[np.int8]]] = []

    def __enter__(self) -> "Making":
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the journal."""
        self._close()

    def take(self, searched: Searched) -> None:
        """Keep the next block."""
        unit = self._units[searched.unit]
        if unit.kind is Kind.CURVES:
            assert searched.history is not None
            self._curves.append((searched.run, searched.history))
            if len(self._curves) == unit.runs:
                write_columns(unit.path, CURVES, _curve_columns(unit, self._curves))
                self._curves = []
                self.num_files += 1
            return
        self._open(unit).append(searched.columns, seconds=searched.seconds)
        self.finish(unit)

    def finish(self, unit: Unit) -> bool:
        """Write the files of a unit if its journal holds all of it."""
        journal = self._open(unit)
        if len(journal) < len(unit.numbers):
            return False
        # The file of rows says that the unit is done, so it comes last.
        if unit.times_path is not None:
            write_columns(unit.times_path, TIMES, _time_columns(unit, journal))
        if unit.kind is not Kind.REPEAT:
            write_columns(unit.path, ROWS, {"hand": unit.numbers, **journal.columns()})
        journal.discard()
        self._journal = None
        self.num_files += 1
        return True

    def _open(self, unit: Unit) -> BlockJournal:
        """Return the journal of a unit; blocks come unit by unit, so one is open at a time."""
        if self._journal is None or self._journal.path != unit.journal_path:
            self._close()
            self._journal = BlockJournal(unit.journal_path)
        return self._journal

    def _close(self) -> None:
        if self._journal is not None:
            self._journal.__exit__()
            self._journal = None


def _time_columns(unit: Unit, journal: BlockJournal) -> Columns:
    first, rows, seconds = zip(*journal.times, strict=True)
    return {
        "first_hand": np.array(first, np.int32),
        "hands": np.array(rows, np.int32),
        "stop_at_target": np.full(len(first), unit.stop_at_target),
        "seconds": np.array(seconds, np.float64),
    }


def _curve_columns(unit: Unit, curves: list[tuple[int, npt.NDArray[np.int8]]]) -> Columns:
    best: Any = np.array([history for _, history in curves], np.int8)  # run, hand, generation
    run, hand, generation = (index.ravel() for index in np.indices(best.shape))
    return {
        "run": np.array([number for number, _ in curves], np.int16)[run],
        "hand": unit.numbers[hand],
        "generation": generation.astype(np.int32),
        "best": best.ravel(),
    }
