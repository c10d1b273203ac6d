"""How well held-out decisions are answered, and what claims come of it."""

from collections.abc import Mapping, Sequence
from math import inf, isfinite, sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.agent_reproduction.decisions import EXACT, Decision
from mjopt.reports.statistics import Interval, bootstrap_mean, wilson_over_hands
from mjopt.reports.table import Cell, Table, make_table

COLUMNS: Final = (
    "as draws:percent:1 | from:percent:1 | to:percent:1 | or as good:percent:1 | "
    "as deficiency:percent:1 | or as good by it:percent:1 | keeps the least:percent:1 | "
    "keeps from:percent:1 | keeps to:percent:1 | regret:number:3:draws | "
    "regret from:number:3:draws | regret to:number:3:draws | given up:count | decisions:count"
)
"""What :meth:`Measures.cells` fills."""
LESS: Final = ("keeps from | keeps to", "regret from | regret to", "given up", "from | to")
READING: Final = (
    "As draws, as deficiency: the share of decisions answered as the exact agent does; or as good: "
    "or with a discard that it rates the same. Keeps the least: of discards, those that leave the "
    "least deficiency. Regret: exact expected draws more than the best discard's; given up: "
    "discards after which no win is left, where one was. 95 % intervals (Wilson's; a bootstrap for "
    "regret) are over games: decisions of one game are not independent."
)
HOLDS, FAILS, OPEN = "holds", "does not hold", "not to be told at this scale"


class Measures(NamedTuple):
    """How some decisions were answered."""

    games: NDArray[Any]  # the game of each decision
    # `same`, `as_good`: by exact agent: whether each decision was answered as it does, or as well
    same: Mapping[str, NDArray[Any]]
    as_good: Mapping[str, NDArray[Any]]
    thrown: NDArray[Any]  # which decisions were discards
    keeps: NDArray[Any]  # of discards: whether the least deficiency is left
    # of discards: expected draws more than the best one's, infinite where no win is left
    regrets: NDArray[Any]

    @property
    def accuracy(self) -> float:
        """The share of answers that are those of the agent of fewest expected draws."""
        return float(self.same["draws"].mean())

    def cells(self) -> tuple[Cell, ...]:
        """Return what stands in :data:`COLUMNS`."""
        has_win, games = np.isfinite(self.regrets), self.games[self.thrown]
        known = self.regrets[has_win]
        regret = (float(known.mean()), *_ends(known, games[has_win])) if len(known) else [None] * 3
        keeps = _share(self.keeps, games) if len(games) else [None] * 3
        rest = (self.as_good["draws"], self.same["deficiency"], self.as_good["deficiency"])
        return (
            *_share(self.same["draws"], self.games),
            *(float(one.mean()) for one in rest),
            *(*keeps, *regret, len(games) - len(known), len(self.games)),
        )


def _share(hits: NDArray[Any], games: NDArray[Any]) -> tuple[float, float, float]:
    """Return a share and its interval over games."""
    _, place = np.unique(games, return_inverse=True)
    return float(hits.mean()), *wilson_over_hands(np.bincount(place, hits), np.bincount(place))


def _ends(values: NDArray[Any], games: NDArray[Any]) -> Interval | tuple[None, None]:
    """Return the interval of a mean over games; one game tells none."""
    return bootstrap_mean(values, rng=0, groups=games) if np.ptp(games) else (None, None)


def measure(decisions: Sequence[Decision], answers: Sequence[int]) -> Measures:
    """Compare answers, as small numbers, with those of the exact agents."""
    both = list(zip(decisions, answers, strict=True))
    is_thrown = [answer in one.kinds for one, answer in both]
    thrown = [(one, one.kinds.index(answer)) for one, answer in both if answer in one.kinds]
    regrets = [
        one.draws[place] - best if (best := min(one.draws)) < inf else 0.0 for one, place in thrown
    ]
    return Measures(
        np.array([one.game for one, _ in both]),
        {name: np.array([a == one.answers[name][0] for one, a in both]) for name in EXACT},
        {name: np.array([a in one.answers[name] for one, a in both]) for name in EXACT},
        np.array(is_thrown),
        np.array([one.left[place] == min(one.left) for one, place in thrown], np.bool_),
        np.array(regrets, np.float64),
    )


class Claim(NamedTuple):
    """A claim of the article as a difference that is above 0 where it holds."""

    # `text`, `article`: what is claimed, and its figures
    text: str
    article: str
    measured: str  # what the difference is of
    gaps: Sequence[float]  # ours, one a seed (or a tournament); what is not finite tells nothing
    within: Interval | None = None  # the interval of one seed's, where there is but one

    @property
    def known(self) -> list[float]:
        """The differences that tell something."""
        return [float(gap) for gap in self.gaps if isfinite(gap)]

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the mean, by Student's t over seeds."""
        if len(known := self.known) < 2:
            return self.within if known else None
        from scipy.stats import t

        half = float(t.ppf(0.975, len(known) - 1)) * stdev(known) / sqrt(len(known))
        return Interval(fmean(known) - half, fmean(known) + half)

    @property
    def verdict(self) -> str:
        """Whether the interval is above 0, below, or holds it.

        Examples
        --------
        >>> [Claim("", "", "", gaps).verdict for gaps in ([1.0, 1.1], [-1.0, -1.1], [1.0, -1.0])]
        ['holds', 'does not hold', 'not to be told at this scale']
        """
        ends = self.interval or (0.0, 0.0)
        return HOLDS if ends[0] > 0 else FAILS if ends[1] < 0 else OPEN


def claims_table(name: str, claims: Sequence[Claim]) -> Table:
    """Return claims with our figures and the verdicts."""
    rows: list[tuple[Cell, ...]] = []
    for one in claims:
        mean, number = fmean(one.known) if one.known else None, len(one.known)
        ours = (mean, *(one.interval or (None, None)), number, one.verdict)
        rows.append((one.text, one.article, one.measured, *ours))
    return make_table(
        f"{name}-claims",
        "Claims of the article, and whether they hold here",
        "claim | article | difference | ours:signed:3 | from:signed:3 | to:signed:3 | n:count | "
        "at this scale",
        rows,
        "A difference is above 0 where the claim holds. The 95 % interval is Student's over n "
        "seeds (of one seed over its tournaments, or a bootstrap over games or walls, where "
        "there is one). A claim holds if all of it is above 0, and does not if all is below.",
        groups=0,
        less=("difference", "from | to", "n"),
    )


def paired(first: Measures, second: Measures) -> Interval | None:
    """Return the interval over games of how much more often the first answers as ``draws`` does."""
    ends = _ends(first.same["draws"].astype(float) - second.same["draws"], first.games)
    return ends if isinstance(ends, Interval) else None


def slope(points: Mapping[int, float]) -> float:
    """Return by how much a value grows when a number doubles, by least squares; NaN of one point.

    Examples
    --------
    >>> round(slope({1: 0.0, 2: 0.5, 8: 1.5}), 9)
    0.5
    """
    if len(points) < 2:
        return float("nan")
    return float(np.polyfit(np.log2(list(points)), list(points.values()), 1)[0])
