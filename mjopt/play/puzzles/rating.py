"""Ratings of players and puzzles: each first answer is a game between the two.

The Bradley-Terry model of Weng and Lin (2011), by openskill, on the scale of Elo: at a difference
of 400 points the stronger side wins ten times of eleven.

References
----------
.. [1] Weng, Lin (2011), A Bayesian approximation method for online ranking.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

MEAN: Final = 1500.0
DEVIATION: Final = 350.0  # of a player without answers
PUZZLE_DEVIATION: Final = 150.0  # of a puzzle without answers, whose difficulty is estimated
_BETA: Final = 400 / log(10) / sqrt(2)
_CHANGE: Final = 5.0  # of a player's strength between two answers
_MODEL: Final = BradleyTerryFull(mu=MEAN, sigma=DEVIATION, beta=_BETA, tau=_CHANGE)


class Rating(NamedTuple):
    """An estimate of a strength and its standard deviation."""

    mean: float = MEAN
    deviation: float = DEVIATION


def rate(winner: Rating, loser: Rating) -> tuple[Rating, Rating]:
    """Return the ratings of both sides after a game.

    Examples
    --------
    >>> winner, loser = rate(Rating(), Rating())
    >>> round(winner.mean + loser.mean), winner.mean > 1550, winner.deviation < 350
    (3000, True, True)
    """
    teams = [[_MODEL.rating(mu=side.mean, sigma=side.deviation)] for side in (winner, loser)]
    [[first], [second]] = _MODEL.rate(teams, ranks=[1, 2])
    return Rating(first.mu, first.sigma), Rating(second.mu, second.sigma)


@dataclass(slots=True)
class Ratings:
    """Ratings of all players and puzzles; a puzzle without answers has its initial rating.

    Examples
    --------
    >>> ratings = Ratings(initial={"123m": 1700.0})
    >>> ratings.add("ann", "123m", is_right=True)
    >>> ratings.player("ann").mean > 1600, ratings.puzzle("123m").mean < 1700
    (True, True)
    >>> before = ratings.player("ann")
    >>> ratings.add("ann", "123m", is_right=True)  # a repetition has no effect
    >>> ratings.player("ann") == before
    True
    """

    initial: Mapping[str, float] = field(default_factory=dict)
    _players: dict[str, Rating] = field(default_factory=dict)
    _puzzles: dict[str, Rating] = field(default_factory=dict)
    _answered: set[tuple[str, str]] = field(default_factory=set)

    def player(self, name: str) -> Rating:
        """Return the rating of a player."""
        return self._players.get(name, Rating())

    def puzzle(self, text: str) -> Rating:
        """Return the rating of a puzzle."""
        return self._puzzles.get(text, Rating(self.initial.get(text, MEAN), PUZZLE_DEVIATION))

    def add(self, player: str, puzzle: str, *, is_right: bool) -> None:
        """Rate an answer, if it is the player's first one to this puzzle."""
        if (player, puzzle) in self._answered:
            return
        self._answered.add((player, puzzle))
        sides = self.player(player), self.puzzle(puzzle)
        own, other = rate(*sides) if is_right else rate(*reversed(sides))[::-1]
        self._players[player], self._puzzles[puzzle] = own, other
