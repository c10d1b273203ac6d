"""The cost of a discard against the best one: chance to win, or deficiency and useful copies."""

from collections.abc import Sequence
from typing import Final

from mjopt.chances.advice.why import LEAST_LOSS
from mjopt.play.review.rows import DiscardRow

COSTLIEST: Final = 5
"""Number of costly discards that are listed first."""
COSTLY: Final = 0.01
"""Chance to win whose loss is worth a look."""


def could_improve(row: DiscardRow) -> bool:
    """Return whether another discard was better than the reviewed one, by the review's measure."""
    if "lost" in row:
        return (row["lost"] or 0.0) >= LEAST_LOSS
    return row["rank"] > 1 and not row["declared"]


def is_costly(row: DiscardRow) -> bool:
    """Return whether a discard loses a hundredth of the chance to win, or moves away from a win."""
    if "lost" in row:
        return (row["lost"] or 0.0) >= COSTLY and not row["folds"]
    return row["moves_away"]


def cost_of(row: DiscardRow) -> tuple[float, int]:
    """Return what a discard gives up: the chance to win, or deficiency and copies.

    Examples
    --------
    >>> cost_of({"before": 2, "deficiency": 2, "copies": 30, "best_copies": 38})
    (0, 8)
    >>> cost_of({"before": 2, "deficiency": 3, "copies": 60, "best_copies": 31})
    (1, 31)
    >>> cost_of({"lost": 0.018})
    (0.018, 0)
    """
    if "lost" in row:
        return row["lost"] or 0.0, 0
    rise = row["deficiency"] - row["before"]
    return rise, row["best_copies"] - (0 if rise else row["copies"])


def costliest(rows: Sequence[DiscardRow], number: int = COSTLIEST) -> list[int]:
    """Return the positions of the costliest discards, the costliest first, without folding."""
    places = [place for place, row in enumerate(rows) if could_improve(row) and not row["folds"]]
    return sorted(places, key=lambda place: cost_of(rows[place]), reverse=True)[:number]
