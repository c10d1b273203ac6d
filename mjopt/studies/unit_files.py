"""Files of raw rows in the making: lots come in, whole files go out."""

import struct
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.journal import Journal
from mjopt.studies.row_files import CURVES, KEPT, ROWS, TIMES, Columns, write_columns
from mjopt.studies.searching import Searched
from mjopt.studies.study import Kind, Unit

KEPT_ROW: Final = np.dtype([(name, ROWS[name]) for name in KEPT])
SECONDS: Final = struct.Struct("<d")  # of CPU time, before the rows of a lot in a journal


def rows_done(unit: Unit) -> int:
    """Return how many rows of an unfinished unit its journal holds."""
    if unit.kind is Kind.CURVES or not unit.journal_path.exists():
        return 0
    with _open_journal(unit) as journal:
        return sum(len(rows) for _, rows in _lots(journal))


class UnitWriter:
    """Takes lots in order and writes each unit's files as soon as it is complete.

    Use it in a ``with`` block: what is done of the last unit then stays in its journal.

    Parameters
    ----------
    units
        The units; lots name them by number.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._journal: Journal | None = None
        self._num_rows = 0  # in that journal
        self._curves: list[tuple[int, npt.NDArray[np.int8]]] = []

    def __enter__(self) -> "UnitWriter":
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the journal."""
        if self._journal is not None:
            self._journal.close()

    def take(self, searched: Searched) -> None:
        """Keep the next lot."""
        unit = self._units[searched.unit]
        if unit.kind is Kind.CURVES:
            assert searched.batch.history is not None
            self._curves.append((searched.run, searched.batch.history))
            if len(self._curves) == unit.runs:
                write_columns(unit.path, CURVES, _curve_columns(unit, self._curves))
                self._curves = []
            return
        rows = np.empty(len(searched.batch), KEPT_ROW)
        for name in KEPT:
            rows[name] = getattr(searched.batch, name)
        self._open(unit).append(SECONDS.pack(searched.seconds) + rows.tobytes())
        self._num_rows += len(rows)
        self.finish(unit)

    def finish(self, unit: Unit) -> None:
        """Write the files of a unit if its journal holds all of it."""
        journal = self._open(unit)
        if self._num_rows < len(unit.numbers):
            return
        lots = _lots(journal)
        # The file of rows says that the unit is done, so it comes last.
        if unit.times_path is not None:
            write_columns(unit.times_path, TIMES, _time_columns(unit, lots))
        if unit.kind is not Kind.REPEAT:
            rows = np.concatenate([rows for _, rows in lots])
            kept = {name: np.ascontiguousarray(rows[name]) for name in KEPT}
            write_columns(unit.path, ROWS, {"hand": unit.numbers, **kept})
        journal.discard()
        self._journal = None

    def _open(self, unit: Unit) -> Journal:
        """Return the journal of a unit; lots come unit by unit, so one is open at a time."""
        if self._journal is None or self._journal.path != unit.journal_path:
            self.__exit__()
            self._journal = _open_journal(unit)
            self._num_rows = sum(len(rows) for _, rows in _lots(self._journal))
        return self._journal


def _open_journal(unit: Unit) -> Journal:
    return Journal(unit.journal_path, {"plan": unit.plan_digest, "row": KEPT_ROW.descr})


def _lots(journal: Journal) -> list[tuple[float, npt.NDArray[Any]]]:
    """Return what a journal holds: the seconds and the rows of each lot."""
    return [
        (SECONDS.unpack_from(lot)[0], np.frombuffer(lot, KEPT_ROW, offset=SECONDS.size))
        for lot in journal
    ]


def _time_columns(unit: Unit, lots: list[tuple[float, npt.NDArray[Any]]]) -> Columns:
    sizes = np.array([len(rows) for _, rows in lots], np.int32)
    return {
        "first_hand": (np.cumsum(sizes) - sizes).astype(np.int32),
        "hands": sizes,
        "stop_at_target": np.full(len(sizes), unit.stop_at_target),
        "seconds": np.array([seconds for seconds, _ in lots], np.float64),
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
