"""What a formulation is: a hand in, a Program out."""

from enum import StrEnum
from typing import Protocol

from mjopt.errors import ModelError
from mjopt.hands.forms import capped_unseen
from mjopt.hands.hand import Hand
from mjopt.models.program import Program


class Question(StrEnum):
    """What the optimum of a formulation means."""

    WIN = "win"  # feasible if and only if the hand is complete
    DEFICIENCY = "deficiency"
    PAPER_COST = "paper cost"  # the least of Eq. 8, not always the deficiency


class Formulation(Protocol):
    """Turns a hand into an integer program.

    The blocks of a solution are ``program.decode(values)``.
    """

    name: str
    question: Question
    form: str

    def build(self, hand: Hand, unseen: tuple[int, ...] | None = None) -> Program:
        """Write the program of a hand.

        Parameters
        ----------
        hand
            The hand.
        unseen
            Copies of each kind believed unseen, shape ``(K,)``; by default all
            that the hand does not show.

        Raises
        ------
        ModelError
            If the formulation cannot express the question.
        """
        ...


def hand_label(formulation: str, hand: Hand) -> str:
    """Name a program after its formulation and hand, safe in LP and MPS files."""
    return f"{formulation}_{hand.to_text() or 'empty'}"


def unseen_or_refuse(formulation: str, hand: Hand, unseen: tuple[int, ...] | None) -> None:
    """Refuse limited unseen tiles in a formulation that never draws."""
    if unseen is not None and capped_unseen(hand, unseen) != hand.unseen:
        raise ModelError(f"{formulation} says nothing about unseen tiles; leave unseen out")
