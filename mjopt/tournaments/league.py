"""A league: every two agents meet on the same walls, and each gets a rating."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.folder import make_folder
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.validation import told
from mjopt.errors import FileError, GameError
from mjopt.game.agents.registry import read_agent
from mjopt.reports.statistics import Interval
from mjopt.tournaments.battle import Battle, fight
from mjopt.tournaments.plan import Plan
from mjopt.tournaments.rating import bradley_terry, stable_rank
from mjopt.tournaments.rows import by_entrant
from mjopt.tournaments.store import PLAN

MATCH: Final = 4  # games to a match, as every seat begins once
RESAMPLES: Final = 1_000
ADDED: Final = 0.5  # wins added to every pair each way, so that no rating is infinite
TAILS: Final = (0.025, 0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One agent of a league.

    Parameters
    ----------
    agent
        Its text.
    name
        Its name.
    rating
        Bradley-Terry strength on Elo's scale, mean 1500.
    rating_interval
        Its bootstrap interval, over walls.
    points_a_game
        Mean points of all its seats.
    places
        How often it was first, second, third and fourth of a match.
    stable_rank
        ``(5 n1 + 2 n2) / n4 - 2`` of them; 5 for equals.
    stable_interval
        Its bootstrap interval, over matches.
    """

    agent: str
    name: str
    rating: float
    rating_interval: Interval
    points_a_game: float
    places: tuple[int, ...]
    stable_rank: float
    stable_interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class League:
    """A league that has been played.

    Parameters
    ----------
    members
        Best rating first.
    wins
        ``wins[i, j]``: walls on which member i had more points than j, a draw half a
        win; in the order of the members.
    games
        Walls of each battle.
    """

    members: tuple[Member, ...]
    wins: NDArray[np.float64]
    games: int


def check_entrants(agents: Sequence[str], games: int) -> list[str]:
    """Return the names of a league's agents, or refuse them.

    Raises
    ------
    GameError
        If they are fewer than two or not all different, one is unknown, or there are
        too few games for a match.
    """
    if len(agents) < 2 or len(set(agents)) != len(agents):
        raise GameError(f"a league of {', '.join(agents)}: expected two or more different agents")
    if games < MATCH:
        raise GameError(f"{games} games, expected at least {MATCH}: a match")
    return [read_agent(agent).name for agent in agents]


