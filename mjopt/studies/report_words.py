"""The main result of a study in plain words."""

from collections.abc import Mapping, Sequence

from mjopt.reports.statistics import Finding
from mjopt.reports.table import THIN, Field, written
from mjopt.studies.comparisons import Analysis, Verdict
from mjopt.studies.summary import BASELINE, SetSummary, Summary


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


def pair_lines(verdicts: Sequence[Verdict]) -> dict[str, bool]:
    """Say in one sentence for each pair which finds more right answers.

    Parameters
    ----------
    verdicts
        Those of every pair on every set.

    Returns
    -------
    dict
        The sentences, each with whether the pair is told apart on some set.
    """
    by_pair: dict[tuple[str, str], list[Verdict]] = {}
    for one in verdicts:
        by_pair.setdefault(one.sides, []).append(one)
    return {
        _pair_line(found): any(one.is_significant for one in found) for found in by_pair.values()
    }


def _pair_line(found: Sequence[Verdict]) -> str:
    """Write the sentence of one pair: what it finds, then the sets where it finds it."""
    first, second = found[0].sides
    said = {
        ">": f"{first} finds more right answers than {second}",
        "<": f"{second} finds more right answers than {first}",
        "/": f"{first} and {second} are right about other hands, but about as many",
        "=": f"{first} and {second} are not told apart at this size",
        "": f"{first} and {second} are not compared",
    }
    groups: dict[str, list[str]] = {}
    for one in found:
        shares = one.shares[:: -1 if one.sign == "<" else 1]
        alike = abs(shares[0] - shares[1]) < 0.0001
        more, less = (percent(share, 4 if alike else 2) for share in shares)
        figures = f"{more.removesuffix(THIN + '%')} against {less}"
        where = f" on {one.hands}" if len(found) > 1 else ""
        p = _p_text(one.signed_rank.final_p) or one.signed_rank.note
        groups.setdefault(one.sign, []).append(f"{figures}{where}, {p}")
    parts = [
        f"{said[sign]}: {'; '.join(figures)}"
        + ("" if sign in ("=", "") else ", significant after correction")
        for sign, figures in groups.items()
    ]
    return "; ".join(parts) + "."


def _p_text(p: float | None) -> str:
    """Write a p-value as a sentence has it."""
    if p is None:
        return ""
    text = "1" if p == 1 else written(p, Field("p", "p"))
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def dispute_line(verdicts: Sequence[Verdict]) -> str:
    """Say where Nemenyi's test and the signed-rank test disagree, and why; empty if nowhere."""
    disputed = [one for one in verdicts if one.is_disputed]
    if not disputed:
        return ""
    several = len({one.hands for one in verdicts}) > 1
    pairs = [" and ".join(one.sides) + f" on {one.hands}" * several for one in disputed]
    shown = [*pairs[:4], f"{len(pairs) - 4} more"] if len(pairs) > 5 else pairs
    return (
        f"Nemenyi's test and the signed-rank test disagree about {'; '.join(shown)}: Nemenyi "
        "ranks all methods within each hand, so that hands which both solve equally often count "
        "as ties that hold the mean ranks together, and its p answers for every pair at once, "
        "while the signed-rank test sets such hands aside, weighs how far the others are apart, "
        "and looks at these two alone."
    )


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
