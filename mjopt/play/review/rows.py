"""Rows of a review: a discard, and a call, as JSON-compatible dictionaries."""

from typing import NotRequired, TypedDict


class DiscardRow(TypedDict):
    """A discard as a JSON-compatible dictionary: tiles by name, the rest as `MEANINGS`."""

    by: str  # the measure of the review
    game: int
    round: str
    turn: int
    seat: int
    hand: str
    called: int
    declared: bool
    discard: str
    is_drawn: bool
    before: int
    after: int
    deficiency: int  # the same number, only in documents: in a file it would be that of the hand
    copies: int
    best: str
    best_copies: int
    rank: int
    moves_away: bool
    draws_left: int
    folds: bool
    # None if the entire wall cannot complete the hand; absent if not requested
    draws: NotRequired[float | None]
    best_draws: NotRequired[float | None]
    best_by_draws: NotRequired[str]
    # by chance; None after a declaration
    position: NotRequired[str | None]
    effort: NotRequired[str | None]
    measure: NotRequired[str | None]
    best_option: NotRequired[str | None]
    at_least: NotRequired[float | None]
    best_at_least: NotRequired[float | None]
    lost: NotRequired[float | None]
    is_lost_proven: NotRequired[bool | None]
    danger: NotRequired[str | None]
    deals_in: NotRequired[float | None]
    safest: NotRequired[str | None]
    safest_danger: NotRequired[str | None]
    safest_deals_in: NotRequired[float | None]
    safest_lost: NotRequired[float | None]


# Not as a class: two of its names are keywords.
CallRow = TypedDict(
    "CallRow",
    {
        "game": int,
        "round": str,
        "turn": int,
        "seat": int,
        "call": str,
        "made": bool,
        "tile": str,
        "from": int,
        "held": str,
        "without": int,
        "copies_without": int,
        "with": int,
        "copies_with": int,
        "win": str,
        "draws_without": NotRequired[float | None],
        "draws_with": NotRequired[float | None],
        "by": str,
        "position": NotRequired[str | None],
        "effort": NotRequired[str | None],
        "measure": NotRequired[str | None],
        "best_option": NotRequired[str | None],
        "at_least": NotRequired[float | None],
        "best_at_least": NotRequired[float | None],
        "lost": NotRequired[float | None],
        "is_lost_proven": NotRequired[bool | None],
    },
)
"""A call, made or missed, as a JSON-compatible dictionary."""
