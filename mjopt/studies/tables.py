"""The tables of a study."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mjopt._internal.report import Cell, Column, Table, make_table, parse_columns
from mjopt.statistics import TestResult, wilson_clustered
from mjopt.studies.metrics import spread
from mjopt.studies.pairwise import ALPHA, PairwiseResult, Ranking, pairs_of
from mjopt.studies.summary import BASELINE, STRATA, MethodResult, SetResult, Summary

MAX_PLOTTED: Final = 8
"""Methods in one figure or side by side in a table: the first and the most accurate others."""


def plotted(summary: Summary) -> tuple[str, ...]:
    """Return the labels of the methods to show in a figure, in the order of the study."""
    reference = summary.labels[0]
    others = [label for label in summary.by_accuracy if label != reference]
    keep = {reference, *others[: MAX_PLOTTED - 1]}
    return tuple(label for label in summary.labels if label in keep)


def _results(summary: Summary) -> Iterator[tuple[SetResult, MethodResult]]:
    """Yield the result of every method on every hand set."""
    for hands in summary.sets:
        for result in hands.methods:
            yield hands, result


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


# Accuracy -----------------------------------------------------------------------------


def accuracy_table(summary: Summary) -> Table:
    """Return the accuracy of each method on each set with intervals, and the baseline."""
    rows: list[tuple[Cell, ...]] = []
    for hands in summary.sets:
        results = [
            (
                result.label,
                result.runs,
                result.accuracy,
                wilson_clustered(result.right, result.runs),
            )
            for result in hands.methods
        ]
        baseline = hands.baseline
        results.append((f"always {BASELINE}", 1, baseline, baseline.interval()))
        rows += [
            (
                *(hands.name, label, hands.hands, runs, accuracy.share),
                *(*accuracy.interval(), *over_hands, accuracy.above, accuracy.below),
            )
            for label, runs, accuracy, over_hands in results
        ]
    return make_table(
        "accuracy",
        "Accuracy: how often the value found is the true deficiency",
        "set | method | hands:count | runs:count | accuracy:percent:3 | low:percent:3 | "
        "high:percent:3 | low, hands:percent | high, hands:percent | too high:count | "
        "too low:count",
        rows,
        "Low and high: 95 % Wilson interval over all runs; it generalises to other runs on these "
        "hands. The next two columns generalise to other hands drawn the same way.",
        "Too low: values below the deficiency, which the paper's cost allows for a few hands. "
        f"Always {BASELINE}: the accuracy of the answer {BASELINE} for every hand.",
        caption="Methods whose intervals do not overlap differ.",
    )


def runs_table(summary: Summary) -> Table:
    """Return the accuracy over runs, as the paper's Tables 3 and 5."""
    return make_table(
        "accuracy-over-runs",
        "Accuracy over runs",
        "set | method | runs:count | best:percent:3 | worst:percent:3 | median:percent:3 | "
        "mean:percent:3 | standard deviation:percent:4:points",
        (
            (hands.name, result.label, result.runs, *spread(result.shares))
            for hands, result in _results(summary)
        ),
        "Best is the highest. A deterministic method runs once. The standard deviation is that "
        "of a sample.",
        caption="A small deviation means that the runs are alike.",
    )


def stratum_table(summary: Summary, stratum: str) -> Table:
    """Return the accuracy by one property of the hand, methods side by side.

    Parameters
    ----------
    summary
        The study.
    stratum
        A key of `STRATA`.
    """
    labels = plotted(summary)
    left_out = len(summary.labels) - len(labels)
    return make_table(
        f"accuracy-by-{stratum}",
        f"Accuracy by {STRATA[stratum]}",
        (
            *parse_columns("set", STRATA[stratum], "hands:count"),
            *(Column(label, "percent", 2) for label in labels),
        ),
        (
            (
                *(hands.name, hands.labels[stratum][key], size),
                *(hands.method(label).strata[stratum][key].share for label in labels),
            )
            for hands in summary.sets
            for key, size in hands.strata[stratum].items()
        ),
        *([f"The other {left_out} methods are in the table of all strata."] if left_out else []),
        caption="Intervals are in the table of all strata.",
    )


