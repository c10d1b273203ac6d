"""Metrics of a policy on held-out decisions, and verdicts on the article's claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from heldout_dataset import EXACT, Decision

RESAMPLES = 2_000


@dataclass(frozen=True)
class Agreement:
    """The answers of one policy compared with the exact agents, as arrays over decisions."""

    games: NDArray[Any]
    same: Mapping[str, NDArray[Any]]  # by exact agent: the same action
    as_good: Mapping[str, NDArray[Any]]  # by exact agent: an action that it rates the same
    # discards only: their games, whether the deficiency stays minimal, and the excess of the exact
    # expected draws over the best discard (infinite if no win is possible)
    discard_games: NDArray[Any]
    keeps: NDArray[Any]
    regrets: NDArray[Any]

    @property
    def accuracy(self) -> float:
        """The share of decisions answered as ``draws`` does."""
        return float(self.same["draws"].mean())

    def row(self) -> dict[str, float]:
        """Return the columns of a table."""
        low, high = bootstrap_interval(self.same["draws"], self.games)
        finite = np.isfinite(self.regrets)
        regret = self.regrets[finite]
        regret_low, regret_high = bootstrap_interval(regret, self.discard_games[finite])
        return {
            "as draws": self.accuracy,
            "as draws, low": low,
            "as draws, high": high,
            "or as good": float(self.as_good["draws"].mean()),
            "as deficiency": float(self.same["deficiency"].mean()),
            "or as good by it": float(self.as_good["deficiency"].mean()),
            "keeps the least": float(self.keeps.mean()) if len(self.keeps) else nan,
            "regret": float(regret.mean()) if len(regret) else nan,
            "regret, low": regret_low,
            "regret, high": regret_high,
            "given up": float((~finite).sum()),
            "decisions": len(self.games),
        }


COLUMNS_EXPLAINED = (
    "As draws, as deficiency: share of decisions answered as the exact agent does; or as good: or "
    "with a discard that it rates the same. Keeps the least: share of discards that leave the "
    "least deficiency. Regret: exact expected draws above the best discard's. Given up: discards "
    "after which no win is left, where one was. Low and high are 95 % bootstrap intervals over "
    "games, since decisions of one game are not independent."
)


def measure(decisions: Sequence[Decision], actions: Sequence[int]) -> Agreement:
    """Compare the actions of a policy with those of the exact agents."""
    both = list(zip(decisions, actions, strict=True))
    discards = [(one, one.discards.index(a)) for one, a in both if a in one.discards]
    return Agreement(
        games=np.array([one.game for one in decisions]),
        same={name: np.array([a == one.answers[name][0] for one, a in both]) for name in EXACT},
        as_good={name: np.array([a in one.answers[name] for one, a in both]) for name in EXACT},
        discard_games=np.array([one.game for one, _ in discards]),
        keeps=np.array([one.deficiencies[i] == min(one.deficiencies) for one, i in discards]),
        regrets=np.array([_regret(one.expected_draws, i) for one, i in discards], np.float64),
    )


def _regret(expected_draws: Sequence[float], index: int) -> float:
    best = min(expected_draws)
    return expected_draws[index] - best if best < inf else 0.0


def bootstrap_interval(values: NDArray[Any], groups: NDArray[Any]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean when whole groups are resampled."""
    if len(np.unique(groups)) < 2:
        return nan, nan
    _, index = np.unique(groups, return_inverse=True)
    sums, counts = np.bincount(index, values), np.bincount(index)
    weights = np.random.default_rng(0).multinomial(
        len(sums), np.full(len(sums), 1 / len(sums)), size=RESAMPLES
    )
    low, high = np.quantile((weights @ sums) / (weights @ counts), [0.025, 0.975])
    return float(low), float(high)


def paired_interval(first: Agreement, second: Agreement) -> tuple[float, float]:
    """Return the interval of the difference of two accuracies on the same decisions."""
    return bootstrap_interval(first.same["draws"].astype(float) - second.same["draws"], first.games)


@dataclass(frozen=True)
class Claim:
    """A claim of the article as a difference that is positive where the claim holds."""

    text: str
    article: str  # the figures of the article
    difference: str  # description of the difference
    values: Sequence[float]  # one per seed or tournament; infinite values are ignored
    # for a single value: its interval over games or walls
    interval_of_one: tuple[float, float] = (nan, nan)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean, by Student's t."""
        values = self.finite_values
        if len(values) < 2:
            return self.interval_of_one if values else (nan, nan)
        from scipy.stats import t

        half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / sqrt(len(values))
        return fmean(values) - half, fmean(values) + half

    @property
    def finite_values(self) -> list[float]:
        """The finite values."""
        return [float(value) for value in self.values if isfinite(value)]

    @property
    def verdict(self) -> str:
        """Whether the whole interval is positive, negative, or neither."""
        low, high = self.interval
        return "holds" if low > 0 else "does not hold" if high < 0 else "undecided at this scale"


def claims_table(claims: Sequence[Claim]) -> pd.DataFrame:
    """Return the claims with the reproduced figures and verdicts."""
    return pd.DataFrame(
        {
            "claim": claim.text,
            "article": claim.article,
            "difference": claim.difference,
            "ours": fmean(claim.finite_values) if claim.finite_values else nan,
            "low": claim.interval[0],
            "high": claim.interval[1],
            "n": len(claim.finite_values),
            "verdict": claim.verdict,
        }
        for claim in claims
    )


def slope(values: Mapping[int, float]) -> float:
    """Return the increase per doubling, by least squares; NaN for a single point."""
    if len(values) < 2:
        return nan
    return float(np.polyfit(np.log2(list(values)), list(values.values()), 1)[0])
