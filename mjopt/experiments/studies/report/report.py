"""A study's tables, figures and report, from its raw rows alone."""

from mjopt.experiments.studies.comparisons import (
    Reading,
    compare_accuracies,
    compare_seconds,
    rank_methods,
)
from mjopt.experiments.studies.report.evidence import add_settings, add_tests
from mjopt.experiments.studies.report.opening import (
    headline,
    list_words,
    set_lines,
    what_was_compared,
)
from mjopt.experiments.studies.report.parts import Maker
from mjopt.experiments.studies.report.sections import (
    add_accuracy,
    add_convergence,
    add_efforts,
    add_failures,
    add_grids,
    add_times,
)
from mjopt.experiments.studies.study import Study
from mjopt.experiments.studies.study_tables import strata_table
from mjopt.experiments.studies.summary import Summary, summarise
from mjopt.reports.table_files import write_table
from mjopt.reports.web_page import Block, page, text_block
from mjopt.runtime.extras import need
from mjopt.runtime.folder import write_whole


def write_report(study: Study, *, reading: Reading | None = None) -> None:
    """Write ``tables/``, ``figures/`` and ``report.html`` of a study.

    They come from the raw rows alone: the same rows give the same bytes, and files of
    the same names are replaced.

    Parameters
    ----------
    study
        A complete study.
    reading
        Choices of the statistics; by default those of :class:`Reading`.

    Raises
    ------
    FileError
        If raw rows are missing or damaged.
    MissingExtraError
        If the extra ``experiments`` is not installed.
    """
    need("matplotlib", "scipy", "scikit_posthocs", "pandas", "pyarrow", extra="experiments")
    chosen = reading or Reading()
    summary = summarise(study)
    chosen.reference_of(summary)  # refuse an unknown one before anything is written
    maker = Maker(folder=study.folder, summary=summary, reading=chosen)
    write_whole(study.folder / "report.html", _make(maker).encode())


def _make(maker: Maker) -> str:
    """Write all tables and figures, and return the page."""
    summary, reading = maker.summary, maker.reading
    accuracies = compare_accuracies(summary, reading)
    write_table(maker.folder / "tables", strata_table(summary, reading))
    sections = [
        add_accuracy(maker),
        add_failures(maker),
        add_efforts(maker),
        add_times(maker),
        *add_grids(maker),
        *add_convergence(maker),
        add_tests(
            maker, accuracies, compare_seconds(summary, reading), rank_methods(summary, reading)
        ),
        add_settings(maker),
    ]
    lead = [
        text_block(what_was_compared(summary)),
        text_block(headline(summary, accuracies, reading), classes="main"),
        Block("<ul>"),
        *(text_block(line, kind="li") for line in set_lines(summary)),
        Block("</ul>"),
    ]
    if len(drawn := reading.drawn(summary)) < len(summary.labels):
        lead.append(
            text_block(
                f"Figures with a line for each method show {len(drawn)} of "
                f"{len(summary.labels)}: {reading.reference_of(summary)} and the most accurate "
                "others."
            )
        )
    return page(_title(summary), lead, sections)


def _title(summary: Summary) -> str:
    labels = summary.labels
    if len(labels) > 4:
        return f"Study of {len(labels)} methods"
    return "Study of " + list_words(labels)
