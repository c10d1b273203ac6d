"""The sections of a report, each with its tables and figures."""

from mjopt.experiments.studies.figures import (
    Panel,
    draw_accuracy,
    draw_climbs,
    draw_convergence,
    draw_gaps,
    draw_grid,
    draw_strata,
    draw_times,
    draw_times_by_population,
)
from mjopt.experiments.studies.grid import grids
from mjopt.experiments.studies.report.parts import Maker
from mjopt.experiments.studies.study_tables import (
    accuracy_table,
    early_stop_table,
    effort_table,
    gap_table,
    grid_tables,
    runs_table,
    seconds_table,
    stratum_table,
)
from mjopt.experiments.studies.summary import STRATA, SetSummary
from mjopt.reports.web_page import Section

MOST_PANELS = 6
"""Hands in one figure of convergence, as in the paper."""


def add_accuracy(maker: Maker) -> Section:
    """Add how often each method is right."""
    maker.figure(
        "accuracy",
        draw_accuracy(maker.summary, maker.reading),
        "Accuracy of every method",
        f"Further right is better. The bars are {100 * maker.reading.confidence:g} % intervals, "
        "often narrower than the mark; the dashed line is what saying 3 of every hand gets.",
    )
    maker.table(
        accuracy_table(maker.summary, maker.reading),
        "A difference between methods whose intervals are far apart is no accident.",
    )
    maker.table(runs_table(maker.summary), "The smaller the deviation, the more alike the runs.")
    return maker.section("accuracy", "How often is each method right?")


def add_failures(maker: Maker) -> Section:
    """Add where and how methods fail."""
    for what, words in STRATA.items():
        maker.figure(
            f"accuracy-by-{what}",
            draw_strata(maker.summary, maker.reading, what),
            f"Accuracy by {words}",
            "A line that falls shows where a method fails; the small numbers above are the "
            "share of the hands.",
        )
        maker.table(
            stratum_table(maker.summary, maker.reading, what),
            "Compare a column with itself down the rows, and with others in a row.",
        )
    maker.figure(
        "gaps",
        draw_gaps(maker.summary, maker.reading),
        "How far off the wrong values are",
        "Bars to the right are values not improved far enough, bars to the left fall below "
        "the deficiency, which only a fault of the cost allows. Right values are not drawn; "
        "the scale is logarithmic.",
    )
    maker.table(gap_table(maker.summary), "The column 0 counts what is right.")
    return maker.section("failures", "Where and how do methods fail?")


def add_efforts(maker: Maker) -> Section:
    """Add evaluations until the true value."""
    maker.figure(
        "evaluations",
        draw_climbs(maker.summary, maker.reading),
        "Tries solved within so many evaluations",
        "Higher and further left is better. A curve ends at its mark, the last evaluation "
        "that solved a try; what is missing to 100 % was never solved.",
    )
    maker.table(
        effort_table(maker.summary),
        "Fewer is better; expected with restarts is the one number that weighs speed "
        "against failures.",
    )
    return maker.section("evaluations", "How many evaluations does the true value take?")


def add_times(maker: Maker) -> Section:
    """Add CPU times, and what early stop hides."""
    maker.figure(
        "times",
        draw_times(maker.summary, maker.reading),
        "CPU time a hand",
        "Further left is faster. The longer the line, the more early stop hides.",
    )
    maker.table(
        seconds_table(maker.summary), "Best is the least. Compare rows with the same early stop."
    )
    maker.table(
        early_stop_table(maker.summary),
        "Stopped and run on differ in cost, and in accuracy only by values that fell too low.",
    )
    return maker.section("times", "How long does it take, and what does early stop hide?")


def add_grids(maker: Maker) -> list[Section]:
    """Add each grid of population and generations; no section if there is none."""
    tables = iter(grid_tables(maker.summary))
    for grid in grids(maker.summary):
        accuracy = {
            hands.name: {
                cell: hands.method(label).tally.share for cell, label in grid.labels.items()
            }
            for hands in maker.summary.sets
        }
        seconds = {
            hands.name: {
                cell: _mean(hands.method(label).main_seconds) for cell, label in grid.labels.items()
            }
            for hands in maker.summary.sets
        }
        maker.figure(
            f"{grid.slug}-accuracy",
            draw_grid(accuracy),
            f"Accuracy of {grid.name} by population and generations",
            "Each line is a population; where lines are flat, more generations are wasted.",
        )
        maker.table(next(tables), "Rows are populations, columns generations.")
        maker.figure(
            f"{grid.slug}-times",
            draw_grid(seconds, measure="time"),
            f"CPU time a hand of {grid.name} by population and generations",
            "Both axes are logarithmic.",
        )
        maker.table(next(tables), "Rows are populations, columns generations.")
        middle = min(grid.generations, key=lambda g: (abs(g - 50), g))  # the paper's Figure 3
        maker.figure(
            f"{grid.slug}-populations",
            draw_times_by_population(
                {
                    name: {p: value for (p, g), value in sorted(cells.items()) if g == middle}
                    for name, cells in seconds.items()
                }
            ),
            f"CPU time a hand of {grid.name} at {middle} generations",
            "A straight line from the origin is a cost in proportion to the population.",
        )
    if maker.is_empty:
        return []
    return [maker.section("grid", "What do population and generations buy?")]


def add_convergence(maker: Maker) -> list[Section]:
    """Add the curves of each set; no section if no hand has one."""
    for hands in maker.summary.sets:
        if not hands.texts:
            continue
        maker.figure(
            f"convergence-{hands.name.replace('.', '-').replace('_', '-')}",
            draw_convergence(_panels(maker, hands)),
            f"Convergence on the first hands of {hands.name}",
            "Mean best value over the runs after each generation; generation 0 is the first "
            "population. The dashed line is the deficiency, and lower on it is better.",
        )
    if maker.is_empty:
        return []
    return [maker.section("convergence", "How fast does each method improve?")]


def _panels(maker: Maker, hands: SetSummary) -> list[Panel]:
    drawn = maker.reading.drawn(maker.summary)
    return [
        Panel(
            name=f"hand {hand}",
            detail=hands.texts[hand],
            truth=hands.truths[hand],
            curves={
                label: hands.method(label).curves[hand]
                for label in drawn
                if hand in hands.method(label).curves
            },
        )
        for hand in sorted(hands.texts)[:MOST_PANELS]
    ]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)
