"""The deficiency of one hand with limited unseen tiles, in plain Python."""

from collections.abc import Sequence
from functools import lru_cache

from mjopt.hands.hand import check_called
from mjopt.hands.tiles import COPIES, check_counts
from mjopt.hands.winning_forms import STANDARD, UNREACHABLE, check_forms
from mjopt.tables.costs import join_costs, suit_costs
from mjopt.tables.lookup import label_one, special_deficiency
from mjopt.tables.state_index import MOST_TILES
from mjopt.tables.validation import not_a_hand, tiles_by_length

Copies = tuple[int, ...]


def label_limited_one(
    counts: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    *,
    forms: Sequence[str] = (STANDARD,),
    partial: bool = False,
) -> int:
    """Return the deficiency of one hand with a limit on the copies that can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; larger numbers are
        reduced to ``4 - counts``.
    called, forms, partial
        As for :func:`mjopt.tables.label_one`.

    Returns
    -------
    int
        The deficiency, or ``UNREACHABLE`` if those copies cannot complete the hand.

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


def _standard_deficiency(held: Copies, caps: Copies, melds: int) -> int:
    costs = {0: 0}
    for first in range(0, len(held), 9):
        suit = slice(first, first + 9)
        costs = join_costs(costs, _suit_costs(held[suit], caps[suit], first < 27))
    return costs.get(2 * melds + 1, UNREACHABLE)


@lru_cache(maxsize=1 << 14)
def _suit_costs(held: Copies, caps: Copies, has_chows: bool) -> dict[int, int]:
    """Return the fewest tiles that a suit misses; cached, since most suits recur."""
    most = [have + cap for have, cap in zip(held, caps, strict=True)]
    return suit_costs(held, most, [has_chows and rank < 7 for rank in range(len(held))])
