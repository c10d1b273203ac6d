"""The rating of a person against opponents after each finished match."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from mjopt.play.tournaments.rating_updates import Rating, rate

Ranking = Sequence[tuple[str, int]]
"""The players of a match and their points."""


class RatingHistory(NamedTuple):
    """Ratings on Elo's scale."""

    own: tuple[Rating, ...]  # the rating of the person after each match
    opponents: dict[str, float]  # their ratings after the last match, the strongest first


def rate_matches(matches: Sequence[Ranking], name: str) -> RatingHistory:
    """Return the ratings of a person and of its opponents, given its matches in order of time.

    An agent at two seats gets the mean of the ratings of both.

    Examples
    --------
    >>> first, second = [("you", 3), ("a", -1), ("b", -2)], [("you", 0), ("a", 5), ("b", -5)]
    >>> history = rate_matches([first, second], "you")
    >>> history.own[0].mean > history.own[1].mean > 1500, [*history.opponents]
    (True, ['a', 'b'])
    """
    ratings, own = dict[str, Rating](), list[Rating]()
    for match in matches:
        players, points = zip(*match, strict=True)
        after = rate([ratings.get(player, Rating()) for player in players], points)
        for player in set(players):
            seats = [each for other, each in zip(players, after, strict=True) if other == player]
            ratings[player] = Rating(*map(fmean, zip(*seats, strict=True)))
        own.append(ratings[name])
    ratings.pop(name, None)
    by_strength = sorted(ratings.items(), key=lambda pair: -pair[1].mean)
    return RatingHistory(tuple(own), {player: each.mean for player, each in by_strength})
