"""A study on disk: its plan, the files it is made of, and its raw rows read back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.optional_deps import need
from mjopt._internal.sums import Sums
from mjopt.errors import FileError, StudyError
from mjopt.studies.plan import Plan, PlannedMethod
from mjopt.studies.row_files import CURVES, HANDS, ROWS, TIMES, Columns, read_columns

if TYPE_CHECKING:
    import pandas as pd

    from mjopt.studies.summary import Summary

PLAN: Final = "plan.json"
FILES: Final = {
    "hands": "hands/{hands}.parquet",
    "rows": "rows/{hands}/{method}/run-{run:02}.parquet",
    "times": "times/{hands}/{method}/run-{run:02}.parquet",
    "sample": "sample/{hands}/{method}/run-00.parquet",
    "sample times": "times/{hands}/{method}/sample-00.parquet",
    "curves": "curves/{hands}/{method}.parquet",
}
"""Where each kind of file stands in the folder."""

SAMPLE_SEED: Final = 20_231_107
"""Seed of the one permutation that every sample begins."""


def sample_of(num_hands: int, sample: int, *, seed: int = SAMPLE_SEED) -> npt.NDArray[np.int32]:
    """Return which hands of a set are in a sample, ascending: so many at random.

    Examples
    --------
    >>> sample_of(10, 3).tolist() == sorted(set(sample_of(10, 3).tolist()))
    True
    >>> len(sample_of(10, 30))
    10
    """
    order = np.random.default_rng(seed).permutation(num_hands)
    return np.sort(order[:sample]).astype(np.int32)


class Kind(Enum):
    """What a unit is for."""

    ROWS = "rows"  # one run on every hand
    SAMPLE = "sample"  # run 0 on the sample, the other way
    REPEAT = "repeat"  # a method that draws nothing, timed once more on the sample
    CURVES = "curves"  # every run on the first hands, generation by generation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unit:
    """One file of raw rows to be made."""

    kind: Kind
    plan_digest: str  # of the part of the plan that it depends on
    hands: str  # the name of the set
    method: PlannedMethod
    numbers: npt.NDArray[np.int32]  # of its hands
    path: Path  # of the file that says that it is done
    times_path: Path | None = None
    run: int = 0  # 0 for a sample and for curves
    runs: int = 1  # inside the unit: all of them for curves, else one
    stop_at_target: bool = False  # whether a search stops when it has found the certified value

    @property
    def num_searches(self) -> int:
        """How many searches it is."""
        return self.runs * len(self.numbers)

    @property
    def journal_path(self) -> Path:
        """Where its finished lots wait for the rest."""
        return self.path.with_name(f".{self.path.stem}.journal")


class Study:
    """Reads the folder that `mjopt compare` or `mjopt reproduce` wrote.

    Parameters
    ----------
    folder
        The folder.

    Attributes
    ----------
    folder, sums
        The folder, and what it keeps of its rows' digests.
    plan
        The plan.

    Raises
    ------
    FileError
        If there is no study, or its plan cannot be read.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.sums = Sums(self.folder)
        path = self.folder / PLAN
        if not path.is_file():
            raise FileError(f"{self.folder}: no study here, expected a file {PLAN}")
        try:
            self.plan = Plan.from_json(path.read_text(encoding="utf-8"))
        except (StudyError, UnicodeDecodeError) as error:
            raise FileError(f"{path}: {error}") from None

    def __repr__(self) -> str:
        return f"Study({str(self.folder)!r})"

    @property
    def summary(self) -> "Summary":
        """What the rows show; read anew each time, and for that it must be complete."""
        from mjopt.studies.summary import summarise

        return summarise(self)

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the hand sets, in the order of the plan."""
        return tuple(hands.name for hands in self.plan.sets)

    @property
    def methods(self) -> tuple[str, ...]:
        """The labels of the methods, in the order of the plan."""
        return tuple(method.label for method in self.plan.methods)

    # Where things are ----------------------------------------------------------------

    def path(self, what: str, hands: str, method: str = "", run: int = 0) -> Path:
        """Return where a file stands; ``what`` is a key of `FILES`."""
        return self.folder / FILES[what].format(hands=hands, method=method, run=run)

    def units(self) -> Iterator[Unit]:
        """Yield every unit, in the order they are made.

        Methods that draw nothing are run once. They do not stop early in the main rows:
        such a method does not know when it is right. The sample shows them the other way.
        """
        plan = self.plan
        for planned in plan.sets:
            everyone = np.arange(planned.num_hands, dtype=np.int32)
            some = sample_of(planned.num_hands, plan.sample)
            for method in plan.methods:
                stops, runs = plan.stops_early(method), plan.num_runs(method)
                path = partial(self.path, hands=planned.name, method=method.label)
                # The part of the plan that these files depend on: others may come and go.
                own = replace(method, name="")  # a file is the same wherever it is named from
                part = replace(plan, methods=(own,), sets=(planned,), runs=1, version="")
                unit = partial(Unit, hands=planned.name, method=method, plan_digest=part.digest)
                whole = partial(unit, kind=Kind.ROWS, numbers=everyone, stop_at_target=stops)
                if plan.curves:
                    first = everyone[: plan.curves]
                    yield unit(kind=Kind.CURVES, numbers=first, path=path("curves"), runs=runs)
                if plan.sample:
                    yield unit(
                        kind=Kind.SAMPLE,
                        numbers=some,
                        path=path("sample"),
                        times_path=path("sample times"),
                        stop_at_target=not stops,
                    )
                    for run in range(runs, plan.num_timed(method)):
                        at = path("times", run=run)
                        yield unit(kind=Kind.REPEAT, numbers=some, path=at, times_path=at, run=run)
                for run in range(runs):
                    at = path("times", run=run)
                    yield whole(path=path("rows", run=run), times_path=at, run=run)

    def missing(self) -> Iterator[Path]:
        """Yield the files of raw rows that are not there yet, in the order they are made."""
        hands = (self.path("hands", name) for name in self.sets)
        files = chain(hands, (unit.path for unit in self.units()))
        return (path for path in files if not path.is_file())

    @property
    def is_complete(self) -> bool:
        """Whether every file of raw rows is there."""
        return next(self.missing(), None) is None

    # What they hold ------------------------------------------------------------------

    def hands(self, hands: str) -> "pd.DataFrame":
        """Return the hands of a set: the columns of `HANDS`, one row a hand."""
        planned = self.plan.hand_set(hands)
        path = self.path("hands", hands)
        self.sums.check(path)
        return _frame(read_columns(path, HANDS, rows=planned.num_hands))

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
        return self._read(ROWS, hands, method, [("rows", one) for one in runs], rows=size)

    def sample_rows(self, hands: str, method: str) -> "pd.DataFrame":
        """Return run 0 on the sample, the other way: without early stop if the main rows
        stop early, with it if they do not. Empty if the plan has no sample.
        """  # noqa: D205
        size = min(self.plan.sample, self.plan.hand_set(hands).num_hands)
        return self._read(ROWS, hands, method, [("sample", 0)] if size else [], rows=size)

    def times(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the CPU times of lots: a column ``run`` and those of `TIMES`.

        Lots of the main rows come first, then those of the sample, told apart by
        ``stop_at_target``. A method that draws nothing has its one run timed as often as
        others run: run 0 on all hands, the others on the sample.
        """
        files = [("times", run) for run in range(self.plan.num_timed(self.plan.method(method)))]
        files += [("sample times", 0)] if self.plan.sample else []
        return self._read(TIMES, hands, method, files)

    def curves(self, hands: str, method: str) -> "pd.DataFrame":
        """Return the best value generation by generation: the columns of `CURVES`."""
        found = self._read(CURVES, hands, method, [("curves", 0)] if self.plan.curves else [])
        return found[found["run"] < self.plan.runs]  # a plan of more runs may have stood there

    def _read(
        self,
        schema: dict[str, str],
        hands: str,
        method: str,
        files: Iterable[tuple[str, int]],
        rows: int | None = None,
    ) -> "pd.DataFrame":
        """Return files one after the other, each behind the number of its run."""
        self.plan.method(method)
        self.plan.hand_set(hands)
        none = {name: np.zeros(0, kind) for name, kind in schema.items()}
        parts: list[Columns] = [{"run": np.zeros(0, np.int16)} | none]
        for what, run in files:
            path = self.path(what, hands, method, run)
            self.sums.check(path)
            found = read_columns(path, schema, rows=rows)
            length = len(next(iter(found.values())))
            parts.append({"run": np.full(length, run, np.int16)} | found)  # curves have their own
        return _frame({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def _frame(columns: Columns) -> "pd.DataFrame":
    need("pandas", extra="experiments")
    import pandas as pd

    return pd.DataFrame(columns)
