"""Blockwise: a variable for each block and each choice of its tiles that the hand holds."""

from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.block_variables import (
    Column,
    Supply,
    all_columns,
    drop_dominated,
    lone_kinds,
)
from mjopt.models.formulation import Formulation
from mjopt.models.parts import part_rows
from mjopt.models.program import Program, Row

Terms = list[tuple[int, int]]


class Blockwise(Formulation):
    """Choose blocks together with the tiles they take from the hand.

    Each variable has its own cost, which makes the relaxation much tighter than that of
    ``completion``. It was the fastest formulation with every solver.

    ``tighten`` drops dominated columns (see ``drop_dominated``) and adds rounding cuts: if an odd
    number 2k + 1 of tiles is held in one, two or three neighbouring kinds, blocks that take two of
    them are used at most k times. Measured on two-type hands: 141 columns become 63, and the
    rounded root bound equals the optimum on 100 % of the hands, before on 81 %.

    Examples
    --------
    >>> import mjopt
    >>> hand = mjopt.Hand.parse("1112345678999m1p")
    >>> Blockwise().build(hand).num_variables, Blockwise(tighten=False).build(hand).num_variables
    (76, 145)
    """

    name = "blockwise"

    def __init__(self, *, tighten: bool = True) -> None:
        self.tighten = tighten

    def write_template(self, query: HandQuery, template: Template) -> Program:
        """Write the program of one template of a query."""
        hand, tiles = query.hand, query.hand.tiles
        supply = Supply.of(query, template)
        columns = all_columns(supply)
        free: frozenset[int] = frozenset()
        if self.tighten:
            columns, free = drop_dominated(columns, supply)
        lone = lone_kinds(template)
        held: dict[int, Terms] = {}
        drawn: dict[int, Terms] = {}
        for variable, column in enumerate(columns):
            if lone and column.part.block.kinds[0] in lone:
                continue
            for kind, copies in column.held:
                held.setdefault(kind, []).append((variable, copies))
            for kind, copies in column.drawn:
                if kind not in free:
                    drawn.setdefault(kind, []).append((variable, copies))
        objective = [column.cost for column in columns]
        upper = [column.most for column in columns]
        if supply.melds < 0:  # more melds are on the table than a hand has
            upper = [0] * len(columns)
        names = [column.name for column in columns]
        rows = part_rows(template, tiles, hand.called, [column.part for column in columns])
        rows += _limits("held", held, supply.held, upper, tiles)
        rows += _limits("drawn", drawn, supply.unseen, upper, tiles)
        if self.tighten:
            rows += _rounding_cuts(held, supply)
        if template.jokers:
            own = template.held_jokers(hand.counts)
            names.append("missing_joker")
            objective.append(1)
            upper.append(supply.jokers - own)
            rows += _joker_rows(columns, supply, own)
        return self.program(
            hand,
            objective=objective,
            upper=upper,
            rows=rows,
            names=names,
            pieces=[column.pieces for column in columns],
        )


def _joker_rows(columns: list[Column], supply: Supply, own: int) -> list[Row]:
    """Return the rows that limit the jokers and, with them, the copies of a kind.

    The last variable is the number of jokers drawn.
    """
    jokers = [
        (v, sum(copies for _, copies in column.jokers))
        for v, column in enumerate(columns)
        if column.jokers
    ]
    rows: list[Row] = [("jokers", None, own, [*jokers, (len(columns), -1)])]
    if supply.template.has_fifth:
        return rows
    use: dict[int, Terms] = {}
    for variable, column in enumerate(columns):
        for kind, copies in column.part.copies:
            use.setdefault(kind, []).append((variable, copies))
    names = supply.tiles.names
    return rows + [(f"copies_{names[k]}", None, COPIES, terms) for k, terms in use.items()]


def _limits(
    what: str,
    uses: dict[int, Terms],
    limits: tuple[int, ...],
    upper: list[int],
    tiles: TileSet,
) -> list[Row]:
    """Return rows that limit the copies used of each kind, where the bounds do not."""
    return [
        (f"{what}_{tiles.names[kind]}", None, limits[kind], terms)
        for kind, terms in uses.items()
        if sum([copies * upper[v] for v, copies in terms]) > limits[kind]
    ]


def _rounding_cuts(held: dict[int, Terms], supply: Supply) -> list[Row]:
    """Return the sums of one to three neighbouring held rows, halved and rounded down."""
    counts, starts = supply.held, set(supply.tiles.chow_starts)
    cuts: list[Row] = []
    for first in held:
        windows: list[tuple[int, ...]] = [(first,)]
        if first in starts or first - 1 in starts:
            windows.append((first, first + 1))
        if first in starts:
            windows.append((first, first + 1, first + 2))
        for window in windows:
            if any(kind not in held for kind in window):
                break
            total = sum(counts[kind] for kind in window)
            if total % 2 == 0:
                continue
            use: dict[int, int] = {}
            for kind in window:
                for variable, copies in held[kind]:
                    use[variable] = use.get(variable, 0) + copies
            terms = [(v, copies // 2) for v, copies in use.items() if copies > 1]
            if len(terms) > 1:
                names = "_".join(supply.tiles.names[kind] for kind in window)
                cuts.append((f"half_{names}", None, total // 2, terms))
    return cuts
