"""The summary of a study in words, for the top of its report."""

from collections.abc import Mapping, Sequence

from mjopt._internal.report import THIN, Column, format_cell
from mjopt.statistics import TestResult
from mjopt.studies.pairwise import ALPHA, PairwiseResult
from mjopt.studies.summary import BASELINE, SetResult, Summary


def join_words(words: Sequence[str]) -> str:
    """Join words as a sentence lists them.

    Examples
    --------
    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def percent(share: float, digits: int = 2) -> str:
    """Return a share as text; only 1 is 100 percent.

    Examples
    --------
    >>> percent(0.93325), percent(0.999999), percent(1)
    ('93.33\u202f%', '>99.99\u202f%', '100\u202f%')
    """
    exact = {0.0: "0", 1.0: "100"}.get(share)
    return (exact or format_cell(share, Column("share", "percent", digits))) + THIN + "%"


def _count(number: int, noun: str) -> str:
    return f"{number:,}".replace(",", THIN) + f" {noun}{'' if number == 1 else 's'}"


def overview(summary: Summary) -> str:
    """Describe the size of the comparison and the definition of a right value."""
    config = summary.config
    hands = _count(sum(hands.hands for hands in summary.sets), "hand")
    fixed = [method.label for method in config.methods if not method.is_random]
    once = f" ({join_words(fixed)}: once, deterministic)" if fixed else ""
    return (
        f"{_count(len(summary.labels), 'method')} searched for the deficiency of {hands} in "
        f"{_count(len(summary.sets), 'set')}, {_count(config.runs, 'run')} on each hand"
        f"{once if len(fixed) < len(config.methods) else ''}. A value is right if it is the true "
        "deficiency, which is known for every hand and hidden from the methods"
        + (
            ", except to stop a run that had reached it."
            if config.early_stop
            else "; each run spent its whole budget."
        )
    )


def headline(summary: Summary, results: Mapping[str, Sequence[TestResult]]) -> str:
    """Return a sentence that names the method right most often and its lead.

    Only a method that is significantly better than the next on every set is called the most
    accurate.

    Parameters
    ----------
    summary
        The study.
    results
        The tests of accuracy, set by set; they may lack the pair in question.
    """
    best, *others = summary.by_accuracy
    shares = [hands.method(best).accuracy.share for hands in summary.sets]
    where = _where(summary, shares)
    if not others:
        return f"{best} found the true deficiency for {where}."
    second = others[0]
    differences = [
        share - hands.method(second).accuracy.share
        for share, hands in zip(shares, summary.sets, strict=True)
    ]
    if not any(differences):
        return f"{best} and {second} are equally accurate, right for {where}."
    mean = 100 * sum(differences) / len(differences)
    gap = f"{mean:.2f}" if mean >= 0.005 else "less than 0.01"
    points = f"{gap} points behind" + (" on the mean" if len(summary.sets) > 1 else "")
    ahead, verdict = _significance(summary, results, best, second)
    is_most = ahead == len(summary.sets)
    return (
        f"{best} is {'the most accurate, ' if is_most else ''}right for {where}; "
        f"{second} {'comes next, ' if is_most else 'is '}{points}{verdict}."
    )


def code_note(summary: Summary) -> str:
    """Say which CPU times are not comparable because a method is no compiled code of mjopt."""
    methods = summary.config.methods
    own = [one.label for one in methods if one.code and not one.code.startswith("mjopt ")]
    if not own or len(own) == len(methods):
        return ""
    runs = "runs its own code" if len(own) == 1 else "run their own code"
    return (
        f"{join_words(own)} {runs}, interpreted unless it compiles itself; the other methods are "
        "compiled. CPU times of the two kinds are not comparable."
    )


def _where(summary: Summary, shares: Sequence[float]) -> str:
    """Return the share of the hands, set by set."""
    if len(set(shares)) == 1:
        every = "" if len(shares) == 1 else " on every set"
        return f"{percent(shares[0])} of hands{every}"
    return join_words(
        [
            f"{percent(share)} on {hands.name}"
            for share, hands in zip(shares, summary.sets, strict=True)
        ]
    )


def _significance(
    summary: Summary, results: Mapping[str, Sequence[TestResult]], best: str, second: str
) -> tuple[int, str]:
    """Return on how many sets the best method is significantly better, as number and text."""
    tests = [
        (test, best == test.names[0])
        for of_set in results.values()
        for test in of_set
        if set(test.names) == {best, second} and test.test == "Wilcoxon signed-rank"
    ]
    if not tests:
        return 0, ""
    ahead = sum(
        test.is_significant(ALPHA) and test.direction == (">" if is_first else "<")
        for test, is_first in tests
    )
    sets = len(summary.sets)
    times = "" if sets == 1 else " on every set" if ahead == sets else f" on {ahead} of {sets} sets"
    verdict = f"significant{times}" if ahead else "not significant"
    below = f" p below {ALPHA:g}" if ahead else ""
    return ahead, f" ({verdict}; signed-rank over hands, Holm-corrected{below})"


def pairwise_lines(pairwise: Sequence[PairwiseResult]) -> list[str]:
    """Return a sentence for each pair that names the more accurate method.

    Parameters
    ----------
    pairwise
        The results of every pair on every set.
    """
    by_pair: dict[tuple[str, str], list[PairwiseResult]] = {}
    for result in pairwise:
        by_pair.setdefault(result.names, []).append(result)
    return [_pairwise_line(results) for results in by_pair.values()]


def _pairwise_line(results: Sequence[PairwiseResult]) -> str:
    first, second = results[0].names
    verdicts = {
        ">": f"{first} finds more right answers than {second}",
        "<": f"{second} finds more right answers than {first}",
        "/": f"{first} and {second} are right about other hands, but about as many",
        "=": f"{first} and {second} do not differ significantly",
        "": f"{first} and {second} are not compared",
    }
    groups: dict[str, list[str]] = {}
    for result in results:
        shares = result.shares[:: -1 if result.sign == "<" else 1]
        alike = abs(shares[0] - shares[1]) < 0.0001
        more, less = (percent(share, 4 if alike else 2) for share in shares)
        where = f" on {result.hands}" if len(results) > 1 else ""
        p = _p_text(result.signed_rank.final_p) or result.signed_rank.note
        text = f"{more.removesuffix(THIN + '%')} against {less}{where}, {p}"
        groups.setdefault(result.sign, []).append(text)
    parts = [
        f"{verdicts[sign]}: {'; '.join(texts)}"
        + ("" if sign in ("=", "") else ", significant after correction")
        for sign, texts in groups.items()
    ]
    return "; ".join(parts) + "."


def _p_text(p: float | None) -> str:
    if p is None:
        return ""
    text = "1" if p == 1 else format_cell(p, Column("p", "p"))
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def disagreement_text(pairwise: Sequence[PairwiseResult]) -> str:
    """Explain where Nemenyi's and the signed-rank test disagree; empty if they agree."""
    disputed = [result for result in pairwise if result.tests_disagree]
    if not disputed:
        return ""
    several = len({result.hands for result in pairwise}) > 1
    pairs = [" and ".join(r.names) + f" on {r.hands}" * several for r in disputed]
    shown = [*pairs[:4], f"{len(pairs) - 4} more"] if len(pairs) > 5 else pairs
    return (
        f"Nemenyi's test and the signed-rank test disagree about {'; '.join(shown)}. Nemenyi ranks "
        "all methods within each hand, counts hands that both solve equally often as ties, and "
        "corrects for all pairs. The signed-rank test drops such hands, weighs the size of the "
        "differences, and depends on the two methods only."
    )


def set_line(hands: SetResult) -> str:
    """State the order of the methods on a hand set, and the baseline."""
    order = sorted(hands.methods, key=lambda result: -result.accuracy.share)
    shown = [f"{result.label} {percent(result.accuracy.share)}" for result in order[:8]]
    more = f" and {len(order) - 8} more" if len(order) > 8 else ""
    below = sum(result.accuracy.below for result in hands.methods)
    return (
        f"{hands.name} ({_count(hands.hands, 'hand')}): {', '.join(shown)}{more}; the answer "
        f"{BASELINE} for every hand is right for {percent(hands.baseline.share)}. "
        + (
            f"{_count(below, 'value')} fell below the deficiency."
            if below
            else "No value fell below the deficiency."
        )
    )