def strata_table(summary: Summary) -> Table:
    """Return every stratum of every method in one long table."""
    return make_table(
        "strata",
        "Accuracy by true deficiency, size of S and kongs",
        "set | method | by | value | tries:count | right:count | too high:count | "
        "too low:count | accuracy:percent:3 | low:percent:3 | high:percent:3",
        (
            (
                *(hands.name, result.label, STRATA[stratum], hands.labels[stratum][key]),
                *(accuracy.tries, accuracy.right, accuracy.above, accuracy.below),
                *(accuracy.share, *accuracy.interval()),
            )
            for hands, result in _results(summary)
            for stratum, strata in result.strata.items()
            for key, accuracy in strata.items()
        ),
        "Low and high: 95 % Wilson interval over all runs.",
    )


def gap_table(summary: Summary) -> Table:
    """Return the distribution of signed gaps."""
    gaps = sorted({gap for _, result in _results(summary) for gap in result.gaps})
    return make_table(
        "gaps",
        "Signed gaps: value found less true deficiency",
        parse_columns(
            *("set", "method", *(f"{gap:+d}:count" if gap else "0:count" for gap in gaps)),
            "mean gap:signed:4",
        ),
        (
            (
                *(hands.name, result.label),
                *(result.gaps.get(gap, 0) for gap in gaps),
                sum(gap * count for gap, count in result.gaps.items()) / result.accuracy.tries,
            )
            for hands, result in _results(summary)
        ),
        "Counts of hands times runs. A negative gap is a value that no play can reach.",
        caption="The column 0 counts the right values.",
    )


# Evaluations and time -----------------------------------------------------------------


def evaluations_table(summary: Summary) -> Table:
    """Return the evaluations until the true value."""
    return make_table(
        "evaluations",
        "Evaluations until the true value",
        "set | method | solved:percent | a run, whole budget:number:1 | "
        "a run, early stop:number:1 | half solved by:number:0 | 90 % solved by:number:0 | "
        "expected with restarts:number:1 | hands never solved:count",
        (
            (
                *(hands.name, result.label, counts.solved / counts.tries),
                None if result.stops_early else counts.mean,
                *(counts.mean_until_stopped, counts.median, counts.ninety, counts.expected),
                counts.unsolved_hands,
            )
            for hands, result in _results(summary)
            for counts in [result.evaluations]
        ),
        "An evaluation is one computation of the cost; tree search counts its nodes. Early stop "
        "ends a run once its value is at most the certified deficiency, which no player knows.",
        "Expected with restarts (ERT): all evaluations divided by all successes, failed runs "
        "included. ∞: fewer tries than that were solved.",
        caption="Fewer is better; ERT weighs speed against failures.",
    )


def proof_table(summary: Summary) -> Table | None:
    """Return the time to proof; None if no certificate was timed."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(hands.name, result.label, proof.tries, proof.share),
            *(proof.median, proof.ninety_five, proof.median_parallel, proof.ninety_five_parallel),
        )
        for hands, result in _results(summary)
        if (proof := result.proof) is not None
    ]
    if not rows:
        return None
    return make_table(
        "time-to-proof",
        "Time to proof: until the best value meets the certified bound",
        "set | method | tries:count | proved:percent:2 | half by:micros:1 | 95 % by:micros:1 | "
        "half by, two processors:micros:1 | 95 % by, two processors:micros:1",
        rows,
        "CPU time of a try to reach the deficiency for the first time, and of the hand's "
        "certificate: their sum on one processor, the longer of them on two. The time to reach it "
        "is the number of evaluations, which is stored for each try, times the method's mean CPU "
        "time of an evaluation in runs with early stop. A try is a run on a certified hand.",
        "∞: fewer tries than that were proved. A certificate takes as long for every method.",
        caption="Less is better. On its own a heuristic proves nothing.",
    )


def seconds_table(summary: Summary) -> Table:
    """Return CPU time per hand over runs, as the paper's Tables 4 and 6, both ways."""
    return make_table(
        "times",
        "CPU time a hand, with and without early stop",
        "set | method | early stop | runs:count | best:micros:1 | worst:micros:1 | "
        "median:micros:1 | mean:micros:1 | standard deviation:micros",
        (
            (hands.name, result.label, stop, len(values), *spread(values, higher_is_better=False))
            for hands, result in _results(summary)
            for stop, values in (
                ("yes", result.seconds_stopped),
                ("no", result.seconds_full_budget),
            )
            if values
        ),
        f"The main runs are {'with' if summary.config.early_stop else 'without'} early stop; the "
        "other way is measured once, on a sample of the hands. Deterministic methods never stop "
        "early in the main runs, and are timed again on the sample.",
        "CPU time of one thread; times do not repeat exactly.",
        caption="Best is the least. Compare rows with the same early stop.",
    )


