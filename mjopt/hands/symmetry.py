"""Canonical form of hands under permutation of suits and reversal of ranks."""

from functools import lru_cache

from mjopt.hands.tiles import TileSet


@lru_cache(maxsize=32)
def _suit_roles(tiles: TileSet) -> tuple[tuple[int, int, bool, bool, tuple[object, ...]], ...]:
    """Return each suit's slice, whether it can be reversed or permuted, and its class."""
    roles = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        is_mirrored = tuple(10 - rank for rank in reversed(suit.ranks)) == suit.ranks
        is_honours = suit.letter == "z"
        permutes = is_honours and not suit.has_chows
        suit_class = (suit.ranks, suit.has_chows, is_honours)
        roles.append((part.start, part.stop, is_mirrored, permutes, suit_class))
    return tuple(roles)


def canonical_counts(counts: tuple[int, ...], tiles: TileSet) -> tuple[int, ...]:
    """Return the canonical representative of all equivalent hands.

    Suits with the same ranks can be exchanged, each suit of ranks 1..9 can be reversed,
    and honours can be permuted. This preserves the deficiency of every form and the
    paper's cost, if all copies not held are unseen.

    Parameters
    ----------
    counts
        Copies per kind.
    tiles
        The tile set.

    Returns
    -------
    tuple of int
        Equal for two hands if and only if they are equivalent.

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
    for start, stop, is_mirrored, permutes, _ in roles:
        part = counts[start:stop]
        if permutes:
            part = tuple(sorted(part))
        elif is_mirrored:
            part = min(part, part[::-1])
        parts.append(part)
    by_class: dict[tuple[object, ...], list[int]] = {}
    for i, role in enumerate(roles):
        by_class.setdefault(role[4], []).append(i)
    for indices in by_class.values():
        for i, part in zip(indices, sorted(parts[i] for i in indices), strict=True):
            parts[i] = part
    return tuple([number for part in parts for number in part])
