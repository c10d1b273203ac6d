"""Hypothesis tests, effect sizes, corrections and intervals.

The p-values come from SciPy. Our own code covers what SciPy lacks: exact rank tests in the
presence of ties, defined results for samples without spread, and one record that holds the name,
sample sizes, statistic, p-value, correction and effect size of a test.
"""

from mjopt.statistics.intervals import (
    Interval,
    bootstrap_mean,
    bootstrap_ratio,
    wilson,
    wilson_clustered,
)
from mjopt.statistics.rank_tests import (
    critical_difference,
    friedman,
    mean_ranks,
    nemenyi,
    rank_biserial,
    rank_sum,
    rank_z,
    signed_rank,
    vargha_delaney,
)
from mjopt.statistics.result import TestResult, holm, holm_correct
from mjopt.statistics.t_tests import cohens_d, equivalence, hedges_g, t_test

__all__ = [
    "Interval",
    "TestResult",
    "bootstrap_mean",
    "bootstrap_ratio",
    "cohens_d",
    "critical_difference",
    "equivalence",
    "friedman",
    "hedges_g",
    "holm",
    "holm_correct",
    "mean_ranks",
    "nemenyi",
    "rank_biserial",
    "rank_sum",
    "rank_z",
    "signed_rank",
    "t_test",
    "vargha_delaney",
    "wilson",
    "wilson_clustered",
]
