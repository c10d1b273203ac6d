"""Completion: the cheapest complete hand, written down tile by tile."""

from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES
from mjopt.models.formulation import Formulation, uses
from mjopt.models.program import Program, Row


class Completion(Formulation):
    """Choose chows, pongs and an eye; pay for the tiles the hand lacks.

    Variables: a count per chow, a 0/1 per pong and per eye, and the missing
    copies of each kind. The plainest of the formulations and the weakest: a
    relaxation may take a fifth of many melds and miss nothing.

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
        # use - missing <= held. Missing at most the cap bounds the use by held
        # + unseen, so the four copies of a kind need no row of their own.
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
