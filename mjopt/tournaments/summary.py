"""What a battle shows: shares, points, turns and calls with intervals, and paired tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.game.state import Ending
from mjopt.reports.statistics import (
    Finding,
    Interval,
    bootstrap_mean,
    correct,
    equivalence,
    signed_rank,
    t_test,
    wilson_over_hands,
)
from mjopt.tournaments.battle import Battle
from mjopt.tournaments.rows import ENDINGS, by_entrant

OWN_DRAW = (ENDINGS.index(Ending.OWN_DRAW), ENDINGS.index(Ending.REPLACEMENT))
DRAWN_GAME = (ENDINGS.index(Ending.WALL_EMPTY), ENDINGS.index(Ending.FOUR_KONGS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How one entrant did, or all entrants of the same name together.

    Parameters
    ----------
    name
        The agent's name.
    entrants
        Which of the four, from 0.
    played
        Games played, rounds counted, times the number of its entrants.
    wins, own_draws
        Games won, and those of them with a tile it drew.
    share
        The interval of the share of games won, over walls.
    own_share
        That of games won with its own draw.
    points
        All points.
    mean
        The interval of the points a game, over walls.
    turn
        The mean turn of its wins; None without a win.
    calls
        Mean number of its melds on the table at the end of a game.
    paid
        Games in which another seat won with its tile.
    faults
        Games it broke.
    """

    name: str
    entrants: tuple[int, ...]
    played: int
    wins: int
    own_draws: int
    share: Interval
    own_share: Interval
    points: int
    mean: Interval
    turn: float | None
    calls: float
    paid: int
    faults: int

    @property
    def win_rate(self) -> float:
        """Share of games won."""
        return self.wins / self.played

    @property
    def own_draw_rate(self) -> float:
        """Share of games won with its own draw."""
        return self.own_draws / self.played

    @property
    def points_a_game(self) -> float:
        """Mean points."""
        return self.points / self.played


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a battle shows.

    Parameters
    ----------
    entrants
        The four, in order.
    sides
        By name: entrants of one name together. One a name, in order of appearance.
    played
        Games played, rounds counted.
    drawn
        Drawn games.
    drawn_share
        The interval of their share, over walls.
    faulty
        Games that were broken.
    """

    entrants: tuple[Side, ...]
    sides: tuple[Side, ...]
    played: int
    drawn: int
    drawn_share: Interval
    faulty: int

    @property
    def drawn_rate(self) -> float:
        """Share of drawn games."""
        return self.drawn / self.played


def figures_by_entrant(battle: Battle) -> dict[str, NDArray[Any]]:
    """Return every figure by game, round and entrant, shape ``(G, R, 4)``."""
    rows = battle.rows
    seats = np.arange(4, dtype=np.uint8)
    won = (rows["winners"][:, None] >> seats & 1).astype(bool)
    is_payer = rows["payer"][:, None] == seats.astype(np.int8)
    broke = is_payer & (rows["fault"] > 0)[:, None]
    figures = {
        "won": won,
        "own": won & np.isin(rows["ending"], OWN_DRAW)[:, None],
        "points": rows["scores"],
        "turn": won * rows["turn"][:, None],
        "calls": rows["calls"],
        "paid": is_payer & ~broke,
        "broke": broke,
    }
    return {name: by_entrant(battle.plan, values) for name, values in figures.items()}


def _side(
    name: str, which: list[int], figures: dict[str, NDArray[Any]], rng: np.random.Generator
) -> Side:
    own = {what: values[..., which] for what, values in figures.items()}
    total = {what: int(values.sum()) for what, values in own.items()}
    by_wall = {what: values.sum(axis=(1, 2)) for what, values in own.items()}
    runs = own["won"][0].size
    return Side(
        name=name,
        entrants=tuple(which),
        played=own["won"].size,
        wins=total["won"],
        own_draws=total["own"],
        share=wilson_over_hands(by_wall["won"], runs),
        own_share=wilson_over_hands(by_wall["own"], runs),
        points=total["points"],
        mean=bootstrap_mean(by_wall["points"] / runs, rng=rng),
        turn=float(own["turn"].sum() / total["won"]) if total["won"] else None,
        calls=float(own["calls"].mean()),
        paid=total["paid"],
        faults=total["broke"],
    )


def entrants_by_name(battle: Battle) -> dict[str, list[int]]:
    """Return which of the four have each name, in order of appearance."""
    names = battle.names
    return {name: [e for e in range(4) if names[e] == name] for name in names}


def summarise(battle: Battle) -> Summary:
    """Return what a battle shows. Bootstraps draw from the battle's own seed.

    Examples
    --------
    >>> from mjopt.tournaments.battle import fight
    >>> from mjopt.tournaments.plan import Plan
    >>> found = summarise(fight(Plan(agents=("l1",) * 4, seed=1, games=50)))
    >>> [side.points for side in found.entrants], found.sides[0].mean
    ([0, 0, 0, 0], Interval(low=0.0, high=0.0))
    """
    figures = figures_by_entrant(battle)
    rng = np.random.default_rng([battle.plan.seed, 0x6A])
    drawn = np.isin(battle.rows["ending"], DRAWN_GAME).reshape(-1, battle.plan.rounds)
    return Summary(
        entrants=tuple(_side(name, [e], figures, rng) for e, name in enumerate(battle.names)),
        sides=tuple(
            _side(name, which, figures, rng) for name, which in entrants_by_name(battle).items()
        ),
        played=len(battle.rows),
        drawn=int(drawn.sum()),
        drawn_share=wilson_over_hands(drawn.sum(axis=1), battle.plan.rounds),
        faulty=int((battle.rows["fault"] > 0).sum()),
    )


def multipliers_by_name(battle: Battle) -> dict[str, dict[int, int]]:
    """Return how many wins of each name had which multiplier; empty if the rules have none.

    Examples
    --------
    >>> from mjopt.tournaments.battle import fight
    >>> from mjopt.tournaments.plan import Plan
    >>> multipliers_by_name(fight(Plan(agents=("l1",) * 4, seed=1, games=2)))
    {}
    """
    if "multipliers" not in (battle.rows.dtype.names or ()):
        return {}
    worth = by_entrant(battle.plan, battle.rows["multipliers"])
    found = {}
    for name, which in entrants_by_name(battle).items():
        values, wins = np.unique(worth[..., which], return_counts=True)
        found[name] = {int(v): int(n) for v, n in zip(values, wins, strict=True) if v}
    return found


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
    equivalence
        Whether they differ by less than a margin, likewise corrected; None unless asked.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    t_test: Finding | None = None
    signed_rank: Finding | None = None
    equivalence: Finding | None = None


def compare(
    battle: Battle, *, tests: bool = True, margin: float | None = None
) -> tuple[Comparison, ...]:
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
    margin
        Test also whether two agents differ by less than so many points a game.

    Examples
    --------
    >>> from mjopt.tournaments.battle import fight
    >>> from mjopt.tournaments.plan import Plan
    >>> [found] = compare(fight(Plan(agents=("l1", "l2") * 2, seed=1, games=400)))
    >>> found.first, found.second, found.difference < 0
    ('l1', 'l2', True)
    """
    rng = np.random.default_rng([battle.plan.seed, 0x6B])
    scores = by_entrant(battle.plan, battle.rows["scores"])
    points = {
        name: scores[..., which].mean(axis=(1, 2))
        for name, which in entrants_by_name(battle).items()
    }
    pairs = list(combinations(points, 2))
    by_t: Sequence[Finding | None] = [None] * len(pairs)
    by_rank = same = by_t
    if tests:
        by_t = correct(t_test(points[a], points[b], kind="paired", sides=(a, b)) for a, b in pairs)
        by_rank = correct(signed_rank(points[a], points[b], sides=(a, b)) for a, b in pairs)
    if margin is not None:
        same = correct(
            equivalence(points[a], points[b], margin=margin, sides=(a, b)) for a, b in pairs
        )
    ahead = [points[a] - points[b] for a, b in pairs]
    return tuple(
        Comparison(
            first=a,
            second=b,
            difference=float(gap.mean()),
            interval=bootstrap_mean(gap, rng=rng),
            t_test=t,
            signed_rank=rank,
            equivalence=alike,
        )
        for (a, b), gap, t, rank, alike in zip(pairs, ahead, by_t, by_rank, same, strict=True)
    )
