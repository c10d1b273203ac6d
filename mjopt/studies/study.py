"""A study that is complete, and its results by name.

A new result is a function in `result_tables`, or in a module of its own, and an entry in
`RESULTS`. Then ``study.results(NAME)``, the report, ``tables.md`` and the exported files have it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError
from mjopt.studies import pairwise, plots, result_tables
from mjopt.studies.tallies import Table, TalliedStudy

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult:
    """A result of a study.

    Parameters
    ----------
    title
        One line that describes it.
    table
        The function from a study to a tidy DataFrame.
    plot
        The function from that DataFrame to a figure; None if there is nothing to draw.
    note
        How to read table and figure.
    formats
        Format specifications of Python by column.
    is_plot_only
        Whether page and ``tables.md`` show the figure only; exported files have the rows.

    Examples
    --------
    >>> RESULTS["gaps"].title
    'Signed gaps: value found less true deficiency'
    """

    title: str
    table: Table
    plot: "Callable[[pd.DataFrame], Figure | None] | None" = None
    note: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    is_plot_only: bool = False


SHARES: Final = dict.fromkeys(
    ("accuracy", "low", "high", "best", "worst", "median", "mean", "sd", "solved", "share"), ".3%"
) | dict.fromkeys(("hands_low", "hands_high", "first_accuracy", "second_accuracy"), ".2%")

RESULTS: Final = {
    "accuracy": StudyResult(
        title="Accuracy: how often the value found is the true deficiency",
        table=result_tables.accuracy,
        plot=plots.plot_accuracy,
        note="Low and high: 95 % Wilson interval over all runs, which generalises to other runs on "
        "these hands; hands_low and hands_high generalise to other hands drawn the same way. Too "
        "low: values below the deficiency, which the paper's cost allows for a few hands. "
        "Always: the same answer for every hand, the most frequent deficiency of the set.",
        formats=SHARES,
    ),
    "accuracy-over-runs": StudyResult(
        title="Accuracy over runs",
        table=result_tables.accuracy_over_runs,
        note="Best is the highest. A deterministic method runs once. sd: standard deviation of a "
        "sample.",
        formats=SHARES,
    ),
    "pairs": StudyResult(
        title="Accuracy, pair by pair",
        table=pairwise.pairs,
        note="Final p-values. The signed-rank test over hands decides: it generalises to other "
        "hands drawn the same way, and depends on these two methods only; its result is the sign "
        "between the methods. Nemenyi's test ranks all methods within each hand and corrects for "
        "all pairs. Tests of runs generalise to other runs on these hands.",
        formats=SHARES,
    ),
    "tests": StudyResult(
        title="Every test of two methods",
        table=pairwise.tests,
        note=f"Two-sided. Significant: corrected p below {pairwise.ALPHA:g}. All comparisons by "
        "one test are corrected together. A > B: A has the larger values; for ranks, the better "
        "ones. A12 is 0.5 if there is no difference, the other effects are 0. CPU times of "
        "interpreted and of compiled methods are not comparable.",
    ),
    "ranks": StudyResult(
        title="Mean ranks of the methods, and Friedman's test",
        table=pairwise.ranks,
        plot=plots.plot_ranks,
        note="Rank 1 is the best; ties share their ranks. Blocks are hand sets, as in the paper, "
        "or hands, ranked by the number of right runs. W is 1 if all blocks agree. In the figure a "
        "thick bar joins methods that do not differ significantly.",
    ),
    "strata": StudyResult(
        title="Accuracy by true deficiency, size of S and kinds held four times",
        table=result_tables.strata,
        plot=plots.plot_strata,
        note="A falling line shows where a method fails. Low and high: 95 % Wilson interval over "
        "all runs.",
        formats=SHARES,
    ),
    "gaps": StudyResult(
        title="Signed gaps: value found less true deficiency",
        table=result_tables.gaps,
        note="Tries are hands times runs. A negative gap is a value that no play can reach.",
        formats=SHARES,
    ),
    "evaluations": StudyResult(
        title="Evaluations until the true value",
        table=result_tables.evaluations,
        note="An evaluation is one computation of the cost; tree search counts its nodes. "
        "Early stop ends a run once its value is at most the certified deficiency, which no player "
        "knows. Half, ninety: evaluations until that share of tries was solved. Expected, with "
        "restarts (ERT): all evaluations divided by all successes, failed runs included.",
        formats={"solved": ".2%"},
    ),
    "solved": StudyResult(
        title="Tries solved within a number of evaluations",
        table=result_tables.solved,
        plot=plots.plot_solved,
        note="Higher and further left is better. A curve ends with a mark at the last evaluation "
        "that solved a try; the rest was never solved.",
        is_plot_only=True,
    ),
    "times": StudyResult(
        title="CPU microseconds a hand, with and without early stop",
        table=result_tables.times,
        note="Best is the least. CPU time of one thread; times do not repeat exactly. The way of "
        "the main runs is timed on all hands, the other way once, on a sample of them. "
        "Deterministic methods never stop early in the main runs. Times of interpreted and of "
        "compiled methods are not comparable.",
    ),
    "by-deficiency": StudyResult(
        title="Evaluations and CPU microseconds a hand by true deficiency",
        table=result_tables.by_deficiency,
        plot=plots.plot_by_deficiency,
        note="Means of a hand with 95 % bootstrap intervals: of evaluations over hands, of time "
        "over blocks of hands of one deficiency that were timed together. Without early stop a "
        "method spends its whole budget. The figure shows the searches without early stop, where "
        "they were run.",
    ),
    "early-stop": StudyResult(
        title="The effect of early stop: the same hands and random numbers, stopped and run on",
        table=result_tables.early_stop,
        note="Stopping at the certified value uses the answer. A player has to spend the whole "
        "budget, and a value may still fall below the deficiency.",
        formats=SHARES,
    ),
    "time-to-proof": StudyResult(
        title="CPU microseconds until the best value meets the certified bound",
        table=result_tables.time_to_proof,
        note="The search until its value is the deficiency, and the certificate of the hand: their "
        "sum on one processor, the longer of them on two (parallel). Half, most: until half and "
        "95 % of the tries were proved. The time to reach the deficiency is the number of "
        "evaluations times the mean CPU time of an evaluation in runs with early stop. A try is a "
        "run on a certified hand. A certificate takes as long for every method.",
        formats={"proved": ".2%"},
    ),
    "convergence": StudyResult(
        title="Convergence on the first hands of each set",
        table=result_tables.convergence,
        plot=plots.plot_convergence,
        note="Mean best value over the runs. A method without generations is one mark. The dashed "
        "line is the deficiency.",
        is_plot_only=True,
    ),
    "methods": StudyResult(title="Methods and their parameters", table=result_tables.methods),
    "sets": StudyResult(
        title="Hand sets",
        table=result_tables.sets,
        note="Deficiencies come from the lookup tables. The certificates were checked by a program "
        "that shares no code with them. Recipe and seed give the same hands again.",
    ),
}
"""The results of a study by name, in the order of its report."""


class Study(TalliedStudy):
    """A folder that `mjopt compare` or `mjopt reproduce` wrote.

    Parameters
    ----------
    folder
        The folder.

    Attributes
    ----------
    folder
        The folder.
    config
        The configuration.

    Raises
    ------
    FileError
        If there is no study, or its configuration cannot be read.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> study.is_complete, study.methods
    (True, ('tree-search',))
    """

    def results(self, name: str) -> "pd.DataFrame":
        """Return a result of a complete study as a tidy DataFrame.

        Parameters
        ----------
        name
            ``accuracy``, ``times``, ``pairs`` ...: a name in `mjopt.studies.RESULTS`.

        Raises
        ------
        ArgumentError
            If there is no such result.
        FileError
            If rows are missing or damaged.

        Examples
        --------
        >>> import mjopt
        >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
        >>> study.results("accuracy")[["method", "accuracy"]].values.tolist()
        [['tree-search', 1.0], ['always 3', 0.6]]
        """
        if name not in RESULTS:
            raise ArgumentError(argument="result", value=short_repr(name), expected=tuple(RESULTS))
        return self.table(RESULTS[name].table).copy()
