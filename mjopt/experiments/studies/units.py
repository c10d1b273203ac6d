"""The work of a study, cut into files of raw rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
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
    plan_digest
        Of the study's plan.
    hands, method
        The name of the set, and the method.
    numbers
        Its hands.
    path
        The file that says that it is done.
    times_path
        Where its times go, or None.
    run
        The run; 0 for a sample and for curves.
    runs
        Runs inside the unit: all of them for curves, else one.
    stop_at_target
        Whether a search stops when it has found the certified value.
    """

    kind: Kind
    plan_digest: str
    hands: str
    method: PlannedMethod
    numbers: npt.NDArray[np.int32]
    path: Path
    times_path: Path | None = None
    run: int = 0
    runs: int = 1
    stop_at_target: bool = False

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
    plan, digest = study.plan, study.plan.digest
    for planned in plan.sets:
        everyone = np.arange(planned.num_hands, dtype=np.int32)
        some = sample_of(planned.num_hands, plan.sample)
        for method in plan.methods:
            where = planned.name, method.label
            stops, runs = plan.stops_early(method), plan.num_runs(method)
            unit = partial(Unit, hands=planned.name, method=method, plan_digest=digest)
            if plan.curves:
                yield unit(
                    kind=Kind.CURVES,
                    numbers=everyone[: plan.curves],
                    path=study.curves_path(*where),
                    runs=runs,
                )
            if plan.sample:
                yield unit(
                    kind=Kind.SAMPLE,
                    numbers=some,
                    path=study.sample_rows_path(*where),
                    times_path=study.sample_times_path(*where),
                    stop_at_target=not stops,
                )
                for run in range(runs, plan.num_timed(method)):
                    path = study.times_path(*where, run)
                    yield unit(kind=Kind.REPEAT, numbers=some, path=path, times_path=path, run=run)
            for run in range(runs):
                yield unit(
                    kind=Kind.ROWS,
                    numbers=everyone,
                    path=study.rows_path(*where, run),
                    times_path=study.times_path(*where, run),
                    stop_at_target=stops,
                    run=run,
                )
