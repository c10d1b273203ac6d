"""The hands with a wrong cost in the paper: a characterisation and its proof."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from mjopt.hands.tiles import COPIES

DESCRIPTION: Final = (
    "three kinds held four times and two single tiles that form a pchow, where no other "
    "two of these five kinds are of one suit and at most two ranks apart"
)

_RANKS: Final = 9


def in_family(counts: Sequence[int]) -> bool:
    """Return whether the paper's cost, with special cases, is wrong for this hand of M0.

    The condition: the hand holds three kinds four times and two kinds once; the two
    single tiles form a pchow; no other two of the five kinds are *near*, that is, of
    one suit and at most two ranks apart.

    **Why the paper's cost is 2.** Three pongs and the pchow have m = 3 and n = 1, and
    Eq. 8 gives 9 - 6 - 1. The hand holds no chow, so m is at most 3. With m = 3 the
    remaining tiles are three fourth copies and the pchow, so n is at most 1. With m at
    most 2 the cost is at least 2.

    **Why the deficiency is 3.** Count the tiles of the hand that a complete hand can
    keep. Kinds of the hand in one chow are near, so a chow keeps one tile, or the two of
    the pchow. A pong keeps three tiles of a kong, else at most one. An eye keeps two tiles
    of a kong, which then cannot be a pong as there are four copies, else at most one. Each
    of the two singles counts once. If a kong is the eye, the hand keeps at most two pongs
    of kongs, the eye, and two melds with 2 and 1 tiles: 3 + 3 + 2 + 2 + 1 = 11. If the eye
    is not a kong and three kongs are pongs, one meld and the eye keep at most 2 tiles,
    either both singles or one single and a fourth copy: 9 + 2 = 11. With fewer pongs it is
    less. So the hand keeps at most 11 of 14 tiles. It can keep 11: the tile that completes
    the pchow is near a single, so the hand does not hold it and it can be drawn.

    **Why other hands with three kongs and two singles are correct.** Without any near pair
    both numbers are 3, by the same counts. With a near pair other than the two singles,
    two changes are always enough, and the audit confirms the cost, thanks to special
    case 2. No hand of another shape is wrong either. This proof does not cover that claim;
    the audit of all hands does, and the tests compare it with this function.

    Parameters
    ----------
    counts
        Copies per kind, 27 of them.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> in_family(Hand.parse("B3333 C222267 D7777", notation="paper").counts)
    True
    >>> in_family(Hand.parse("B3333 C222245 D7777", notation="paper").counts)
    False
    """
    held = [kind for kind, copies in enumerate(counts) if copies]
    if sorted(counts[kind] for kind in held) != [1, 1, COPIES, COPIES, COPIES]:
        return False
    singles = [kind for kind in held if counts[kind] == 1]
    return are_near(*singles) and sum(are_near(*pair) for pair in combinations(held, 2)) == 1


def are_near(one: int, two: int) -> bool:
    """Return whether two kinds share a suit and are at most two ranks apart."""
    return one // _RANKS == two // _RANKS and abs(one - two) <= 2
