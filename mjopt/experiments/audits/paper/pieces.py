"""The predecomposition behind a cost: found by search, its cost evaluated anew."""

from mjopt.errors import HandError
from mjopt.hands.blocks import Block, usage
from mjopt.hands.candidate_blocks import candidates
from mjopt.hands.hand import Hand
from mjopt.hands.predecomposition import Predecomposition


def predecomposition_of_cost(
    hand: Hand, cost: int, *, special_case_2: bool = True
) -> Predecomposition:
    """Return a predecomposition of the hand with exactly this cost.

    That nothing is cheaper is the audit's to know, or a solver's: see
    ``mjopt.models.predecomposition``.

    Parameters
    ----------
    hand
        The hand.
    cost
        The cost wanted.
    special_case_2
        Whether special case 2 applies.

    Raises
    ------
    HandError
        If there is none.

    Examples
    --------
    >>> hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    >>> found = predecomposition_of_cost(hand, 2)
    >>> " ".join(piece.text(hand.tiles) for piece in found.pieces)
    '222m 777p 333s 67m'
    """
    # Melds first: they pay most, so a cheap choice comes up early.
    elements = sorted(candidates(hand), key=lambda piece: (not piece.is_meld, piece))
    found = _search(hand, cost, special_case_2, elements, ())
    if found is None:
        raise HandError(f"{hand.to_text()}: no predecomposition costs {cost}")
    return found


def _search(
    hand: Hand,
    cost: int,
    special_case_2: bool,
    elements: list[Block],
    chosen: tuple[Block, ...],
) -> Predecomposition | None:
    """Try every multiset of elements, longer ones first."""
    room = hand.melds_needed + 1 - len(chosen)
    used = usage(list(chosen), hand.tiles.num_kinds)
    for i, piece in enumerate(elements if room else ()):
        if all(used[k] + piece.kinds.count(k) <= hand.counts[k] for k in piece.kinds):
            found = _search(hand, cost, special_case_2, elements[i:], (*chosen, piece))
            if found is not None:
                return found
    here = Predecomposition(hand, chosen)
    return here if here.cost(special_case_2=special_case_2) == cost else None
