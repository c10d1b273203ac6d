"""A study's tables, figures and report, from its raw rows alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mjopt.experiments.studies import curve_figures, figures
from mjopt.experiments.studies import report_words as words
from mjopt.experiments.studies import study_tables as tables
from mjopt.experiments.studies.comparisons import (
    Analysis,
    compare_accuracies,
    compare_seconds,
    rank_methods,
)
from mjopt.experiments.studies.grid import grids
from mjopt.experiments.studies.plan import Plan
from mjopt.experiments.studies.study import Study
from mjopt.experiments.studies.summary import STRATA, Summary, summarise
from mjopt.reports import web_page
from mjopt.reports.figure import save_figure
from mjopt.reports.statistics import Finding, critical_difference
from mjopt.reports.table import THIN, Table, write_table
from mjopt.reports.web_page import Section
from mjopt.runtime.extras import need
from mjopt.runtime.folder import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 6
"""Hands in one figure of convergence, as in the paper."""


@dataclass(slots=True)
class Maker:
    """A report in the making: what is added stands in the section that is closed next."""

    folder: Path  # the study's; ``tables`` and ``figures`` are made in it
    summary: Summary
    analysis: Analysis
    sections: list[Section] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the folders."""
        for name in ("tables", "figures"):
            (self.folder / name).mkdir(exist_ok=True)

    def table(self, table: Table | None, reading: str) -> None:
        """Write a table, and add it with a line on how to read it."""
        if table is not None:
            write_table(self.folder / "tables", table)
            self._pieces.append(web_page.table_piece(table, reading=reading))

    def figure(self, name: str, figure: "Figure", title: str, reading: str) -> None:
        """Write a figure, and add it with a line on how to read it."""
        svg = save_figure(self.folder / "figures", name, figure)
        self._pieces.append(web_page.figure_piece(name, svg, title=title, reading=reading))

    def text(self, text: str, *, kind: str = "p") -> None:
        """Add a paragraph, or another element that holds text alone."""
        self._pieces.append(web_page.text_piece(text, kind=kind))

    def points(self, lines: list[str]) -> None:
        """Add a list of sentences."""
        self._pieces += web_page.list_pieces(lines)

    def section(self, name: str, heading: str) -> None:
        """Close a section of all that was added since the last; none if nothing was."""
        if self._pieces:
            self.sections.append(Section(name, heading, tuple(self._pieces)))
            self._pieces = []


def write_report(study: Study, *, analysis: Analysis | None = None) -> None:
    """Write ``tables/``, ``figures/`` and ``report.html`` of a study.

    They come from the raw rows alone: the same rows give the same bytes, and files of
    the same names are replaced.

    Parameters
    ----------
    study
        A complete study.
    analysis
        Choices of the statistics; by default those of :class:`Analysis`.

    Raises
    ------
    FileError
        If raw rows are missing or damaged.
    MissingExtraError
        If the extra ``experiments`` is not installed.
    """
    need("matplotlib", "scipy", "scikit_posthocs", "pandas", "pyarrow", extra="experiments")
    chosen = analysis or Analysis()
    summary = summarise(study)
    chosen.reference_of(summary)  # refuse an unknown one before anything is written
    maker = Maker(folder=study.folder, summary=summary, analysis=chosen)
    accuracies = compare_accuracies(summary, chosen)
    write_table(maker.folder / "tables", tables.strata_table(summary, chosen))
    for add in (add_accuracy, add_failures, add_efforts, add_times, add_grids, add_convergence):
        add(maker)
    add_tests(maker, accuracies)
    add_settings(maker)
    lead = [
        web_page.text_piece(words.what_was_compared(summary)),
        web_page.text_piece(words.headline(summary, accuracies, chosen), classes="main"),
        *web_page.list_pieces(words.set_lines(summary)),
    ]
    labels = summary.labels
    if len(drawn := chosen.drawn(summary)) < len(labels):
        lead.append(
            web_page.text_piece(
                f"Figures with a line for each method show {len(drawn)} of {len(labels)}: "
                f"{chosen.reference_of(summary)} and the most accurate others."
            )
        )
    of_what = words.list_words(labels) if len(labels) <= 4 else f"{len(labels)} methods"
    page = web_page.page(f"Study of {of_what}", lead, maker.sections)
    write_whole(study.folder / "report.html", page.encode())


