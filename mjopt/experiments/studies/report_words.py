"""The main result of a study in plain words."""

from collections.abc import Mapping, Sequence

from mjopt.experiments.studies.comparisons import Analysis
from mjopt.experiments.studies.summary import BASELINE, SetSummary, Summary
from mjopt.reports.statistics import Finding
from mjopt.reports.table import THIN, Field, written


def list_words(words: Sequence[str]) -> str:
    """Join words as a sentence lists them.

    Examples
    --------
    >>> list_words(["a"]), list_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def percent(share: float, digits: int = 2) -> str:
    """Return a share as text; only all is 100 percent.

    Examples
    --------
    >>> percent(0.93325), percent(0.999999), percent(1)
    ('93.33\u202f%', '>99.99\u202f%', '100\u202f%')
    """
    exact = {0.0: "0", 1.0: "100"}.get(share)
    return (exact or written(share, Field("share", "percent", digits))) + THIN + "%"


def _count(number: int, one: str) -> str:
    return f"{number:,}".replace(",", THIN) + f" {one}{'' if number == 1 else 's'}"


def what_was_compared(summary: Summary) -> str:
    """Say how many methods met how many hands how often, and what a success is."""
    plan = summary.plan
    methods = _count(len(summary.labels), "method")
    hands = _count(sum(hands.hands for hands in summary.sets), "hand")
    sets = _count(len(summary.sets), "set")
    runs = _count(plan.runs, "run")
    still = [method.label for method in plan.methods if not method.is_random]
    once = (
        f" ({list_words(still)}: once, nothing in it is random)"
        if still and len(still) < len(plan.methods)
        else ""
    )
    return (
        f"{methods} looked for the deficiency of {hands} in {sets}, {runs} on each hand{once}. "
        "A value is right if it is the true deficiency, which is known for every hand and was "
        "never told to a method"
        + (
            ", except to stop a run that had reached it."
            if plan.early_stop
            else "; each run spent its whole budget."
        )
    )


def headline(summary: Summary, found: Mapping[str, Sequence[Finding]], analysis: Analysis) -> str:
    """Say in one sentence which method is the most accurate, and by how much.

    Parameters
    ----------
    summary
        The study.
    found
        Its comparisons of accuracy, set by set; they need not hold the pair in question.
    analysis
        What counts as significant.
    """
    best, *others = summary.by_accuracy
    shares = [hands.method(best).accuracy.share for hands in summary.sets]
    where = _where(summary, shares)
    if not others:
        return f"{best} found the true deficiency for {where}."
    second = others[0]
    behind = [
        share - hands.method(second).accuracy.share
        for share, hands in zip(shares, summary.sets, strict=True)
    ]
    mean = sum(behind) / len(behind)
    if not any(behind):
        return f"{best} and {second} are equally accurate, right for {where}."
    many = len(summary.sets) > 1
    gap = f"{100 * mean:.2f}" if 100 * mean >= 0.005 else "less than 0.01"
    points = f"{gap} points behind" + (" on the mean" if many else "")
    return (
        f"{best} is the most accurate, right for {where}; {second} comes next, {points}"
        f"{_significance(summary, found, analysis, best, second)}."
    )


def _where(summary: Summary, shares: Sequence[float]) -> str:
    """Say which share of the hands, on which set."""
    if len(set(shares)) == 1:
        every = "" if len(shares) == 1 else " on every set"
        return f"{percent(shares[0])} of hands{every}"
    said = [
        f"{percent(share)} on {hands.name}"
        for share, hands in zip(shares, summary.sets, strict=True)
    ]
    return list_words(said)


def _significance(
    summary: Summary,
    found: Mapping[str, Sequence[Finding]],
    analysis: Analysis,
    best: str,
    second: str,
) -> str:
    """Say on how many sets the signed-rank test over hands calls the difference one."""
    pairs = [
        (one, best == one.sides[0])
        for outcomes in found.values()
        for one in outcomes
        if set(one.sides) == {best, second} and one.test == "Wilcoxon signed-rank"
    ]
    if not pairs:
        return ""
    ahead = sum(
        one.is_significant(analysis.alpha) and one.direction == (">" if first else "<")
        for one, first in pairs
    )
    sets = len(summary.sets)
    times = "" if sets == 1 else " on every set" if ahead == sets else f" on {ahead} of {sets} sets"
    verdict = "not significant" if not ahead else f"significant{times}"
    below = f" p below {analysis.alpha:g}" if ahead else ""
    return f" ({verdict}; signed-rank over hands, {analysis.correction.title()}-corrected{below})"


def set_lines(summary: Summary) -> tuple[str, ...]:
    """Say for each set the order of the methods, and the baseline."""
    return tuple(map(_set_line, summary.sets))


def _set_line(hands: SetSummary) -> str:
    order = sorted(hands.methods, key=lambda one: -one.accuracy.share)
    shown = [f"{one.label} {percent(one.accuracy.share)}" for one in order[:8]]
    more = f" and {len(order) - 8} more" if len(order) > 8 else ""
    below = sum(one.accuracy.below for one in hands.methods)
    return (
        f"{hands.name} ({_count(hands.hands, 'hand')}): {', '.join(shown)}{more}; saying "
        f"{BASELINE} of every hand is right for {percent(hands.baseline.share)}. "
        + (
            f"{_count(below, 'value')} fell below the deficiency."
            if below
            else "No value fell below the deficiency."
        )
    )
