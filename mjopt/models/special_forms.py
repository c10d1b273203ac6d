"""Seven pairs and thirteen orphans as integer programs."""

from mjopt.hands.blocks import eye, single
from mjopt.hands.query import HandQuery
from mjopt.hands.winning_forms import SEVEN_PAIRS, THIRTEEN_ORPHANS, orphan_kinds
from mjopt.models.formulation import Formulation
from mjopt.models.program import Program


class SevenPairs(Formulation):
    """Choose seven different kinds; the cost is the tiles that the pairs lack.

    A hand with called melds cannot become seven pairs: its program is infeasible.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> SevenPairs().build(Hand.parse("1122334455667m8p")).num_variables
    27
    """

    name = "seven_pairs"
    form = SEVEN_PAIRS

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        hand = query.hand
        kinds = range(hand.tiles.num_kinds)
        return self.program(
            hand,
            objective=[max(0, 2 - held) for held in hand.counts],
            upper=[int(not hand.called and reach >= 2) for reach in query.reach],
            rows=[("seven", 7, 7, [(k, 1) for k in kinds])],
            names=[f"pair_{name}" for name in hand.tiles.names],
            pieces=[(eye(k),) for k in kinds],
        )


class ThirteenOrphans(Formulation):
    """Take every terminal and honour once, and one of them twice.

    A hand with called melds cannot become thirteen orphans: its program is
    infeasible.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import FULL
    >>> ThirteenOrphans().build(Hand.parse("19m19p19s1234567z", tiles=FULL)).num_variables
    26
    """

    name = "thirteen_orphans"
    form = THIRTEEN_ORPHANS

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        hand = query.hand
        orphans = orphan_kinds(hand.tiles)
        kinds_in_reach = query.reach
        reach = [0 if hand.called else kinds_in_reach[k] for k in orphans]
        names = [hand.tiles.names[k] for k in orphans]
        number = len(orphans)
        rows = [(f"orphan_{name}", 1, 1, [(i, 1), (number + i, 1)]) for i, name in enumerate(names)]
        return self.program(
            hand,
            objective=(
                *(max(0, 1 - hand.counts[k]) for k in orphans),
                *(max(0, 2 - hand.counts[k]) for k in orphans),
            ),
            upper=(*(int(r >= 1) for r in reach), *(int(r >= 2) for r in reach)),
            rows=[*rows, ("one_pair", 1, 1, [(number + i, 1) for i in range(number)])],
            names=(*(f"single_{name}" for name in names), *(f"pair_{name}" for name in names)),
            pieces=(*((single(k),) for k in orphans), *((eye(k),) for k in orphans)),
        )
