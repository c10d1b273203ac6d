"""The hands that the paper's cost gets wrong, said in one sentence and proved."""

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
    """Return whether the paper's cost, special cases applied, misses this hand of M0.

    The condition: the hand holds three kinds four times and two kinds once; the two
    single tiles form a pchow; no other two of the five kinds are *near*, that is, of
    one suit and at most two ranks apart.

    **Why the paper's cost is 2.** Three pongs and the pchow have m = 3 and n = 1, and
    Eq. 8 gives 9 - 6 - 1. No chow is held, so m is at most 3; with m = 3 what is left
    over is three fourth copies and the pchow, so n is at most 1; with m at most 2 the
    cost is at least 2.

    **Why the deficiency is 3.** Count the tiles of the hand that a complete hand can
    keep. Held kinds in one chow are near, so a chow keeps one tile, or the two of the
    pchow. A pong keeps three tiles of a kong, else at most one. An eye keeps two tiles
    of a kong, which is then no pong as there are four copies, else at most one. The
    two singles are kept once. If a kong is the eye: at most two pongs of kongs, the
    eye, and two melds with 2 and 1, that is 3 + 3 + 2 + 2 + 1 = 11. If not, and three
    kongs are pongs: one meld and the eye keep at most 2, either both singles or one
    single and a fourth copy, that is 9 + 2 = 11. With fewer pongs it is less. So 11 of
    14 stay at most, and 11 can: what completes the pchow is near a single, hence not
    held and there to draw.

    **Why other three kongs and two singles are fine.** Without any near pair both
    numbers are 3, by the same counts. With a near pair that is not the two singles,
    two changes are always enough, and the audit finds the cost to be right: special
    case 2 sees to it. Nor is any hand of another shape wrong: that is not argued here
    but decided by the audit of all hands, which the tests compare with this function.

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
    """Return whether two kinds are of one suit and at most two ranks apart."""
    return one // _RANKS == two // _RANKS and abs(one - two) <= 2
