"""The hypothesis tests of a study: every pair of methods on every hand set.

All comparisons by one test, over all pairs and hand sets, are one family and Holm-corrected
together. A difference is called significant at 0.05.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from mjopt.statistics import (
    TestResult,
    friedman,
    holm_correct,
    mean_ranks,
    nemenyi,
    rank_sum,
    rank_z,
    signed_rank,
    t_test,
)
from mjopt.statistics.result import direction_of
from mjopt.studies.summary import MethodResult, Summary

ALPHA: Final = 0.05
MAX_PAIRS: Final = 15
"""With more pairs of methods, only those with the first method are tested."""

PairTest = Callable[[MethodResult, MethodResult], TestResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseResult:
    """All tests of the accuracy of two methods on one hand set.

    The signed-rank test over hands decides: it alone generalises to other hands, and depends on
    these two methods only.
    """

    hands: str  # the hand set
    names: tuple[str, str]  # the method that is more accurate over all sets first
    shares: tuple[float, float]  # accuracies
    t_test: TestResult
    rank_sum: TestResult
    signed_rank: TestResult
    nemenyi: TestResult  # over the hands of this set

    @property
    def tests(self) -> tuple[TestResult, TestResult, TestResult, TestResult]:
        """All four tests, the one that decides first."""
        return self.signed_rank, self.nemenyi, self.rank_sum, self.t_test

    @property
    def is_significant(self) -> bool:
        """Whether the accuracies differ significantly."""
        return self.signed_rank.is_significant(ALPHA)

    @property
    def sign(self) -> str:
        """The sign between the names: ``>`` or ``<`` if the difference is significant.

        ``=`` if it is not, ``/`` if ranks and accuracies differ in opposite directions, empty
        without a test.
        """
        if self.signed_rank.p_value is None:
            return ""
        if not self.is_significant:
            return "="
        by_rank = self.signed_rank.direction
        if self.signed_rank.names != self.names:
            by_rank = {">": "<", "<": ">"}.get(by_rank, by_rank)
        return by_rank if by_rank == direction_of(self.shares[0] - self.shares[1]) else "/"

    @property
    def tests_disagree(self) -> bool:
        """Whether Nemenyi's test gives another verdict."""
        by_nemenyi = self.nemenyi.is_significant(ALPHA)
        return self.nemenyi.p_value is not None and by_nemenyi != self.is_significant


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Mean ranks of the methods over blocks, with Friedman's test and post-hoc tests."""

    measure: str  # ``accuracy`` or ``CPU time``
    blocks: str  # ``hand set`` as in the paper, or ``hand``
    ranks: tuple[float, ...]  # in the order of the study; 1 is the best
    test: TestResult  # Friedman's
    nemenyi: tuple[TestResult, ...]  # every pair
    holm: tuple[TestResult, ...]


def pairs_of(summary: Summary) -> tuple[tuple[str, str], ...]:
    """Return the pairs of methods that are compared."""
    pairs = tuple(combinations(summary.labels, 2))
    if len(pairs) <= MAX_PAIRS:
        return pairs
    reference, *others = summary.labels
    return tuple((reference, label) for label in others)


def compare_accuracies(summary: Summary) -> dict[str, tuple[TestResult, ...]]:
    """Test accuracies: runs by t-test and rank-sum test, hands by signed-rank test.

    A deterministic method ran once. In the t-test its accuracy is a constant; the rank-sum test
    would need copies of its run and is not made.

    Returns
    -------
    dict
        For each hand set the three tests of each pair, pair after pair.
    """
    return _test_pairs(
        summary,
        _means_of_runs,
        _ranks_of_runs,
        lambda a, b: signed_rank(a.share_of_hand, b.share_of_hand, names=(a.label, b.label)),
    )


def compare_seconds(summary: Summary) -> dict[str, tuple[TestResult, ...]]:
    """Test CPU times per hand over runs, by Welch's t-test and the rank-sum test."""
    return _test_pairs(
        summary,
        lambda a, b: t_test(a.main_seconds, b.main_seconds, names=(a.label, b.label)),
        lambda a, b: rank_sum(a.main_seconds, b.main_seconds, names=(a.label, b.label)),
    )


