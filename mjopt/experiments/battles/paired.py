"""Which agent is better: paired tests wall by wall."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mjopt.experiments.battles.battle import Battle
from mjopt.experiments.battles.summary import per_game_points
from mjopt.reports.statistics import Finding as Outcome
from mjopt.reports.statistics import Interval, bootstrap_mean, correct, signed_rank, t_test


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two agents on the same walls.

    Parameters
    ----------
    first, second
        Their names.
    difference
        How many points a game the first is ahead.
    interval
        Its bootstrap interval, over walls.
    t_test, signed_rank
        The paired tests, corrected by Holm over all pairs of the battle; None where
        SciPy is not installed.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    t_test: Outcome | None
    signed_rank: Outcome | None


def compare(battle: Battle, *, tests: bool = True) -> tuple[Comparison, ...]:
    """Compare every two agents of a battle by their points, wall by wall.

    Entrants of one name are one side. With rotated seats both sides have played every
    hand of a wall; in a plain battle each has played its own, and a pair of values only
    shares the game.

    Parameters
    ----------
    battle
        The battle.
    tests
        Make the tests, which need SciPy; else only intervals.

    Examples
    --------
    >>> from mjopt.experiments.battles.battle import fight
    >>> from mjopt.experiments.battles.plan import Plan
    >>> [found] = compare(fight(Plan(agents=("l1", "l2") * 2, seed=1, games=400)))
    >>> found.first, found.second, found.difference < 0
    ('l1', 'l2', True)
    """
    rng = np.random.default_rng([battle.plan.seed, 0x6B])
    points = {name: per_game_points(battle, name) for name in dict.fromkeys(battle.names)}
    pairs = list(combinations(points, 2))
    by_t: tuple[Outcome | None, ...] = (None,) * len(pairs)
    by_rank: tuple[Outcome | None, ...] = (None,) * len(pairs)
    if tests:
        by_t = correct(t_test(points[a], points[b], kind="paired", sides=(a, b)) for a, b in pairs)
        by_rank = correct(signed_rank(points[a], points[b], sides=(a, b)) for a, b in pairs)
    found = []
    for (a, b), t, rank in zip(pairs, by_t, by_rank, strict=True):
        ahead = points[a] - points[b]
        found.append(
            Comparison(
                first=a,
                second=b,
                difference=float(ahead.mean()),
                interval=bootstrap_mean(ahead, rng=rng),
                t_test=t,
                signed_rank=rank,
            )
        )
    return tuple(found)
