"""Symmetry: hands that differ only by a change of suits or a reversal of ranks."""

from functools import lru_cache

from mjopt.hands.tiles import TileSet


@lru_cache(maxsize=32)
def _suit_roles(tiles: TileSet) -> tuple[tuple[int, int, bool, bool, tuple[object, ...]], ...]:
    """Where each suit lies, whether reversal or any order keeps it, and its like."""
    roles = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        mirrored = tuple(10 - rank for rank in reversed(suit.ranks)) == suit.ranks
        is_orphan_suit = suit.letter == "z"
        like = (suit.ranks, suit.has_chows, is_orphan_suit)
        roles.append((part.start, part.stop, mirrored, is_orphan_suit and not suit.has_chows, like))
    return tuple(roles)


def canonical_counts(counts: tuple[int, ...], tiles: TileSet) -> tuple[int, ...]:
    """Return the one representative of all hands that are alike.

    Suits of the same ranks may change places, each suit of ranks 1..9 may be
    reversed by itself, and honours may be permuted. None of this changes the
    deficiency of any form, nor the paper's cost, as long as all copies not held
    are unseen.

    Parameters
    ----------
    counts
        Copies per kind.
    tiles
        The tile set.

    Returns
    -------
    tuple of int
        Equal for two hands exactly if these changes turn one into the other.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import M0
    >>> one, two = Hand.parse("1235m778899p9999s"), Hand.parse("1111m112233p5789s")
    >>> canonical_counts(one.counts, M0) == canonical_counts(two.counts, M0)
    True
    """
    roles = _suit_roles(tiles)
    parts: list[tuple[int, ...]] = []
    for start, stop, mirrored, any_order, _ in roles:
        part = counts[start:stop]
        if any_order:
            part = tuple(sorted(part))
        elif mirrored:
            part = min(part, part[::-1])
        parts.append(part)
    by_like: dict[tuple[object, ...], list[int]] = {}
    for i, role in enumerate(roles):
        by_like.setdefault(role[4], []).append(i)
    for places in by_like.values():
        for place, part in zip(places, sorted(parts[i] for i in places), strict=True):
            parts[place] = part
    return tuple([number for part in parts for number in part])
