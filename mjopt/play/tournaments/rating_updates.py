"""Ratings of persons, puzzles and agents that change with each game.

The Bradley-Terry model of Weng and Lin (2011), by openskill, on the scale of Elo: at a difference
of 400 points the stronger side wins ten times of eleven. A game of four sides counts as one between
each two of them.

References
----------
.. [1] Weng, Lin (2011), A Bayesian approximation method for online ranking.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

from mjopt.play.tournaments.ratings import ELO_MEAN, ELO_SCALE

# Leagues are rated by bradley_terry in ratings.py instead: all games at once, in no order. Here the
# order counts, because persons learn and are rated as they play. The 1,196 decided walls of a
# league of four agents, in 20 random orders, gave ratings of one agent up to 143 points apart, and
# 1,000 resamples for its intervals would take 120 s, against 0.03 s.

DEVIATION: Final = 200.0  # before the first game: 19 of 20 persons within 1500 ± 392
_BETA: Final = ELO_SCALE / log(10) / sqrt(2)
_CHANGE: Final = 5.0  # of a strength between two games
_MODEL: Final = BradleyTerryFull(mu=ELO_MEAN, sigma=DEVIATION, beta=_BETA, tau=_CHANGE)


class Rating(NamedTuple):
    """An estimate of a strength and its standard deviation."""

    mean: float = ELO_MEAN
    deviation: float = DEVIATION

    @property
    def margin(self) -> float:
        """Half the width of the interval that holds the strength 19 times of 20."""
        return 1.96 * self.deviation


def rate(sides: Sequence[Rating], points: Sequence[float]) -> list[Rating]:
    """Return the ratings of the sides of a game after it; more points win, equal ones draw.

    Examples
    --------
    >>> winner, loser = rate([Rating(), Rating()], [1, 0])
    >>> round(winner.mean + loser.mean), winner.mean > 1550, winner.deviation < 200
    (3000, True, True)
    """
    teams = [[_MODEL.rating(mu=side.mean, sigma=side.deviation)] for side in sides]
    after = _MODEL.rate(teams, scores=[float(each) for each in points])
    return [Rating(side.mu, side.sigma) for [side] in after]
