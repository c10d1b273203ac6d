"""How often methods are right, and how far off they are, as tables."""

from typing import Final

from mjopt.experiments.studies.accuracy import spread
from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.summary import BASELINE, STRATA, Summary
from mjopt.reports.statistics.intervals import wilson_over_hands
from mjopt.reports.table import Cell, Column, Table

SET: Final = Column("set")
METHOD: Final = Column("method")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def accuracy_table(summary: Summary, reading: Reading) -> Table:
    """Return how often each method is right on each set, with intervals, beside the baseline."""
    rows: list[tuple[Cell, ...]] = []
    for hands in summary.sets:
        for one in hands.methods:
            low, high = one.tally.interval(reading.confidence)
            wide = wilson_over_hands(one.right, one.runs, confidence=reading.confidence)
            rows.append(
                (
                    *(hands.name, one.label, one.hands, one.runs),
                    *(one.tally.share, low, high, *wide),
                    *(one.tally.above, one.tally.below),
                )
            )
        base = hands.baseline
        low, high = base.interval(reading.confidence)
        rows.append(
            (
                *(hands.name, f"always {BASELINE}", hands.hands, 1),
                *(base.share, low, high, low, high),
                *(base.above, base.below),
            )
        )
    confidence = _percent(reading.confidence)
    return Table(
        name="accuracy",
        title="Accuracy: how often the value found is the true deficiency",
        columns=(
            SET,
            METHOD,
            Column("hands", "count"),
            Column("runs", "count"),
            Column("accuracy", "percent", 3),
            Column("low", "percent", 3),
            Column("high", "percent", 3),
            Column("low, hands", "percent", 2),
            Column("high, hands", "percent", 2),
            Column("too high", "count"),
            Column("too low", "count"),
        ),
        rows=tuple(rows),
        notes=(
            f"Low and high: Wilson's {confidence} interval, all runs pooled; it speaks of these "
            "hands and other runs. The next two allow for other hands drawn the same way, since "
            "runs on one hand are alike.",
            "Too low: values below the deficiency, which the paper's cost allows for a few "
            f"hands. Always {BASELINE} is what saying {BASELINE} of every hand would get.",
        ),
        groups=1,
    )


def runs_table(summary: Summary) -> Table:
    """Return accuracy over runs, as the paper's Tables 3 and 5."""
    rows = tuple(
        (hands.name, one.label, one.runs, *spread(one.shares))
        for hands in summary.sets
        for one in hands.methods
    )
    return Table(
        name="accuracy-over-runs",
        title="Accuracy over runs",
        columns=(
            SET,
            METHOD,
            Column("runs", "count"),
            *(Column(name, "percent", 3) for name in ("best", "worst", "median", "mean")),
            Column("standard deviation", "percent", 4, unit="points"),
        ),
        rows=tuple(rows),
        notes=(
            "Best is the highest. A method that draws nothing runs once. The standard deviation "
            "is that of a sample.",
        ),
        groups=1,
    )


def stratum_table(summary: Summary, reading: Reading, what: str) -> Table:
    """Return accuracy by one property of the hand, methods side by side."""
    drawn = reading.drawn(summary)
    rows: list[tuple[Cell, ...]] = [
        (
            hands.name,
            hands.words[what][key],
            size,
            *(hands.method(label).strata[what][key].share for label in drawn),
        )
        for hands in summary.sets
        for key, size in hands.strata[what].items()
    ]
    left_out = len(summary.labels) - len(drawn)
    notes = [f"The other {left_out} methods are in strata.csv."] if left_out else []
    return Table(
        name=f"accuracy-by-{what}",
        title=f"Accuracy by {STRATA[what]}",
        columns=(
            SET,
            Column(STRATA[what]),
            Column("hands", "count"),
            *(Column(label, "percent", 2) for label in drawn),
        ),
        rows=tuple(rows),
        notes=(*notes, "Intervals for every cell are in strata.csv."),
        groups=1,
    )


def strata_table(summary: Summary, reading: Reading) -> Table:
    """Return every stratum of every method in one long table, for machines."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(hands.name, one.label, STRATA[what], hands.words[what][key]),
            *(tally.tries, tally.right, tally.above, tally.below),
            *(tally.share, *tally.interval(reading.confidence)),
        )
        for hands in summary.sets
        for one in hands.methods
        for what, strata in one.strata.items()
        for key, tally in strata.items()
    ]
    return Table(
        name="strata",
        title="Accuracy by true deficiency, size of S and kongs",
        columns=(
            SET,
            METHOD,
            Column("by"),
            Column("value"),
            *(Column(name, "count") for name in ("tries", "right", "too high", "too low")),
            Column("accuracy", "percent", 3),
            Column("low", "percent", 3),
            Column("high", "percent", 3),
        ),
        rows=tuple(rows),
        notes=(f"Low and high: Wilson's {_percent(reading.confidence)} interval, runs pooled.",),
        groups=3,
    )


def gap_table(summary: Summary) -> Table:
    """Return how far off the values are, signed."""
    gaps = sorted({gap for hands in summary.sets for one in hands.methods for gap in one.gaps})
    rows: list[tuple[Cell, ...]] = [
        (
            *(hands.name, one.label),
            *(one.gaps.get(gap, 0) for gap in gaps),
            sum(gap * count for gap, count in one.gaps.items()) / one.tally.tries,
        )
        for hands in summary.sets
        for one in hands.methods
    ]
    return Table(
        name="gaps",
        title="Signed gaps: value found less true deficiency",
        columns=(
            SET,
            METHOD,
            *(Column(f"{gap:+d}" if gap else "0", "count") for gap in gaps),
            Column("mean gap", "signed", 4),
        ),
        rows=tuple(rows),
        notes=(
            "Counts of hands times runs; nothing is clipped. A negative gap is a value that no "
            "play can reach.",
        ),
        groups=1,
    )
