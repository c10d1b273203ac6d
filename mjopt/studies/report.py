"""The report of a study: ``report.html``, ``tables.md`` and ``summary.json``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjopt._internal.files import atomic_write, make_folder
from mjopt._internal.optional_deps import EXPERIMENTS, need
from mjopt._internal.plot_style import save_figure, to_svg
from mjopt._internal.report import (
    THIN,
    Part,
    Plot,
    Section,
    Table,
    export_tables,
    render_report,
    tables_page,
)
from mjopt._internal.validation import expect
from mjopt._version import __version__
from mjopt.statistics import TestResult, critical_difference
from mjopt.studies import parameter_grids, plots, tables
from mjopt.studies.config import StudyConfig
from mjopt.studies.metrics import ProofTimes
from mjopt.studies.pairwise import (
    ALPHA,
    PairwiseResult,
    compare_accuracies,
    compare_pairs,
    compare_seconds,
    rank_methods,
)
from mjopt.studies.results import Study
from mjopt.studies.summary import BASELINE, STRATA, MethodResult, Summary, summarise
from mjopt.studies.summary_text import (
    code_note,
    disagreement_text,
    headline,
    join_words,
    overview,
    pairwise_lines,
    set_line,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from mjopt.studies.plots import Panel

MAX_PANELS: Final = 6
"""Hands in one figure of convergence, as in the paper."""

SUMMARY_FILE: Final = "summary.json"
SUMMARY_LAYOUT: Final = 2  # changes with the keys of the file


def write_report(study: Study, *, export: bool = False) -> dict[str, Any]:
    """Write ``report.html``, ``tables.md`` and ``summary.json`` of a study.

    The same rows give the same bytes.

    Parameters
    ----------
    study
        A complete study.
    export
        Also write every table as CSV and LaTeX and every figure as SVG and PNG into ``export/``.

    Returns
    -------
    dict
        The content of ``summary.json``.

    Raises
    ------
    FileError
        If raw rows are missing or damaged.
    MissingExtraError
        If the extra ``experiments`` is not installed.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> sorted(write_report(study))[:3]
    ['early_stop', 'layout', 'pairs']
    """
    expect(export, bool, "export")
    need(*EXPERIMENTS, extra="experiments")
    summary = summarise(study)
    accuracies = compare_accuracies(summary)
    pairwise = compare_pairs(summary, accuracies)
    figures: dict[str, Figure] = {}
    sections = [
        Section(name, heading, [_drawn(part, figures) for part in parts])
        for name, heading, parts in (
            ("accuracy", "How often is each method right?", _accuracy_parts(summary)),
            ("tests", "Are the differences real?", _test_parts(summary, accuracies, pairwise)),
            ("failures", "Where and how do methods fail?", _failure_parts(summary)),
            ("evaluations", "How many evaluations does it take?", _evaluation_parts(summary)),
            ("times", "How long does it take?", _time_parts(summary)),
            ("grid", "Population and generations", _grid_parts(summary)),
            ("convergence", "How fast does each method improve?", _convergence_parts(summary)),
            ("settings", "Settings", _settings_parts(summary)),
        )
    ]
    title = f"Study of {_title(summary)}"
    all_tables = [part for s in sections for part in s.parts if isinstance(part, Table)]
    if export:
        folder = make_folder(study.folder / "export")
        export_tables(folder, all_tables)
        for name, figure in figures.items():
            save_figure(folder, name, figure)
    atomic_write(study.folder / "tables.md", tables_page(title, all_tables))
    page = render_report(title, _lead(summary, accuracies, pairwise), sections)
    atomic_write(study.folder / "report.html", page)
    document = summary_document(summary, pairwise)
    atomic_write(study.folder / SUMMARY_FILE, json.dumps(document, indent=1) + "\n")
    return document


def read_summary(study: Study) -> dict[str, Any] | None:
    """Return the stored summary of a study; None if its report is missing or out of date."""
    try:
        document = json.loads((study.folder / SUMMARY_FILE).read_text(encoding="utf-8"))
        is_current = (document["version"], document["layout"]) == (__version__, SUMMARY_LAYOUT)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    written = all((study.folder / name).is_file() for name in ("tables.md", "report.html"))
    return document if is_current and written else None


class Drawing(NamedTuple):
    """A figure of the report."""

    name: str
    figure: "Figure"
    title: str
    caption: str


def _drawn(part: Any, figures: "dict[str, Figure]") -> Part:
    """Turn a drawing into a plot and note the figure; return other parts as they are."""
    if not isinstance(part, Drawing):
        return part  # type: ignore[no-any-return]
    name, figure, title, caption = part
    figures[name] = figure
    return Plot(name=name, title=title, caption=caption, svg=to_svg(figure))


def _accuracy_parts(summary: Summary) -> Iterator[Any]:
    yield Drawing(
        "accuracy",
        plots.draw_accuracy(summary),
        "Accuracy of every method",
        "Further right is better. The bars are 95 % intervals, often narrower than the mark. The "
        f"dashed line is the accuracy of the answer {BASELINE} for every hand.",
    )
    yield tables.accuracy_table(summary)
    yield tables.runs_table(summary)


def _test_parts(
    summary: Summary,
    accuracies: Mapping[str, Sequence[TestResult]],
    pairwise: Sequence[PairwiseResult],
) -> Iterator[Any]:
    if len(summary.labels) < 2:
        yield "With one method there is nothing to compare."
        return
    yield tables.pairwise_table(pairwise)
    if disagreement := disagreement_text(pairwise):
        yield disagreement
    yield tables.all_tests_table(
        "accuracy-tests",
        "Accuracy: every test",
        accuracies,
        caption="The t-test and the rank-sum test compare runs, the signed-rank test hands.",
    )
    yield tables.all_tests_table(
        "time-tests",
        "CPU time: every test",
        compare_seconds(summary),
        caption=" ".join(filter(None, ["A > B: A takes longer.", code_note(summary)])),
    )
    rankings = rank_methods(summary)
    yield tables.ranking_table(summary, rankings)
    ranking = next(ranking for ranking in rankings if ranking.blocks == "hand")
    blocks = ranking.test.n[0]
    if blocks > 1:
        yield Drawing(
            "critical-difference",
            plots.draw_ranks(
                summary.labels,
                ranking.ranks,
                critical=critical_difference(len(summary.labels), blocks, alpha=ALPHA),
                blocks=f"{blocks:,}".replace(",", THIN) + " hands",
            ),
            "Mean ranks over hands, with Nemenyi's critical difference",
            "Further left is better. A thick bar joins methods that do not differ significantly. "
            "With many hands the critical difference is too short to see.",
        )
    yield tables.post_hoc_table(summary, rankings)


def _failure_parts(summary: Summary) -> Iterator[Any]:
    for stratum, words in STRATA.items():
        yield Drawing(
            f"accuracy-by-{stratum}",
            plots.draw_strata(summary, stratum),
            f"Accuracy by {words}",
            "A falling line shows where a method fails. The numbers above are the shares of "
            "the hands.",
        )
        yield tables.stratum_table(summary, stratum)
    yield tables.strata_table(summary)
    yield Drawing(
        "gaps",
        plots.draw_gaps(summary),
        "Errors of the wrong values",
        "Bars to the right are values not improved far enough. Bars to the left are below the "
        "deficiency, a fault of the cost. Right values are not drawn; the scale is logarithmic.",
    )
    yield tables.gap_table(summary)


def _evaluation_parts(summary: Summary) -> Iterator[Any]:
    yield Drawing(
        "evaluations",
        plots.draw_ecdfs(summary),
        "Tries solved within a number of evaluations",
        "Higher and further left is better. A curve ends with a mark at the last evaluation that "
        "solved a try; the rest was never solved.",
    )
    yield tables.evaluations_table(summary)


def _time_parts(summary: Summary) -> Iterator[Any]:
    if note := code_note(summary):
        yield note
    yield Drawing(
        "times",
        plots.draw_times(summary),
        "CPU time a hand",
        "Further left is faster. The length of a line is the effect of early stop.",
    )
    yield tables.seconds_table(summary)
    if (both := tables.early_stop_table(summary)) is not None:
        yield both
    if (proof := tables.proof_table(summary)) is not None:
        yield proof


def _grid_parts(summary: Summary) -> Iterator[Any]:
    for grid in parameter_grids.grids(summary):
        accuracy_table, time_table = parameter_grids.grid_tables(summary, grid)
        cells = {
            hands.name: {cell: hands.method(label) for cell, label in grid.labels.items()}
            for hands in summary.sets
        }
        accuracy = {
            name: {cell: result.accuracy.share for cell, result in row.items()}
            for name, row in cells.items()
        }
        seconds = {
            name: {cell: result.mean_seconds for cell, result in row.items()}
            for name, row in cells.items()
        }
        yield Drawing(
            f"{grid.slug}-accuracy",
            parameter_grids.draw_grid(accuracy),
            f"Accuracy of {grid.name} by population and generations",
            "One line for each population. Where lines are flat, more generations are wasted.",
        )
        yield accuracy_table
        yield Drawing(
            f"{grid.slug}-times",
            parameter_grids.draw_grid(seconds, measure="time"),
            f"CPU time a hand of {grid.name} by population and generations",
            "Both axes are logarithmic.",
        )
        yield time_table
        middle = min(grid.generations, key=lambda g: (abs(g - 50), g))  # the paper's Figure 3
        yield Drawing(
            f"{grid.slug}-populations",
            parameter_grids.draw_times_by_population(seconds, middle),
            f"CPU time a hand of {grid.name} at {middle} generations",
            "A straight line through the origin is a cost proportional to the population.",
        )


def _convergence_parts(summary: Summary) -> Iterator[Any]:
    labels = {label: label for label in tables.plotted(summary)}
    for hands in summary.sets:
        if hands.texts:
            panels: list[Panel] = plots.panels_of(hands, labels, "hand {}", spent=True)
            yield Drawing(
                f"convergence-{hands.name.replace('.', '-').replace('_', '-')}",
                plots.draw_convergence(panels[:MAX_PANELS]),
                f"Convergence on the first hands of {hands.name}",
                "Mean best value over the runs after a number of evaluations of the cost. A method "
                "without generations is one mark. The dashed line is the deficiency.",
            )


def _settings_parts(summary: Summary) -> Iterator[Any]:
    from markupsafe import Markup

    config = summary.config
    yield tables.methods_table(summary)
    yield tables.sets_table(summary)
    yield "The command that runs this study:"
    yield Markup("<pre>{}</pre>").format(make_command(config))
    yield [
        f"mjopt {config.version}; seed {config.seed}.",
        f"Runs: {config.runs}, {'with' if config.early_stop else 'without'} early stop; sample "
        f"run the other way: {config.sample} hands of each set; hands with curves: "
        f"{config.curves}.",
        "Statistics: 95 % Wilson intervals; Welch's t-test; Holm's correction; alpha 0.05; "
        f"reference {summary.labels[0]}.",
        "Each method, hand and run has its own random stream: rows do not depend on the number "
        "of processes or the order of work.",
        "Raw rows: hands/*.parquet, rows.parquet, curves.parquet and units.csv.",
        "All tables: tables.md. Tables as CSV and LaTeX, figures as SVG and PNG: "
        "mjopt compare --rebuild DIR --export.",
    ]


def make_command(config: StudyConfig) -> str:
    """Return the command that runs a study, with every parameter."""
    words = ["mjopt compare"]
    words += [method.text for method in config.methods]
    words += [f"--hands {hands.recipe}" for hands in config.sets]
    words += ["-o DIR", f"--runs {config.runs}", f"--seed {config.seed}", f"--tiles {config.tiles}"]
    words += ["--early-stop"] if config.early_stop else []
    words += [f"--sample {config.sample}", f"--curves {config.curves}"]
    proved = [hands.certificates for hands in config.sets]
    is_all = proved == [hands.num_hands for hands in config.sets]
    words.append(f"--certificates {'all' if is_all else max(proved)}")
    return " \\\n  ".join(words)


def _title(summary: Summary) -> str:
    labels = summary.labels
    return join_words(labels) if len(labels) <= 4 else f"{len(labels)} methods"


def _lead(
    summary: Summary,
    accuracies: Mapping[str, Sequence[TestResult]],
    pairwise: Sequence[PairwiseResult],
) -> list[Part]:
    from markupsafe import Markup

    lead: list[Part] = [
        overview(summary),
        Markup('<p class="main">{}</p>').format(headline(summary, accuracies)),
        pairwise_lines(pairwise),
        [set_line(hands) for hands in summary.sets],
    ]
    labels, shown = summary.labels, tables.plotted(summary)
    if len(shown) < len(labels):
        lead.append(
            f"Figures with a line for each method show {len(shown)} of {len(labels)}: {labels[0]} "
            "and the most accurate others."
        )
    return [part for part in lead if part]


# The summary as data ------------------------------------------------------------------


def summary_document(summary: Summary, pairwise: Sequence[PairwiseResult]) -> dict[str, Any]:
    """Return the main numbers of a study: ``summary.json`` and ``mjopt compare --json``."""
    return {
        "version": __version__,
        "layout": SUMMARY_LAYOUT,
        "seed": summary.config.seed,
        "runs": summary.config.runs,
        "early_stop": summary.config.early_stop,
        "sets": [
            {
                "name": hands.name,
                "recipe": hands.recipe,
                "hands": hands.hands,
                "certified": hands.certified,
                "always_3_accuracy": hands.baseline.share,
                "methods": [_method_document(result) for result in hands.methods],
            }
            for hands in summary.sets
        ],
        "pairs": [
            {
                "set": pair.hands,
                "methods": list(pair.names),
                "accuracies": list(pair.shares),
                "significant": pair.is_significant,
                "signed_rank_p": pair.signed_rank.final_p,
                "nemenyi_p": pair.nemenyi.final_p,
                "rank_sum_p": pair.rank_sum.final_p,
                "t_test_p": pair.t_test.final_p,
            }
            for pair in pairwise
        ],
        "sentences": pairwise_lines(pairwise),
    }


def _method_document(result: MethodResult) -> dict[str, Any]:
    low, high = result.accuracy.interval()
    return {
        "method": result.label,
        "runs": result.runs,
        "accuracy": result.accuracy.share,
        "accuracy_low": low,
        "accuracy_high": high,
        "undershoots": result.accuracy.below,
        "mean_evaluations_until_stopped": result.evaluations.mean_until_stopped,
        "seconds_with_early_stop": _mean(result.seconds_stopped),
        "seconds_without_early_stop": _mean(result.seconds_full_budget),
        **_proof_document(result.proof),
    }


def _proof_document(proof: ProofTimes | None) -> dict[str, Any]:
    """Return the time to proof; None where it was not measured, or too few tries were proved."""
    names = ("median", "ninety_five", "median_parallel", "ninety_five_parallel")
    times = {name: inf if proof is None else getattr(proof, name) for name in names}
    return {
        "proof_tries": 0 if proof is None else proof.tries,
        "proof_share": None if proof is None else proof.share,
        **{f"proof_seconds_{name}": v if isfinite(v) else None for name, v in times.items()},
    }


def _mean(values: tuple[float, ...]) -> float | None:
    return fmean(values) if values else None
