"""Walls: what may be drawn, checked against what is held and shown."""

from collections.abc import Iterable, Sequence

from mjopt.errors import TileError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import check_counts


def check_wall(hand: Hand, wall: Iterable[int] | None) -> tuple[int, ...]:
    """Return the wall as a tuple; by default every copy that the hand does not show.

    Parameters
    ----------
    hand
        The hand.
    wall
        Copies of each kind in the wall, each in ``0..4``.

    Raises
    ------
    TileError
        If the wall holds a copy that the hand or a called meld holds.

    Examples
    --------
    >>> check_wall(Hand.parse("1112345678999m"), [1, 4] + [0] * 25)
    Traceback (most recent call last):
    mjopt.errors.TileError: wall: 4 copies of 2m, but the hand leaves 3
    """
    if wall is None:
        return hand.unseen
    given: Sequence[int] = list(wall)
    copies = check_counts(given, hand.tiles, what="wall")
    for kind, (there, left) in enumerate(zip(copies, hand.unseen, strict=True)):
        if there > left:
            raise TileError(
                f"wall: {there} copies of {hand.tiles.names[kind]}, but the hand leaves {left}"
            )
    return copies
