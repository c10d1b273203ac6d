"""What a battle shows: shares, points, turns and calls, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.experiments.battles.battle import Battle
from mjopt.experiments.battles.rows import ENDINGS, by_entrant
from mjopt.game.state import Ending
from mjopt.reports.statistics import Interval, bootstrap_mean, wilson_over_hands

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


@dataclass(frozen=True, slots=True)
class _ByEntrant:
    """Every figure by game, round and entrant, shape ``(G, R, 4)``."""

    won: NDArray[Any]
    own: NDArray[Any]
    points: NDArray[Any]
    turn: NDArray[Any]
    calls: NDArray[Any]
    paid: NDArray[Any]
    broke: NDArray[Any]


def _figures(battle: Battle) -> _ByEntrant:
    rows, plan = battle.rows, battle.plan
    seats = np.arange(4, dtype=np.uint8)
    won = (rows["winners"][:, None] >> seats & 1).astype(bool)
    own = won & np.isin(rows["ending"], OWN_DRAW)[:, None]
    is_payer = rows["payer"][:, None] == seats.astype(np.int8)
    broke = is_payer & (rows["fault"] > 0)[:, None]
    values = (
        won,
        own,
        rows["scores"],
        won * rows["turn"][:, None],
        rows["calls"],
        is_payer & ~broke,
        broke,
    )
    return _ByEntrant(*(by_entrant(plan, value) for value in values))


def _side(name: str, entrants: Sequence[int], by: _ByEntrant, rng: np.random.Generator) -> Side:
    which = list(entrants)
    won, own, points = by.won[..., which], by.own[..., which], by.points[..., which]
    runs = won.shape[1] * won.shape[2]
    a_game = points.sum(axis=(1, 2)) / runs
    wins = int(won.sum())
    return Side(
        name=name,
        entrants=tuple(which),
        played=won.size,
        wins=wins,
        own_draws=int(own.sum()),
        share=wilson_over_hands(won.sum(axis=(1, 2)), runs),
        own_share=wilson_over_hands(own.sum(axis=(1, 2)), runs),
        points=int(points.sum()),
        mean=bootstrap_mean(a_game, rng=rng),
        turn=float(by.turn[..., which].sum() / wins) if wins else None,
        calls=float(by.calls[..., which].mean()),
        paid=int(by.paid[..., which].sum()),
        faults=int(by.broke[..., which].sum()),
    )


def summarise(battle: Battle) -> Summary:
    """Return what a battle shows. Bootstraps draw from the battle's own seed.

    Examples
    --------
    >>> from mjopt.experiments.battles.battle import fight
    >>> from mjopt.experiments.battles.plan import Plan
    >>> found = summarise(fight(Plan(agents=("l1",) * 4, seed=1, games=50)))
    >>> [side.points for side in found.entrants], found.sides[0].mean
    ([0, 0, 0, 0], Interval(low=0.0, high=0.0))
    """
    by = _figures(battle)
    rng = np.random.default_rng([battle.plan.seed, 0x6A])
    names = battle.names
    drawn = np.isin(battle.rows["ending"], DRAWN_GAME).reshape(-1, battle.plan.rounds)
    return Summary(
        entrants=tuple(_side(name, [entrant], by, rng) for entrant, name in enumerate(names)),
        sides=tuple(
            _side(name, [e for e in range(4) if names[e] == name], by, rng)
            for name in dict.fromkeys(names)
        ),
        played=len(battle.rows),
        drawn=int(drawn.sum()),
        drawn_share=wilson_over_hands(drawn.sum(axis=1), battle.plan.rounds),
        faulty=int((battle.rows["fault"] > 0).sum()),
    )


def per_game_points(battle: Battle, name: str) -> NDArray[np.float64]:
    """Return the mean points a game of the entrants of one name, wall by wall, shape ``(G,)``."""
    points = by_entrant(battle.plan, battle.rows["scores"])
    which = [entrant for entrant in range(4) if battle.names[entrant] == name]
    means: NDArray[np.float64] = points[..., which].mean(axis=(1, 2))
    return means
