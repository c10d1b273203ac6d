"""The tables of what tests found in a study."""

from collections.abc import Mapping, Sequence
from typing import Final

from mjopt.reports.statistics import Finding
from mjopt.reports.table import Cell, Field, Table, fields, make_table
from mjopt.studies.comparisons import Analysis, Ranking, Verdict
from mjopt.studies.summary import Summary

FOUND: Final = fields(
    "significant | corrected p:p | test | n | statistic | value:number:3 | p:p | correction | "
    "effect:number:3 | effect size | note"
)


def _cells(found: Finding, analysis: Analysis) -> tuple[Cell, ...]:
    """Return what stands in the columns `FOUND`."""
    return (
        *(_significant(found, analysis.alpha), found.corrected_p),
        *(found.test, " + ".join("once" if n == 1 else str(n) for n in found.n)),
        *(found.statistic_name, found.statistic, found.p_value, found.correction),
        *(found.effect, found.effect_name, found.note),
    )


def _significant(found: Finding, alpha: float) -> str:
    return "yes" if found.is_significant(alpha) else "no" if found.p_value is not None else ""


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return for each pair on each set what every test says, Nemenyi's beside the others."""
    sets = list(dict.fromkeys(one.hands for one in verdicts))
    limits = {
        f"{found.test}: {found.note}.": None
        for one in verdicts
        for found in one.tests
        if found.p_value is None or found.note.startswith("exact")
    }
    return make_table(
        "verdicts",
        "Accuracy, pair by pair: what each test says",
        "set | better > worse | significant | first:percent | second:percent | "
        "signed-rank, hands:p | Nemenyi, hands:p | rank-sum, runs:p | t-test, runs:p | "
        "Nemenyi says otherwise",
        (
            (
                *(one.hands, f" {one.sign or '/'} ".join(one.sides)),
                _significant(one.signed_rank, one.alpha),
                *one.shares,
                *(found.final_p for found in one.tests),
                ("no", "yes")[one.is_disputed],
            )
            for one in sorted(verdicts, key=lambda one: sets.index(one.hands))
        ),
        "Corrected p-values; A = B: not told apart. Significant is what the signed-rank test "
        "over hands calls so: it alone speaks of other hands drawn the same way, and of these "
        "two methods only. Tests of runs speak of other runs on these hands.",
        *limits,
    )


def comparison_table(
    name: str, title: str, found: Mapping[str, Sequence[Finding]], analysis: Analysis
) -> Table:
    """Return every comparison of two methods, set after set."""
    return make_table(
        name,
        title,
        (*fields("set | larger or smaller"), *FOUND),
        (
            (hands, one.says, *_cells(one, analysis))
            for hands, findings in found.items()
            for one in findings
        ),
        f"Two-sided. Significant: corrected p below {analysis.alpha:g}. All comparisons by one "
        "test in this table are corrected together. A > B: A has the larger values. A12 is 0.5 "
        "if there is no difference, the other effects are 0.",
    )


def ranking_table(summary: Summary, rankings: Sequence[Ranking]) -> Table:
    """Return mean ranks and Friedman's test, as the paper's Table 7."""
    return make_table(
        "friedman",
        "Mean ranks of the methods, and Friedman's test",
        (
            *fields("measure | blocks | number of blocks:count"),
            *(Field(label, "number", 2) for label in summary.labels),
            *fields("chi2:number | p:p | Kendall's W:number:3 | note"),
        ),
        (
            (
                *(one.measure, one.blocks),
                *(one.test.n[0], *one.ranks),
                *(one.test.statistic, one.test.p_value, one.test.effect),
                one.test.note,
            )
            for one in rankings
        ),
        "Rank 1 is the best; ties share their ranks. Blocks are hand sets, as in the paper, or "
        "single hands, ranked by how many runs were right. W is 1 if all blocks agree.",
        groups=0,
    )


def pairs_table(summary: Summary, rankings: Sequence[Ranking], analysis: Analysis) -> Table:
    """Return which pairs differ after Friedman's test; of many methods, with the reference."""
    chosen = {frozenset(pair) for pair in analysis.pairs_of(summary)}
    left_out = len(summary.labels) * (len(summary.labels) - 1) // 2 - len(chosen)
    unseen = (
        f"Pairs without {analysis.reference_of(summary)} ({left_out}) are not shown, but "
        "count in the corrections."
    )
    return make_table(
        "post-hoc",
        "Which methods differ in mean rank",
        (*fields("measure | blocks | better > worse"), *FOUND),
        (
            (ranking.measure, ranking.blocks, one.says, *_cells(one, analysis))
            for ranking in rankings
            for one in (*ranking.nemenyi, *ranking.holm)
            if frozenset(one.sides) in chosen
        ),
        "The effect is the difference of mean ranks, positive if the first is better. "
        "Nemenyi's test corrects by itself.",
        *([unseen] if left_out else []),
        groups=2,
    )
