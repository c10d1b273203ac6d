"""Rank tests of two sides: exact where there are few values, ties included."""

from functools import partial
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.optional_deps import need
from mjopt.reports.statistics.effect_sizes import cliffs_delta, rank_biserial, vargha_delaney
from mjopt.reports.statistics.finding import Finding, direction_of
from mjopt.reports.statistics.samples import ALL_TIED, TOO_FEW, samples

MOST_EXACT = 50
"""Differences, or values of both sides, that signs or ranks are counted of one by one."""


def rank_sum(
    first: ArrayLike,
    second: ArrayLike,
    *,
    effect: Literal["a12", "cliff"] = "a12",
    sides: tuple[str, str] = ("first", "second"),
) -> Finding:
    """Test whether one side tends to be larger: Wilcoxon rank-sum, or Mann-Whitney.

    Exact, ties included, if a side has at most eight values and both have no more than
    `MOST_EXACT`: the p-value counts how many ways of dealing the values to the two sides
    are as far out. Else the normal approximation with corrections for ties and continuity,
    which gives the paper's p-values.

    Parameters
    ----------
    first, second, sides
        As for :func:`t_test`.
    effect
        ``a12`` (Vargha and Delaney's A12, 0.5 is none) or ``cliff`` (Cliff's delta).

    Examples
    --------
    The published p-value of NDDE2 against tree search, one type (0.0214):

    >>> found = rank_sum([1.0] * 25 + [1 - 1 / 118_800] * 5, [1.0] * 30)
    >>> round(found.p_value, 4)
    0.0214

    Three values against three can be dealt in 20 ways, so p is never below 2 / 20:

    >>> found = rank_sum([1.0, 1.0, 1.0], [0.9, 0.9, 0.9])
    >>> found.p_value, found.note
    (0.1, 'exact: p is never below 0.1 with so few')
    """
    need("scipy", extra="experiments")
    from scipy.stats import mannwhitneyu

    a, b, n = samples(first, second)
    effect_name = "A12" if effect == "a12" else "Cliff's delta"
    found = partial(Finding, test="Wilcoxon rank-sum", sides=sides, n=n, effect_name=effect_name)
    if min(n) < 2:
        return found(note=TOO_FEW)
    a12 = vargha_delaney(a, b)
    tied, note = not np.ptp(both := np.concatenate([a, b])), ""
    if tied:
        p, note = 1.0, ALL_TIED
    elif min(n) <= 8 and sum(n) <= MOST_EXACT:
        ranks = _doubled_ranks(both)
        p = _two_sided(_deals(ranks, len(a))[len(a)], int(ranks[: len(a)].sum()))
        if (least := 2 / comb(sum(n), len(a))) > 0.01:
            note = f"exact: p is never below {least:.2g} with so few"
    else:
        p = min(float(mannwhitneyu(a, b).pvalue), 1.0)
    return found(
        statistic=a12 * len(a) * len(b),
        statistic_name="U",
        p_value=p,
        effect=a12 if effect == "a12" else cliffs_delta(a, b),
        direction=direction_of(a12 - 0.5),
        note=note,
    )


def signed_rank(
    first: ArrayLike, second: ArrayLike, *, sides: tuple[str, str] = ("first", "second")
) -> Finding:
    """Test whether paired values differ: Wilcoxon signed-rank, zero differences left out.

    Exact, ties included, if at most `MOST_EXACT` pairs differ: the p-value counts how many
    ways of giving the differences signs are as far out. Else the normal approximation.
    Differences that are the same to twelve places are tied.

    Parameters
    ----------
    first, second
        Values of the same hands in the same order, such as how many runs were right.
    sides
        Names for the record.

    Returns
    -------
    Finding
        ``n`` is the number of pairs; the note says how many of them differ. The effect
        is the matched-pairs rank correlation.

    Examples
    --------
    >>> found = signed_rank([3, 4, 5, 6, 9], [1, 1, 1, 1, 1])
    >>> found.statistic, found.p_value, found.effect
    (15.0, 0.0625, 1.0)
    """
    need("scipy", extra="experiments")
    from scipy.stats import wilcoxon

    a, b, n = samples(first, second, paired=True)
    found = partial(
        Finding, test="Wilcoxon signed-rank", sides=sides, n=n, effect_name="rank correlation"
    )
    apart = np.round(a - b, 12)  # shares of runs: 0.3 - 0.2 is 0.2 - 0.1
    apart = apart[apart != 0]
    if n[0] < 2:
        return found(note="not possible: fewer than two pairs")
    effect = rank_biserial(apart)
    # SciPy reports the smaller of the two sums; which side it is would be lost.
    total = len(apart) * (len(apart) + 1) / 2
    p = 1.0
    if len(apart) > MOST_EXACT:
        p = min(float(wilcoxon(apart).pvalue), 1.0)
    elif len(apart):
        ranks = _doubled_ranks(np.abs(apart))
        p = _two_sided(_deals(ranks, len(apart)).sum(axis=0), int(ranks[apart > 0].sum()))
    return found(
        statistic=total * (1 + effect) / 2,
        statistic_name="W+",
        p_value=p,
        effect=effect,
        direction=direction_of(effect),
        note=f"{len(apart)} pairs differ" if len(apart) else ALL_TIED,
    )


def _doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each value: whole numbers, also where ties share a rank."""
    from scipy.stats import rankdata

    return np.asarray(2 * rankdata(values), np.int64)


def _deals(ranks: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """Count the ways to choose so many of the ranks with such a sum, ``[number, sum]``."""
    ways = np.zeros((most + 1, int(ranks.sum()) + 1))
    ways[0, 0] = 1
    for rank in ranks.tolist():
        ways[1:, rank:] += ways[:-1, :-rank]  # NumPy reads before it writes
    return ways


def _two_sided(ways: NDArray[np.float64], at: int) -> float:
    """Return twice the share of the ways in the shorter tail that begins at a sum."""
    tails = ways[: at + 1].sum(), ways[at:].sum()
    return min(2 * float(min(tails) / ways.sum()), 1.0)