def play_league(
    agents: Sequence[str],
    *,
    games: int,
    rules: str = "gmjbg",
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    time_limit: float | None = None,
    folder: Path | None = None,
    advance: Callable[[int], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> League:
    """Let every two agents fight a battle of two rounds, seats exchanged, on the same walls.

    Whoever has more points in both rounds of a wall together has won it. Four games in a
    row are a match; its seats are ranked by their points, the earlier seat first where
    they are equal (the seat that begins the match counts as the first).

    Parameters
    ----------
    agents
        Two or more texts, all different.
    games
        Walls, at least four.
    rules, seed, time_limit
        As for :class:`Plan`.
    jobs, scheduler
        Who plays, as for :func:`fight`.
    folder
        Keep each battle in a folder there, so that a league that was stopped goes on, and
        agents may come anywhere in the list, and go: battles that stand are not fought
        again while two agents keep their order (the other order has other seats). If one
        holds more games than are asked for, all battles are fought to as many.
    advance
        Called with the number of games played, rounds counted.
    say
        Told what becomes of games that the folder held, as for :func:`fight`.

    Notes
    -----
    Half a win each way is added to every pair, so that an agent which never loses has a
    finite rating.

    Examples
    --------
    >>> league = play_league(["random", "l1", "l2"], games=8, seed=1)
    >>> [member.name for member in league.members][-1], len(league.members)
    ('random', 3)
    """
    names = check_entrants(agents, games)
    if len(set(names)) != len(names):
        raise GameError(f"a league of {', '.join(names)}: two agents have the same name")
    pairs = list(combinations(range(len(agents)), 2))
    numbers: Mapping[str, int] = {}
    if folder is not None:
        make_folder(folder, parents=False)
        numbers = _numbers(folder, agents)
        for i, j in pairs:
            two = [str(numbers[agents[k]]) for k in (i, j)]
            paths = [folder / "-".join(order) / PLAN for order in (two, two[::-1])]
            if paths[1].is_file() and not paths[0].is_file():
                say(f"{names[i]}, {names[j]}: played anew, as the other order has other seats")
    battles = [
        fight(
            Plan(
                agents=(agents[i], agents[j]) * 2,
                rules=rules,
                seed=seed,
                games=games,
                rounds=2,
                time_limit=time_limit,
            ),
            jobs=jobs,
            scheduler=scheduler,
            folder=folder and folder / f"{numbers[agents[i]]}-{numbers[agents[j]]}",
            advance=advance,
            say=say,
        )
        for i, j in pairs
    ]
    most = max(battle.plan.games for battle in battles)
    if any(battle.plan.games < most for battle in battles):  # the folder holds longer ones
        return play_league(
            agents,
            games=most,
            rules=rules,
            seed=seed,
            jobs=jobs,
            scheduler=scheduler,
            time_limit=time_limit,
            folder=folder,
            advance=advance,
            say=say,
        )
    games = most
    won = np.empty((len(pairs), games))  # by the first of a pair, a draw half
    places = np.zeros((len(agents), games // MATCH, 4), np.int64)
    points = np.zeros(len(agents))
    for number, ((i, j), battle) in enumerate(zip(pairs, battles, strict=True)):
        by = by_entrant(battle.plan, battle.rows["scores"]).astype(np.int64).sum(axis=1)
        sides = by[:, :2] + by[:, 2:]  # the points of the two, shape (G, 2)
        won[number] = 0.5 + 0.5 * np.sign(sides[:, 0] - sides[:, 1])
        points[[i, j]] += sides.sum(axis=0)
        # The same walls make the same match in every battle of an agent.
        places[[i, j]] += match_places(battle).swapaxes(0, 1)
    rng = np.random.default_rng([seed, 0x6C])
    ratings, intervals = _ratings(won, len(agents), rng)
    totals, points_a_game = places.sum(axis=1), points / (games * 4 * (len(agents) - 1))
    members = [
        Member(
            agent=agent,
            name=names[k],
            rating=ratings[k],
            rating_interval=intervals[k],
            points_a_game=float(points_a_game[k]),
            places=tuple(totals[k].tolist()),
            stable_rank=stable_rank(totals[k]),
            stable_interval=_stable_interval(places[k], rng),
        )
        for k, agent in enumerate(agents)
    ]
    order = sorted(range(len(agents)), key=lambda k: (-members[k].rating, k))
    wins = _wins(won.sum(axis=1), games - won.sum(axis=1), len(agents))
    return League(
        members=tuple(members[k] for k in order), wins=wins[np.ix_(order, order)], games=games
    )


def _numbers(folder: Path, agents: Sequence[str]) -> dict[str, int]:
    """Return each agent's number in the names of battles: as it was, and else the next.

    Raises
    ------
    FileError
        If a battle there is not that of the two agents which its name tells.
    """
    known: dict[int, str] = {}
    for path in sorted(folder.glob(f"*-*/{PLAN}")):
        two = path.parent.name.split("-")
        if len(two) != 2 or not all(text.isdecimal() for text in two):
            continue
        plan = read_json_file(path)
        theirs = plan.get("agents") if isinstance(plan, dict) else None
        if not isinstance(theirs, list) or not all(isinstance(one, str) for one in theirs):
            raise FileError(f"{path}: not the plan of a battle, expected four agents")
        for number, agent in zip(map(int, two), theirs, strict=False):
            if known.setdefault(number, agent) != agent:
                raise FileError(
                    f"{path}: agent {number} is {told(agent)}, and {known[number]} in another "
                    "battle of this league; name another folder"
                )
    numbers = {agent: number for number, agent in known.items()}
    for agent in agents:
        numbers.setdefault(agent, max(numbers.values(), default=0) + 1)
    return numbers


def match_places(battle: Battle) -> NDArray[np.int64]:
    """Return how often each side was first to fourth in each match, shape ``(M, 2, 4)``."""
    plan = battle.plan
    whole = plan.games // MATCH * MATCH
    scores = battle.rows["scores"].reshape(-1, plan.rounds, 4)[:whole]
    totals = scores.reshape(-1, MATCH, plan.rounds, 4).sum(axis=1)  # (M, R, seat)
    # A stable sort keeps the order of the seats where points are equal.
    place = np.argsort(np.argsort(-totals, axis=2, kind="stable"), axis=2)
    counted = np.zeros((len(totals), 2, 4), np.int64)
    for round_ in range(plan.rounds):
        for seat in range(4):
            side = plan.entrant_in(seat, round_) % 2
            counted[np.arange(len(totals)), side, place[:, round_, seat]] += 1
    return counted


def _wins(first: NDArray[Any], second: NDArray[Any], size: int) -> NDArray[np.float64]:
    """Return tables of wins, shape ``(..., n, n)``, from those of each pair, ``(pairs, ...)``."""
    wins = np.zeros((*first.shape[1:], size, size))
    i, j = np.triu_indices(size, 1)
    wins[..., i, j], wins[..., j, i] = np.moveaxis(first, 0, -1), np.moveaxis(second, 0, -1)
    return wins


def _ratings(
    won: NDArray[np.float64], size: int, rng: np.random.Generator
) -> tuple[list[float], list[Interval]]:
    """Return every rating and its interval from the walls that the first of each pair won."""
    games = won.shape[1]

    def rate(first: NDArray[np.float64]) -> NDArray[np.float64]:
        return bradley_terry(_wins(first + ADDED, games - first + ADDED, size))

    # All battles are of the same walls: a wall is resampled in all of them together.
    resampled = [won @ _resampled(games, rng) for _ in range(RESAMPLES)]
    bounds = np.quantile(rate(np.stack(resampled, axis=1)), TAILS, axis=0)
    return rate(won.sum(axis=1)).tolist(), [Interval(*ends) for ends in bounds.T.tolist()]


def _stable_interval(places: NDArray[np.int64], rng: np.random.Generator) -> Interval:
    weights = _resampled(len(places), rng, RESAMPLES)
    stable = [stable_rank(counts) for counts in weights @ places]
    low, high = np.quantile(np.array(stable), TAILS, method="nearest")
    return Interval(float(low), float(high))


def _resampled(number: int, rng: np.random.Generator, times: int | None = None) -> NDArray[Any]:
    """Return how often each of some things is drawn with replacement."""
    return rng.multinomial(number, np.full(number, 1 / number), size=times)
