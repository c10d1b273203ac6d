"""The outcomes of tests as tables."""

from collections.abc import Mapping, Sequence

from mjopt.experiments.studies.comparisons import Ranking, Reading
from mjopt.experiments.studies.summary import Summary
from mjopt.reports.statistics import Outcome
from mjopt.reports.table import Cell, Column, Table

OUTCOME = (
    Column("test"),
    Column("n"),
    Column("statistic"),
    Column("value", "number", 3),
    Column("p", "p"),
    Column("corrected p", "p"),
    Column("correction"),
    Column("effect", "number", 3),
    Column("effect size"),
    Column("note"),
)


def _cells(found: Outcome) -> tuple[Cell, ...]:
    return (
        found.test,
        " + ".join(str(n) for n in found.n),
        found.statistic_name,
        found.statistic,
        found.p_value,
        found.corrected_p,
        found.correction,
        found.effect,
        found.effect_name,
        found.note,
    )


def comparison_table(
    name: str, title: str, found: Mapping[str, Sequence[Outcome]], reading: Reading
) -> Table:
    """Return every comparison of two methods, set after set."""
    return Table(
        name=name,
        title=title,
        columns=(Column("set"), Column("larger or smaller"), *OUTCOME, Column("significant")),
        rows=tuple(
            (hands, one.says, *_cells(one), "yes" if one.is_significant(reading.alpha) else "no")
            for hands, outcomes in found.items()
            for one in outcomes
        ),
        notes=(
            f"Two-sided. Significant: corrected p below {reading.alpha:g}. All comparisons by one "
            "test in this table are corrected together. A > B: A has the larger values. A12 is 0.5 "
            "if there is no difference, the other effects are 0.",
        ),
        groups=1,
    )


def ranking_table(summary: Summary, rankings: Sequence[Ranking]) -> Table:
    """Return mean ranks and Friedman's test, as the paper's Table 7."""
    return Table(
        name="friedman",
        title="Mean ranks of the methods, and Friedman's test",
        columns=(
            Column("measure"),
            Column("blocks"),
            Column("number of blocks", "count"),
            *(Column(label, "number", 2) for label in summary.labels),
            Column("chi2", "number", 2),
            Column("p", "p"),
            Column("Kendall's W", "number", 3),
            Column("note"),
        ),
        rows=tuple(
            (
                *(one.measure, one.blocks),
                *(one.test.n[0], *one.ranks),
                *(one.test.statistic, one.test.p_value, one.test.effect),
                one.test.note,
            )
            for one in rankings
        ),
        notes=(
            "Rank 1 is the best; ties share their ranks. Blocks are hand sets, as in the paper, or "
            "single hands, ranked by how many runs were right. W is 1 if all blocks agree.",
        ),
    )


def pairs_table(summary: Summary, rankings: Sequence[Ranking], reading: Reading) -> Table:
    """Return which pairs differ after Friedman's test; of many methods, with the reference."""
    chosen = {frozenset(pair) for pair in reading.pairs_of(summary)}
    every = len(summary.labels) * (len(summary.labels) - 1) // 2
    left_out = (
        f"Pairs without {reading.reference_of(summary)} ({every - len(chosen)}) are not shown, but "
        "count in the corrections."
    )
    return Table(
        name="post-hoc",
        title="Which methods differ in mean rank",
        columns=(
            Column("measure"),
            Column("blocks"),
            Column("better > worse"),
            *OUTCOME,
            Column("significant"),
        ),
        rows=tuple(
            (
                *(ranking.measure, ranking.blocks, one.says, *_cells(one)),
                "yes" if one.is_significant(reading.alpha) else "no",
            )
            for ranking in rankings
            for one in (*ranking.nemenyi, *ranking.holm)
            if frozenset(one.sides) in chosen
        ),
        notes=(
            "The effect is the difference of mean ranks, positive if the first is better. "
            "Nemenyi's test corrects by itself.",
            *((left_out,) if every > len(chosen) else ()),
        ),
        groups=2,
    )
