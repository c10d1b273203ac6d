"""A study on disk: its plan, its hands and its raw rows, read back."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import FileError, StudyError
from mjopt.experiments.studies.plan import Plan
from mjopt.experiments.studies.row_files import CURVES, HANDS, ROWS, TIMES, Columns, read_columns
from mjopt.runtime.extras import need

if TYPE_CHECKING:
    import pandas as pd

PLAN: Final = "plan.json"
SAMPLE_SEED: Final = 20_231_107
"""Seed of the one permutation that every sample begins."""


def sample_of(num_hands: int, sample: int) -> npt.NDArray[np.int32]:
    """Return which hands of a set are in the sample, ascending.

    Examples
    --------
    >>> sample_of(10, 3).tolist() == sorted(set(sample_of(10, 3).tolist()))
    True
    >>> len(sample_of(10, 30))
    10
    """
    order = np.random.default_rng(SAMPLE_SEED).permutation(num_hands)
    return np.sort(order[:sample]).astype(np.int32)


class Study:
    """Reads the folder that `mjopt compare` or `mjopt reproduce` wrote.

    Parameters
    ----------
    folder
        The folder.

    Attributes
    ----------
    folder
        The folder.
    plan
        The plan.

    Raises
    ------
    FileError
        If there is no study, or its plan cannot be read.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        path = self.folder / PLAN
        if not path.is_file():
            raise FileError(f"{self.folder}: no study here, expected a file {PLAN}")
        try:
            self.plan = Plan.from_json(path.read_text(encoding="utf-8"))
        except (StudyError, UnicodeDecodeError) as error:
            raise FileError(f"{path}: {error}") from None

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the hand sets, in the order of the plan."""
        return tuple(hands.name for hands in self.plan.sets)

    @property
    def methods(self) -> tuple[str, ...]:
        """The labels of the methods, in the order of the plan."""
        return tuple(method.label for method in self.plan.methods)

    # Where things are ----------------------------------------------------------------

    def hands_path(self, hands: str) -> Path:
        """Return where the hands of a set stand."""
        return self.folder / "hands" / f"{hands}.parquet"

    def rows_path(self, hands: str, method: str, run: int) -> Path:
        """Return where the rows of one run stand."""
        return self.folder / "rows" / hands / method / f"run-{run:02}.parquet"

    def times_path(self, hands: str, method: str, run: int) -> Path:
        """Return where the times of one run stand."""
        return self.folder / "times" / hands / method / f"run-{run:02}.parquet"

    def sample_rows_path(self, hands: str, method: str) -> Path:
        """Return where the rows of the sample stand."""
        return self.folder / "sample" / hands / method / "run-00.parquet"

    def sample_times_path(self, hands: str, method: str) -> Path:
        """Return where the times of the sample stand."""
        return self.folder / "times" / hands / method / "sample-00.parquet"

    def curves_path(self, hands: str, method: str) -> Path:
        """Return where the curves of a method stand."""
        return self.folder / "curves" / hands / f"{method}.parquet"

    def missing(self) -> Iterator[Path]:
        """Yield the files of raw rows that are not there yet, in the order they are made."""
        return (path for path in self._files() if not path.is_file())

    def _files(self) -> Iterator[Path]:
        plan = self.plan
        yield from map(self.hands_path, self.sets)
        for hands, method in product(self.sets, plan.methods):
            label, runs = method.label, plan.num_runs(method)
            for run in range(runs):
                yield self.rows_path(hands, label, run)
            if plan.sample:
                yield self.sample_rows_path(hands, label)
                for run in range(runs, plan.num_timed(method)):
                    yield self.times_path(hands, label, run)
            if plan.curves:
                yield self.curves_path(hands, label)

    @property
    def is_complete(self) -> bool:
        """Whether every file of raw rows is there."""
        return next(self.missing(), None) is None

    # What they hold ------------------------------------------------------------------

    def hands(self, hands: str) -> "pd.DataFrame":
        """Return the hands of a set: the columns of `HANDS`, one row a hand."""
        planned = self.plan.hand_set(hands)
        columns = read_columns(self.hands_path(hands), HANDS, rows=planned.num_hands)
        return _frame(columns)

    def rows(self, hands: str, method: str, run: int | None = None) -> "pd.DataFrame":
        """Return the raw rows of a method on a set.

        Parameters
        ----------
        hands, method
            The name of the set and the label of the method.
        run
            One run only; by default all of them.

        Returns
        -------
        pandas.DataFrame
            A column ``run`` and those of `ROWS`; runs one after the other, hands in
            order. A method that draws nothing has run 0 alone.
        """
        planned, size = self.plan.method(method), self.plan.hand_set(hands).num_hands
        runs = range(self.plan.num_runs(planned)) if run is None else [run]
        parts = []
        for one in runs:
            path = self.rows_path(hands, method, one)
            parts.append(_numbered(read_columns(path, ROWS, rows=size), one))
        return _frame(_stacked(parts))

    def sample_rows(self, hands: str, method: str) -> "pd.DataFrame":
        """Return run 0 on the sample, the other way: without early stop if the main rows
        stop early, with it if they do not. Empty if the plan has no sample.
        """  # noqa: D205
        self.plan.method(method)
        size = self.plan.hand_set(hands).num_hands
        if not self.plan.sample:
            return _frame(_numbered(_empty(ROWS), 0))
        path = self.sample_rows_path(hands, method)
        found = read_columns(path, ROWS, rows=min(self.plan.sample, size))
        return _frame(_numbered(found, 0))

    def times(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the CPU times of blocks: a column ``run`` and those of `TIMES`.

        Blocks of the main rows come first, then those of the sample, told apart by
        ``stop_at_target``. A method that draws nothing has its one run timed as often as
        others run: run 0 on all hands, the others on the sample.
        """
        planned = self.plan.method(method)
        self.plan.hand_set(hands)
        parts = [
            _numbered(read_columns(self.times_path(hands, method, run), TIMES), run)
            for run in range(self.plan.num_timed(planned))
        ]
        if self.plan.sample:
            found = read_columns(self.sample_times_path(hands, method), TIMES)
            parts.append(_numbered(found, 0))
        return _frame(_stacked(parts))

    def curves(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the best value generation by generation: the columns of `CURVES`."""
        self.plan.method(method)
        self.plan.hand_set(hands)
        if not self.plan.curves:
            return _frame(_empty(CURVES))
        return _frame(read_columns(self.curves_path(hands, method), CURVES))


def _numbered(columns: Columns, run: int) -> Columns:
    """Put the number of the run before the columns of a file."""
    length = len(next(iter(columns.values())))
    return {"run": np.full(length, run, np.int16), **columns}


def _stacked(parts: list[Columns]) -> Columns:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _empty(schema: dict[str, str]) -> Columns:
    return {name: np.zeros(0, dtype=kind) for name, kind in schema.items()}


def _frame(columns: dict[str, Any]) -> "pd.DataFrame":
    need("pandas", extra="experiments")
    import pandas as pd

    return pd.DataFrame(columns)
