"""A study's tables, figures and report, from its raw rows alone."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mjopt._internal.folder import write_whole
from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt.reports.figure import save_figure
from mjopt.reports.statistics import Finding, critical_difference
from mjopt.reports.table import THIN, Table
from mjopt.reports.table_formats import write_table
from mjopt.reports.web_page import (
    Section,
    figure_piece,
    list_pieces,
    page,
    pair_pieces,
    table_piece,
    text_piece,
)
from mjopt.studies import curve_figures, figures
from mjopt.studies import report_words as words
from mjopt.studies import study_tables as tables
from mjopt.studies.comparisons import (
    Analysis,
    Verdict,
    compare_accuracies,
    compare_seconds,
    judge_pairs,
    rank_methods,
)
from mjopt.studies.finding_tables import (
    comparison_table,
    pairs_table,
    ranking_table,
    verdict_table,
)
from mjopt.studies.grid import grids
from mjopt.studies.methods import text_of
from mjopt.studies.plan import Plan
from mjopt.studies.study import Study
from mjopt.studies.summary import STRATA, Summary, summarise

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 6
"""Hands in one figure of convergence, as in the paper."""


class Drawn(NamedTuple):
    """A figure, with a line on how to read it."""

    name: str
    figure: "Figure"
    title: str
    reading: str


Part = Drawn | tuple[Table, str] | str
"""What a section holds: figures, tables with a line on how to read them, plain HTML."""


def load_packages() -> None:
    """Import what a report is made with: a second or two, before it is asked for."""
    for name in ("backends.backend_svg", "backends.backend_agg", "figure", "lines", "patches"):
        import_module(f"matplotlib.{name}")
    for name in ("pandas", "scipy.stats", "scikit_posthocs"):
        import_module(name)


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
    need(*EXPERIMENTS, extra="experiments")
    chosen = analysis or Analysis()
    summary = summarise(study)
    reference = chosen.reference_of(summary)  # refuse an unknown one before anything is written
    for name in ("tables", "figures"):
        (study.folder / name).mkdir(exist_ok=True)
    accuracies = compare_accuracies(summary, chosen)
    verdicts = judge_pairs(summary, accuracies, chosen)
    write_table(study.folder / "tables", tables.strata_table(summary, chosen))
    of = summary, chosen
    sections = []
    for name, heading, parts in (
        ("accuracy", "How often is each method right?", _accuracies(*of)),
        ("tests", "Are the differences real?", _tests(*of, accuracies, verdicts)),
        ("failures", "Where and how do methods fail?", _failures(*of)),
        ("evaluations", "How many evaluations does the true value take?", _evaluations(*of)),
        ("times", "How long does it take, and what does early stop hide?", _times(*of)),
        ("grid", "What do population and generations buy?", _grids(summary)),
        ("convergence", "How fast does each method improve?", _convergence(*of)),
        ("settings", "Settings, and how to make this again", _settings(*of)),
    ):
        # Each is drawn as it is written; one without parts is left out.
        pieces = tuple(_piece(study.folder, part) for part in parts)
        if pieces:
            sections.append(Section(name, heading, pieces))
    lead = [
        text_piece(words.what_was_compared(summary)),
        text_piece(words.headline(summary, accuracies, chosen), classes="main"),
        *pair_pieces(words.pair_lines(verdicts)),
        *list_pieces(words.set_lines(summary)),
    ]
    labels = summary.labels
    if len(drawn := chosen.drawn(summary)) < len(labels):
        lead.append(
            text_piece(
                f"Figures with a line for each method show {len(drawn)} of {len(labels)}: "
                f"{reference} and the most accurate others."
            )
        )
    of_what = words.list_words(labels) if len(labels) <= 4 else f"{len(labels)} methods"
    report = page(f"Study of {of_what}", lead, sections)
    write_whole(study.folder / "report.html", report.encode())


def _piece(folder: Path, part: Part) -> str:
    """Write the files of a part, and return how it stands on the page."""
    if isinstance(part, str):
        return part
    if isinstance(part, Drawn):
        svg = save_figure(folder / "figures", part.name, part.figure)
        return figure_piece(part.name, svg, title=part.title, reading=part.reading)
    table, reading = part
    write_table(folder / "tables", table)
    return table_piece(table, reading=reading)


def _accuracies(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    yield Drawn(
        "accuracy",
        figures.draw_accuracy(summary, analysis),
        "Accuracy of every method",
        f"Further right is better. The bars are {100 * analysis.confidence:g} % intervals, "
        "often narrower than the mark; the dashed line is what saying 3 of every hand gets.",
    )
    yield (
        tables.accuracy_table(summary, analysis),
        "A difference between methods whose intervals are far apart is no accident.",
    )
    yield tables.runs_table(summary), "The smaller the deviation, the more alike the runs."


def _failures(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    for what, said in STRATA.items():
        yield Drawn(
            f"accuracy-by-{what}",
            figures.draw_strata(summary, analysis, what),
            f"Accuracy by {said}",
            "A line that falls shows where a method fails; the small numbers above are the "
            "share of the hands.",
        )
        yield (
            tables.stratum_table(summary, analysis, what),
            "Compare a column with itself down the rows, and with others in a row.",
        )
    yield Drawn(
        "gaps",
        figures.draw_gaps(summary, analysis),
        "How far off the wrong values are",
        "Bars to the right are values not improved far enough, bars to the left fall below "
        "the deficiency, which only a fault of the cost allows. Right values are not drawn; "
        "the scale is logarithmic.",
    )
    yield tables.gap_table(summary), "The column 0 counts what is right."


def _evaluations(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    yield Drawn(
        "evaluations",
        figures.draw_climbs(summary, analysis),
        "Tries solved within so many evaluations",
        "Higher and further left is better. A curve ends at its mark, the last evaluation "
        "that solved a try; what is missing to 100 % was never solved.",
    )
    yield (
        tables.effort_table(summary),
        "Fewer is better; expected with restarts is the one number that weighs speed "
        "against failures.",
    )


def _times(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    yield Drawn(
        "times",
        figures.draw_times(summary, analysis),
        "CPU time a hand",
        "Further left is faster. The longer the line, the more early stop hides.",
    )
    yield (
        tables.seconds_table(summary),
        "Best is the least. Compare rows with the same early stop.",
    )
    if (both := tables.early_stop_table(summary)) is not None:
        yield (
            both,
            "Stopped and run on differ in cost, and in accuracy only by values that fell too low.",
        )


def _grids(summary: Summary) -> Iterator[Part]:
    for grid in grids(summary):
        accuracies, times = tables.grid_tables(summary, grid)
        cells = [
            (hands.name, [(cell, hands.method(label)) for cell, label in grid.labels.items()])
            for hands in summary.sets
        ]
        accuracy = {name: {cell: one.accuracy.share for cell, one in row} for name, row in cells}
        seconds = {name: {cell: one.mean_seconds for cell, one in row} for name, row in cells}
        yield Drawn(
            f"{grid.slug}-accuracy",
            curve_figures.draw_grid(accuracy),
            f"Accuracy of {grid.name} by population and generations",
            "Each line is a population; where lines are flat, more generations are wasted.",
        )
        yield accuracies, "Rows are populations, columns generations."
        yield Drawn(
            f"{grid.slug}-times",
            curve_figures.draw_grid(seconds, measure="time"),
            f"CPU time a hand of {grid.name} by population and generations",
            "Both axes are logarithmic.",
        )
        yield times, "Rows are populations, columns generations."
        middle = min(grid.generations, key=lambda g: (abs(g - 50), g))  # the paper's Figure 3
        yield Drawn(
            f"{grid.slug}-populations",
            curve_figures.draw_times_by_population(seconds, middle),
            f"CPU time a hand of {grid.name} at {middle} generations",
            "A straight line from the origin is a cost in proportion to the population.",
        )


def _convergence(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    drawn = {label: label for label in analysis.drawn(summary)}
    for hands in summary.sets:
        if hands.texts:
            shown = curve_figures.panels_of(hands, drawn, "hand {}", spent=True)[:MOST_PANELS]
            yield Drawn(
                f"convergence-{hands.name.replace('.', '-').replace('_', '-')}",
                curve_figures.draw_convergence(shown),
                f"Convergence on the first hands of {hands.name}",
                "Mean best value over the runs, after so many evaluations of the cost: a mark for "
                "the first population, then the generations, which spend alike; a method without "
                "generations is one mark. The dashed line is the deficiency.",
            )


def _tests(
    summary: Summary,
    analysis: Analysis,
    accuracies: Mapping[str, Sequence[Finding]],
    verdicts: Sequence[Verdict],
) -> Iterator[Part]:
    if len(summary.labels) < 2:
        yield text_piece("One method alone: there is nothing to compare it with.")
        return
    yield verdict_table(verdicts), "A small p speaks against equal methods."
    if disputed := words.dispute_line(verdicts):
        yield text_piece(disputed)
    yield (
        comparison_table("accuracy-tests", "Accuracy: every test", accuracies, analysis),
        "The t-test and the rank-sum test compare runs, the signed-rank test hands.",
    )
    seconds, rankings = compare_seconds(summary, analysis), rank_methods(summary, analysis)
    yield (
        comparison_table("time-tests", "CPU time: every test", seconds, analysis),
        "A > B: A takes longer.",
    )
    yield (
        ranking_table(summary, rankings),
        "Read along a row: the least rank is best.",
    )
    ranking = next(one for one in rankings if one.blocks == "hand")
    blocks = ranking.test.n[0]
    if blocks > 1:
        yield Drawn(
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
    yield pairs_table(summary, rankings, analysis), "Every pair, after Friedman's test."


def _settings(summary: Summary, analysis: Analysis) -> Iterator[Part]:
    """Tell what it takes to make the study again."""
    plan = summary.plan
    yield tables.methods_table(summary), "Every parameter, defaults included."
    yield tables.sets_table(summary), "Recipe and seed draw the same hands again."
    yield text_piece("The same study, from nothing:")
    yield text_piece(make_command(plan), kind="pre")
    yield text_piece("These tables and figures, from the raw rows:")
    yield text_piece("mjopt compare --rebuild DIR", kind="pre")
    yield from list_pieces(
        (
            f"mjopt {plan.version or 'of unknown version'}; seed {plan.seed}; plan "
            f"{plan.digest[:16]} (SHA-256, first 16 digits).",
            f"Runs: {plan.runs}, {'with' if plan.early_stop else 'without'} early stop; sample run "
            f"the other way: {plan.sample} hands of each set; hands with curves: {plan.curves}.",
            f"Statistics: {100 * analysis.confidence:g} % Wilson intervals; t-test "
            f"{analysis.t_test}; correction {analysis.correction}; alpha {analysis.alpha:g}; "
            f"reference {analysis.reference_of(summary)}.",
            "Each method, hand and run has its own stream of random numbers, so rows do not "
            "depend on the order of work or the number of processes.",
            "Raw rows: hands/, rows/, sample/, times/ and curves/ (Parquet), and plan.json.",
        )
    )


def make_command(plan: Plan) -> str:
    """Return the command that makes the same plan, every parameter said."""
    words = ["mjopt compare"]
    words += map(text_of, plan.methods)
    words += [f"--hands {hands.recipe}" for hands in plan.sets]
    words += ["-o DIR", f"--runs {plan.runs}", f"--seed {plan.seed}", f"--tiles {plan.tiles}"]
    words += ["--early-stop"] if plan.early_stop else []
    words += [f"--sample {plan.sample}", f"--curves {plan.curves}"]
    proved = [hands.certificates for hands in plan.sets]
    is_all = proved == [hands.num_hands for hands in plan.sets]
    words.append(f"--certificates {'all' if is_all else max(proved)}")
    return " \\\n  ".join(words)
