"""What a discard costs: deficiency and useful copies that the best discard would have kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mjopt.play.review.export import DiscardRow

COSTLIEST: Final = 5
"""Number of costly discards that are listed first."""


def could_improve(row: "DiscardRow") -> bool:
    """Return whether another discard was better than a reviewed one.

    Parameters
    ----------
    row
        A row of ``Review.discards``.
    """
    return row["rank"] > 1 and not row["declared"]


def cost_of(row: "DiscardRow") -> tuple[int, int]:
    """Return how much deficiency and how many copies a discard gives up.

    Parameters
    ----------
    row
        A row of ``Review.discards``.

    Examples
    --------
    >>> cost_of({"before": 2, "deficiency": 2, "copies": 30, "best_copies": 38})
    (0, 8)
    >>> cost_of({"before": 2, "deficiency": 3, "copies": 60, "best_copies": 31})
    (1, 31)
    """
    rise = row["deficiency"] - row["before"]
    return rise, row["best_copies"] - (0 if rise else row["copies"])


def costliest(rows: Sequence["DiscardRow"], number: int = COSTLIEST) -> list[int]:
    """Return the positions of the costliest discards, the costliest first.

    Parameters
    ----------
    rows
        Rows of ``Review.discards``.
    number
        How many to return.
    """
    places = [place for place, row in enumerate(rows) if could_improve(row)]
    return sorted(places, key=lambda place: cost_of(rows[place]), reverse=True)[:number]
