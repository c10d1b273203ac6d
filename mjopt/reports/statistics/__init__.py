"""Tests, effect sizes and corrections; every result is a :class:`Finding`."""

from mjopt.reports.statistics.effect_sizes import (
    cliffs_delta,
    cohens_d,
    hedges_g,
    rank_biserial,
    vargha_delaney,
)
from mjopt.reports.statistics.finding import Finding
from mjopt.reports.statistics.intervals import Interval, bootstrap_mean, wilson, wilson_over_hands
from mjopt.reports.statistics.rank_tests import rank_sum, signed_rank
from mjopt.reports.statistics.several import (
    CORRECTIONS,
    adjust,
    correct,
    critical_difference,
    friedman,
    kendalls_w,
    mean_ranks,
    nemenyi,
    rank_z,
)
from mjopt.reports.statistics.t_tests import equivalence, t_test

__all__ = [
    "CORRECTIONS",
    "Finding",
    "Interval",
    "adjust",
    "bootstrap_mean",
    "cliffs_delta",
    "cohens_d",
    "correct",
    "critical_difference",
    "equivalence",
    "friedman",
    "hedges_g",
    "kendalls_w",
    "mean_ranks",
    "nemenyi",
    "rank_biserial",
    "rank_sum",
    "rank_z",
    "signed_rank",
    "t_test",
    "vargha_delaney",
    "wilson",
    "wilson_over_hands",
]
