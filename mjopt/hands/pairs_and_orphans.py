"""Missing tiles of seven pairs and thirteen orphans, whose kinds are independent."""

from mjopt.errors import TileError
from mjopt.hands.blocks import beyond
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.winning_form import WinningForm


def missing_tiles(form: WinningForm, hand: Hand, unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the fewest copies to draw per kind for seven pairs or orphans; None if unreachable.

    Kinds are independent in both forms, so the cheapest kinds are optimal. Neither form is possible
    with called melds. ``unseen`` copies can still arrive, at most those not in the hand.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import classic_form
    >>> hand = Hand.parse("1122334455667m8p")
    >>> sum(missing_tiles(classic_form("seven_pairs", hand.tiles), hand, hand.unseen))
    1
    """
    if hand.called:
        return None
    if form.is_pairs:
        wanted = _cheapest_pairs(hand.counts, unseen)
    elif form.is_singles:
        wanted = _cheapest_orphans(hand.counts, unseen, form.templates[0].of)
    else:
        raise TileError(f"{form} is not a form of single kinds")
    if wanted is None:
        return None
    return beyond(wanted, hand.counts)


def num_missing(form: WinningForm, hand: Hand, unseen: tuple[int, ...]) -> int:
    """Return the deficiency for one form; ``UNREACHABLE`` if the form is impossible."""
    missing = missing_tiles(form, hand, unseen)
    return UNREACHABLE if missing is None else sum(missing)


def missing_and_helpful(
    form: WinningForm, hand: Hand, unseen: tuple[int, ...]
) -> tuple[int, frozenset[int]]:
    """Return the deficiency for seven pairs or orphans, and the kinds that lower it.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import classic_form
    >>> hand = Hand.parse("1122334455667m")
    >>> missing_and_helpful(classic_form("seven_pairs", hand.tiles), hand, hand.unseen)
    (1, frozenset({6}))
    """
    missing = missing_tiles(form, hand, unseen)
    if missing is None:
        return UNREACHABLE, frozenset()
    if form.is_pairs:
        prices = pair_prices(hand.counts, unseen)
        highest = sorted(prices.values())[6]
        return sum(missing), frozenset(k for k, price in prices.items() if 0 < price <= highest)
    orphans = form.templates[0].of
    is_paired = any(hand.counts[kind] > 1 for kind in orphans)
    useful = [k for k in orphans if unseen[k] and not (is_paired and hand.counts[k])]
    return sum(missing), frozenset(useful)


def pair_prices(counts: tuple[int, ...], unseen: tuple[int, ...]) -> dict[int, int]:
    """Return the missing copies of a pair, for each kind of which a pair is possible."""
    return {
        kind: max(0, 2 - held)
        for kind, (held, arriving) in enumerate(zip(counts, unseen, strict=True))
        if held + arriving >= 2
    }


def _cheapest_pairs(counts: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    prices = pair_prices(counts, unseen)
    if len(prices) < 7:
        return None
    chosen = sorted(prices, key=lambda kind: (prices[kind], kind))[:7]
    return tuple(2 if kind in chosen else 0 for kind in range(len(counts)))


def _cheapest_orphans(
    counts: tuple[int, ...], unseen: tuple[int, ...], orphans: tuple[int, ...]
) -> tuple[int, ...] | None:
    reach = {kind: counts[kind] + unseen[kind] for kind in orphans}
    pairs = [kind for kind in orphans if reach[kind] >= 2]
    if min(reach.values()) < 1 or not pairs:
        return None
    pair = max(pairs, key=lambda kind: min(counts[kind], 2))
    return tuple((2 if kind == pair else 1) if kind in reach else 0 for kind in range(len(counts)))
