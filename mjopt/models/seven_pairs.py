"""Seven pairs as an integer program."""

from mjopt.hands.blocks import eye
from mjopt.hands.forms import SEVEN_PAIRS, capped_unseen
from mjopt.hands.hand import Hand
from mjopt.models.base import Question, hand_label
from mjopt.models.program import Program, Rows


class SevenPairs:
    """Choose seven different kinds; pay for what each pair lacks.

    A hand with called melds cannot become seven pairs: its program is infeasible.

    Examples
    --------
    >>> SevenPairs().build(Hand.parse("1122334455667m8p")).num_variables
    27
    """

    name = "seven_pairs"
    question = Question.DEFICIENCY
    form = SEVEN_PAIRS

    def build(self, hand: Hand, unseen: tuple[int, ...] | None = None) -> Program:
        """Write the program of a hand."""
        cap = capped_unseen(hand, unseen)
        kinds = range(hand.tiles.num_kinds)
        possible = [not hand.called and hand.counts[k] + cap[k] >= 2 for k in kinds]
        return Program(
            name=hand_label(self.name, hand),
            objective=tuple(max(0, 2 - held) for held in hand.counts),
            lower=(0,) * len(kinds),
            upper=tuple(int(can) for can in possible),
            integer=(True,) * len(kinds),
            rows=Rows.gather([("seven", 7, 7, [(k, 1) for k in kinds])]),
            names=tuple(f"pair_{name}" for name in hand.tiles.names),
            pieces=tuple((eye(k),) for k in kinds),
        )
