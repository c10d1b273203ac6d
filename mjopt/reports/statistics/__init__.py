"""Tests, effect sizes and corrections; every result is an :class:`Outcome`."""

from mjopt.reports.statistics.corrections import CORRECTIONS, adjust, correct
from mjopt.reports.statistics.effects import (
    cliffs_delta,
    cohens_d,
    hedges_g,
    kendalls_w,
    rank_biserial,
    vargha_delaney,
)
from mjopt.reports.statistics.outcome import Outcome
from mjopt.reports.statistics.pairs import rank_sum, signed_rank, t_test
from mjopt.reports.statistics.several import (
    critical_difference,
    friedman,
    mean_ranks,
    nemenyi,
    rank_z,
)

__all__ = [
    "CORRECTIONS",
    "Outcome",
    "adjust",
    "cliffs_delta",
    "cohens_d",
    "correct",
    "critical_difference",
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
]
