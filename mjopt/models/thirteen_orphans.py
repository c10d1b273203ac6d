"""Thirteen orphans as an integer program."""

from mjopt.hands.blocks import eye, single
from mjopt.hands.forms import THIRTEEN_ORPHANS, capped_unseen, check_forms, orphan_kinds
from mjopt.hands.hand import Hand
from mjopt.models.base import Question, hand_label
from mjopt.models.program import Program, Rows


class ThirteenOrphans:
    """Take every terminal and honour once, and one of them twice.

    A hand with called melds cannot become thirteen orphans: its program is
    infeasible.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> ThirteenOrphans().build(Hand.parse("19m19p19s1234567z", tiles=FULL)).num_variables
    26
    """

    name = "thirteen_orphans"
    question = Question.DEFICIENCY
    form = THIRTEEN_ORPHANS

    def build(self, hand: Hand, unseen: tuple[int, ...] | None = None) -> Program:
        """Write the program of a hand."""
        check_forms((self.form,), hand.tiles)
        cap = capped_unseen(hand, unseen)
        orphans = orphan_kinds(hand.tiles)
        reach = [0 if hand.called else hand.counts[k] + cap[k] for k in orphans]
        names = [hand.tiles.names[k] for k in orphans]
        number = len(orphans)
        rows = [(f"orphan_{name}", 1, 1, [(i, 1), (number + i, 1)]) for i, name in enumerate(names)]
        return Program(
            name=hand_label(self.name, hand),
            objective=(
                *(max(0, 1 - hand.counts[k]) for k in orphans),
                *(max(0, 2 - hand.counts[k]) for k in orphans),
            ),
            lower=(0,) * (2 * number),
            upper=(*(int(r >= 1) for r in reach), *(int(r >= 2) for r in reach)),
            integer=(True,) * (2 * number),
            rows=Rows.gather([*rows, ("one_pair", 1, 1, [(number + i, 1) for i in range(number)])]),
            names=(*(f"single_{name}" for name in names), *(f"pair_{name}" for name in names)),
            pieces=(*((single(k),) for k in orphans), *((eye(k),) for k in orphans)),
        )
