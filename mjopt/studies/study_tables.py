"""The tables of a study, each from its summary."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from mjopt.reports.statistics import wilson_over_hands
from mjopt.reports.table import Cell, Field, Table, fields, make_table
from mjopt.studies.accuracy import spread
from mjopt.studies.comparisons import Analysis
from mjopt.studies.grid import Grid
from mjopt.studies.summary import BASELINE, STRATA, MethodOnSet, SetSummary, Summary


def _each(summary: Summary) -> Iterator[tuple[SetSummary, MethodOnSet]]:
    """Yield every method on every set."""
    for hands in summary.sets:
        for one in hands.methods:
            yield hands, one


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _with(summary: Summary) -> str:
    return "with" if summary.plan.early_stop else "without"


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


# How often methods are right, and how far off they are --------------------------------


def accuracy_table(summary: Summary, analysis: Analysis) -> Table:
    """Return how often each method is right on each set, with intervals, beside the baseline."""
    confidence, rows = analysis.confidence, []
    for hands in summary.sets:
        found = [
            (one.label, one.runs, one.accuracy, wilson_over_hands(one.right, one.runs, confidence))
            for one in hands.methods
        ]
        base = hands.baseline
        found.append((f"always {BASELINE}", 1, base, base.interval(confidence)))
        rows += [
            (
                *(hands.name, label, hands.hands, runs, accuracy.share),
                *(*accuracy.interval(confidence), *wide, accuracy.above, accuracy.below),
            )
            for label, runs, accuracy, wide in found
        ]
    return make_table(
        "accuracy",
        "Accuracy: how often the value found is the true deficiency",
        "set | method | hands:count | runs:count | accuracy:percent:3 | low:percent:3 | "
        "high:percent:3 | low, hands:percent | high, hands:percent | too high:count | "
        "too low:count",
        rows,
        f"Low and high: Wilson's {_percent(confidence)} interval, all runs pooled; it speaks of "
        "these hands and other runs. The next two allow for other hands drawn the same way, "
        "since runs on one hand are alike.",
        "Too low: values below the deficiency, which the paper's cost allows for a few "
        f"hands. Always {BASELINE} is what saying {BASELINE} of every hand would get.",
    )


def runs_table(summary: Summary) -> Table:
    """Return accuracy over runs, as the paper's Tables 3 and 5."""
    return make_table(
        "accuracy-over-runs",
        "Accuracy over runs",
        "set | method | runs:count | best:percent:3 | worst:percent:3 | median:percent:3 | "
        "mean:percent:3 | standard deviation:percent:4:points",
        ((hands.name, one.label, one.runs, *spread(one.shares)) for hands, one in _each(summary)),
        "Best is the highest. A method that draws nothing runs once. The standard deviation "
        "is that of a sample.",
    )


def stratum_table(summary: Summary, analysis: Analysis, what: str) -> Table:
    """Return accuracy by one property of the hand, methods side by side."""
    drawn = analysis.drawn(summary)
    left_out = len(summary.labels) - len(drawn)
    return make_table(
        f"accuracy-by-{what}",
        f"Accuracy by {STRATA[what]}",
        (
            *fields("set", STRATA[what], "hands:count"),
            *(Field(label, "percent", 2) for label in drawn),
        ),
        (
            (
                *(hands.name, hands.words[what][key], size),
                *(hands.method(label).strata[what][key].share for label in drawn),
            )
            for hands in summary.sets
            for key, size in hands.strata[what].items()
        ),
        *([f"The other {left_out} methods are in strata.csv."] if left_out else []),
        "Intervals for every cell are in strata.csv.",
    )


def strata_table(summary: Summary, analysis: Analysis) -> Table:
    """Return every stratum of every method in one long table, for machines."""
    return make_table(
        "strata",
        "Accuracy by true deficiency, size of S and kongs",
        "set | method | by | value | tries:count | right:count | too high:count | "
        "too low:count | accuracy:percent:3 | low:percent:3 | high:percent:3",
        (
            (
                *(hands.name, one.label, STRATA[what], hands.words[what][key]),
                *(found.tries, found.right, found.above, found.below),
                *(found.share, *found.interval(analysis.confidence)),
            )
            for hands, one in _each(summary)
            for what, strata in one.strata.items()
            for key, found in strata.items()
        ),
        f"Low and high: Wilson's {_percent(analysis.confidence)} interval, runs pooled.",
        groups=3,
    )


def gap_table(summary: Summary) -> Table:
    """Return how far off the values are, signed."""
    gaps = sorted({gap for _, one in _each(summary) for gap in one.gaps})
    return make_table(
        "gaps",
        "Signed gaps: value found less true deficiency",
        fields(
            *("set", "method", *(f"{gap:+d}:count" if gap else "0:count" for gap in gaps)),
            "mean gap:signed:4",
        ),
        (
            (
                *(hands.name, one.label),
                *(one.gaps.get(gap, 0) for gap in gaps),
                sum(gap * count for gap, count in one.gaps.items()) / one.accuracy.tries,
            )
            for hands, one in _each(summary)
        ),
        "Counts of hands times runs; nothing is clipped. A negative gap is a value that no "
        "play can reach.",
    )


