"""What melds and the eye cost suit by suit, and the cheapest way to share them out."""

from dataclasses import dataclass

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES

Share = tuple[int, int]  # melds, eyes (0 or 1)


def suit_costs(hand: Hand, unseen: tuple[int, ...], suit: int) -> dict[Share, int]:
    """Return the least tiles missing for so many melds and eyes inside one suit.

    Parameters
    ----------
    hand
        The hand.
    unseen
        Copies of each kind that can still arrive, already capped.
    suit
        Position of the suit in the tile set.

    Returns
    -------
    dict
        From (melds, eyes), up to the melds the hand still needs; what cannot be
        had is left out.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> costs = suit_costs(hand, hand.unseen, 0)
    >>> costs[4, 0], costs[3, 1], costs[4, 1]
    (0, 0, 1)
    """
    # A state is (melds, eyes, chows begun one kind back, two kinds back).
    states = {(0, 0, 0, 0): 0}
    part = hand.tiles.slices[suit]
    for kind in range(part.start, part.stop):
        after: dict[tuple[int, int, int, int], int] = {}
        held, most = hand.counts[kind], hand.counts[kind] + unseen[kind]
        most_chows = COPIES if kind in hand.tiles.chow_starts else 0
        for (melds, eyes, one_back, two_back), cost in states.items():
            for chows in range(most_chows + 1):
                for pongs in (0, 1):
                    for pairs in range(2 - eyes):
                        use = one_back + two_back + chows + 3 * pongs + 2 * pairs
                        made = melds + chows + pongs
                        if use <= most and made <= hand.melds_needed:
                            state = (made, eyes + pairs, chows, one_back)
                            price = cost + max(0, use - held)
                            after[state] = min(after.get(state, price), price)
        states = after
    return {(melds, eyes): cost for (melds, eyes, _, _), cost in states.items()}


@dataclass(frozen=True, slots=True)
class Shares:
    """The ways to share the melds and the eye of a hand among its suits.

    Parameters
    ----------
    costs
        For each suit, the cost of what it can make.
    num_ways
        How many ways there are, those that cannot be had included.
    least
        Tiles missing in the cheapest way; None if none can be had.
    best
        What each suit makes in one cheapest way; empty if none can be had.
    """

    costs: tuple[dict[Share, int], ...]
    num_ways: int
    least: int | None
    best: tuple[Share, ...]


def share_out(hand: Hand, unseen: tuple[int, ...]) -> Shares:
    """Return every suit's costs and the cheapest way to share the melds and the eye.

    Suits have no tile in common, so a complete hand costs what its suits cost, and
    the cheapest share is the deficiency.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> shares = share_out(hand, hand.unseen)
    >>> shares.num_ways, shares.least, shares.best
    (45, 1, ((4, 0), (0, 1), (0, 0)))
    """
    costs = tuple(suit_costs(hand, unseen, i) for i in range(len(hand.tiles.suits)))
    every = [(m, e) for m in range(hand.melds_needed + 1) for e in (0, 1)]
    ways = {(0, 0): 1}
    best: dict[Share, tuple[int, tuple[Share, ...]]] = {(0, 0): (0, ())}
    for made in costs:
        grown_ways: dict[Share, int] = {}
        grown: dict[Share, tuple[int, tuple[Share, ...]]] = {}
        for melds, eyes in every:
            for more, pair in every:
                total = (melds + more, eyes + pair)
                if total in every:
                    number = ways.get((melds, eyes), 0)
                    grown_ways[total] = grown_ways.get(total, 0) + number
                    if (melds, eyes) in best and (more, pair) in made:
                        cost, shares = best[melds, eyes]
                        found = (cost + made[more, pair], (*shares, (more, pair)))
                        if total not in grown or found[0] < grown[total][0]:
                            grown[total] = found
        ways, best = grown_ways, grown
    goal = (hand.melds_needed, 1)
    least, shares = best.get(goal, (None, ()))
    return Shares(costs, ways.get(goal, 0), least, shares)
