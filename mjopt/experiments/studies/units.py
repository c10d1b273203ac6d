"""The work of a study, cut into files of raw rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mjopt.experiments.studies.plan import PlannedMethod
from mjopt.experiments.studies.study import Study, sample_of


class Kind(Enum):
    """What a unit is for."""

    ROWS = "rows"  # one run on every hand
    SAMPLE = "sample"  # run 0 on the sample, the other way
    REPEAT = "repeat"  # a method that draws nothing, timed once more on the sample
    CURVES = "curves"  # every run on the first hands, generation by generation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unit:
    """One file of raw rows to be made.

    Parameters
    ----------
    kind
        What it is for.
    hands, method
        The name of the set, and the method.
    run
        The run; 0 for a sample and for curves.
    numbers
        Its hands.
    runs
        Runs inside the unit: all of them for curves, else one.
    stop_at_target
        Whether a search stops when it has found the certified value.
    path
        The file that says that it is done.
    times_path
        Where its times go, or None.
    """

    kind: Kind
    hands: str
    method: PlannedMethod
    run: int
    numbers: npt.NDArray[np.int32]
    runs: int
    stop_at_target: bool
    path: Path
    times_path: Path | None

    @property
    def num_searches(self) -> int:
        """How many searches it is."""
        return self.runs * len(self.numbers)

    @property
    def journal_path(self) -> Path:
        """Where its finished blocks wait for the rest."""
        return self.path.with_name(f".{self.path.stem}.journal")


def units_of(study: Study) -> Iterator[Unit]:
    """Yield every unit of a study, in the order they are made.

    Methods that draw nothing are run once. They do not stop early in the main rows:
    such a method does not know when it is right. The sample shows them the other way.
    """
    plan = study.plan
    for planned in plan.sets:
        everyone = np.arange(planned.num_hands, dtype=np.int32)
        some = sample_of(planned.num_hands, plan.sample)
        for method in plan.methods:
            name, label = planned.name, method.label
            stops = plan.stops_early(method)

            def unit(
                kind: Kind,
                numbers: npt.NDArray[np.int32],
                path: Path,
                times: Path | None,
                stop: bool,
                *,
                run: int = 0,
                runs: int = 1,
                name: str = name,
                method: PlannedMethod = method,
            ) -> Unit:
                return Unit(
                    kind=kind,
                    hands=name,
                    method=method,
                    run=run,
                    numbers=numbers,
                    runs=runs,
                    stop_at_target=stop,
                    path=path,
                    times_path=times,
                )

            if plan.curves:
                yield unit(
                    Kind.CURVES,
                    everyone[: plan.curves],
                    study.curves_path(name, label),
                    None,
                    False,
                    runs=plan.num_runs(method),
                )
            if plan.sample:
                path = study.sample_rows_path(name, label)
                yield unit(Kind.SAMPLE, some, path, study.sample_times_path(name, label), not stops)
                if not method.is_random:
                    for run in range(1, plan.runs):
                        path = study.times_path(name, label, run)
                        yield unit(Kind.REPEAT, some, path, path, stops, run=run)
            for run in range(plan.num_runs(method)):
                yield unit(
                    Kind.ROWS,
                    everyone,
                    study.rows_path(name, label, run),
                    study.times_path(name, label, run),
                    stops,
                    run=run,
                )
