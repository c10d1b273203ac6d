"""Choice of the next puzzle for a player."""

from collections.abc import Iterable

import numpy as np

from mjopt.play.puzzles.rating import Ratings
from mjopt.play.puzzles.record import PlayerRecord

NEAREST = 5  # puzzles to choose from


def choose_puzzle(
    record: PlayerRecord,
    puzzles: Iterable[str],
    ratings: Ratings,
    *,
    player: str,
    now: float,
    rng: np.random.Generator,
) -> str | None:
    """Return a puzzle to repeat, else a new one with a rating near the player's, else None.

    Examples
    --------
    >>> ratings = Ratings(initial={"a": 1500.0, "b": 2500.0})
    >>> how = {"player": "ann", "now": 0.0, "rng": np.random.default_rng(1)}
    >>> choose_puzzle(PlayerRecord(), ["a"], ratings, **how)
    'a'
    >>> choose_puzzle(PlayerRecord(), [], ratings, **how)
    """
    if due := record.due(now):
        return due[0]
    answered = {answer.puzzle for answer in record.answers}
    own = ratings.player(player).mean
    new = [puzzle for puzzle in puzzles if puzzle not in answered]
    near = sorted(new, key=lambda puzzle: abs(ratings.puzzle(puzzle).mean - own))[:NEAREST]
    return near[rng.integers(len(near))] if near else None
