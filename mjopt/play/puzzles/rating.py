"""Ratings of players and puzzles: each first answer is a game between the two."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mjopt.play.tournaments.rating_updates import Rating, rate
from mjopt.play.tournaments.ratings import ELO_MEAN

PUZZLE_DEVIATION: Final = 150.0  # of a puzzle without answers, whose difficulty is estimated


@dataclass(slots=True)
class Ratings:
    """Ratings of all players and puzzles; a puzzle without answers has its initial rating.

    Examples
    --------
    >>> ratings = Ratings(initial={"123m": 1700.0})
    >>> ratings.add("ann", "123m", is_right=True)
    >>> ratings.player("ann").mean > 1550, ratings.puzzle("123m").mean < 1700
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
        return self._puzzles.get(text, Rating(self.initial.get(text, ELO_MEAN), PUZZLE_DEVIATION))

    def add(self, player: str, puzzle: str, *, is_right: bool) -> None:
        """Rate an answer, if it is the player's first one to this puzzle."""
        if (player, puzzle) in self._answered:
            return
        self._answered.add((player, puzzle))
        sides = [self.player(player), self.puzzle(puzzle)]
        self._players[player], self._puzzles[puzzle] = rate(sides, [is_right, not is_right])
