"""How well held-out decisions are answered, and what claims come of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.experiments.reproduction.agent.decisions import EXACT, Decision
from mjopt.reports.statistics import Interval, bootstrap_mean, wilson
from mjopt.reports.table import Cell, Table, make_table

COLUMNS: Final = (
    "as draws:percent:1 | from:percent:1 | to:percent:1 | or as good:percent:1 | "
    "as deficiency:percent:1 | or as good by it:percent:1 | keeps the least:percent:1 | "
    "keeps from:percent:1 | keeps to:percent:1 | regret:number:3:draws | "
    "regret from:number:3:draws | regret to:number:3:draws | given up:count | decisions:count"
)
"""What :meth:`Measures.cells` fills."""

READING: Final = (
    "As draws, as deficiency: the share of decisions answered as the exact agent does; or as good: "
    "or with a discard that it rates the same. Keeps the least: of discards, those that leave the "
    "least deficiency. Regret: exact expected draws more than the best discard's; given up: "
    "discards after which no win is left, where one was. 95 % intervals (Wilson's; a bootstrap for "
    "regret) take decisions as independent."
)
HOLDS, FAILS, OPEN = "holds", "does not hold", "not to be told at this scale"


class Share(NamedTuple):
    """A share and its interval; None of nothing."""

    share: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, hits: NDArray[Any]) -> "Share":
        """Return the share of what is true."""
        if not len(hits):
            return cls(None, None, None)
        return cls(float(hits.mean()), *wilson(int(hits.sum()), len(hits)))


@dataclass(frozen=True, kw_only=True)
class Measures:
    """How some decisions were answered.

    Parameters
    ----------
    same, as_good
        By exact agent: whether each decision was answered as it does, or as well.
    keeps
        Of discards: whether the least deficiency is left.
    regrets
        Of discards: expected draws more than the best one's, infinite where no win is left.
    """

    same: dict[str, NDArray[Any]]
    as_good: dict[str, NDArray[Any]]
    keeps: NDArray[Any]
    regrets: NDArray[Any]

    @property
    def accuracy(self) -> float:
        """The share of answers that are those of the agent of fewest expected draws."""
        return float(self.same["draws"].mean())

    @property
    def regret(self) -> float | None:
        """The mean regret of discards that give no win up."""
        known = self.regrets[np.isfinite(self.regrets)]
        return float(known.mean()) if len(known) else None

    def cells(self) -> tuple[Cell, ...]:
        """Return what stands in :data:`COLUMNS`."""
        known = self.regrets[np.isfinite(self.regrets)]
        ends = bootstrap_mean(known, rng=0) if len(known) else (None, None)
        return (
            *Share.of(self.same["draws"]),
            Share.of(self.as_good["draws"]).share,
            Share.of(self.same["deficiency"]).share,
            Share.of(self.as_good["deficiency"]).share,
            *Share.of(self.keeps),
            self.regret,
            *ends,
            len(self.regrets) - len(known),
            len(self.same["draws"]),
        )


def measure(decisions: Sequence[Decision], answers: Sequence[int]) -> Measures:
    """Compare answers, as small numbers, with those of the exact agents."""
    both = list(zip(decisions, answers, strict=True))
    keeps, regrets = [], []
    for one, answer in both:
        if answer not in one.kinds:  # no discard: those have the numbers of their kinds
            continue
        place, best = one.kinds.index(answer), min(one.draws)
        keeps.append(one.left[place] == min(one.left))
        regrets.append(one.draws[place] - best if best < inf else 0.0)
    return Measures(
        same={e: np.array([a == one.answers[e][0] for one, a in both]) for e in EXACT},
        as_good={e: np.array([a in one.answers[e] for one, a in both]) for e in EXACT},
        keeps=np.array(keeps, np.bool_),
        regrets=np.array(regrets, np.float64),
    )


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim of the article as a difference that is above 0 where it holds.

    Parameters
    ----------
    text, article
        What is claimed, and its figures.
    measured
        What the difference is of.
    gaps
        Ours, one a seed (or one a tournament); what is not finite tells nothing.
    within
        The interval of one seed's, where there is but one.
    """

    text: str
    article: str
    measured: str
    gaps: Sequence[float]
    within: Interval | None = None
    known: list[float] = field(init=False)

    def __post_init__(self) -> None:
        """Keep what can be told."""
        known = [float(gap) for gap in self.gaps if isfinite(gap)]
        object.__setattr__(self, "known", known)

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the mean, by Student's t over seeds."""
        if len(self.known) < 2:
            return self.within if self.known else None
        from scipy.stats import t

        half = float(t.ppf(0.975, len(self.known) - 1)) * stdev(self.known) / sqrt(len(self.known))
        return Interval(fmean(self.known) - half, fmean(self.known) + half)

    @property
    def verdict(self) -> str:
        """Whether the interval is above 0, below, or holds it.

        Examples
        --------
        >>> [Claim(text="", article="", measured="", gaps=gaps).verdict
        ...     for gaps in ([1.0, 1.1, 0.9], [-1.0, -1.1], [1.0, -1.0, 0.5], [1.0], [])]
        ['holds', 'does not hold', 'not to be told at this scale', 'not to be told at this scale',
        'not to be told at this scale']
        """
        if (ends := self.interval) is None:
            return OPEN
        return HOLDS if ends.low > 0 else FAILS if ends.high < 0 else OPEN


def claims_table(name: str, claims: Sequence[Claim]) -> Table:
    """Return claims with our figures and the verdicts."""
    rows = []
    for one in claims:
        mean = fmean(one.known) if one.known else None
        ends = one.interval or (None, None)
        rows.append((one.text, one.article, one.measured, mean, *ends, len(one.known), one.verdict))
    return make_table(
        f"{name}-claims",
        "Claims of the article, and whether they hold here",
        "claim | article | difference | ours:signed:3 | from:signed:3 | to:signed:3 | n:count | "
        "at this scale",
        rows,
        "A difference is above 0 where the claim holds. The 95 % interval is Student's over n "
        "seeds (or tournaments); of one seed it is a bootstrap over decisions or walls, if there is "
        "one. A claim holds if all of it is above 0, and does not if all is below.",
        groups=0,
    )


def paired(first: Measures, second: Measures) -> Interval:
    """Return the interval of how much more often the first answers as ``draws`` does."""
    gap = first.same["draws"].astype(float) - second.same["draws"]
    return bootstrap_mean(gap, rng=0)


def slope(points: dict[int, float]) -> float:
    """Return by how much a value grows when a number doubles, by least squares.

    Examples
    --------
    >>> round(slope({1: 0.0, 2: 0.5, 8: 1.5}), 9)
    0.5
    """
    return float(np.polyfit(np.log2(list(points)), list(points.values()), 1)[0])
