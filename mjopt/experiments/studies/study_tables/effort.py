"""What methods spend until they have the true value, as tables."""

from collections.abc import Callable, Sequence
from typing import Final

from mjopt.experiments.studies.accuracy import spread
from mjopt.experiments.studies.grid import Grid, grids
from mjopt.experiments.studies.summary import MethodOnSet, SetSummary, Summary
from mjopt.reports.table import Cell, Column, Table

SET: Final = Column("set")
METHOD: Final = Column("method")


def effort_table(summary: Summary) -> Table:
    """Return evaluations until the true value."""
    rows: list[tuple[Cell, ...]] = [
        (
            hands.name,
            one.label,
            one.effort.solved / one.effort.tries,
            None if one.stops_early else one.effort.mean_spent,
            one.effort.mean_until_stopped,
            one.effort.median,
            one.effort.ninety,
            one.effort.expected,
            one.effort.unsolved_hands,
        )
        for hands in summary.sets
        for one in hands.methods
    ]
    return Table(
        name="evaluations",
        title="Evaluations until the true value",
        columns=(
            SET,
            METHOD,
            Column("solved", "percent", 2),
            Column("a run, whole budget", "number", 1),
            Column("a run, early stop", "number", 1),
            Column("half solved by", "number", 0),
            Column("90 % solved by", "number", 0),
            Column("expected with restarts", "number", 1),
            Column("hands never solved", "count"),
        ),
        rows=tuple(rows),
        notes=(
            "One evaluation is one reading of the cost; tree search counts its nodes. A run stops "
            "early once its value is at most the certified deficiency, which no player would know.",
            "Expected with restarts: all evaluations over all successes, a failed run paying for "
            "itself. ∞: so many were never solved.",
        ),
        groups=1,
    )


def seconds_table(summary: Summary) -> Table:
    """Return CPU time a hand over runs, as the paper's Tables 4 and 6, both ways."""
    stop = summary.plan.early_stop
    rows: list[tuple[Cell, ...]] = []
    for hands in summary.sets:
        for one in hands.methods:
            for early in (True, False):
                values = one.seconds(early)
                if values:
                    rows.append(
                        (
                            *(hands.name, one.label, "yes" if early else "no", len(values)),
                            *spread(values, higher_is_better=False),
                        )
                    )
    return Table(
        name="times",
        title="CPU time a hand, with and without early stop",
        columns=(
            SET,
            METHOD,
            Column("early stop"),
            Column("runs", "count"),
            *(Column(name, "micros", 1) for name in ("best", "worst", "median", "mean")),
            Column("standard deviation", "micros", 2),
        ),
        rows=tuple(rows),
        notes=(
            f"The plan made its runs {'with' if stop else 'without'} early stop; the other way is "
            "measured on a sample of the hands, once. A method that draws nothing is never stopped "
            "by the plan, and is timed again on the sample.",
            "Times are of one thread of the machine that made the rows and do not repeat exactly.",
        ),
        groups=1,
    )


def early_stop_table(summary: Summary) -> Table | None:
    """Return the same hands and streams with and without early stop; none without a sample."""
    rows: list[tuple[Cell, ...]] = []
    for hands in summary.sets:
        for one in hands.methods:
            if (both := one.early_stop) is None:
                continue
            stopped, ran_on = both.stopped, both.ran_on
            rows.append(
                (
                    *(hands.name, one.label, both.hands),
                    *(stopped.share, ran_on.share, stopped.below, ran_on.below),
                    both.evaluations_stopped / both.hands,
                    both.evaluations_ran_on / both.hands,
                    *(_mean(one.seconds_stopped), _mean(one.seconds_ran_on)),
                )
            )
    if not rows:
        return None
    return Table(
        name="early-stop",
        title="What early stop hides: the same hands and draws, stopped and run on",
        columns=(
            SET,
            METHOD,
            Column("hands", "count"),
            Column("right, stopped", "percent", 2),
            Column("right, run on", "percent", 2),
            Column("too low, stopped", "count"),
            Column("too low, run on", "count"),
            Column("evaluations, stopped", "number", 1),
            Column("evaluations, run on", "number", 1),
            Column("CPU time, stopped", "micros", 1),
            Column("CPU time, run on", "micros", 1),
        ),
        rows=tuple(rows),
        notes=(
            "Stopping at the certified value uses the answer. A player has to run on: that costs "
            "the whole budget, and a value may still fall below the deficiency.",
        ),
        groups=1,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def grid_tables(summary: Summary) -> tuple[Table, ...]:
    """Return accuracy and time over populations and generations, a pair for each grid.

    As the paper's Tables 1 and 2.
    """
    early = summary.plan.early_stop
    tables = []
    for grid in grids(summary):
        populations = (SET, Column("population", "count"))
        tables += [
            Table(
                name=f"{grid.slug}-accuracy",
                title=f"Accuracy of {grid.name} by population and generations",
                columns=(*populations, *(Column(str(g), "percent", 3) for g in grid.generations)),
                rows=_grid_rows(summary, grid, lambda one: one.tally.share),
                notes=("Columns are numbers of generations.",),
                groups=1,
            ),
            Table(
                name=f"{grid.slug}-times",
                title=f"CPU time a hand of {grid.name} by population and generations",
                columns=(*populations, *(Column(str(g), "micros", 1) for g in grid.generations)),
                rows=_grid_rows(summary, grid, lambda one: _mean(one.main_seconds)),
                notes=(
                    "Columns are numbers of generations. Runs "
                    f"{'with' if early else 'without'} early stop.",
                ),
                groups=1,
            ),
        ]
    return tuple(tables)


def _grid_rows(
    summary: Summary, grid: Grid, value: Callable[[MethodOnSet], float | None]
) -> tuple[tuple[Cell, ...], ...]:
    def cell(hands: SetSummary, population: int, generations: int) -> float | None:
        label = grid.labels.get((population, generations))
        return None if label is None else value(hands.method(label))

    return tuple(
        (hands.name, population, *(cell(hands, population, g) for g in grid.generations))
        for hands in summary.sets
        for population in grid.populations
    )
