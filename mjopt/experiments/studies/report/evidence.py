"""The sections of a report on tests and on settings."""

from collections.abc import Mapping, Sequence

from mjopt.experiments.studies.comparisons import Ranking
from mjopt.experiments.studies.figures import draw_ranks
from mjopt.experiments.studies.plan import Plan
from mjopt.experiments.studies.report.parts import Maker
from mjopt.experiments.studies.study_tables import (
    comparison_table,
    methods_table,
    pairs_table,
    ranking_table,
    sets_table,
)
from mjopt.reports.statistics import Outcome, critical_difference
from mjopt.reports.table import THIN
from mjopt.reports.web_page import Section


def add_tests(
    maker: Maker,
    accuracies: Mapping[str, Sequence[Outcome]],
    seconds: Mapping[str, Sequence[Outcome]],
    rankings: Sequence[Ranking],
) -> Section:
    """Add the tests of differences."""
    summary, reading = maker.summary, maker.reading
    if len(summary.labels) < 2:
        maker.text("One method alone: there is nothing to compare it with.")
        return maker.section("tests", "Are the differences real?")
    maker.table(
        comparison_table("accuracy-tests", "Accuracy, pair by pair", accuracies, reading),
        "The t-test and the rank-sum test compare runs, the signed-rank test hands.",
    )
    maker.table(
        comparison_table("time-tests", "CPU time, pair by pair", seconds, reading),
        "A > B: A takes longer.",
    )
    maker.table(ranking_table(summary, rankings), "Read along a row: the least rank is best.")
    ranking = next(one for one in rankings if one.blocks == "hand")
    blocks = ranking.test.n[0]
    if blocks > 1:
        maker.figure(
            "critical-difference",
            draw_ranks(
                summary.labels,
                ranking.ranks,
                critical=critical_difference(len(summary.labels), blocks, alpha=reading.alpha),
                blocks=f"{blocks:,}".replace(",", THIN) + " hands",
            ),
            "Mean ranks over hands, with Nemenyi's critical difference",
            "Further left is better. A thick bar joins methods that the test cannot tell "
            "apart; with many hands the critical difference is too short to see.",
        )
    maker.table(pairs_table(summary, rankings, reading), "Every pair, after Friedman's test.")
    return maker.section("tests", "Are the differences real?")


def add_settings(maker: Maker) -> Section:
    """Add what it takes to make the study again."""
    plan = maker.summary.plan
    maker.table(methods_table(maker.summary), "Every parameter, defaults included.")
    maker.table(sets_table(maker.summary), "Recipe and seed draw the same hands again.")
    maker.text("The same study, from nothing:")
    maker.text(make_command(plan), kind="pre")
    maker.text("These tables and figures, from the raw rows:")
    maker.text("mjopt compare --rebuild DIR", kind="pre")
    settings = [
        f"mjopt {plan.version or 'of unknown version'}; seed {plan.seed}; plan "
        f"{plan.digest[:16]} (SHA-256, first 16 digits).",
        f"Runs: {plan.runs}, {'with' if plan.early_stop else 'without'} early stop; sample run "
        f"the other way: {plan.sample} hands of each set; hands with curves: {plan.curves}.",
        f"Statistics: {100 * maker.reading.confidence:g} % Wilson intervals; t-test "
        f"{maker.reading.t_test}; correction {maker.reading.correction}; alpha "
        f"{maker.reading.alpha:g}; reference {maker.reading.reference_of(maker.summary)}.",
        "Each method, hand and run has its own stream of random numbers, so rows do not "
        "depend on the order of work or the number of processes.",
        "Raw rows: hands/, rows/, sample/, times/ and curves/ (Parquet), and plan.json.",
    ]
    maker.points(settings)
    return maker.section("settings", "Settings, and how to make this again")


def make_command(plan: Plan) -> str:
    """Return the command that makes the same plan, every parameter said."""
    words = ["mjopt compare"]
    for method in plan.methods:
        given = [f"{k}={v}" for k, v in sorted(method.parameters.items()) if v is not None]
        words.append(f"{method.name}:{','.join(given)}" if given else method.name)
    words += [f"--hands {hands.recipe}" for hands in plan.sets]
    words += ["-o DIR", f"--runs {plan.runs}", f"--seed {plan.seed}", f"--tiles {plan.tiles}"]
    words += ["--early-stop"] if plan.early_stop else []
    words += [f"--sample {plan.sample}", f"--curves {plan.curves}"]
    proved = [hands.certificates for hands in plan.sets]
    is_all = proved == [hands.num_hands for hands in plan.sets]
    words.append(f"--certificates {'all' if is_all else max(proved)}")
    return " \\\n  ".join(words)
