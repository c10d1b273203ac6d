"""Performance profiles of solvers (Dolan and Moré, 2002)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.plot_style import (
    add_legend,
    make_panels,
    plot_style,
    series_style,
    set_log_ticks,
    set_panel_title,
)
from mjopt.instances.solve import Run, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHORTEST: Final = 1e-3
"""Seconds; shorter runs count as this long, so that noise decides no ratio."""


@dataclass(frozen=True, kw_only=True)
class SolverSummary:
    """The runs of one solver on the programs of one formulation.

    Parameters
    ----------
    solver, model
        The solver and the formulation.
    verdicts
        Number of runs by verdict.
    median_seconds
        Median time of the runs that ended with the optimum; None if there are none.
    share_fastest
        Share of the programs on which it was the fastest with the optimum.
    """

    solver: str
    model: str
    verdicts: dict[Verdict, int]
    median_seconds: float | None
    share_fastest: float


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Performance profile of one solver.

    Parameters
    ----------
    solver
        The solver.
    ratios
        Its times over those of the fastest solver, ascending, on programs that it solved.
    num_programs
        Number of programs; those it did not solve count in every share.
    """

    solver: str
    ratios: NDArray[np.float64]
    num_programs: int

    def share(self, ratio: float) -> float:
        """Return the share of programs solved within a multiple of the fastest time."""
        return float(np.searchsorted(self.ratios, ratio, side="right")) / self.num_programs


def summarise(runs: Sequence[Run]) -> list[SolverSummary]:
    """Return a summary for each formulation and solver, in the order of the runs."""
    found = []
    for model in dict.fromkeys(run.model for run in runs):
        here = [run for run in runs if run.model == model]
        profiles = {profile.solver: profile for profile in profiles_of(here)}
        for solver in dict.fromkeys(run.solver for run in here):
            own = [run for run in here if run.solver == solver]
            times = [run.seconds for run in own if run.verdict is Verdict.OPTIMAL]
            summary = SolverSummary(
                solver=solver,
                model=model,
                verdicts=Counter(run.verdict for run in own),
                median_seconds=median(times) if times else None,
                share_fastest=profiles[solver].share(1.0),
            )
            found.append(summary)
    return found


def profiles_of(runs: Sequence[Run]) -> list[Profile]:
    """Return the performance profile of every solver over the programs of some runs.

    Only runs with the certified optimum count as solved: a wrong answer, a time limit and a
    failure count as unsolved.

    References
    ----------
    .. [1] Dolan and Moré (2002), "Benchmarking optimization software with performance profiles".

    Examples
    --------
    >>> runs = [
    ...     Run(instance=i, model="m", solver=s, verdict=Verdict(v), objective=1.0, seconds=t)
    ...     for i, s, v, t in [("a", "x", "optimal", 1.0), ("a", "y", "optimal", 3.0),
    ...                        ("b", "x", "wrong", 1.0), ("b", "y", "optimal", 2.0)]
    ... ]
    >>> [(p.solver, p.share(1), p.share(3)) for p in profiles_of(runs)]
    [('x', 0.5, 0.5), ('y', 0.5, 1.0)]
    """
    best: dict[str, float] = {}
    for run in runs:
        if run.verdict is Verdict.OPTIMAL:
            seconds = max(run.seconds, SHORTEST)
            best[run.instance] = min(best.get(run.instance, seconds), seconds)
    num_programs = len({run.instance for run in runs})
    return [
        Profile(
            solver=solver,
            ratios=np.sort(
                [
                    max(run.seconds, SHORTEST) / best[run.instance]
                    for run in runs
                    if run.solver == solver and run.verdict is Verdict.OPTIMAL
                ]
            ),
            num_programs=num_programs,
        )
        for solver in dict.fromkeys(run.solver for run in runs)
    ]


@plot_style()
def plot_profiles(runs: Sequence[Run]) -> "Figure":
    """Plot the performance profiles of all solvers, a panel for each formulation."""
    models = list(dict.fromkeys(run.model for run in runs))
    by_model = {model: profiles_of([run for run in runs if run.model == model]) for model in models}
    every = [ratio for profiles in by_model.values() for p in profiles for ratio in p.ratios[-1:]]
    highest = max([2.0, *every]) * 1.2
    figure, axes = make_panels(len(models))
    for panel, (model, profiles) in zip(axes, by_model.items(), strict=True):
        for number, profile in enumerate(profiles):
            at = np.concatenate([[1.0], profile.ratios, [highest]])
            shares = [100 * profile.share(ratio) for ratio in at]
            style = series_style(number)
            panel.plot(
                at,
                shares,
                drawstyle="steps-post",
                color=style.color,
                linestyle=style.line,
                label=profile.solver,
            )
        panel.set_xscale("log")
        panel.set_xlim(1, highest)
        set_log_ticks(panel.xaxis, 1, highest)
        panel.set_ylim(0, 102)
        panel.set_xlabel("time, as a multiple of the fastest")
        panel.set_ylabel("solved with the certified optimum, %")
        set_panel_title(panel, model, detail=f"{profiles[0].num_programs:,} programs")
    add_legend(figure, *axes[0].get_legend_handles_labels())
    return figure
