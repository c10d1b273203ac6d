"""The cheapest way to share the melds and the eye of a hand among its suits."""

from dataclasses import dataclass

from mjopt.hands.hand import Hand
from mjopt.tables.suits.costs import suit_costs as costs_of_suit

Share = tuple[int, int]  # melds, eyes (0 or 1)


@dataclass(frozen=True, slots=True)
class Shares:
    """The ways to share the melds and the eye of a hand among its suits."""

    costs: tuple[dict[Share, int], ...]  # for each suit, the tiles it misses for each share
    num_ways: int  # those that cannot be completed included
    least: int | None  # tiles missing in the cheapest way; None if no way can be completed
    # The share of each suit in one cheapest way; empty if no way can be completed.
    best: tuple[Share, ...]


def suit_costs(hand: Hand, unseen: tuple[int, ...], suit: int) -> dict[Share, int]:
    """Return the fewest tiles missing for m melds and e eyes inside one suit, by ``(m, e)``.

    Shares go up to the melds that the hand still needs; impossible ones are omitted. ``unseen`` is
    already capped.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> costs = suit_costs(hand, hand.unseen, 0)
    >>> costs[4, 0], costs[3, 1], costs[4, 1]
    (0, 0, 1)
    """
    part = hand.tiles.slices[suit]
    held = hand.counts[part]
    most = [have + more for have, more in zip(held, unseen[part], strict=True)]
    begins_chow = [kind in hand.tiles.chow_starts for kind in range(part.start, part.stop)]
    costs = costs_of_suit(held, most, begins_chow)
    return {
        (share // 2, share % 2): cost
        for share, cost in costs.items()
        if share // 2 <= hand.melds_needed
    }


def cheapest_shares(hand: Hand, unseen: tuple[int, ...]) -> Shares:
    """Return the costs of every suit and the cheapest way to share the melds and the eye.

    Suits have no tile in common, so the costs of the suits add up, and the cheapest way to
    share is the deficiency.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> shares = cheapest_shares(hand, hand.unseen)
    >>> shares.num_ways, shares.least, shares.best
    (45, 1, ((4, 0), (0, 1), (0, 0)))
    """
    costs = tuple(suit_costs(hand, unseen, i) for i in range(len(hand.tiles.suits)))
    every = [(m, e) for m in range(hand.melds_needed + 1) for e in (0, 1)]
    # For each share of the suits so far: number of ways, least cost, one way of that cost.
    made: dict[Share, tuple[int, int | None, tuple[Share, ...]]] = {(0, 0): (1, 0, ())}
    for prices in costs:
        grown: dict[Share, tuple[int, int | None, tuple[Share, ...]]] = {}
        for (melds, eyes), (ways, cost, shares) in made.items():
            for more, pair in every:
                total = (melds + more, eyes + pair)
                if total not in every:
                    continue
                number, least, best = grown.get(total, (0, None, ()))
                if cost is not None and (more, pair) in prices:
                    price = cost + prices[more, pair]
                    if least is None or price < least:
                        least, best = price, (*shares, (more, pair))
                grown[total] = (number + ways, least, best)
        made = grown
    return Shares(costs, *made[hand.melds_needed, 1])
