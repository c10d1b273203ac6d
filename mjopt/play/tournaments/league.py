"""Leagues: every two agents play a battle on the same walls, and every agent gets a rating."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import make_folder
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.validation import expect_all, whole
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.tournaments.api import battle
from mjopt.play.tournaments.checkpoint import CONFIG
from mjopt.play.tournaments.ratings import bradley_terry, stable_rank
from mjopt.play.tournaments.results import Battle, by_entrant
from mjopt.statistics import Interval

MATCH: Final = 4  # games in a match: every seat deals one
RESAMPLES: Final = 1_000
EXTRA_WINS: Final = 0.5  # wins added to every pair in both directions, to keep ratings finite
TAILS: Final = (0.025, 0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One agent of a league."""

    agent: str  # the text that names it
    name: str
    rating: float  # Bradley-Terry strength on Elo's scale, mean 1500
    rating_interval: Interval  # its 95 % bootstrap interval, over walls
    points_a_game: float  # mean points of all its seats
    places: tuple[int, ...]  # number of matches in which it was first, second, third and fourth
    stable_rank: float  # (5 n1 + 2 n2) / n4 - 2; 5 for players of equal strength
    stable_interval: Interval  # its 95 % bootstrap interval, over matches


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class League:
    """The result of a league.

    Parameters
    ----------
    members
        Best rating first.
    wins
        ``wins[i, j]``: walls on which member i had more points than j, a draw half a win; in the
        order of the members.
    games
        Walls of each battle.

    Examples
    --------
    >>> result = league(["random", "l1"], games=4, seed=1)
    >>> result.games, [member.name for member in result.members]
    (4, ['l1', 'random'])
    """

    members: tuple[Member, ...]
    wins: "NDArray[np.float64]"
    games: int


def check_entrants(agents: Sequence[str], games: int) -> list[str]:
    """Return the names of a league's agents.

    ArgumentError if they are fewer than two, two have the same name, or there are too few games for
    a match; GameError if one is unknown.
    """
    expect_all(agents, str, "agents")
    if len(agents) < 2 or len(set(agents)) != len(agents):
        raise ArgumentError(
            f"a league of {shorten(', '.join(agents))}", expected="two or more different agents"
        )
    if whole(games, "games") < MATCH:
        raise ArgumentError(
            argument="games", value=str(games), expected=f"at least {MATCH}: a match"
        )
    names = [read_agent(agent).name for agent in agents]
    if len(set(names)) != len(names):
        raise ArgumentError(f"a league of {', '.join(names)}: two agents have the same name")
    return names


def league(
    agents: Sequence[str],
    *,
    games: int,
    rules: str = "gmjbg",
    seed: int = 0,
    jobs: int = 1,
    scheduler: str | None = None,
    time_limit: float | None = None,
    folder: str | PathLike[str] | None = None,
    advance: Callable[[int], None] = ignore,
    log: Callable[[str], None] = ignore,
) -> League:
    """Let every two agents play a battle of two rounds, seats exchanged, on the same walls.

    A wall is won by the agent with more points in both rounds together. Four games in a row are a
    match; its seats are ranked by their points, ties by seat (the seat that deals first is the
    first).

    Parameters
    ----------
    agents
        Two or more texts, all different.
    games
        Walls of each battle, at least four.
    rules, seed, time_limit
        As in :class:`mjopt.play.tournaments.BattleConfig`.
    jobs, scheduler
        Worker processes, or the address of a Dask scheduler.
    folder
        Folder with one folder for each battle, so that the same call continues after an
        interruption, and agents can be added or removed. A battle is played again if the order of
        its two agents changes, since they would have other seats. If a battle in the folder has
        more games than requested, all battles are played to as many.
    advance
        Called with the number of games played, rounds counted.
    log
        Called with messages for the user.

    Raises
    ------
    ArgumentError, GameError, FileError
        If the league is not valid, or the folder holds something else.

    Notes
    -----
    Half a win each way is added to every pair, so that an agent that never loses has a finite
    rating.

    Examples
    --------
    >>> result = league(["random", "l1", "l2"], games=8, seed=1)
    >>> [member.name for member in result.members][-1], len(result.members)
    ('random', 3)
    """
    names = check_entrants(agents, games)
    pairs = list(combinations(range(len(agents)), 2))
    folders: list[Path | None] = [None] * len(pairs)
    if folder is not None:
        make_folder(Path(folder), parents=False)
        numbers = _agent_numbers(Path(folder), agents)
        for index, (i, j) in enumerate(pairs):
            own, other = (
                Path(folder) / f"{numbers[agents[a]]}-{numbers[agents[b]]}"
                for a, b in ((i, j), (j, i))
            )
            folders[index] = own
            if (other / CONFIG).is_file() and not (own / CONFIG).is_file():
                log(f"{names[i]}, {names[j]}: played again, as the other order has other seats")

    def play(number_of_games: int) -> list[Battle]:
        return [
            battle(
                (agents[i], agents[j]) * 2,
                rules=rules,
                seed=seed,
                games=number_of_games,
                rounds=2,
                time_limit=time_limit,
                jobs=jobs,
                scheduler=scheduler,
                folder=battle_folder,
                advance=advance,
                log=log,
            )
            for (i, j), battle_folder in zip(pairs, folders, strict=True)
        ]

    battles = play(games)
    most = max(result.config.games for result in battles)
    if any(result.config.games < most for result in battles):  # the folder holds longer ones
        battles = play(most)
    return _rate(agents, names, battles, np.random.default_rng([seed, 0x6C]))


