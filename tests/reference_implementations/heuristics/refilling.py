"""Plain Python version of refill: fill empty positions with elements that the hand can supply."""

from collections.abc import Sequence

from mjopt.hands.blocks import Block, Shape
from mjopt.heuristics.encoding import Encoding
from mjopt.heuristics.seeding import Rng


def refill(chosen: Sequence[int], encoding: Encoding, *, rule: str, rng: Rng) -> tuple[int, ...]:
    """Fill empty positions until no element fits.

    Each group of elements is scanned once cyclically from a random start. An element
    goes to the first empty position, repeatedly while it fits. Under Eq. 8 the cost
    never increases: an extra piece is worth at least as much as an empty position.

    Parameters
    ----------
    chosen
        Numbers of elements, 0 for an empty position; already repaired.
    encoding
        The encoding of the hand.
    rule
        One of ``REFILLS``.
    rng
        Source of one number for each nonempty group, while a position is empty.

    Returns
    -------
    tuple of int
        The individual; the chosen elements keep their positions.

    Examples
    --------
    >>> import numpy as np
    >>> from mjopt import Hand
    >>> encoding = Encoding(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    >>> rng = np.random.default_rng(1)
    >>> encoding.decode(refill([0] * 5, encoding, rule="melds-then-pair", rng=rng)).cost()
    0
    """
    kept = list(chosen)
    for group, at_most in _groups(encoding, kept, rule):
        if 0 in kept and group:
            _add(kept, group, at_most, encoding, int(rng.random() * len(group)))
    return tuple(kept)


def _groups(encoding: Encoding, kept: list[int], rule: str) -> list[tuple[list[int], int]]:
    """Return the groups of elements in the order of a rule."""

    def where(*shapes: Shape) -> list[int]:
        return [
            e + 1 for shape in shapes for e, b in enumerate(encoding.elements) if _sort(b) == shape
        ]

    everything, pairs = len(kept), where(Shape.EYE)
    melds, pmelds = where(Shape.CHOW), [*pairs, *where(Shape.PCHOW)]
    if rule == "any":
        return [(melds + pmelds, everything)]
    if rule == "melds-first":
        return [(melds, everything), (pmelds, everything)]
    if rule == "melds-then-pair":
        wanted = 0 if set(pairs) & set(kept) else 1
        return [(melds, everything), (pairs, wanted), (pmelds, everything)]
    return []


def _sort(block: Block) -> Shape:
    """Return CHOW for any meld, EYE for a pair, PCHOW for a pchow."""
    return Shape.CHOW if block.is_meld else block.shape


def _add(kept: list[int], group: list[int], at_most: int, encoding: Encoding, offset: int) -> None:
    for e in group[offset:] + group[:offset]:
        while at_most and 0 in kept and _fits(e, kept, encoding):
            kept[kept.index(0)] = e
            at_most -= 1


def _fits(element: int, kept: list[int], encoding: Encoding) -> bool:
    used = [k for e in (*kept, element) if e for k in encoding.elements[e - 1].kinds]
    return all(used.count(kind) <= encoding.hand.counts[kind] for kind in used)
