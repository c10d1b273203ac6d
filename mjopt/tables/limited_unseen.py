"""Limited unseen tiles: one hand at a time, in plain Python."""

from collections.abc import Sequence
from functools import lru_cache

from mjopt.hands.tiles import COPIES, check_counts
from mjopt.hands.winning_forms import STANDARD, UNREACHABLE, check_forms
from mjopt.tables.lookup import label_one, special_deficiency
from mjopt.tables.state_index import MOST_TILES
from mjopt.tables.validation import check_called, not_a_hand, tiles_by_length

Costs = tuple[int, ...]  # missing tiles, by 2 * melds + eye

MOVES = tuple(
    (chows, one_back, two_back, pongs, eyes, one_back + two_back + chows + 3 * pongs + 2 * eyes)
    for chows in range(3)
    for one_back in range(3)
    for two_back in range(3)
    for pongs, eyes in ((0, 0), (1, 0), (0, 1))
    if one_back + two_back + chows + 3 * pongs + 2 * eyes <= COPIES
)
"""What one kind can be used for: chows that begin here, that began one and two ranks
back, pongs, eyes; and how many copies that takes. Those with no chow come first."""


def label_limited_one(
    counts: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    *,
    forms: Sequence[str] = (STANDARD,),
    partial: bool = False,
) -> int:
    """Return the deficiency of one hand when only so many copies can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; no more than
        ``4 - counts`` ever can.
    called, forms, partial
        As for :func:`mjopt.tables.label_one`.

    Returns
    -------
    int
        The deficiency, or ``UNREACHABLE`` if those tiles cannot complete the hand.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> label_limited_one(hand, [1] * 27), label_limited_one(hand, [0] * 27) == UNREACHABLE
    (1, True)
    """
    tiles = tiles_by_length(len(counts))
    check_called(called)
    chosen = check_forms(forms, tiles)
    held = check_counts(counts, tiles)
    left = check_counts(unseen, tiles, what="unseen")
    most = MOST_TILES - 3 * called
    if sum(held) > most or (sum(held) < most - 1 and not partial):
        raise not_a_hand(held, called=called, partial=partial)
    caps = tuple(min(cap, COPIES - have) for cap, have in zip(left, held, strict=True))
    if all(cap + have == COPIES for cap, have in zip(caps, held, strict=True)):
        return label_one(held, called, forms=chosen, partial=partial)
    least = special_deficiency(held, chosen, caps) if not called else UNREACHABLE
    if STANDARD in chosen:
        least = min(least, _standard_deficiency(held, caps, 4 - called))
    return least


def _standard_deficiency(held: Costs, caps: Costs, melds: int) -> int:
    costs = _suit_costs(held[:9], caps[:9], True)
    for first in range(9, len(held), 9):
        part = slice(first, first + 9)
        costs = _joined(costs, _suit_costs(held[part], caps[part], first < 27))
    return costs[2 * melds + 1]


def _joined(first: Costs, second: Costs) -> Costs:
    both = [UNREACHABLE] * 10
    for i, cost in enumerate(first):
        if cost == UNREACHABLE:
            continue
        for j, other in enumerate(second[: 10 - i]):
            if not i & j & 1:  # not two eyes
                both[i + j] = min(both[i + j], cost + other)
    return tuple(both)


@lru_cache(maxsize=1 << 14)
def _suit_costs(held: Costs, caps: Costs, has_chows: bool) -> Costs:
    """Return the least missing tiles for every number of melds and eyes."""
    states = {(0, 0): [0] + [UNREACHABLE] * 9}
    for rank, (have, cap) in enumerate(zip(held, caps, strict=True)):
        may_begin = has_chows and rank < len(held) - 2
        after: dict[tuple[int, int], list[int]] = {}
        for chows, one_back, two_back, pongs, eyes, used in MOVES:
            before = states.get((one_back, two_back))
            if before is None or used > have + cap or (chows and not may_begin):
                continue
            best = after.setdefault((chows, one_back), [UNREACHABLE] * 10)
            shift = 2 * (chows + pongs) + eyes
            missing = max(0, used - have)
            for i in range(0, 10 - shift, 1 + eyes):  # an eye is added to no other eye
                best[i + shift] = min(best[i + shift], before[i] + missing)
        states = after
    return tuple(states.get((0, 0), [UNREACHABLE] * 10))
