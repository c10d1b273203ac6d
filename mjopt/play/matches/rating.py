"""The rating of a person against opponents after each finished match."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from mjopt.play.tournaments.ratings import bradley_terry

Ranking = Sequence[tuple[str, int]]
"""The players of a match and their points."""


class RatingHistory(NamedTuple):
    """Ratings on Elo's scale, with mean 1500 over the person and all opponents.

    Parameters
    ----------
    own
        The rating of the person after each match.
    opponents
        The ratings of the opponents after the last match, the strongest first.
    """

    own: tuple[float, ...]
    opponents: dict[str, float]


def rate(matches: Sequence[Ranking], name: str) -> RatingHistory:
    """Return the ratings after each of a sequence of matches.

    Every two players of a match play one game for its rating: the one with more points wins. The
    ratings are Bradley-Terry strengths; one drawn game between each two players is added, so that
    they are finite from the first match.

    Parameters
    ----------
    matches
        The matches in order of time.
    name
        The person.

    Examples
    --------
    >>> first, second = [("you", 3), ("a", -1), ("b", -2)], [("you", 0), ("a", 5), ("b", -5)]
    >>> history = rate([first, second], "you")
    >>> [round(rating) for rating in history.own], [*history.opponents]
    ([1631, 1593], ['a', 'b'])
    """
    players = sorted({player for match in matches for player, _ in match})
    if name not in players or len(players) == 1:
        return RatingHistory((), {})
    place = {player: index for index, player in enumerate(players)}
    wins = np.zeros((len(matches), len(players), len(players)))
    for number, match in enumerate(matches):
        for (one, points), (other, more) in combinations(match, 2):
            if one != other:
                share = (1 + np.sign(points - more)) / 2
                wins[number, place[one], place[other]] += share
                wins[number, place[other], place[one]] += 1 - share
    drawn = (1 - np.eye(len(players))) / 2
    ratings = bradley_terry(wins.cumsum(axis=0) + drawn)
    last = {player: float(ratings[-1, place[player]]) for player in players if player != name}
    by_strength = dict(sorted(last.items(), key=lambda pair: -pair[1]))
    return RatingHistory(tuple(ratings[:, place[name]].tolist()), by_strength)
