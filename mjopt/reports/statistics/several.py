"""Tests of several sides over blocks, and corrections for several comparisons made at once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.optional_deps import need
from mjopt.errors import StudyError
from mjopt.reports.statistics.finding import Finding, direction_of

CORRECTIONS: Final = ("holm", "bonferroni", "benjamini-hochberg")
"""The first two bound the chance of any false claim, the last their share."""


def adjust(p_values: Sequence[float], method: str = "holm") -> tuple[float, ...]:
    """Return the corrected p-values of one family of comparisons, in the same order.

    Parameters
    ----------
    p_values
        Plain p-values, in 0..1; perhaps none.
    method
        One of :data:`CORRECTIONS`.

    References
    ----------
    .. [1] S. Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in adjust([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    if method not in CORRECTIONS:
        raise StudyError(f"correction {method!r}, expected one of {', '.join(CORRECTIONS)}")
    if not len(p_values):
        return ()
    # As statsmodels does it (tests compare), which would add half a second to every battle.
    p = np.asarray(p_values, np.float64)
    order, number = np.argsort(p, kind="stable"), len(p)
    if method == "holm":
        stepped = np.maximum.accumulate(p[order] * np.arange(number, 0, -1))
    elif method == "bonferroni":
        stepped = p[order] * number
    else:
        shares = p[order] * number / np.arange(1, number + 1)
        stepped = np.minimum.accumulate(shares[::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    # Rounding must not make a p-value smaller.
    return tuple(np.minimum(np.maximum(adjusted, p), 1.0).tolist())


def correct(findings: Iterable[Finding], method: str = "holm") -> tuple[Finding, ...]:
    """Return the findings of one family with their corrected p-values.

    A test that was not possible stays as it is and does not count.
    """
    family = tuple(findings)
    adjusted = iter(adjust([one.p_value for one in family if one.p_value is not None], method))
    return tuple(
        one if one.p_value is None else replace(one, corrected_p=next(adjusted), correction=method)
        for one in family
    )


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


def friedman(blocks: ArrayLike, *, sides: Sequence[str]) -> Finding:
    """Test whether some side tends to be better: Friedman's chi-square, corrected for ties.

    Parameters
    ----------
    blocks
        Shape ``(blocks, sides)``.
    sides
        The names of the sides.

    Returns
    -------
    Finding
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
    found = partial(
        Finding, test="Friedman", sides=tuple(sides), n=(len(values),), effect_name="Kendall's W"
    )
    if values.shape[1] < 3 or len(values) < 2:
        return found(note="not possible: it takes three methods and two blocks at least")
    # All tied gives NaN in SciPy, and a warning.
    tied = not np.ptp(values, axis=1).any()
    chi2, p = (0.0, 1.0) if tied else map(float, friedmanchisquare(*values.T))
    return found(
        statistic=chi2,
        statistic_name="chi2",
        p_value=p,
        effect=kendalls_w(chi2, *values.shape),
        note="all values are tied within every block" if tied else "",
    )


def kendalls_w(chi2: float, num_blocks: int, num_sides: int) -> float:
    """Return the agreement of the blocks about the order: Friedman's chi-square in 0..1.

    Examples
    --------
    >>> kendalls_w(8.0, num_blocks=4, num_sides=3)
    1.0
    """
    return min(chi2 / (num_blocks * (num_sides - 1)), 1.0)


def nemenyi(
    blocks: ArrayLike, *, sides: Sequence[str], higher_is_better: bool = True
) -> tuple[Finding, ...]:
    """Test every pair after Friedman with Nemenyi's test, which corrects for their number.

    Returns
    -------
    tuple of Finding
        One for each pair in order. The effect is the difference of mean ranks, positive
        if the first is better; ``direction`` ``">"`` says that, too.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30.
    """
    pairs = _pairs(blocks, sides, higher_is_better, "Nemenyi")
    return tuple(
        one if one.p_value is None else replace(one, corrected_p=one.p_value, correction="Nemenyi")
        for one in pairs
    )


def rank_z(
    blocks: ArrayLike,
    *,
    sides: Sequence[str],
    higher_is_better: bool = True,
    correction: str = "holm",
) -> tuple[Finding, ...]:
    """Test every pair after Friedman by a z-test of mean ranks, corrected by Holm.

    As :func:`nemenyi`, and never weaker.
    """
    return correct(_pairs(blocks, sides, higher_is_better, "rank z-test"), correction)


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
    return quantile * _rank_error(num_sides, num_blocks)


def _rank_error(num_sides: int, num_blocks: int) -> float:
    """Return the standard error of a difference of mean ranks."""
    return sqrt(num_sides * (num_sides + 1) / (6 * num_blocks))


def _pairs(
    blocks: ArrayLike, sides: Sequence[str], higher_is_better: bool, test: str
) -> tuple[Finding, ...]:
    """Test every pair: Nemenyi by the range of as many normal values, else by one of them."""
    need("scipy", extra="experiments")
    from scipy.stats import norm, studentized_range

    values = _matrix(blocks, sides)
    n, k = values.shape
    found = partial(Finding, test=test, n=(n,), effect_name="difference of mean ranks")
    if k < 2 or n < 2:
        why = "not possible: it takes two methods and two blocks at least"
        return tuple(found(sides=pair, note=why) for pair in combinations(sides, 2))
    ranks = np.array(mean_ranks(values, higher_is_better=higher_is_better))
    first, second = np.triu_indices(k, 1)
    better_by = ranks[second] - ranks[first]
    z = better_by / _rank_error(k, n)
    if test == "Nemenyi":
        letter, statistics = "q", z * sqrt(2)
        p_values = studentized_range.sf(np.abs(statistics), k, np.inf)
    else:
        letter, statistics = "z", z
        p_values = 2 * norm.sf(np.abs(z))
    numbers = zip(statistics.tolist(), p_values.tolist(), better_by.tolist(), strict=True)
    return tuple(
        found(
            sides=pair,
            statistic=statistic,
            statistic_name=letter,
            p_value=min(p, 1.0),
            effect=effect,
            direction=direction_of(effect),
            note="" if effect else "equal mean ranks",
        )
        for pair, (statistic, p, effect) in zip(combinations(sides, 2), numbers, strict=True)
    )


def _matrix(blocks: ArrayLike, sides: Sequence[str] | None = None) -> NDArray[np.float64]:
    values = np.asarray(blocks, np.float64)
    if values.ndim != 2 or not values.size:
        raise StudyError(f"blocks of shape {values.shape}, expected blocks by sides")
    if sides is not None and len(sides) != values.shape[1]:
        raise StudyError(f"{values.shape[1]} sides, expected {len(sides)}: {', '.join(sides)}")
    if not np.isfinite(values).all():
        raise StudyError("the blocks hold values that are not finite numbers")
    return values
