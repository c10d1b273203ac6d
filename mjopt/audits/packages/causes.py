"""Why a value is wrong: kinds of error, and the usual causes that explain one."""

from functools import lru_cache, reduce
from typing import Final

from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, orphan_kinds
from mjopt.tables.costs import join_costs, suit_costs
from mjopt.tables.lookup import label_one

TOO_LOW: Final = "too low"
TOO_HIGH: Final = "too high"
NOT_A_NUMBER: Final = "not a number"
IMPOSSIBLE: Final = "impossible hand"
KINDS: Final = (TOO_LOW, TOO_HIGH, NOT_A_NUMBER, IMPOSSIBLE)

FOUR_COPIES: Final = "ignores the four-copy limit"
MIXED_FORMS: Final = "mixed forms"
QUADS: Final = "counts four of a kind as two pairs"
EXPLAINED: Final = (FOUR_COPIES, MIXED_FORMS, QUADS)

_NUMBERS: Final = ("nothing", "one", "two", "three", "four", "five", "six")


def true_deficiency(hand: Hand, forms: tuple[str, ...]) -> int:
    """Return the deficiency of a hand, from the tables.

    Examples
    --------
    >>> true_deficiency(Hand.parse("1112345678999m1p"), ("standard",))
    1
    """
    return label_one(hand.counts, hand.called, forms=forms, partial=hand.partial)


@lru_cache(maxsize=100_000)
def _unlimited_costs(held: tuple[int, ...], has_chows: bool) -> dict[int, int]:
    """Return the fewest tiles that a suit misses if no tile runs out.

    An eighth copy of a kind is never needed: eight or more include a pong of which no tile
    is held, since chows and the eye use at most six. It misses as few tiles elsewhere.
    """
    begins_chow = [has_chows and rank + 2 < len(held) for rank in range(len(held))]
    return suit_costs(held, [7] * len(held), begins_chow)


def unlimited_deficiency(hand: Hand) -> int:
    """Return what the deficiency would be if no tile ever ran out.

    Only the standard form is meant. Many programs compute this: they wait for a
    fifth copy of a tile of which they hold all four.

    Parameters
    ----------
    hand
        The hand.

    Examples
    --------
    >>> hand = Hand.parse("1111m123p112233s")  # deficiency 2: a fifth 1m would be the eye
    >>> unlimited_deficiency(hand)
    1
    """
    parts = zip(hand.tiles.suits, hand.tiles.slices, strict=True)
    costs = (_unlimited_costs(hand.counts[part], suit.has_chows) for suit, part in parts)
    return reduce(join_costs, costs)[2 * hand.melds_needed + 1]


def likely_cause(hand: Hand, forms: tuple[str, ...], theirs: int, true: int) -> str:
    """Name a usual mistake that gives exactly this wrong value.

    Parameters
    ----------
    hand
        The hand.
    forms
        The winning forms that were meant.
    theirs, true
        The wrong deficiency and the right one.

    Returns
    -------
    str
        :data:`MIXED_FORMS` if it is the least over the standard form, seven pairs
        and thirteen orphans; :data:`FOUR_COPIES` if it is right with endless copies
        of every tile; :data:`QUADS` if it is right where seven pairs may be of one
        kind; else by how much it is wrong, and whether the hand holds four of a kind.

    Examples
    --------
    >>> likely_cause(Hand.parse("1111m123p112233s"), ("standard",), 1, 2)
    'ignores the four-copy limit'
    >>> likely_cause(Hand.parse("1133557799m1133p"), ("standard",), 0, 4)
    'mixed forms'
    >>> likely_cause(Hand.parse("111199m3377p255s1z"), ("seven_pairs",), 1, 2)
    'counts four of a kind as two pairs'
    >>> likely_cause(Hand.parse("1112345678999m1p"), ("standard",), 4, 1)
    'too high by three'
    """
    every = [STANDARD, SEVEN_PAIRS]
    if orphan_kinds(hand.tiles):
        every.append(THIRTEEN_ORPHANS)
    if not set(every) <= set(forms) and theirs == true_deficiency(hand, tuple(every)):
        return MIXED_FORMS
    if theirs < true and STANDARD in forms and theirs == unlimited_deficiency(hand):
        return FOUR_COPIES
    has_quad = COPIES in hand.counts
    if has_quad and theirs < true and not hand.called:
        # Such a program looks at the forms that are meant, or at all of them.
        paired = 7 - min(7, sum(held // 2 for held in hand.counts))
        meant = [set(every), set(forms)] if SEVEN_PAIRS in forms else [set(every)]
        if any(theirs == min(paired, true_deficiency(hand, tuple(named))) for named in meant):
            return QUADS
    apart = abs(theirs - true)
    number = _NUMBERS[apart] if apart < len(_NUMBERS) else str(apart)
    held = ", holding four of a kind" if has_quad else ""
    return f"too {'low' if theirs < true else 'high'} by {number}{held}"


def shift_cause(shift: int, means: str) -> str:
    """Name the mistake if every value of a file is wrong by the same amount.

    Parameters
    ----------
    shift
        Theirs less the true deficiency, not 0.
    means
        What the values were taken to be, ``deficiency`` or ``shanten``.

    Examples
    --------
    >>> shift_cause(-1, "deficiency")
    'off by one: shanten given as deficiency'
    >>> shift_cause(1, "shanten")
    'off by one: deficiency given as shanten'
    >>> shift_cause(2, "deficiency")
    'every value shifted by +2'
    """
    if (shift, means) == (-1, "deficiency"):
        return "off by one: shanten given as deficiency"
    if (shift, means) == (1, "shanten"):
        return "off by one: deficiency given as shanten"
    return f"every value shifted by {shift:+d}"
