"""The set S of melds and pmelds inside a hand, by the paper's five cases."""

from mjopt.hands.blocks import Block, chow, eye, pchow, pong
from mjopt.hands.coerce import HandLike, TilesLike, as_hand
from mjopt.hands.tiles import COPIES


def candidates(hand: HandLike, *, tiles: TilesLike = None) -> tuple[Block, ...]:
    """List the set S of a hand.

    Each element stands once, however often the hand could supply it. A pchow
    that four copies in the hand make impossible to complete is left out.

    Parameters
    ----------
    hand, tiles
        As for :func:`mjopt.deficiency`.

    Returns
    -------
    tuple of Block
        By shape (pchows, pairs, chows, pongs), then by kind.

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, section 3.1, cases 1 to 5
       ("more than two" and "more than three" read as "at least").

    Examples
    --------
    >>> from mjopt import Hand
    >>> hand = Hand.parse("B1B2B3B3B3B3B4B8C4C5C9D6D7D8", notation="paper")
    >>> [block.text(hand.tiles) for block in candidates(hand)]
    ['45m', '67p', '68p', '78p', '13s', '23s', '34s', '33s', '678p', '123s', '234s', '333s']
    """
    hand = as_hand(hand, tiles)
    counts, starts = hand.counts, set(hand.tiles.chow_starts)

    def can_arrive(kind: int) -> bool:
        return counts[kind] < COPIES

    pchows: list[Block] = []
    pairs: list[Block] = []
    chows: list[Block] = []
    pongs: list[Block] = []
    for kind, held in enumerate(counts):
        if not held:
            continue
        # Cases 1 and 2: a completing neighbour exists exactly where a chow does.
        below = kind - 1 in starts and can_arrive(kind - 1)
        above = kind in starts and can_arrive(kind + 2)
        if (kind in starts or kind - 1 in starts) and counts[kind + 1] and (below or above):
            pchows.append(pchow(kind, gap=1))
        if kind in starts and counts[kind + 2] and can_arrive(kind + 1):
            pchows.append(pchow(kind, gap=2))
        if kind in starts and counts[kind + 1] and counts[kind + 2]:
            chows.append(chow(kind))
        if held >= 2:
            pairs.append(eye(kind))
        if held >= 3:
            pongs.append(pong(kind))
    return (*pchows, *pairs, *chows, *pongs)
