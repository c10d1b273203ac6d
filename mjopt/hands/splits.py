"""Count the splits of a hand into melds and an eye."""

from itertools import product

from mjopt.hands.tiles import TileSet


def count_splits(
    counts: list[int], tiles: TileSet, melds: int, *, has_eye: bool = False, kind: int = 0
) -> int:
    """Count the ways to split all copies from a kind on into melds and an eye.

    Examples
    --------
    >>> from mjopt import M0
    >>> count_splits([3, 3, 3, 0, 0, 0, 0, 0, 2] + [0] * 18, M0, melds=3)
    2
    """
    while kind < len(counts) and not counts[kind]:
        kind += 1
    if kind == len(counts):
        return int(has_eye and melds == 0)
    found = 0
    for eyes, pongs in product((0, 1), (0, 1)):
        chows = counts[kind] - 2 * eyes - 3 * pongs
        rest = counts.copy()
        rest[kind] = 0
        if chows > 0 and kind in tiles.chow_starts:
            rest[kind + 1] -= chows
            rest[kind + 2] -= chows
        elif chows:
            continue
        if min(rest) >= 0 and not (eyes and has_eye) and chows + pongs <= melds:
            found += count_splits(
                rest, tiles, melds - chows - pongs, has_eye=has_eye or bool(eyes), kind=kind + 1
            )
    return found
