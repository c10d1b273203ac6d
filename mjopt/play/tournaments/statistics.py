"""Statistics of a battle: shares, points, turns and calls with intervals, and paired tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.play.game.state import Ending
from mjopt.play.tournaments.results import ENDINGS, Battle, by_entrant
from mjopt.statistics import (
    Interval,
    TestResult,
    bootstrap_mean,
    equivalence,
    holm_correct,
    signed_rank,
    t_test,
    wilson_clustered,
)

OWN_DRAW = (ENDINGS.index(Ending.OWN_DRAW), ENDINGS.index(Ending.REPLACEMENT))
WON = (Ending.DISCARD, Ending.OWN_DRAW, Ending.REPLACEMENT, Ending.ROBBED_KONG)
DRAWN_GAME = tuple(
    number for number, ending in enumerate(ENDINGS) if ending not in (*WON, Ending.FAULT)
)


Figure = NDArray[np.bool_] | NDArray[np.integer]
"""A figure of all games; True counts as 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The figures of one entrant, or of all entrants with the same name together."""

    name: str  # the agent's
    entrants: tuple[int, ...]  # indices of its entrants, 0 to 3
    played: int  # games: walls times rounds times its number of entrants
    wins: int
    own_draws: int  # wins with a tile that it drew
    share: Interval  # 95 % interval of the share of games won, over walls
    own_share: Interval  # the same of its own draws
    points: int  # in total
    mean: Interval  # 95 % interval of the points a game, over walls
    turn: float | None  # mean turn of its wins; None without a win
    calls: float  # mean number of its called melds at the end of a game
    paid: int  # games that another seat won with its tile
    faults: int  # games that it broke

    @property
    def win_rate(self) -> float:
        """Share of games won."""
        return self.wins / self.played

    @property
    def own_draw_rate(self) -> float:
        """Share of games won with a tile that it drew."""
        return self.own_draws / self.played

    @property
    def points_a_game(self) -> float:
        """Mean points a game."""
        return self.points / self.played


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleSummary:
    """The figures of a battle.

    Parameters
    ----------
    entrants
        The four entrants in order.
    sides
        By name: entrants with the same name together, in order of appearance.
    played
        Games played, rounds counted.
    drawn
        Drawn games.
    drawn_share
        95 % interval of their share, over walls.
    faulty
        Broken games.

    Examples
    --------
    >>> import mjopt
    >>> result = mjopt.play.battle(["l1", "random", "l1", "random"], seed=1, games=4)
    >>> summary = mjopt.play.tournaments.summarise(result)
    >>> summary.played, [side.wins for side in summary.sides]
    (16, [4, 0])
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


def figures_by_entrant(battle: Battle) -> dict[str, Figure]:
    """Return every figure by game, round and entrant, shape ``(games, rounds, 4)``."""
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
    return {name: by_entrant(battle.config, values) for name, values in figures.items()}


def _summarise_side(
    name: str, which: list[int], figures: dict[str, Figure], rng: np.random.Generator
) -> Side:
    own = {figure: values[..., which] for figure, values in figures.items()}
    total = {figure: int(values.sum()) for figure, values in own.items()}
    by_wall = {figure: values.sum(axis=(1, 2)) for figure, values in own.items()}
    runs = own["won"][0].size
    return Side(
        name=name,
        entrants=tuple(which),
        played=own["won"].size,
        wins=total["won"],
        own_draws=total["own"],
        share=wilson_clustered(by_wall["won"], runs),
        own_share=wilson_clustered(by_wall["own"], runs),
        points=total["points"],
        mean=bootstrap_mean(by_wall["points"] / runs, rng=rng),
        turn=float(own["turn"].sum() / total["won"]) if total["won"] else None,
        calls=float(own["calls"].mean()),
        paid=total["paid"],
        faults=total["broke"],
    )


def entrants_by_name(battle: Battle) -> dict[str, list[int]]:
    """Return the indices of the entrants with each name, in order of appearance."""
    names = battle.names
    return {name: [i for i in range(4) if names[i] == name] for name in names}


def summarise(battle: Battle) -> BattleSummary:
    """Return the figures of a battle; bootstraps use the battle's own seed.

    Examples
    --------
    >>> from mjopt.play import battle
    >>> summary = summarise(battle(["l1"] * 4, seed=1, games=10))
    >>> [side.points for side in summary.entrants], summary.sides[0].mean
    ([0, 0, 0, 0], Interval(low=0.0, high=0.0))
    """
    expect(battle, Battle, "battle")
    figures = figures_by_entrant(battle)
    rng = np.random.default_rng([battle.config.seed, 0x6A])
    drawn = np.isin(battle.rows["ending"], DRAWN_GAME).reshape(-1, battle.config.rounds)
    return BattleSummary(
        entrants=tuple(
            _summarise_side(name, [i], figures, rng) for i, name in enumerate(battle.names)
        ),
        sides=tuple(
            _summarise_side(name, which, figures, rng)
            for name, which in entrants_by_name(battle).items()
        ),
        played=len(battle.rows),
        drawn=int(drawn.sum()),
        drawn_share=wilson_clustered(drawn.sum(axis=1), battle.config.rounds),
        faulty=int((battle.rows["fault"] > 0).sum()),
    )