def _rate(
    agents: Sequence[str],
    names: Sequence[str],
    battles: Sequence[Battle],
    rng: np.random.Generator,
) -> League:
    pairs, games = list(combinations(range(len(agents)), 2)), battles[0].config.games
    won = np.empty((len(pairs), games))  # by the first of a pair, a draw half
    places = np.zeros((len(agents), games // MATCH, 4), np.int64)
    points = np.zeros(len(agents))
    for number, ((i, j), result) in enumerate(zip(pairs, battles, strict=True)):
        scores = result.rows["scores"]
        by_wall = by_entrant(result.config, scores).astype(np.int64).sum(axis=1)
        sides = by_wall[:, :2] + by_wall[:, 2:]  # the points of the two agents, shape (G, 2)
        won[number] = 0.5 + 0.5 * np.sign(sides[:, 0] - sides[:, 1])
        points[[i, j]] += sides.sum(axis=0)
        # Match m has the same walls in all battles of an agent.
        places[[i, j]] += match_places(result).swapaxes(0, 1)
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
    wins = _win_tables(won.sum(axis=1), games - won.sum(axis=1), len(agents))
    return League(
        members=tuple(members[k] for k in order), wins=wins[np.ix_(order, order)], games=games
    )


def _agent_numbers(folder: Path, agents: Sequence[str]) -> dict[str, int]:
    """Return the number of each agent in the names of battle folders; new agents get the next.

    FileError if the agents of a battle contradict the name of its folder.
    """
    known: dict[int, str] = {}
    for path in sorted(folder.glob(f"*-*/{CONFIG}")):
        two = path.parent.name.split("-")
        if len(two) != 2 or not all(text.isdecimal() for text in two):
            continue
        document = read_json_file(path)
        settings = document.get("settings") if isinstance(document, dict) else None
        texts = settings.get("agents") if isinstance(settings, dict) else None
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise FileError(
                "not the configuration of a battle", argument=str(path), expected="four agents"
            )
        for number, agent in zip(map(int, two), texts, strict=False):
            if known.setdefault(number, agent) != agent:
                raise FileError(
                    f"agent {number} is {shorten(agent)}, and {shorten(known[number])} in "
                    "another battle of this league",
                    argument=str(path),
                    hint="name another folder",
                )
    numbers = {agent: number for number, agent in known.items()}
    for agent in agents:
        numbers.setdefault(agent, max(numbers.values(), default=0) + 1)
    return numbers


def match_places(result: Battle) -> NDArray[np.int64]:
    """Return how often each of two agents was first to fourth in each match, ``(M, 2, 4)``."""
    config = result.config
    whole = config.games // MATCH * MATCH
    scores = result.rows["scores"].reshape(-1, config.rounds, 4)[:whole]
    totals = scores.reshape(-1, MATCH, config.rounds, 4).sum(axis=1)  # (M, R, seat)
    # A stable sort keeps the order of the seats where points are equal.
    place = np.argsort(np.argsort(-totals, axis=2, kind="stable"), axis=2)
    counted = np.zeros((len(totals), 2, 4), np.int64)
    for round_ in range(config.rounds):
        for seat in range(4):
            side = config.entrant_in(seat, round_) % 2
            counted[np.arange(len(totals)), side, place[:, round_, seat]] += 1
    return counted


def _win_tables(
    first: NDArray[np.float64], second: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Return tables of wins, ``(..., n, n)``, from the wins of each pair, ``(pairs, ...)``."""
    wins = np.zeros((*first.shape[1:], size, size))
    i, j = np.triu_indices(size, 1)
    wins[..., i, j], wins[..., j, i] = np.moveaxis(first, 0, -1), np.moveaxis(second, 0, -1)
    return wins


def _ratings(
    won: NDArray[np.float64], size: int, rng: np.random.Generator
) -> tuple[list[float], list[Interval]]:
    """Return every rating and its interval from the walls won by the first of each pair."""
    games = won.shape[1]

    def rate(first: NDArray[np.float64]) -> NDArray[np.float64]:
        return bradley_terry(_win_tables(first + EXTRA_WINS, games - first + EXTRA_WINS, size))

    # All battles have the same walls: a wall is resampled in all of them together.
    resampled = [won @ _resampling_weights(games, rng) for _ in range(RESAMPLES)]
    bounds = np.quantile(rate(np.stack(resampled, axis=1)), TAILS, axis=0)
    return rate(won.sum(axis=1)).tolist(), [Interval(*ends) for ends in bounds.T.tolist()]


def _stable_interval(places: NDArray[np.int64], rng: np.random.Generator) -> Interval:
    weights = _resampling_weights(len(places), rng, RESAMPLES)
    ranks = [stable_rank(counts) for counts in weights @ places]
    low, high = np.quantile(np.array(ranks), TAILS, method="nearest")
    return Interval(float(low), float(high))


def _resampling_weights(
    number: int, rng: np.random.Generator, times: int | None = None
) -> NDArray[np.int64]:
    """Return bootstrap multiplicities: how often each item is drawn with replacement."""
    return rng.multinomial(number, np.full(number, 1 / number), size=times)
