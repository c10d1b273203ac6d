"""Repair: empty positions until the hand has all tiles of the individual."""

from collections.abc import Iterator, Sequence
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_rng
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import as_list
from mjopt.heuristics.encoding import Encoding, check_chosen
from mjopt.heuristics.seeding import Rng

REPAIRS: Final[dict[str, tuple[str, str]]] = {
    "pmelds-first": ("pmelds", "first"),
    "pmelds-first-from-last": ("pmelds", "last"),
    "pmelds-first-at-random": ("pmelds", "random"),
    "melds-first": ("melds", "first"),
    "melds-first-from-last": ("melds", "last"),
    "melds-first-at-random": ("melds", "random"),
    "first-position": ("any", "first"),
    "last-position": ("any", "last"),
    "random": ("any", "random"),
}
"""Which element is removed, for each rule: the preferred shape, and the position among those.

The paper does not specify it. *Measured* on the one-type set: removing pmelds first, and a random
one of them, comes nearest to the published table (all 24 cells within 2.1 points on all 118,800
hands, with selection after the generation). Removing the first of the pmelds is up to 3.5 points
above it; a removal that ignores the shape is far below it at small budgets."""


def rule_code(name: str) -> int:
    """Return the number of a rule, as used by the kernels."""
    if name not in REPAIRS:
        raise ArgumentError(argument="repair", value=short_repr(name), expected=tuple(REPAIRS))
    return list(REPAIRS).index(name)


def make_feasible(
    chosen: Sequence[int], encoding: Encoding, *, rule: str, rng: int | Rng
) -> tuple[int, ...]:
    """Return a feasible individual: one whose tiles are all in the hand.

    For each tile of the individual, in order of kinds: while it is used more often than the hand
    has it, one element that contains it is removed and its position emptied. Removed elements are
    never restored, even if a later removal makes room for them.

    Parameters
    ----------
    chosen
        Numbers of elements, 0 for an empty position.
    encoding
        The encoding of the individual.
    rule
        One of ``REPAIRS``: which of the elements that contain the tile is removed.
    rng
        Generator or seed; used once for each removal by the rules that end in ``random``.

    References
    ----------
    .. [1] Yan and Li (2023), section 3.2.2.

    Examples
    --------
    >>> from mjopt import Hand
    >>> encoding = Encoding(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    >>> [encoding.elements[e - 1].text(encoding.hand.tiles) for e in (11, 12, 16)]
    ['88s', '456m', '888s']
    >>> make_feasible([16, 11, 16, 12, 0], encoding, rule="pmelds-first", rng=1)
    (0, 0, 16, 12, 0)
    """
    kept = as_list(chosen, "chosen")
    for _, position in removals(chosen, encoding, rule=rule, rng=rng):
        kept[position] = 0
    return tuple(kept)


def removals(
    chosen: Sequence[int], encoding: Encoding, *, rule: str, rng: int | Rng
) -> Iterator[tuple[int, int]]:
    """Yield each removal of the repair in order: the overused tile, and the position.

    Arguments are those of :func:`make_feasible`.
    """
    if not isinstance(rule, str) or rule not in REPAIRS:
        raise ArgumentError(argument="rule", value=short_repr(rule), expected=tuple(REPAIRS))
    prefer, place = REPAIRS[rule]
    source = rng if hasattr(rng, "random") else as_rng(rng)
    kept = check_chosen(chosen, encoding)
    for kind, held in enumerate(encoding.hand.counts):
        while True:
            having = [j for j, e in enumerate(kept) if e and kind in _kinds(encoding, e)]
            if sum(_kinds(encoding, kept[j]).count(kind) for j in having) <= held:
                break
            liked = [j for j in having if _is_liked(encoding, kept[j], prefer)] or having
            if place == "random":
                position = liked[int(source.random() * len(liked))]
            else:
                position = liked[0] if place == "first" else liked[-1]
            kept[position] = 0
            yield kind, position


def _kinds(encoding: Encoding, element: int) -> tuple[int, ...]:
    return encoding.elements[element - 1].kinds


def _is_liked(encoding: Encoding, element: int, prefer: str) -> bool:
    return prefer == "any" or encoding.elements[element - 1].is_meld == (prefer == "melds")
