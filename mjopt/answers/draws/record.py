"""Draws: the question that was asked, and the distribution that answers it."""

from collections.abc import Iterable
from dataclasses import dataclass

from mjopt.answers.draws.waiting import Waiting
from mjopt.errors import TileError
from mjopt.hands.hand import Hand
from mjopt.hands.question import Question
from mjopt.hands.tiles import check_counts


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Draws(Waiting):
    """How many draws complete one hand from one wall.

    Parameters
    ----------
    ways
        For each number of draws, the choices from the wall that leave the hand
        incomplete; see :class:`Waiting`.
    hand
        The hand.
    wall
        Copies of each kind in the wall.
    forms
        The winning forms.
    model
        What was counted: ``finite`` is exact, the others say what a simpler view of
        the draws would give (see ``mjopt.answers.draws.MODELS``).
    """

    hand: Hand
    wall: tuple[int, ...]
    forms: tuple[str, ...]
    model: str = "finite"

    @classmethod
    def of(cls, asked: Question, ways: Iterable[int], *, model: str = "finite") -> "Draws":
        """Return the draws of a question whose unseen tiles are the wall."""
        return cls(
            ways=tuple(ways), hand=asked.hand, wall=asked.unseen, forms=asked.forms, model=model
        )

    def __repr__(self) -> str:
        """Show the question and the mean; the counts are long."""
        return (
            f"Draws({self.hand.to_text()!r}, {self.wall_size} tiles in the wall, "
            f"{self.model}: mean {float(self.mean):.4f})"
        )


def draws_question(hand: Hand, wall: Iterable[int] | None, forms: Iterable[str]) -> Question:
    """Return the question of a hand, whose unseen tiles are the wall: more is refused, not cut."""
    return Question(hand, forms, None if wall is None else check_wall(hand, wall))


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
    copies = check_counts(list(wall), hand.tiles, what="wall")
    for kind, (there, left) in enumerate(zip(copies, hand.unseen, strict=True)):
        if there > left:
            raise TileError(
                f"wall: {there} copies of {hand.tiles.names[kind]}, but the hand leaves {left}"
            )
    return copies
