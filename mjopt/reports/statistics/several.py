"""Tests of several sides over blocks: Friedman, and which pairs differ after it."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import StudyError
from mjopt.reports.statistics.corrections import correct
from mjopt.reports.statistics.effects import kendalls_w
from mjopt.reports.statistics.outcome import Outcome, not_possible
from mjopt.runtime.extras import need


def mean_ranks(blocks: ArrayLike, *, higher_is_better: bool = True) -> tuple[float, ...]:
    """Return the mean rank of each side; 1 is the best, ties share their ranks.

    Parameters
    ----------
    blocks
        Shape ``(blocks, sides)``: hand sets or hands, by methods.
    higher_is_better
        True for accuracies, false for times.

    Examples
    --------
    >>> mean_ranks([[0.9, 0.8, 0.7], [0.9, 0.7, 0.7]])
    (1.0, 2.25, 2.75)
    """
    from scipy.stats import rankdata

    values = _matrix(blocks)
    ranks = rankdata(-values if higher_is_better else values, axis=1)
    return tuple(ranks.mean(axis=0).tolist())


def friedman(blocks: ArrayLike, *, sides: Sequence[str]) -> Outcome:
    """Test whether some side tends to be better: Friedman's chi-square, corrected for ties.

    Parameters
    ----------
    blocks
        Shape ``(blocks, sides)``.
    sides
        The names of the sides.

    Returns
    -------
    Outcome
        The effect is Kendall's W. All tied within every block: p = 1. Fewer than three
        sides or two blocks: not possible.

    Notes
    -----
    The chi-square is an approximation; with three blocks, as in the paper, a coarse one.

    Examples
    --------
    >>> found = friedman([[9, 5, 1], [8, 5, 2], [9, 4, 3], [7, 5, 0]], sides=["a", "b", "c"])
    >>> found.statistic, found.effect, round(found.p_value, 4)
    (8.0, 1.0, 0.0183)
    """
    need("scipy", extra="experiments")
    from scipy.stats import friedmanchisquare

    values = _matrix(blocks, sides)
    test, names, n = "Friedman", tuple(sides), (len(values),)
    if values.shape[1] < 3 or len(values) < 2:
        return not_possible(
            test, names, n, "Kendall's W", "it takes three methods and two blocks at least"
        )
    tied = not np.ptp(values, axis=1).any()
    found = None if tied else friedmanchisquare(*values.T)
    chi2 = 0.0 if found is None else float(found.statistic)
    return Outcome(
        test=test,
        sides=names,
        n=n,
        statistic=chi2,
        statistic_name="chi2",
        p_value=1.0 if found is None else float(found.pvalue),
        effect=kendalls_w(chi2, len(values), len(names)),
        effect_name="Kendall's W",
        note="all values are tied within every block" if tied else "",
    )


def nemenyi(
    blocks: ArrayLike, *, sides: Sequence[str], higher_is_better: bool = True
) -> tuple[Outcome, ...]:
    """Test every pair after Friedman with Nemenyi's test, which corrects for their number.

    Returns
    -------
    tuple of Outcome
        One for each pair in order. The effect is the difference of mean ranks, positive
        if the first is better; ``direction`` ``">"`` says that, too.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30.
    """
    need("scipy", "scikit_posthocs", extra="experiments")
    from scikit_posthocs import posthoc_nemenyi_friedman

    return _pairs(blocks, sides, higher_is_better, posthoc_nemenyi_friedman, "Nemenyi")


def rank_z(
    blocks: ArrayLike,
    *,
    sides: Sequence[str],
    higher_is_better: bool = True,
    correction: str = "holm",
) -> tuple[Outcome, ...]:
    """Test every pair after Friedman by a z-test of mean ranks, corrected by Holm.

    As :func:`nemenyi`, and never weaker.
    """
    need("scipy", "scikit_posthocs", extra="experiments")
    from scikit_posthocs import posthoc_siegel_friedman

    pairs = _pairs(blocks, sides, higher_is_better, posthoc_siegel_friedman, "rank z-test")
    return correct(pairs, correction)


def critical_difference(num_sides: int, num_blocks: int, *, alpha: float = 0.05) -> float:
    """Return the least difference of mean ranks that Nemenyi's test calls significant.

    Examples
    --------
    Demsar's example has four sides and 14 blocks:

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    need("scipy", extra="experiments")
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(1 - alpha, num_sides, np.inf)) / sqrt(2)
    return quantile * sqrt(num_sides * (num_sides + 1) / (6 * num_blocks))


def _pairs(
    blocks: ArrayLike, sides: Sequence[str], higher_is_better: bool, posthoc: object, test: str
) -> tuple[Outcome, ...]:
    values = _matrix(blocks, sides)
    n, k = values.shape
    if k < 2 or n < 2:
        why = "it takes two methods and two blocks at least"
        return tuple(
            not_possible(test, pair, (n,), "difference of mean ranks", why)
            for pair in combinations(sides, 2)
        )
    p_values = np.asarray(posthoc(values))  # type: ignore[operator]  # from an untyped package
    ranks = mean_ranks(values, higher_is_better=higher_is_better)
    found = []
    for i, j in combinations(range(k), 2):
        better_by = ranks[j] - ranks[i]
        z = better_by / sqrt(k * (k + 1) / (6 * n))
        p = min(max(float(p_values[i, j]), 0.0), 1.0)
        found.append(
            Outcome(
                test=test,
                sides=(sides[i], sides[j]),
                n=(n,),
                statistic=z * sqrt(2) if test == "Nemenyi" else z,
                statistic_name="q" if test == "Nemenyi" else "z",
                p_value=p,
                corrected_p=p if test == "Nemenyi" else None,
                correction="Nemenyi" if test == "Nemenyi" else "",
                effect=better_by,
                effect_name="difference of mean ranks",
                direction=">" if better_by > 0 else "<" if better_by < 0 else "=",
                note="" if better_by else "equal mean ranks",
            )
        )
    return tuple(found)


def _matrix(blocks: ArrayLike, sides: Sequence[str] | None = None) -> NDArray[np.float64]:
    values = np.asarray(blocks, np.float64)
    if values.ndim != 2 or not values.size:
        raise StudyError(f"blocks of shape {values.shape}, expected blocks by sides")
    if sides is not None and len(sides) != values.shape[1]:
        raise StudyError(f"{values.shape[1]} sides, expected {len(sides)}: {', '.join(sides)}")
    if not np.isfinite(values).all():
        raise StudyError("the blocks hold values that are not finite numbers")
    return values