def compare_pairs(
    summary: Summary, results: Mapping[str, Sequence[TestResult]]
) -> tuple[PairwiseResult, ...]:
    """Combine the tests of each pair on each hand set, pairs of the best method first.

    Parameters
    ----------
    summary
        The study.
    results
        The result of :func:`compare_accuracies`.
    """
    order = summary.by_accuracy
    pairwise = []
    for hands in summary.sets:
        # Ranked within the hand set, since the other tests are about this set only.
        shares = np.stack([result.share_of_hand for result in hands.methods], axis=1)
        tests = (*results[hands.name], *nemenyi(shares, names=summary.labels))
        by_pair = {frozenset(test.names): list[TestResult]() for test in results[hands.name]}
        for test in tests:
            by_pair.get(frozenset(test.names), []).append(test)
        for pair, (means, ranks, signed, post_hoc) in by_pair.items():
            first, second = sorted(pair, key=order.index)
            pairwise.append(
                PairwiseResult(
                    hands=hands.name,
                    names=(first, second),
                    shares=(
                        hands.method(first).accuracy.share,
                        hands.method(second).accuracy.share,
                    ),
                    t_test=means,
                    rank_sum=ranks,
                    signed_rank=signed,
                    nemenyi=post_hoc,
                )
            )
    return tuple(sorted(pairwise, key=lambda pair: [order.index(name) for name in pair.names]))


def rank_methods(summary: Summary) -> tuple[Ranking, ...]:
    """Rank the methods over hand sets, as the paper does, and over hands."""
    names = summary.labels
    methods = [hands.methods for hands in summary.sets]
    accuracy = np.array([[result.accuracy.share for result in row] for row in methods])
    seconds = np.array([[np.mean(result.main_seconds) for result in row] for row in methods])
    every_hand = np.concatenate(
        [np.stack([result.share_of_hand for result in row], axis=1) for row in methods]
    )
    rankings = []
    for measure, blocks, values in (
        ("accuracy", "hand set", accuracy),
        ("accuracy", "hand", every_hand),
        ("CPU time", "hand set", seconds),
    ):
        higher_is_better = measure == "accuracy"
        rankings.append(
            Ranking(
                measure=measure,
                blocks=blocks,
                ranks=mean_ranks(values, higher_is_better=higher_is_better),
                test=friedman(values, names=names),
                nemenyi=nemenyi(values, names=names, higher_is_better=higher_is_better),
                holm=rank_z(values, names=names, higher_is_better=higher_is_better),
            )
        )
    return tuple(rankings)


def _ran_once(*methods: MethodResult) -> str:
    """Name the deterministic methods of a pair, which ran once; empty without any."""
    once = [result.label for result in methods if not result.method.is_random]
    if len(once) == 2:
        return f"{once[0]} and {once[1]} are deterministic and ran once"
    return f"{once[0]} is deterministic and ran once" if once else ""


def _means_of_runs(a: MethodResult, b: MethodResult) -> TestResult:
    shares = a.shares_as_often(b.runs), b.shares_as_often(a.runs)
    result, note = t_test(*shares, names=(a.label, b.label)), _ran_once(a, b)
    if not note or result.p_value is None:
        return result
    note = f"{note}: tested as a constant" + (f"; {result.note}" if result.note else "")
    return replace(result, n=(a.runs, b.runs), note=note)


def _ranks_of_runs(a: MethodResult, b: MethodResult) -> TestResult:
    if note := _ran_once(a, b):
        return TestResult(
            test="Wilcoxon rank-sum",
            names=(a.label, b.label),
            n=(a.runs, b.runs),
            effect_name="A12",
            note=f"not made: {note}, and copies of a run are not a sample",
        )
    return rank_sum(a.shares, b.shares, names=(a.label, b.label))


def _test_pairs(summary: Summary, *tests: PairTest) -> dict[str, tuple[TestResult, ...]]:
    """Apply each test to every pair on every set; the results of one test are a family."""
    pairs = [
        (hands.name, hands.method(first), hands.method(second))
        for hands in summary.sets
        for first, second in pairs_of(summary)
    ]
    families = [holm_correct(test(a, b) for _, a, b in pairs) for test in tests]
    results: dict[str, tuple[TestResult, ...]] = {hands.name: () for hands in summary.sets}
    for (name, _, _), of_pair in zip(pairs, zip(*families, strict=True), strict=True):
        results[name] += of_pair
    return results
