"""A study's tables, figures and report, from its raw rows alone."""

from mjopt.experiments.studies import report_sections as sections
from mjopt.experiments.studies import report_words as words
from mjopt.experiments.studies.comparisons import (
    Analysis,
    compare_accuracies,
    compare_seconds,
    rank_methods,
)
from mjopt.experiments.studies.study import Study
from mjopt.experiments.studies.study_tables import strata_table
from mjopt.experiments.studies.summary import Summary, summarise
from mjopt.reports.table import write_table
from mjopt.reports.web_page import list_pieces, page, text_piece
from mjopt.runtime.extras import need
from mjopt.runtime.folder import write_whole


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
    maker = sections.Maker(folder=study.folder, summary=summary, analysis=chosen)
    write_whole(study.folder / "report.html", _make(maker).encode())


def _make(maker: sections.Maker) -> str:
    """Write all tables and figures, and return the page."""
    summary, analysis = maker.summary, maker.analysis
    accuracies = compare_accuracies(summary, analysis)
    write_table(maker.folder / "tables", strata_table(summary, analysis))
    parts = [
        sections.add_accuracy(maker),
        sections.add_failures(maker),
        sections.add_efforts(maker),
        sections.add_times(maker),
        *sections.add_grids(maker),
        *sections.add_convergence(maker),
        sections.add_tests(
            maker, accuracies, compare_seconds(summary, analysis), rank_methods(summary, analysis)
        ),
        sections.add_settings(maker),
    ]
    lead = [
        text_piece(words.what_was_compared(summary)),
        text_piece(words.headline(summary, accuracies, analysis), classes="main"),
        *list_pieces(words.set_lines(summary)),
    ]
    if len(drawn := analysis.drawn(summary)) < len(summary.labels):
        lead.append(
            text_piece(
                f"Figures with a line for each method show {len(drawn)} of "
                f"{len(summary.labels)}: {analysis.reference_of(summary)} and the most accurate "
                "others."
            )
        )
    return page(_title(summary), lead, parts)


def _title(summary: Summary) -> str:
    labels = summary.labels
    if len(labels) > 4:
        return f"Study of {len(labels)} methods"
    return "Study of " + words.list_words(labels)