def add_accuracy(maker: Maker) -> None:
    """Add how often each method is right."""
    maker.figure(
        "accuracy",
        figures.draw_accuracy(maker.summary, maker.analysis),
        "Accuracy of every method",
        f"Further right is better. The bars are {100 * maker.analysis.confidence:g} % intervals, "
        "often narrower than the mark; the dashed line is what saying 3 of every hand gets.",
    )
    maker.table(
        tables.accuracy_table(maker.summary, maker.analysis),
        "A difference between methods whose intervals are far apart is no accident.",
    )
    maker.table(
        tables.runs_table(maker.summary), "The smaller the deviation, the more alike the runs."
    )
    maker.section("accuracy", "How often is each method right?")


def add_failures(maker: Maker) -> None:
    """Add where and how methods fail."""
    for what, said in STRATA.items():
        maker.figure(
            f"accuracy-by-{what}",
            figures.draw_strata(maker.summary, maker.analysis, what),
            f"Accuracy by {said}",
            "A line that falls shows where a method fails; the small numbers above are the "
            "share of the hands.",
        )
        maker.table(
            tables.stratum_table(maker.summary, maker.analysis, what),
            "Compare a column with itself down the rows, and with others in a row.",
        )
    maker.figure(
        "gaps",
        figures.draw_gaps(maker.summary, maker.analysis),
        "How far off the wrong values are",
        "Bars to the right are values not improved far enough, bars to the left fall below "
        "the deficiency, which only a fault of the cost allows. Right values are not drawn; "
        "the scale is logarithmic.",
    )
    maker.table(tables.gap_table(maker.summary), "The column 0 counts what is right.")
    maker.section("failures", "Where and how do methods fail?")


def add_efforts(maker: Maker) -> None:
    """Add evaluations until the true value."""
    maker.figure(
        "evaluations",
        figures.draw_climbs(maker.summary, maker.analysis),
        "Tries solved within so many evaluations",
        "Higher and further left is better. A curve ends at its mark, the last evaluation "
        "that solved a try; what is missing to 100 % was never solved.",
    )
    maker.table(
        tables.effort_table(maker.summary),
        "Fewer is better; expected with restarts is the one number that weighs speed "
        "against failures.",
    )
    maker.section("evaluations", "How many evaluations does the true value take?")


def add_times(maker: Maker) -> None:
    """Add CPU times, and what early stop hides."""
    maker.figure(
        "times",
        figures.draw_times(maker.summary, maker.analysis),
        "CPU time a hand",
        "Further left is faster. The longer the line, the more early stop hides.",
    )
    maker.table(
        tables.seconds_table(maker.summary),
        "Best is the least. Compare rows with the same early stop.",
    )
    maker.table(
        tables.early_stop_table(maker.summary),
        "Stopped and run on differ in cost, and in accuracy only by values that fell too low.",
    )
    maker.section("times", "How long does it take, and what does early stop hide?")


def add_grids(maker: Maker) -> None:
    """Add each grid of population and generations."""
    for grid in grids(maker.summary):
        accuracies, times = tables.grid_tables(maker.summary, grid)
        cells = [
            (hands.name, [(cell, hands.method(label)) for cell, label in grid.labels.items()])
            for hands in maker.summary.sets
        ]
        accuracy = {name: {cell: one.accuracy.share for cell, one in row} for name, row in cells}
        seconds = {name: {cell: one.mean_seconds for cell, one in row} for name, row in cells}
        maker.figure(
            f"{grid.slug}-accuracy",
            curve_figures.draw_grid(accuracy),
            f"Accuracy of {grid.name} by population and generations",
            "Each line is a population; where lines are flat, more generations are wasted.",
        )
        maker.table(accuracies, "Rows are populations, columns generations.")
        maker.figure(
            f"{grid.slug}-times",
            curve_figures.draw_grid(seconds, measure="time"),
            f"CPU time a hand of {grid.name} by population and generations",
            "Both axes are logarithmic.",
        )
        maker.table(times, "Rows are populations, columns generations.")
        middle = min(grid.generations, key=lambda g: (abs(g - 50), g))  # the paper's Figure 3
        maker.figure(
            f"{grid.slug}-populations",
            curve_figures.draw_times_by_population(seconds, middle),
            f"CPU time a hand of {grid.name} at {middle} generations",
            "A straight line from the origin is a cost in proportion to the population.",
        )
    maker.section("grid", "What do population and generations buy?")


