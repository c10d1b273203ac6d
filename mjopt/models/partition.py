"""Partition: decide whether a hand is complete by covering every tile once with melds and eye."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from mjopt.hands.blocks import Block, chow, eye, pong
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.program import Program, Row


class Partition(Formulation):
    """Set partition over the physical tiles.

    One 0/1 variable per way to pick a chow, a pong or an eye from the tiles of
    the hand; every tile is covered exactly once, and there is one eye. The
    program is feasible if and only if the hand is complete.

    Copies of a kind are interchangeable, so a decomposition has many symmetric points.
    :meth:`build` therefore excludes *decompositions*, not points: variable
    ``level_b_k`` is 1 if block b is used at least k times, and at most four
    of the five levels of an excluded decomposition may be 1.

    References
    ----------
    .. [1] "Judging the finish of mahjong by combinatorial optimization", a
       set-partition model for PuLP.

    Examples
    --------
    >>> program = Partition().build(Hand.parse("11123456789999m"))
    >>> program.num_variables, len(program.rows)
    (26, 16)
    """

    name = "partition"
    goal = Goal.WIN

    def build(
        self,
        hand: Hand,
        unseen: tuple[int, ...] | None = None,
        *,
        exclude: Sequence[Sequence[Block]] = (),
    ) -> Program:
        """Write the program of a hand, without some decompositions."""
        return self.write(HandQuery(hand, self.form, unseen), exclude=exclude)

    def write(self, query: HandQuery, *, exclude: Sequence[Sequence[Block]] = ()) -> Program:
        """Write the program of a query, without some decompositions."""
        self.require_unlimited(query)
        hand = query.hand
        tiles = [kind for kind, held in enumerate(hand.counts) for _ in range(held)]
        where = {kind: [i for i, t in enumerate(tiles) if t == kind] for kind in set(tiles)}
        picks: list[tuple[Block, tuple[int, ...]]] = []
        for kind, places in sorted(where.items()):
            picks += [(eye(kind), pick) for pick in combinations(places, 2)]
            picks += [(pong(kind), pick) for pick in combinations(places, 3)]
            if kind in hand.tiles.chow_starts and kind + 1 in where and kind + 2 in where:
                picks += [
                    (chow(kind), pick) for pick in product(places, where[kind + 1], where[kind + 2])
                ]
        cover: list[list[tuple[int, int]]] = [[] for _ in tiles]
        for variable, (_, pick) in enumerate(picks):
            for place in pick:
                cover[place].append((variable, 1))
        eyes = [(v, 1) for v, (block, _) in enumerate(picks) if not block.is_meld]
        melds = [(v, 1) for v, (block, _) in enumerate(picks) if block.is_meld]
        rows: list[Row] = [
            ("eye", 1, 1, eyes),
            ("melds", hand.melds_needed, hand.melds_needed, melds),
        ]
        rows += [
            (f"tile_{place}_{hand.tiles.names[tiles[place]]}", 1, 1, terms)
            for place, terms in enumerate(cover)
        ]
        names = [
            f"{block.shape}_{'_'.join(map(str, pick))}_{block.text(hand.tiles)}"
            for block, pick in picks
        ]
        _add_levels(exclude, [block for block, _ in picks], rows, names, hand)
        return self.program(
            hand,
            objective=(0,) * len(names),
            upper=(1,) * len(names),
            rows=rows,
            names=names,
            pieces=[(block,) for block, _ in picks],
        )


def _add_levels(
    exclude: Sequence[Sequence[Block]],
    picked: list[Block],
    rows: list[Row],
    names: list[str],
    hand: Hand,
) -> None:
    """Append the rows and the names of the variables that exclude decompositions."""
    if not exclude:
        return
    places: dict[Block, list[tuple[int, int]]] = {}
    for variable, block in enumerate(picked):
        places.setdefault(block, []).append((variable, 1))
    level: dict[tuple[Block, int], int] = {}
    first = len(names)
    for block, terms in places.items():
        most = min(hand.counts[kind] // block.kinds.count(kind) for kind in block.kinds)
        text = f"{block.shape}_{block.text(hand.tiles)}"
        for k in range(1, most + 1):
            level[block, k] = first + len(level)
            names.append(f"level_{text}_{k}")
            if k > 1:
                steps = [(level[block, k - 1], 1), (level[block, k], -1)]
                rows.append((f"ladder_{text}_{k}", 0, None, steps))
        ladder = [(level[block, k], -1) for k in range(1, most + 1)]
        rows.append((f"count_{text}", 0, 0, [*terms, *ladder]))
    for number, known in enumerate(exclude):
        terms = [
            (level[block, k], 1)
            for block, times in Counter(known).items()
            for k in range(1, times + 1)
        ]
        rows.append((f"not_known_{number}", None, len(known) - 1, terms))