def early_stop_table(summary: Summary) -> Table | None:
    """Return the same hands and streams with and without early stop; None without a sample."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(hands.name, result.label, both.hands, both.stopped.share, both.full.share),
            *(both.stopped.below, both.full.below),
            *(both.evaluations_stopped / both.hands, both.evaluations_full / both.hands),
            *(_mean(result.seconds_stopped), _mean(result.seconds_full_budget)),
        )
        for hands, result in _results(summary)
        if (both := result.early_stop) is not None
    ]
    if not rows:
        return None
    return make_table(
        "early-stop",
        "The effect of early stop: the same hands and random numbers, stopped and run on",
        "set | method | hands:count | right, stopped:percent | right, run on:percent | "
        "too low, stopped:count | too low, run on:count | evaluations, stopped:number:1 | "
        "evaluations, run on:number:1 | CPU time, stopped:micros:1 | CPU time, run on:micros:1",
        rows,
        "Stopping at the certified value uses the answer. A player has to spend the whole budget, "
        "and a value may still fall below the deficiency.",
        caption="The two differ in cost, and in accuracy only by values that fell too low.",
    )


# Tests --------------------------------------------------------------------------------

TEST_COLUMNS: Final = (
    "significant | corrected p:p | test | n | statistic | value:number:3 | p:p | correction | "
    "effect:number:3 | effect size | note"
)


def _test_cells(test: TestResult) -> tuple[Cell, ...]:
    """Return the cells of `TEST_COLUMNS`."""
    return (
        *(_significance(test), test.corrected_p),
        *(test.test, " + ".join("once" if n == 1 else str(n) for n in test.n)),
        *(test.statistic_name, test.statistic, test.p_value, test.correction),
        *(test.effect, test.effect_name, test.note),
    )


def _significance(test: TestResult) -> str:
    return "" if test.p_value is None else "yes" if test.is_significant(ALPHA) else "no"


def pairwise_table(pairwise: Sequence[PairwiseResult]) -> Table:
    """Return the p-values of all tests, one row for each pair on each set."""
    sets = list(dict.fromkeys(pair.hands for pair in pairwise))
    limits = {
        f"{test.test}: {test.note}.": None
        for pair in pairwise
        for test in pair.tests
        if test.p_value is None or test.note.startswith("exact")
    }
    return make_table(
        "verdicts",
        "Accuracy, pair by pair: what each test says",
        "set | better > worse | significant | first:percent | second:percent | "
        "signed-rank, hands:p | Nemenyi, hands:p | rank-sum, runs:p | t-test, runs:p | "
        "Nemenyi says otherwise",
        (
            (
                *(pair.hands, f" {pair.sign or '/'} ".join(pair.names)),
                _significance(pair.signed_rank),
                *pair.shares,
                *(test.final_p for test in pair.tests),
                ("no", "yes")[pair.tests_disagree],
            )
            for pair in sorted(pairwise, key=lambda pair: sets.index(pair.hands))
        ),
        "Corrected p-values; A = B: no significant difference. The signed-rank test over hands "
        "decides: it generalises to other hands drawn the same way, and depends on these two "
        "methods only. Tests of runs generalise to other runs on these hands.",
        *limits,
        caption="A small p is evidence against equal methods.",
    )


def all_tests_table(
    name: str, title: str, results: Mapping[str, Iterable[TestResult]], *, caption: str
) -> Table:
    """Return every test of two methods, set after set."""
    return make_table(
        name,
        title,
        f"set | larger or smaller | {TEST_COLUMNS}",
        (
            (hands, test.comparison, *_test_cells(test))
            for hands, tests in results.items()
            for test in tests
        ),
        f"Two-sided. Significant: corrected p below {ALPHA:g}. All comparisons by one test in "
        "this table are corrected together. A > B: A has the larger values. A12 is 0.5 if there "
        "is no difference, the other effects are 0.",
        caption=caption,
    )


def ranking_table(summary: Summary, rankings: Sequence[Ranking]) -> Table:
    """Return mean ranks and Friedman's test, as the paper's Table 7."""
    return make_table(
        "friedman",
        "Mean ranks of the methods, and Friedman's test",
        (
            *parse_columns("measure | blocks | number of blocks:count"),
            *(Column(label, "number", 2) for label in summary.labels),
            *parse_columns("chi2:number | p:p | Kendall's W:number:3 | note"),
        ),
        (
            (
                *(ranking.measure, ranking.blocks),
                *(ranking.test.n[0], *ranking.ranks),
                *(ranking.test.statistic, ranking.test.p_value, ranking.test.effect),
                ranking.test.note,
            )
            for ranking in rankings
        ),
        "Rank 1 is the best; ties share their ranks. Blocks are hand sets, as in the paper, or "
        "hands, ranked by the number of right runs. W is 1 if all blocks agree.",
        caption="In each row, the least rank is best.",
    )


def post_hoc_table(summary: Summary, rankings: Sequence[Ranking]) -> Table:
    """Return the post-hoc tests of pairs after Friedman's test."""
    chosen = {frozenset(pair) for pair in pairs_of(summary)}
    left_out = len(summary.labels) * (len(summary.labels) - 1) // 2 - len(chosen)
    hidden = (
        f"{left_out} pairs without {summary.labels[0]} are not shown, but count in the corrections."
    )
    return make_table(
        "post-hoc",
        "Which methods differ in mean rank",
        f"measure | blocks | better > worse | {TEST_COLUMNS}",
        (
            (ranking.measure, ranking.blocks, test.comparison, *_test_cells(test))
            for ranking in rankings
            for test in (*ranking.nemenyi, *ranking.holm)
            if frozenset(test.names) in chosen
        ),
        "The effect is the difference of mean ranks, positive if the first is better. Nemenyi's "
        "test includes the correction for all pairs.",
        *([hidden] if left_out else []),
    )


# Settings -----------------------------------------------------------------------------


def methods_table(summary: Summary) -> Table:
    """Return the methods with their parameters."""

    def parameters(of: Mapping[str, object]) -> str:
        return ", ".join(f"{key} = {value}" for key, value in sorted(of.items())) or "none"

    return make_table(
        "methods",
        "Methods and their parameters",
        "method | heuristic | parameters | runs:count",
        (
            (m.label, m.name, parameters(m.parameters), summary.config.num_runs(m))
            for m in summary.config.methods
        ),
    )


def sets_table(summary: Summary) -> Table:
    """Return the hand sets."""
    return make_table(
        "sets",
        "Hand sets",
        "set | recipe | seed | hands:count | with certificate:count | mean deficiency:number:3",
        (
            (
                *(hands.name, hands.recipe, str(hands.seed), hands.hands, hands.certified),
                sum(key * size for key, size in hands.strata["deficiency"].items()) / hands.hands,
            )
            for hands in summary.sets
        ),
        "Deficiencies come from the lookup tables. The certificates were checked by a program that "
        "shares no code with them. Recipe and seed give the same hands again.",
    )
