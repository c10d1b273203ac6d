"""Refill, said plainly: empty positions get elements for which the hand still has the tiles."""

from collections.abc import Sequence

from mjopt.hands.blocks import Block, Shape
from mjopt.heuristics.encoding import Encoding
from mjopt.heuristics.repair import Uniform


def refill(
    chosen: Sequence[int], encoding: Encoding, *, rule: str, rng: Uniform
) -> tuple[int, ...]:
    """Return an individual to which nothing more can be added, or only empty ones left.

    A group of elements is gone through once, from a place that is drawn and around;
    each that fits goes to the first empty position, again as long as it fits. Under
    Eq. 8 this never costs: a piece more is worth at least what the empty position is.

    Parameters
    ----------
    chosen
        Numbers of elements, 0 for an empty position; already repaired.
    encoding
        What they stand for.
    rule
        One of ``REFILLS``.
    rng
        Drawn from once for each group that is not empty, while some position is.

    Returns
    -------
    tuple of int
        The individual; what was chosen stays where it was.

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
    """List the groups of elements in the order in which a rule goes through them."""

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
