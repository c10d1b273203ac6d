"""Seven pairs as an integer program."""

from mjopt.hands.blocks import eye
from mjopt.hands.forms import SEVEN_PAIRS
from mjopt.hands.question import Question
from mjopt.models.base import Formulation, Goal, whole_program
from mjopt.models.program import Program


class SevenPairs(Formulation):
    """Choose seven different kinds; pay for what each pair lacks.

    A hand with called melds cannot become seven pairs: its program is infeasible.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> SevenPairs().build(Hand.parse("1122334455667m8p")).num_variables
    27
    """

    name = "seven_pairs"
    goal = Goal.DEFICIENCY
    form = SEVEN_PAIRS

    def write(self, asked: Question) -> Program:
        """Write the program of a question."""
        hand = asked.hand
        kinds = range(hand.tiles.num_kinds)
        return whole_program(
            self.name,
            hand,
            objective=[max(0, 2 - held) for held in hand.counts],
            upper=[int(not hand.called and reach >= 2) for reach in asked.reach],
            rows=[("seven", 7, 7, [(k, 1) for k in kinds])],
            names=[f"pair_{name}" for name in hand.tiles.names],
            pieces=[(eye(k),) for k in kinds],
        )