def wins_by_turn(battle: Battle) -> list[dict[str, str | int | float]]:
    """Return the share of all games that each agent has won by a turn: agent, turn, won.

    Examples
    --------
    >>> from mjopt.play import battle
    >>> wins_by_turn(battle(["l1"] * 4, seed=1, games=10))[0]
    {'agent': 'l1', 'turn': 0, 'won': 0.0}
    """
    turns = figures_by_entrant(battle)["turn"]
    last = max(int(turns.max()), 1)
    rows: list[dict[str, str | int | float]] = []
    for name, which in entrants_by_name(battle).items():
        own = turns[..., which].ravel()
        counts = np.bincount(own, minlength=last + 1).astype(float)
        counts[0] = 0  # games that it did not win
        shares = np.cumsum(counts) / len(own)
        rows += [{"agent": name, "turn": n, "won": won} for n, won in enumerate(shares.tolist())]
    return rows


def multipliers_by_name(battle: Battle) -> dict[str, dict[int, int]]:
    """Return the number of wins of each name by multiplier; empty if the rules have none."""
    if "multipliers" not in (battle.rows.dtype.names or ()):
        return {}
    multipliers = by_entrant(battle.config, battle.rows["multipliers"])
    wins_by_name = {}
    for name, which in entrants_by_name(battle).items():
        values, wins = np.unique(multipliers[..., which], return_counts=True)
        wins_by_name[name] = {int(v): int(n) for v, n in zip(values, wins, strict=True) if v}
    return wins_by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two agents on the same walls.

    Parameters
    ----------
    first, second
        Their names.
    difference
        Points a game of the first less those of the second.
    interval
        Its 95 % bootstrap interval, over walls.
    t_test, signed_rank
        Paired tests with Holm's correction over all pairs of the battle; None if they were not
        requested.
    equivalence
        Test whether they differ by less than a margin, also corrected; None without a margin.

    Examples
    --------
    >>> import mjopt
    >>> from mjopt.play.tournaments import compare
    >>> result = mjopt.play.battle(["l1", "random", "l1", "random"], seed=1, games=4)
    >>> [pair] = compare(result)
    >>> pair.first, pair.second, pair.difference
    ('l1', 'random', 0.3125)
    """

    first: str
    second: str
    difference: float
    interval: Interval
    t_test: TestResult | None = None
    signed_rank: TestResult | None = None
    equivalence: TestResult | None = None


def compare(
    battle: Battle, *, tests: bool = True, margin: float | None = None
) -> tuple[Comparison, ...]:
    """Compare every two agents of a battle by their points, wall by wall.

    Entrants with the same name are one side. With rotated seats both sides have played every hand
    of a wall; with one round each has played its own hands, and a pair only shares the game.

    Parameters
    ----------
    battle
        The battle.
    tests
        Whether to make the tests, which need SciPy; intervals do not.
    margin
        Points a game: also test whether two agents differ by less than this margin.

    Examples
    --------
    >>> from mjopt.play import battle
    >>> [pair] = compare(battle(["l1", "l2"] * 2, seed=1, games=40))
    >>> pair.first, pair.second, pair.difference < 0
    ('l1', 'l2', True)
    """
    expect(battle, Battle, "battle")
    expect(tests, bool, "tests")
    rng = np.random.default_rng([battle.config.seed, 0x6B])
    scores = by_entrant(battle.config, battle.rows["scores"])
    points = {
        name: scores[..., which].mean(axis=(1, 2))
        for name, which in entrants_by_name(battle).items()
    }
    pairs = list(combinations(points, 2))
    t_tests: Sequence[TestResult | None] = [None] * len(pairs)
    rank_tests = equivalences = t_tests
    if tests:
        t_tests = holm_correct(
            t_test(points[a], points[b], kind="paired", names=(a, b)) for a, b in pairs
        )
        rank_tests = holm_correct(signed_rank(points[a], points[b], names=(a, b)) for a, b in pairs)
    if margin is not None:
        equivalences = holm_correct(
            equivalence(points[a], points[b], margin=margin, names=(a, b)) for a, b in pairs
        )
    differences = [points[a] - points[b] for a, b in pairs]
    return tuple(
        Comparison(
            first=a,
            second=b,
            difference=float(difference.mean()),
            interval=bootstrap_mean(difference, rng=rng),
            t_test=by_t,
            signed_rank=by_rank,
            equivalence=same,
        )
        for (a, b), difference, by_t, by_rank, same in zip(
            pairs, differences, t_tests, rank_tests, equivalences, strict=True
        )
    )
