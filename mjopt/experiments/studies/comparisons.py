"""Which tests a study is put to, and the families they are corrected in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from mjopt.errors import StudyError
from mjopt.experiments.studies.summary import MethodOnSet, Summary
from mjopt.reports.statistics import (
    CORRECTIONS,
    Finding,
    correct,
    friedman,
    mean_ranks,
    nemenyi,
    rank_sum,
    rank_z,
    signed_rank,
    t_test,
)

TTest = Literal["welch", "pooled", "paired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """How the rows of a study are read: every choice a statistician may make otherwise.

    Parameters
    ----------
    confidence
        Of the intervals.
    alpha
        Below which a corrected p-value is called significant.
    correction
        For several comparisons: one of `CORRECTIONS`. All comparisons by one test, over
        all pairs and sets of a study, are one family.
    t_test
        ``welch``; ``pooled``, which the paper's p-values come from; or ``paired`` for
        runs that share their draws, which those of mjopt do not.
    effect
        ``hedges`` or ``cohen``, beside the t-test.
    rank_effect
        ``a12`` or ``cliff``, beside the rank-sum test.
    reference
        The label of the method that others are compared with; by default the first one.
    most_pairs
        With more pairs of methods than this, only those with the reference are tested.
    most_drawn
        Methods in one figure at most: the reference and the most accurate others.

    Raises
    ------
    StudyError
        If a choice is not one of those.
    """

    confidence: float = 0.95
    alpha: float = 0.05
    correction: str = "holm"
    t_test: TTest = "welch"
    effect: Literal["hedges", "cohen"] = "hedges"
    rank_effect: Literal["a12", "cliff"] = "a12"
    reference: str | None = None
    most_pairs: int = 15
    most_drawn: int = 8

    def __post_init__(self) -> None:
        """Refuse choices that are not known."""
        for what, value in (("confidence", self.confidence), ("alpha", self.alpha)):
            if not 0 < value < 1:
                raise StudyError(f"{what} {value}, expected between 0 and 1")
        for what, chosen, known in (
            ("correction", self.correction, tuple(CORRECTIONS)),
            ("t-test", self.t_test, ("welch", "pooled", "paired")),
            ("effect", self.effect, ("hedges", "cohen")),
            ("rank effect", self.rank_effect, ("a12", "cliff")),
        ):
            if chosen not in known:
                raise StudyError(f"{what} {chosen!r}, expected one of {', '.join(known)}")

    def reference_of(self, summary: Summary) -> str:
        """Return the label of the reference method."""
        if self.reference is None:
            return summary.labels[0]
        return summary.plan.method(self.reference).label

    def pairs_of(self, summary: Summary) -> tuple[tuple[str, str], ...]:
        """Return the pairs of methods that are compared, in the order of the plan."""
        pairs = tuple(combinations(summary.labels, 2))
        if len(pairs) <= self.most_pairs:
            return pairs
        chosen = self.reference_of(summary)
        return tuple((chosen, label) for label in summary.labels if label != chosen)

    def drawn(self, summary: Summary) -> tuple[str, ...]:
        """Return the methods that a figure has room for, in the order of the plan."""
        chosen = self.reference_of(summary)
        others = [label for label in summary.by_accuracy if label != chosen]
        keep = {chosen, *others[: self.most_drawn - 1]}
        return tuple(label for label in summary.labels if label in keep)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Methods ranked within blocks, and whether the ranks differ."""

    measure: str  # ``accuracy`` or ``CPU time``
    blocks: str  # what a block is: ``hand set`` as in the paper, or ``hand``
    ranks: tuple[float, ...]  # mean ranks in the order of the plan; 1 is the best
    test: Finding  # Friedman's
    nemenyi: tuple[Finding, ...]  # every pair after it
    holm: tuple[Finding, ...]


def compare_accuracies(summary: Summary, analysis: Analysis) -> dict[str, tuple[Finding, ...]]:
    """Compare methods on each set: runs by t-test and rank-sum, hands by signed-rank.

    The one run of a method that draws nothing stands for as many as the other made:
    each would be the same.

    Returns
    -------
    dict
        For each set its outcomes, pair after pair, corrected within each test.
    """
    return _compare(
        summary,
        analysis,
        analysis.t_test,
        lambda a, b: (a.shares_as_often(b.runs), b.shares_as_often(a.runs)),
        lambda a, b: signed_rank(a.share_of_hand, b.share_of_hand, sides=(a.label, b.label)),
    )


def compare_seconds(summary: Summary, analysis: Analysis) -> dict[str, tuple[Finding, ...]]:
    """Compare CPU times a hand on each set, run by run, as the plan made the runs."""
    kind: TTest = "pooled" if analysis.t_test == "pooled" else "welch"  # times are never paired
    return _compare(summary, analysis, kind, lambda a, b: (a.main_seconds, b.main_seconds))


def rank_methods(summary: Summary, analysis: Analysis) -> tuple[Ranking, ...]:
    """Rank the methods over hand sets, as the paper does, and over hands."""
    names, rankings = summary.labels, []
    sets = [hands.methods for hands in summary.sets]
    accuracy = np.array([[one.accuracy.share for one in methods] for methods in sets])
    every_hand = np.concatenate(
        [np.stack([one.share_of_hand for one in methods], axis=1) for methods in sets]
    )
    seconds = np.array([[np.mean(one.main_seconds) for one in methods] for methods in sets])
    for measure, blocks, values in (
        ("accuracy", "hand set", accuracy),
        ("accuracy", "hand", every_hand),
        ("CPU time", "hand set", seconds),
    ):
        way: dict[str, Any] = {"sides": names, "higher_is_better": measure == "accuracy"}
        rankings.append(
            Ranking(
                measure=measure,
                blocks=blocks,
                ranks=mean_ranks(values, higher_is_better=way["higher_is_better"]),
                test=friedman(values, sides=names),
                nemenyi=nemenyi(values, **way),
                holm=rank_z(values, correction=analysis.correction, **way),
            )
        )
    return tuple(rankings)


def _compare(
    summary: Summary,
    analysis: Analysis,
    kind: TTest,
    runs: Callable[[MethodOnSet, MethodOnSet], tuple[Sequence[float], Sequence[float]]],
    *more: Callable[[MethodOnSet, MethodOnSet], Finding],
) -> dict[str, tuple[Finding, ...]]:
    """Put every pair on every set to a t-test and a rank-sum test of runs, and to more."""
    by = analysis.correction
    pairs = [
        (hands.name, hands.method(first), hands.method(second))
        for hands in summary.sets
        for first, second in analysis.pairs_of(summary)
    ]
    ranked = partial(rank_sum, effect=analysis.rank_effect)
    means = partial(t_test, kind=kind, effect=analysis.effect)
    families = [
        correct((test(*runs(a, b), sides=(a.label, b.label)) for _, a, b in pairs), by)
        for test in (means, ranked)
    ]
    families += [correct((test(a, b) for _, a, b in pairs), by) for test in more]
    found: dict[str, tuple[Finding, ...]] = {hands.name: () for hands in summary.sets}
    for (name, _, _), outcomes in zip(pairs, zip(*families, strict=True), strict=True):
        found[name] += outcomes
    return found
