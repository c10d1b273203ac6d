"""What counts as a win: standard, seven pairs, thirteen orphans."""

from collections.abc import Iterable
from typing import Final

from mjopt.errors import HandError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet, check_counts

STANDARD: Final = "standard"
SEVEN_PAIRS: Final = "seven_pairs"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"

FORMS: Final[dict[str, str]] = {
    STANDARD: "four melds and an eye",
    SEVEN_PAIRS: "seven pairs of different kinds",
    THIRTEEN_ORPHANS: "one of every terminal and honour, and one of them twice",
}

UNREACHABLE: Final = 127
"""The deficiency of a hand that the unseen tiles cannot complete.

It fits an int8 and is greater than any deficiency, so that the least over
several forms needs no special case.
"""


def orphan_kinds(tiles: TileSet) -> tuple[int, ...]:
    """Return the thirteen terminals and honours, or nothing if the set lacks some.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> len(orphan_kinds(FULL)), orphan_kinds(M0)
    (13, ())
    """
    kinds = tuple(
        kind
        for kind in range(tiles.num_kinds)
        if tiles.letter(kind) == "z" or tiles.rank(kind) in (1, 9)
    )
    return kinds if len(kinds) == 13 else ()


def check_forms(forms: Iterable[str], tiles: TileSet) -> tuple[str, ...]:
    """Return the forms as a tuple; refuse unknown ones and those the tiles cannot make.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> check_forms(["thirteen_orphans"], M0)
    Traceback (most recent call last):
    mjopt.errors.HandError: thirteen_orphans needs 13 terminals and honours, M0 has 6
    """
    chosen = (forms,) if isinstance(forms, str) else tuple(forms)
    if not chosen:
        raise HandError(f"no form given, expected some of {', '.join(FORMS)}")
    for form in chosen:
        if form not in FORMS:
            raise HandError(f"unknown form {form!r}, expected one of {', '.join(FORMS)}")
    if THIRTEEN_ORPHANS in chosen and not orphan_kinds(tiles):
        present = sum(
            tiles.letter(kind) == "z" or tiles.rank(kind) in (1, 9)
            for kind in range(tiles.num_kinds)
        )
        raise HandError(
            f"{THIRTEEN_ORPHANS} needs 13 terminals and honours, {tiles.name} has {present}"
        )
    return chosen


def capped_unseen(hand: Hand, unseen: Iterable[int] | None = None) -> tuple[int, ...]:
    """Return how many copies of each kind can still arrive.

    Parameters
    ----------
    hand
        The hand; what it holds or shows cannot arrive.
    unseen
        Copies believed unseen per kind (the knowledge base of Li and Yan), each
        in ``0..4``; by default all that the hand does not show. A number above
        what the hand leaves is cut down to it.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> capped_unseen(hand)[:3], capped_unseen(hand, [4, 1] + [0] * 25)[:3]
    ((1, 3, 3), (1, 1, 0))
    """
    if unseen is None:
        return hand.unseen
    given = check_counts(list(unseen), hand.tiles, what="unseen")
    return tuple(min(pair) for pair in zip(given, hand.unseen, strict=True))


def missing_tiles(form: str, hand: Hand, unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a least set of tiles that completes a hand to seven pairs or orphans.

    Both forms ask for kinds one by one, so the cheapest kinds are the answer.

    Parameters
    ----------
    form
        ``"seven_pairs"`` or ``"thirteen_orphans"``.
    hand
        The hand; with called melds neither form can be had.
    unseen
        Copies of each kind that can still arrive, already capped.

    Returns
    -------
    tuple of int or None
        Copies to draw per kind; None if the form cannot be reached.

    Examples
    --------
    >>> hand = Hand.parse("1122334455667m8p")
    >>> sum(missing_tiles("seven_pairs", hand, hand.unseen))
    1
    """
    if hand.called:
        return None
    if form == SEVEN_PAIRS:
        wanted = _cheapest_pairs(hand.counts, unseen)
    elif form == THIRTEEN_ORPHANS:
        wanted = _cheapest_orphans(hand.counts, unseen, orphan_kinds(hand.tiles))
    else:
        raise TileError(f"{form} is not a form of single kinds")
    if wanted is None:
        return None
    return tuple(max(0, w - h) for w, h in zip(wanted, hand.counts, strict=True))


def _cheapest_pairs(counts: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    costs = sorted(
        (max(0, 2 - held), kind) for kind, held in enumerate(counts) if held + unseen[kind] >= 2
    )
    if len(costs) < 7:
        return None
    chosen = {kind for _, kind in costs[:7]}
    return tuple(2 if kind in chosen else 0 for kind in range(len(counts)))


def _cheapest_orphans(
    counts: tuple[int, ...], unseen: tuple[int, ...], orphans: tuple[int, ...]
) -> tuple[int, ...] | None:
    reach = {kind: counts[kind] + unseen[kind] for kind in orphans}
    twice = [kind for kind in orphans if reach[kind] >= 2]
    if min(reach.values()) < 1 or not twice:
        return None
    pair = max(twice, key=lambda kind: min(counts[kind], 2))
    return tuple((2 if kind == pair else 1) if kind in reach else 0 for kind in range(len(counts)))