def add_convergence(maker: Maker) -> None:
    """Add the curves of each set that has some."""
    drawn = {label: label for label in maker.analysis.drawn(maker.summary)}
    for hands in maker.summary.sets:
        if not hands.texts:
            continue
        shown = curve_figures.panels_of(hands, drawn, "hand {}")[:MOST_PANELS]
        maker.figure(
            f"convergence-{hands.name.replace('.', '-').replace('_', '-')}",
            curve_figures.draw_convergence(shown),
            f"Convergence on the first hands of {hands.name}",
            "Mean best value over the runs after each generation; generation 0 is the first "
            "population. The dashed line is the deficiency, and lower on it is better.",
        )
    maker.section("convergence", "How fast does each method improve?")


def add_tests(maker: Maker, accuracies: Mapping[str, Sequence[Finding]]) -> None:
    """Add the tests of differences."""
    summary, analysis = maker.summary, maker.analysis
    if len(summary.labels) < 2:
        maker.text("One method alone: there is nothing to compare it with.")
        maker.section("tests", "Are the differences real?")
        return
    maker.table(
        tables.comparison_table("accuracy-tests", "Accuracy, pair by pair", accuracies, analysis),
        "The t-test and the rank-sum test compare runs, the signed-rank test hands.",
    )
    seconds, rankings = compare_seconds(summary, analysis), rank_methods(summary, analysis)
    maker.table(
        tables.comparison_table("time-tests", "CPU time, pair by pair", seconds, analysis),
        "A > B: A takes longer.",
    )
    maker.table(
        tables.ranking_table(summary, rankings), "Read along a row: the least rank is best."
    )
    ranking = next(one for one in rankings if one.blocks == "hand")
    blocks = ranking.test.n[0]
    if blocks > 1:
        maker.figure(
            "critical-difference",
            figures.draw_ranks(
                summary.labels,
                ranking.ranks,
                critical=critical_difference(len(summary.labels), blocks, alpha=analysis.alpha),
                blocks=f"{blocks:,}".replace(",", THIN) + " hands",
            ),
            "Mean ranks over hands, with Nemenyi's critical difference",
            "Further left is better. A thick bar joins methods that the test cannot tell "
            "apart; with many hands the critical difference is too short to see.",
        )
    maker.table(
        tables.pairs_table(summary, rankings, analysis), "Every pair, after Friedman's test."
    )
    maker.section("tests", "Are the differences real?")


def add_settings(maker: Maker) -> None:
    """Add what it takes to make the study again."""
    plan = maker.summary.plan
    maker.table(tables.methods_table(maker.summary), "Every parameter, defaults included.")
    maker.table(tables.sets_table(maker.summary), "Recipe and seed draw the same hands again.")
    maker.text("The same study, from nothing:")
    maker.text(make_command(plan), kind="pre")
    maker.text("These tables and figures, from the raw rows:")
    maker.text("mjopt compare --rebuild DIR", kind="pre")
    settings = [
        f"mjopt {plan.version or 'of unknown version'}; seed {plan.seed}; plan "
        f"{plan.digest[:16]} (SHA-256, first 16 digits).",
        f"Runs: {plan.runs}, {'with' if plan.early_stop else 'without'} early stop; sample run "
        f"the other way: {plan.sample} hands of each set; hands with curves: {plan.curves}.",
        f"Statistics: {100 * maker.analysis.confidence:g} % Wilson intervals; t-test "
        f"{maker.analysis.t_test}; correction {maker.analysis.correction}; alpha "
        f"{maker.analysis.alpha:g}; reference {maker.analysis.reference_of(maker.summary)}.",
        "Each method, hand and run has its own stream of random numbers, so rows do not "
        "depend on the order of work or the number of processes.",
        "Raw rows: hands/, rows/, sample/, times/ and curves/ (Parquet), and plan.json.",
    ]
    maker.points(settings)
    maker.section("settings", "Settings, and how to make this again")


def make_command(plan: Plan) -> str:
    """Return the command that makes the same plan, every parameter said."""
    words = ["mjopt compare"]
    for method in plan.methods:
        given = [f"{k}={v}" for k, v in sorted(method.parameters.items()) if v is not None]
        words.append(f"{method.name}:{','.join(given)}" if given else method.name)
    words += [f"--hands {hands.recipe}" for hands in plan.sets]
    words += ["-o DIR", f"--runs {plan.runs}", f"--seed {plan.seed}", f"--tiles {plan.tiles}"]
    words += ["--early-stop"] if plan.early_stop else []
    words += [f"--sample {plan.sample}", f"--curves {plan.curves}"]
    proved = [hands.certificates for hands in plan.sets]
    is_all = proved == [hands.num_hands for hands in plan.sets]
    words.append(f"--certificates {'all' if is_all else max(proved)}")
    return " \\\n  ".join(words)
