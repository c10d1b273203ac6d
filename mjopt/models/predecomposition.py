"""Predecomposition: minimise Eq. 8 of the paper over its set S of candidates."""

from collections.abc import Callable

from mjopt.errors import ModelError
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.predecomposition import candidates
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES
from mjopt.models.formulation import Formulation, Goal, uses
from mjopt.models.program import Program, Row


class PredecompositionModel(Formulation):
    """Choose at most five pieces of S with the least cost.

    The variables are a count for each element of S. Eq. 8 is ``9 - 2m - n`` plus penalties,
    each a 0/1 variable that the rows force to 1:

    - ``no_pair``: m + n = 5 without a pair;
    - ``twin_pairs``: m + n = 5 with two pairs of one kind (special case 1);
    - ``no_eye``: four melds, nothing else, and every other tile is the fourth
      copy of a pong (special case 2).

    Its optimum is the paper's cost, which is **not always the deficiency**.

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, Eqs. 5 and 8.

    Examples
    --------
    >>> PredecompositionModel().build(Hand.parse("1112345678999m1p")).num_variables
    28
    """

    name = "predecomposition"
    goal = Goal.PAPER_COST

    def __init__(self, *, special_case_1: bool = True, special_case_2: bool = True) -> None:
        self.special_case_1 = special_case_1
        self.special_case_2 = special_case_2

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query."""
        self.require_unlimited(query)
        hand = query.hand
        if hand.num_tiles < 3 * hand.melds_needed + 1:
            raise ModelError(f"{self.name}: Eq. 8 counts on 13 or 14 tiles, not a partial hand")
        pieces = candidates(hand)
        size = len(pieces)
        names = [f"{piece.shape}_{piece.text(hand.tiles)}" for piece in pieces]
        upper = [
            min(hand.counts[kind] // piece.kinds.count(kind) for kind in piece.kinds)
            for piece in pieces
        ]
        every = [(v, 1) for v in range(size)]
        room = hand.melds_needed + 1  # most pieces, given the called melds
        rows: list[Row] = [("pieces", None, room, every)]
        for kind, held in enumerate(hand.counts):
            if terms := uses(pieces, kind):
                rows.append((f"held_{hand.tiles.names[kind]}", None, held, terms))

        def penalty(name: str) -> int:
            names.append(name)
            upper.append(1)
            return len(names) - 1

        # no_pair >= (pieces - room + 1) - has_pair, and has_pair needs a pair.
        no_pair, has_pair = penalty("no_pair"), penalty("has_pair")
        pairs = [v for v, piece in enumerate(pieces) if piece.shape is Shape.EYE]
        rows.append(("pair_exists", None, 0, [(has_pair, 1), *((v, -1) for v in pairs)]))
        rows.append(("pair_or_pay", None, room - 1, [*every, (no_pair, -1), (has_pair, -1)]))
        charged = [no_pair]
        if self.special_case_1:
            twins = [v for v in pairs if upper[v] == 2]
            if twins:
                charged.append(penalty("twin_pairs"))
            for v in twins:
                twin = penalty(f"twin_{names[v]}")
                rows.append((f"is_{names[twin]}", None, 1, [(v, 1), (twin, -1)]))
                rows.append(
                    (f"pay_{names[twin]}", None, room, [*every, (twin, 1), (charged[-1], -1)])
                )
        if self.special_case_2:
            charged += _special_case_2(hand, pieces, rows, penalty)
        objective = [0] * len(names)
        for v, piece in enumerate(pieces):
            objective[v] = -2 if piece.is_meld else -1
        for v in charged:
            objective[v] = 1
        return self.program(
            hand,
            objective=objective,
            offset=2 * MAX_CALLED + 1 - 2 * hand.called,
            upper=upper,
            rows=rows,
            names=names,
            pieces=[(piece,) for piece in pieces],
        )


def _special_case_2(
    hand: Hand, pieces: tuple[Block, ...], rows: list[Row], penalty: Callable[[str], int]
) -> list[int]:
    """Add special case 2; return its penalty variable if the hand can meet it."""
    left_over = hand.num_tiles - 3 * hand.melds_needed
    pongs = {
        piece.kinds[0]: v
        for v, piece in enumerate(pieces)
        if piece.shape is Shape.PONG and hand.counts[piece.kinds[0]] == COPIES
    }
    if len(pongs) < left_over:
        return []
    no_eye = penalty("no_eye")
    fourths: list[tuple[int, int]] = []
    for kind, v in pongs.items():
        name = hand.tiles.names[kind]
        fourth = penalty(f"fourth_{name}")
        fourths.append((fourth, 1))
        # A pong takes three copies: the fourth is left over unless another piece uses it.
        terms = [(w, use - COPIES if w == v else use) for w, use in uses(pieces, kind)]
        rows.append((f"is_fourth_{name}", 0, None, [(fourth, 1), *terms]))
    # The penalty applies if all remaining tiles are fourth copies, with four melds and no
    # pmeld. A pmeld or a missing meld relaxes the row by 4: there are at most four fourths.
    weights = [(v, 4 if piece.is_meld else -4) for v, piece in enumerate(pieces)]
    limit = left_over - 1 + 4 * hand.melds_needed
    rows.append(("fourths_or_pay", None, limit, [*fourths, *weights, (no_eye, -1)]))
    return [no_eye]
