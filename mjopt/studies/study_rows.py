"""The rows of a study as DataFrames."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mjopt._internal.files import as_path
from mjopt._internal.optional_deps import need
from mjopt.errors import FileError, MjoptError
from mjopt.studies.config import StudyConfig, Unit
from mjopt.studies.study_files import (
    CONFIG,
    FILES,
    HANDS,
    SCHEMAS,
    UNITS,
    Columns,
    TimedBlock,
    UnitRecord,
    read_certificate_seconds,
    read_parquet,
    read_records,
)

if TYPE_CHECKING:
    import pandas as pd


class StudyRows:
    """The configuration and the rows of the study in a folder, read as DataFrames."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = as_path(folder, "folder", utf8=True)
        path = self.folder / CONFIG
        if not path.is_file():
            raise FileError("no study here", argument=str(self.folder), expected=f"a file {CONFIG}")
        try:
            self.config = StudyConfig.from_json(path.read_text(encoding="utf-8"))
        except (MjoptError, UnicodeDecodeError) as error:
            raise FileError(str(error), argument=str(path)) from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the hand sets."""
        return tuple(hands.name for hands in self.config.sets)

    @property
    def methods(self) -> tuple[str, ...]:
        """The labels of the methods."""
        return tuple(method.label for method in self.config.methods)

    def missing(self) -> list[Unit]:
        """Return the units that are not merged yet."""
        records = read_records(self.folder)
        return [unit for unit in self.config.units() if unit.key not in records]

    @property
    def is_complete(self) -> bool:
        """Whether no row is missing."""
        return not self.missing()

    def hands(self, hands: str) -> "pd.DataFrame":
        """Return the hands of a set: the columns of `HANDS`, one row a hand."""
        size = self.config.hand_set(hands).num_hands
        path = self.folder / "hands" / f"{hands}.parquet"
        columns, _ = read_parquet(path, HANDS)
        if len(columns["hand"]) != size:
            raise FileError(f"{len(columns['hand'])} rows", argument=str(path), expected=str(size))
        return _frame(columns)

    def certificate_seconds(self, hands: str) -> "npt.NDArray[np.float64]":
        """Return the CPU seconds of each certificate of a set, NaN without one, shape ``(N,)``."""
        return read_certificate_seconds(self.folder, self.config.hand_set(hands))

    def rows(self, hands: str, method: str, run: int | None = None) -> "pd.DataFrame":
        """Return the rows of a method on a hand set.

        Parameters
        ----------
        hands, method
            The name of the set and the label of the method.
        run
            One run only; by default all of them.

        Returns
        -------
        pandas.DataFrame
            A column ``run`` and those of `ROWS`; run after run, hands in order. A deterministic
            method has run 0 only.

        Raises
        ------
        FileError
            If rows are missing or damaged.
        """
        planned = self.config.method(method)
        runs = range(self.config.num_runs(planned)) if run is None else [run]
        frame = self._read("rows", hands, method, early_stop=self.config.stops_early(planned))
        frame = frame[frame["run"].isin(list(runs))].reset_index(drop=True)
        expected = len(runs) * self.config.hand_set(hands).num_hands
        return self._check_size(frame, hands, method, expected)

    def sample_rows(self, hands: str, method: str) -> "pd.DataFrame":
        """Return run 0 on the sample, stopped the other way than the main rows.

        Empty if the study has no sample.
        """
        stops = not self.config.stops_early(self.config.method(method))
        frame = self._read("rows", hands, method, early_stop=stops)
        expected = min(self.config.sample, self.config.hand_set(hands).num_hands)
        return self._check_size(frame, hands, method, expected)

    def times(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the CPU time of each run, with the columns run, early_stop, hands and seconds.

        Runs on all hands come first, then those on the sample.
        """
        rows = [
            (r.unit.run, r.unit.early_stop, r.hands, r.seconds) for r in self._timed(hands, method)
        ]
        return _frame(rows, ["run", "early_stop", "hands", "seconds"])

    def blocks(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the CPU time of blocks of hands of one deficiency, one row a block.

        The columns are early_stop, deficiency, hands and seconds.
        """
        timed = self._timed(hands, method)
        rows = [(record.unit.early_stop, *block) for record in timed for block in record.blocks]
        return _frame(rows, ["early_stop", *TimedBlock._fields])

    def _timed(self, hands: str, method: str) -> list[UnitRecord]:
        """Return the merged units of a method on a hand set; `FileError` if one is missing."""
        self.config.method(method)
        self.config.hand_set(hands)
        records = read_records(self.folder)
        units = [u for u in self._units if u[1:3] == (hands, method) and u.kind != "curves"]
        if any(unit.key not in records for unit in units):
            raise FileError(
                f"no time of {method} on {hands}",
                argument=str(self.folder / UNITS),
                hint="run the study again",
            )
        # The unit of the configuration: the line in the file may have been changed.
        return [records[unit.key]._replace(unit=unit) for unit in units]

    @cached_property
    def _units(self) -> tuple[Unit, ...]:
        return tuple(self.config.units())

    def curves(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the best value after each generation: ``run`` and the columns of `CURVES`."""
        runs = self.config.num_runs(self.config.method(method))
        frame = self._read("curves", hands, method, early_stop=False)
        return frame[frame["run"] < runs]

    def _read(self, kind: str, hands: str, method: str, *, early_stop: bool) -> "pd.DataFrame":
        self.config.method(method)
        self.config.hand_set(hands)
        schema = {"run": "int16"} | SCHEMAS[kind]
        if kind == "curves" and not self.config.curves:
            return _frame({name: np.zeros(0, kind) for name, kind in schema.items()})
        address = {"hand_set": hands, "method": method, "early_stop": early_stop}
        filters = [(name, "==", value) for name, value in address.items()]
        return _frame(read_parquet(self.folder / FILES[kind], schema, filters)[0])

    def _check_size(
        self, frame: "pd.DataFrame", hands: str, method: str, expected: int
    ) -> "pd.DataFrame":
        if len(frame) != expected:
            raise FileError(
                f"{self.folder / FILES['rows']}: {len(frame)} rows of {method} on {hands}",
                expected=str(expected),
                hint="run the study again",
            )
        return frame


def _frame(
    content: Columns | Sequence[tuple[object, ...]], names: list[str] | None = None
) -> "pd.DataFrame":
    """Return a DataFrame of columns, or of rows with the names of the columns."""
    need("pandas", extra="experiments")
    import pandas as pd

    return pd.DataFrame(content, columns=names)
