"""Draws: the question that was asked, and the distribution that answers it."""

from dataclasses import dataclass

from mjopt.answers.draws.waiting import Waiting
from mjopt.hands.hand import Hand


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

    def __repr__(self) -> str:
        """Show the question and the mean; the counts are long."""
        return (
            f"Draws({self.hand.to_text()!r}, {self.wall_size} tiles in the wall, "
            f"{self.model}: mean {float(self.mean):.4f})"
        )
