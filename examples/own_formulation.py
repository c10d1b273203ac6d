"""
Your own formulation
====================

A formulation turns a hand into an integer program; solvers, checks and LP and MPS files work with
it unchanged. This one computes the distance of a hand to four pongs and an eye.
"""

from mjopt import FULL, Hand, deficiency, solve
from mjopt.models import COPIES, Formulation, Goal, HandQuery, Program, eye, pong, uses


class AllPongs(Formulation):
    """Choose pongs and an eye, and pay for the tiles that the hand lacks."""

    name = "all_pongs"
    goal = Goal.COST

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        hand, tiles = query.hand, query.hand.tiles
        kinds = range(tiles.num_kinds)
        blocks = [pong(kind) for kind in kinds] + [eye(kind) for kind in kinds]
        pongs, eyes = range(tiles.num_kinds), range(tiles.num_kinds, 2 * tiles.num_kinds)
        missing = 2 * tiles.num_kinds  # first variable for missing copies
        rows = [
            ("pongs", hand.melds_needed, hand.melds_needed, [(v, 1) for v in pongs]),
            ("eye", 1, 1, [(v, 1) for v in eyes]),
        ]
        rows += [  # copies used minus copies missing are at most the copies held
            (f"kind_{name}", None, hand.counts[k], [*uses(blocks, k), (missing + k, -1)])
            for k, name in enumerate(tiles.names)
        ]
        return self.program(
            hand,
            objective=(0,) * len(blocks) + (1,) * tiles.num_kinds,
            upper=(1,) * len(blocks) + tuple(min(COPIES, left) for left in query.unseen),
            rows=rows,
            names=(
                *(f"{block.shape}_{block.text(tiles)}" for block in blocks),
                *(f"missing_{name}" for name in tiles.names),
            ),
            pieces=[(block,) for block in blocks],
        )


def main() -> None:
    """Solve it for a hand with two solvers."""
    hand = Hand.parse("123456m789p1133s1z", tiles=FULL)
    print(f"{hand.to_text()}: {deficiency(hand)} changes to a complete hand")
    for solver in ("cp-sat", "cbc"):
        answer = solve(hand, model=AllPongs, solver=solver)
        assert answer.is_optimal
        print(f"{answer.value} to four pongs and an eye, says {solver}")


if __name__ == "__main__":
    main()
