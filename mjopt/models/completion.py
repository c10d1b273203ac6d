"""Completion: the cheapest complete hand, with a variable for the missing copies of each kind."""

from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES
from mjopt.models.formulation import Formulation, uses
from mjopt.models.program import Program, Row


class Completion(Formulation):
    """Choose chows, pongs and an eye; the cost is the tiles that the hand lacks.

    Variables: a count per chow, a 0/1 per pong and per eye, and the missing copies of each kind. It
    is the simplest and weakest formulation: the relaxation may combine fractions of many melds and
    miss nothing.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> program = Completion().build(Hand.parse("1112345678999m1p"))
    >>> program.num_variables, len(program.rows)
    (102, 29)
    """

    name = "completion"

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        hand, tiles = query.hand, query.hand.tiles
        kinds = range(tiles.num_kinds)
        blocks: list[Block] = [chow(kind) for kind in tiles.chow_starts]
        num_chows = len(blocks)
        blocks += [pong(kind) for kind in kinds]
        num_melds = len(blocks)
        blocks += [eye(kind) for kind in kinds]
        num_blocks = len(blocks)
        # use - missing <= held. The bounds missing <= unseen imply use <= held + unseen, so
        # the limit of four copies needs no row.
        rows: list[Row] = [
            ("melds", hand.melds_needed, hand.melds_needed, [(v, 1) for v in range(num_melds)]),
            ("eye", 1, 1, [(v, 1) for v in range(num_melds, num_blocks)]),
        ]
        rows += [
            (f"kind_{name}", None, hand.counts[k], [*uses(blocks, k), (num_blocks + k, -1)])
            for k, name in enumerate(tiles.names)
        ]
        upper = [min(COPIES, hand.melds_needed)] * num_chows + [1] * (num_blocks - num_chows)
        return self.program(
            hand,
            objective=(0,) * num_blocks + (1,) * tiles.num_kinds,
            upper=(*upper, *query.unseen),
            rows=rows,
            names=(
                *(f"{block.shape}_{block.text(tiles)}" for block in blocks),
                *(f"missing_{name}" for name in tiles.names),
            ),
            pieces=[(block,) for block in blocks],
        )
