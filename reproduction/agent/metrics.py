"""Metrics of a policy on held-out decisions, and verdicts on the article's claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan, nan, sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import t

from heldout_dataset import EXACT, Decision
from mjopt.statistics.result import holm

RESAMPLES = 2_000
LEVEL = 0.05
SIZES = ("games", "decisions", "walls", "given up")  # columns that are no measurements
TOLERANCE = 1e-9
"""Means and errors up to this are 0: differences of equal accuracies are rarely exactly 0."""


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

    def row(self, rng: np.random.Generator) -> dict[str, float]:
        """Return the columns of a table; ``rng`` resamples games."""
        low, high = bootstrap_interval(self.same["draws"], self.games, rng)
        finite = np.isfinite(self.regrets)
        regret = self.regrets[finite]
        regret_low, regret_high = bootstrap_interval(regret, self.discard_games[finite], rng)
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


def bootstrap_interval(
    values: NDArray[Any], groups: NDArray[Any], rng: np.random.Generator
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean when whole groups are resampled."""
    if len(np.unique(groups)) < 2:
        return nan, nan
    low, high = np.quantile(_resampled_means(values, groups, rng), [0.025, 0.975])
    return float(low), float(high)


def _resampled_means(
    values: NDArray[Any], groups: NDArray[Any], rng: np.random.Generator
) -> NDArray[np.float64]:
    _, index = np.unique(groups, return_inverse=True)
    sums, counts = np.bincount(index, values), np.bincount(index)
    weights = resample(len(sums), rng)
    means: NDArray[np.float64] = (weights @ sums) / (weights @ counts)
    return means


def resample(number: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw how often each of some groups is in a bootstrap sample, shape (RESAMPLES, number)."""
    return rng.multinomial(number, np.full(number, 1 / number), size=RESAMPLES)


def accuracy_error(
    agreements: Sequence[Mapping[Any, Agreement]],
    factors: Mapping[Any, float],
    rng: np.random.Generator,
) -> float:
    """Return the standard error, over games, of a sum of accuracies times factors.

    Parameters
    ----------
    agreements
        For each seed, the agreements by name. All answer the same decisions, so the sum is
        averaged over seeds decision by decision, and games are resampled for all seeds together.
    factors
        The factor of each name; 1 and -1 give a difference.
    rng
        Resamples games.
    """
    values: NDArray[Any] = np.mean(
        [sum(f * one[name].same["draws"] for name, f in factors.items()) for one in agreements],
        axis=0,
    )
    [games, *_] = [one[name].games for one in agreements for name in factors]
    number = len(np.unique(games))
    if number < 2:
        return 0.0
    return float(_resampled_means(values, games, rng).std() * sqrt(number / (number - 1)))


@dataclass(frozen=True)
class Claim:
    """A claim of the article as a difference that is positive where the claim holds.

    The mean over seeds has two errors: the spread of seeds, and the sampling of the games (walls,
    tournaments) that all seeds share. Their variances add up, with Satterthwaite's degrees of
    freedom.
    """

    text: str
    article: str  # the figures of the article
    difference: str  # description of the difference
    values: Sequence[float]  # one per seed; infinite values are ignored
    sampling_error: float = 0.0  # standard error of the mean over games; 0 if none are played

    @property
    def finite_values(self) -> list[float]:
        """The finite values."""
        return [float(value) for value in self.values if isfinite(value)]

    @property
    def mean(self) -> float:
        """The mean over seeds, 0 within the tolerance; NaN without a finite value."""
        mean = fmean(self.finite_values) if self.finite_values else nan
        return 0.0 if abs(mean) <= TOLERANCE else mean

    @property
    def error(self) -> tuple[float, float]:
        """Standard error of the mean and its degrees of freedom; NaN if it cannot be estimated."""
        values, of_games = self.finite_values, self.sampling_error**2
        of_seeds = stdev(values) ** 2 / len(values) if len(values) > 1 else 0.0
        total = sqrt(of_seeds + of_games)
        if not values or not total > TOLERANCE:
            return nan, nan
        if not of_seeds:
            return total, inf
        return total, (len(values) - 1) * ((of_seeds + of_games) / of_seeds) ** 2

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        error, freedom = self.error
        half = float(t.ppf(0.975, freedom)) * error
        return self.mean - half, self.mean + half

    @property
    def p_value(self) -> float:
        """Two-sided p-value that the difference is 0; 1 if its error cannot be estimated."""
        error, freedom = self.error
        if isnan(error) or not self.mean:
            return 1.0
        return 2 * float(t.sf(abs(self.mean) / error, freedom))


def claims_table(claims: Sequence[Claim]) -> pd.DataFrame:
    """Return the claims of a page with the reproduced figures and verdicts, corrected by Holm."""
    corrected = holm([claim.p_value for claim in claims])
    return pd.DataFrame(
        {
            "claim": claim.text,
            "article": claim.article,
            "difference": claim.difference,
            "ours": claim.mean,
            "low": claim.interval[0],
            "high": claim.interval[1],
            "n": len(claim.finite_values),
            "p (Holm)": p,
            "verdict": _verdict(claim.mean, p),
        }
        for claim, p in zip(claims, corrected, strict=True)
    )


def means_over_seeds(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean over seeds of every measurement, with Student's 95 % interval.

    Rows that agree in all columns before ``seed`` are repetitions. Intervals of single seeds, sizes
    and rows without a seed are left out, and so are means of a single value or infinite ones.
    """
    before = list(table.columns[: table.columns.get_loc("seed")])
    measured = [
        name
        for name in table.columns[len(before) + 1 :]
        if name not in SIZES and not name.endswith(("low", "high")) and not name.startswith("quart")
    ]
    rows = []
    for key, group in table.dropna(subset=["seed"]).groupby(before, sort=False):
        for name in measured:
            values = [float(value) for value in group[name] if isfinite(value)]
            if len(values) < 2:
                continue
            mean, freedom = fmean(values), len(values) - 1
            half = float(t.ppf(0.975, freedom)) * stdev(values) / sqrt(len(values))
            row = dict(zip(before, key, strict=True)) | {"measurement": name, "mean": mean}
            rows.append(row | {"low": mean - half, "high": mean + half, "n": len(values)})
    return pd.DataFrame(rows)


def _verdict(mean: float, p: float) -> str:
    if p >= LEVEL:
        return "undecided at this scale"
    return "holds" if mean > 0 else "does not hold"


def slope_factors(numbers: Sequence[int]) -> dict[int, float]:
    """Return the factors whose sum with values is their increase per doubling (least squares)."""
    if len(numbers) < 2:
        return dict.fromkeys(numbers, nan)
    logs = np.log2(numbers) - np.log2(numbers).mean()
    return dict(zip(numbers, (logs / (logs @ logs)).tolist(), strict=True))


def slope(values: Mapping[int, float]) -> float:
    """Return the increase per doubling, by least squares; NaN for a single point."""
    factors = slope_factors(list(values))
    return sum(factors[number] * value for number, value in values.items())
