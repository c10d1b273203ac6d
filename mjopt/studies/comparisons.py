"""Which tests a study is put to, and the families they are corrected in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from mjopt.errors import StudyError
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
from mjopt.reports.statistics.finding import direction_of
from mjopt.studies.summary import MethodOnSet, Summary

TTest = Literal["welch", "pooled", "paired"]
PairTest = Callable[[MethodOnSet, MethodOnSet], Finding]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the tests say of the accuracy of two methods on one set.

    Significant is what the signed-rank test over hands calls so: it alone speaks of other
    hands, and of these two methods only.
    """

    hands: str  # the set
    sides: tuple[str, str]  # the more accurate over all sets first
    shares: tuple[float, float]  # of right values
    t_test: Finding
    rank_sum: Finding
    signed_rank: Finding
    nemenyi: Finding  # over the hands of this set
    alpha: float

    @property
    def tests(self) -> tuple[Finding, Finding, Finding, Finding]:
        """All four, that which decides first."""
        return self.signed_rank, self.nemenyi, self.rank_sum, self.t_test

    @property
    def is_significant(self) -> bool:
        """Say whether the two are told apart."""
        return self.signed_rank.is_significant(self.alpha)

    @property
    def sign(self) -> str:
        """Which finds more right answers, ``>`` or ``<``.

        ``=`` if they are not told apart, ``/`` if they are but the shares of right answers
        say the opposite of the ranks, empty if there was no test.
        """
        if self.signed_rank.p_value is None:
            return ""
        if not self.is_significant:
            return "="
        by_rank = self.signed_rank.direction
        if self.signed_rank.sides != self.sides:
            by_rank = {">": "<", "<": ">"}.get(by_rank, by_rank)
        return by_rank if by_rank == direction_of(self.shares[0] - self.shares[1]) else "/"

    @property
    def is_disputed(self) -> bool:
        """Say whether Nemenyi's test says otherwise."""
        is_told = self.nemenyi.is_significant(self.alpha)
        return self.nemenyi.p_value is not None and is_told != self.is_significant


def compare_accuracies(summary: Summary, analysis: Analysis) -> dict[str, tuple[Finding, ...]]:
    """Compare methods on each set: runs by t-test and rank-sum, hands by signed-rank.

    A method that draws nothing ran once: to the t-test its accuracy is a constant, and
    the rank-sum test, which would need copies of that run, is not made.

    Returns
    -------
    dict
        For each set its outcomes, pair after pair, corrected within each test.
    """

    def runs(a: MethodOnSet, b: MethodOnSet) -> tuple[Sequence[float], Sequence[float]]:
        return a.shares_as_often(b.runs), b.shares_as_often(a.runs)

    means, ranks = _tests_of_runs(analysis, analysis.t_test, runs)

    def means_of_runs(a: MethodOnSet, b: MethodOnSet) -> Finding:
        found, note = means(a, b), _ran_once(a, b)
        if not note or found.p_value is None:
            return found
        note = f"{note}: tested as a constant" + (f"; {found.note}" if found.note else "")
        return replace(found, n=(a.runs, b.runs), note=note)

    def ranks_of_runs(a: MethodOnSet, b: MethodOnSet) -> Finding:
        if note := _ran_once(a, b):
            name = "A12" if analysis.rank_effect == "a12" else "Cliff's delta"
            return Finding(
                test="Wilcoxon rank-sum",
                sides=(a.label, b.label),
                n=(a.runs, b.runs),
                effect_name=name,
                note=f"not made: {note}, and copies of a run are no sample",
            )
        return ranks(a, b)

    return _compare(
        summary,
        analysis,
        means_of_runs,
        ranks_of_runs,
        lambda a, b: signed_rank(a.share_of_hand, b.share_of_hand, sides=(a.label, b.label)),
    )


def compare_seconds(summary: Summary, analysis: Analysis) -> dict[str, tuple[Finding, ...]]:
    """Compare CPU times a hand on each set, run by run, as the plan made the runs."""
    kind: TTest = "pooled" if analysis.t_test == "pooled" else "welch"  # times are never paired
    seconds = _tests_of_runs(analysis, kind, lambda a, b: (a.main_seconds, b.main_seconds))
    return _compare(summary, analysis, *seconds)


def judge_pairs(
    summary: Summary, found: Mapping[str, Sequence[Finding]], analysis: Analysis
) -> tuple[Verdict, ...]:
    """Return what the tests together say of each pair, on set after set.

    The order is that of accuracy: pairs of the best method first.

    Parameters
    ----------
    summary, analysis
        The study.
    found
        What :func:`compare_accuracies` found.
    """
    order = summary.by_accuracy
    verdicts = []
    for hands in summary.sets:
        # Hands are ranked within the set: the other tests speak of it alone, too.
        shares = np.stack([one.share_of_hand for one in hands.methods], axis=1)
        ranked = nemenyi(shares, sides=summary.labels)
        by_pair = {frozenset(one.sides): list[Finding]() for one in found[hands.name]}
        for one in (*found[hands.name], *ranked):
            by_pair.get(frozenset(one.sides), []).append(one)
        for pair, (means, ranks, signed, after) in by_pair.items():
            first, second = sorted(pair, key=order.index)
            verdicts.append(
                Verdict(
                    hands=hands.name,
                    sides=(first, second),
                    shares=(
                        hands.method(first).accuracy.share,
                        hands.method(second).accuracy.share,
                    ),
                    t_test=means,
                    rank_sum=ranks,
                    signed_rank=signed,
                    nemenyi=after,
                    alpha=analysis.alpha,
                )
            )
    return tuple(sorted(verdicts, key=lambda one: [order.index(side) for side in one.sides]))


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


def _ran_once(*methods: MethodOnSet) -> str:
    """Say which of two methods draw nothing, and so ran once; empty if none does."""
    once = [one.label for one in methods if not one.method.is_random]
    if len(once) == 2:
        return f"{once[0]} and {once[1]} draw nothing and ran once"
    return f"{once[0]} draws nothing and ran once" if once else ""


def _tests_of_runs(
    analysis: Analysis,
    kind: TTest,
    runs: Callable[[MethodOnSet, MethodOnSet], tuple[Sequence[float], Sequence[float]]],
) -> tuple[PairTest, PairTest]:
    """Return a t-test and a rank-sum test of one value a run."""
    means = partial(t_test, kind=kind, effect=analysis.effect)
    ranks = partial(rank_sum, effect=analysis.rank_effect)
    return (
        lambda a, b: means(*runs(a, b), sides=(a.label, b.label)),
        lambda a, b: ranks(*runs(a, b), sides=(a.label, b.label)),
    )


def _compare(
    summary: Summary, analysis: Analysis, *tests: PairTest
) -> dict[str, tuple[Finding, ...]]:
    """Put every pair on every set to each test; the outcomes of one are a family."""
    pairs = [
        (hands.name, hands.method(first), hands.method(second))
        for hands in summary.sets
        for first, second in analysis.pairs_of(summary)
    ]
    families = [correct((test(a, b) for _, a, b in pairs), analysis.correction) for test in tests]
    found: dict[str, tuple[Finding, ...]] = {hands.name: () for hands in summary.sets}
    for (name, _, _), outcomes in zip(pairs, zip(*families, strict=True), strict=True):
        found[name] += outcomes
    return found
