"""Encoding of a hand: the numbered set S, and the meaning and cost of an individual."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.errors import ArgumentError
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.coerce import as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.predecomposition import Predecomposition, candidates
from mjopt.hands.tiles import as_list

ORDERS: Final = ("by-kind", "by-tile")
"""Order of S: ``by-kind`` lists pmelds first, each shape by kind; ``by-tile`` goes tile by tile.

The paper does not specify the order. *Measured* on the one-type set: ``by-tile`` finds about two
points less, because a mutant between two elements is then seldom similar to either."""

_CASES = (Shape.PCHOW, Shape.CHOW, Shape.EYE, Shape.PONG)


@dataclass(frozen=True, slots=True)
class Encoding:
    """The elements of S in a named order, and the meaning of an individual.

    An individual is a row of ``num_positions`` numbers: 0 is an empty position, e the e-th element
    of S. An element may occur in several positions.

    Parameters
    ----------
    hand
        The hand.
    order
        One of ``ORDERS``.

    Attributes
    ----------
    elements
        S in that order; element e of an individual is ``elements[e - 1]``.

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, sections 3.1 and 3.2.1.

    Examples
    --------
    >>> encoding = Encoding(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    >>> encoding.num_elements, encoding.num_positions
    (16, 5)
    >>> encoding.decode([16, 0, 1, 0, 0]).cost()
    6
    """

    hand: Hand
    order: str = "by-kind"
    elements: tuple[Block, ...] = ()

    def __post_init__(self) -> None:
        """List S."""
        if not isinstance(self.order, str) or self.order not in ORDERS:
            order = short_repr(self.order)
            raise ArgumentError(argument="order", value=str(order), expected=tuple(ORDERS))
        object.__setattr__(self, "hand", as_hand(self.hand))
        elements = candidates(self.hand)
        if self.order == "by-tile":
            elements = tuple(sorted(elements, key=_by_tile))
        object.__setattr__(self, "elements", elements)

    @property
    def num_elements(self) -> int:
        """NS, the size of S."""
        return len(self.elements)

    @property
    def num_positions(self) -> int:
        """Most pieces of a predecomposition: five, less one for each called meld."""
        return self.hand.melds_needed + 1

    def decode(self, chosen: Sequence[int]) -> Predecomposition:
        """Return the predecomposition of an individual.

        Raises
        ------
        HandError
            If it uses a tile that is not in the hand: repair it first.
        """
        pieces = tuple(self.elements[e - 1] for e in chosen if e)
        return Predecomposition(self.hand, pieces)


def evaluate(
    chosen: Sequence[int],
    encoding: Encoding,
    *,
    special_case_1: bool = True,
    special_case_2: bool = True,
) -> int:
    """Return the cost of an individual in tile changes, by equation 8 of the paper.

    Parameters
    ----------
    chosen
        Numbers of elements, 0 for an empty position; already repaired.
    encoding
        The encoding of the individual.
    special_case_1, special_case_2
        As in :meth:`mjopt.Predecomposition.cost`.

    Raises
    ------
    HandError
        If it uses a tile that is not in the hand.

    References
    ----------
    .. [1] Yan and Li (2023), section 3.2.3.

    Examples
    --------
    >>> encoding = Encoding(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    >>> evaluate([0] * 5, encoding)
    9
    """
    kept = check_chosen(chosen, encoding)
    return encoding.decode(kept).cost(special_case_1=special_case_1, special_case_2=special_case_2)


def check_chosen(chosen: Sequence[int], encoding: Encoding) -> list[int]:
    """Validate an individual; return it as a list."""
    expect(encoding, Encoding, "encoding")
    kept = [whole(element, "chosen") for element in as_list(chosen, "chosen")]
    if not all(0 <= element <= encoding.num_elements for element in kept):
        raise ArgumentError(
            short_repr(kept), argument="chosen", expected=f"0..{encoding.num_elements}"
        )
    return kept


def _by_tile(block: Block) -> tuple[int, int, int]:
    """Sort S by tile, then by cases 1 to 5 of section 3.1."""
    gap = block.kinds[1] - block.kinds[0]
    return block.kinds[0], _CASES.index(block.shape), gap