# What methods spend until they have the true value ------------------------------------


def effort_table(summary: Summary) -> Table:
    """Return evaluations until the true value."""
    return make_table(
        "evaluations",
        "Evaluations until the true value",
        "set | method | solved:percent | a run, whole budget:number:1 | "
        "a run, early stop:number:1 | half solved by:number:0 | 90 % solved by:number:0 | "
        "expected with restarts:number:1 | hands never solved:count",
        (
            (
                *(hands.name, one.label, found.solved / found.tries),
                None if one.stops_early else found.mean_spent,
                *(found.mean_until_stopped, found.median, found.ninety, found.expected),
                found.unsolved_hands,
            )
            for hands, one in _each(summary)
            for found in [one.effort]
        ),
        "One evaluation is one reading of the cost; tree search counts its nodes. A run stops "
        "early once its value is at most the certified deficiency, which no player would know.",
        "Expected with restarts: all evaluations over all successes, a failed run paying for "
        "itself. ∞: so many were never solved.",
    )


def seconds_table(summary: Summary) -> Table:
    """Return CPU time a hand over runs, as the paper's Tables 4 and 6, both ways."""
    return make_table(
        "times",
        "CPU time a hand, with and without early stop",
        "set | method | early stop | runs:count | best:micros:1 | worst:micros:1 | "
        "median:micros:1 | mean:micros:1 | standard deviation:micros",
        (
            (hands.name, one.label, said, len(values), *spread(values, higher_is_better=False))
            for hands, one in _each(summary)
            for said, values in (("yes", one.seconds_stopped), ("no", one.seconds_ran_on))
            if values
        ),
        f"The plan made its runs {_with(summary)} early stop; the other way is "
        "measured on a sample of the hands, once. A method that draws nothing is never stopped "
        "by the plan, and is timed again on the sample.",
        "Times are of one thread of the machine that made the rows and do not repeat exactly.",
    )


def early_stop_table(summary: Summary) -> Table | None:
    """Return the same hands and streams with and without early stop; none without a sample."""
    found = make_table(
        "early-stop",
        "What early stop hides: the same hands and draws, stopped and run on",
        "set | method | hands:count | right, stopped:percent | right, run on:percent | "
        "too low, stopped:count | too low, run on:count | evaluations, stopped:number:1 | "
        "evaluations, run on:number:1 | CPU time, stopped:micros:1 | CPU time, run on:micros:1",
        (
            (
                *(hands.name, one.label, both.hands, both.stopped.share, both.ran_on.share),
                *(both.stopped.below, both.ran_on.below),
                *(both.evaluations_stopped / both.hands, both.evaluations_ran_on / both.hands),
                *(_mean(one.seconds_stopped), _mean(one.seconds_ran_on)),
            )
            for hands, one in _each(summary)
            if (both := one.early_stop) is not None
        ),
        "Stopping at the certified value uses the answer. A player has to run on: that costs "
        "the whole budget, and a value may still fall below the deficiency.",
    )
    return found if found.rows else None


def grid_tables(summary: Summary, grid: Grid) -> tuple[Table, Table]:
    """Return accuracy and time over populations and generations, as the paper's Tables 1 and 2."""

    def table(name: str, words: str, form: str, of: Callable[[MethodOnSet], Cell]) -> Table:
        early = f" Runs {_with(summary)} early stop." if name == "times" else ""
        return make_table(
            f"{grid.slug}-{name}",
            f"{words} of {grid.name} by population and generations",
            fields("set", "population:count", *(f"{g}:{form}" for g in grid.generations)),
            (
                (
                    *(hands.name, population),
                    *(
                        of(hands.method(label)) if label else None
                        for label in (grid.labels.get((population, g)) for g in grid.generations)
                    ),
                )
                for hands in summary.sets
                for population in grid.populations
            ),
            f"Columns are numbers of generations.{early}",
        )

    return (
        table("accuracy", "Accuracy", "percent:3", lambda one: one.accuracy.share),
        table("times", "CPU time a hand", "micros:1", lambda one: one.mean_seconds),
    )


# What was compared, and on what -------------------------------------------------------


def methods_table(summary: Summary) -> Table:
    """Return what was compared."""

    def parameters(of: Mapping[str, object]) -> str:
        return ", ".join(f"{key} = {value}" for key, value in sorted(of.items())) or "none"

    return make_table(
        "methods",
        "Methods and their parameters",
        "method | heuristic | parameters | runs:count",
        (
            (one.label, one.name, parameters(one.parameters), summary.plan.num_runs(one))
            for one in summary.plan.methods
        ),
        groups=0,
    )


def sets_table(summary: Summary) -> Table:
    """Return what they were compared on."""
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
        "The true deficiency of every hand comes from the lookup tables; for so many hands "
        "a certificate was made and checked by a program that shares no code with them.",
        groups=0,
    )
