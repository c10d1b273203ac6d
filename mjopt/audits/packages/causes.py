"""Classify wrong values: kinds of error and their likely causes."""

from functools import lru_cache, reduce
from typing import Final

from mjopt.analysis.deficiency import deficiency
from mjopt.hands.hand import HAND_SIZE, Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_set import WinningForm
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import FormsLike, classic_forms, has_plain
from mjopt.tables.costs import join_costs, suit_costs

TOO_LOW: Final = "too low"
TOO_HIGH: Final = "too high"
NOT_A_NUMBER: Final = "not a number"
KINDS: Final = (TOO_LOW, TOO_HIGH, NOT_A_NUMBER)
NOT_A_HAND: Final = "not a hand"
"""The row cannot be read, so its value is neither right nor wrong."""

FOUR_COPIES: Final = "ignores the four-copy limit"
MIXED_FORMS: Final = "mixed forms"
QUADS: Final = "counts four of a kind as two pairs"
EXPLAINED: Final = (FOUR_COPIES, MIXED_FORMS, QUADS)

_NUMBERS: Final = ("nothing", "one", "two", "three", "four", "five", "six")


def true_deficiency(hand: Hand, forms: FormsLike) -> int:
    """Return the deficiency of a hand, from the tables if they know its forms.

    Examples
    --------
    >>> true_deficiency(Hand.parse("1112345678999m1p"), ("standard",))
    1
    """
    return deficiency(hand, forms=forms)


@lru_cache(maxsize=100_000)
def _unlimited_costs(held: tuple[int, ...], has_chows: bool) -> dict[int, int]:
    """Return the fewest tiles that a suit lacks if the copies of a kind are unlimited.

    Seven copies of a kind are enough. Chows and the eye use at most six, so a hand with
    eight copies includes a pong of which no tile is held; a pong of another kind lacks no more.
    """
    begins_chow = [has_chows and rank + 2 < len(held) for rank in range(len(held))]
    return suit_costs(held, [7] * len(held), begins_chow)


def unlimited_deficiency(hand: Hand) -> int:
    """Return the deficiency of a hand if the copies of each kind were unlimited.

    Covers the standard form only. Many programs compute this value: they wait for a
    fifth copy of a tile when the hand holds all four.

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


def likely_cause(hand: Hand, forms: FormsLike, theirs: int, true: int) -> str:
    """Name a common mistake that gives exactly this wrong value.

    Parameters
    ----------
    hand
        The hand.
    forms
        The winning forms that the value should cover.
    theirs, true
        The wrong deficiency and the right one.

    Returns
    -------
    str
        :data:`MIXED_FORMS` if the value is the least over the standard form, seven pairs
        and thirteen orphans; :data:`FOUR_COPIES` if it is correct with unlimited copies
        of every tile; :data:`QUADS` if it is correct when two of the seven pairs may be
        of the same kind; else the size of the error, and whether the hand holds four of a kind.

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
    known = HandQuery(hand, forms, general=True).forms
    cause = _known_cause(hand, known, theirs, true) if hand.size == HAND_SIZE else ""
    if cause:
        return cause
    error = abs(theirs - true)
    number = _NUMBERS[error] if error < len(_NUMBERS) else str(error)
    quad_note = ", holding four of a kind" if COPIES in hand.counts else ""
    return f"too {'low' if theirs < true else 'high'} by {number}{quad_note}"


def _known_cause(hand: Hand, forms: tuple[WinningForm, ...], theirs: int, true: int) -> str:
    """Return one of ``EXPLAINED``, or an empty text."""
    all_forms = classic_forms(hand.tiles)
    if not set(all_forms) <= set(forms) and theirs == true_deficiency(hand, all_forms):
        return MIXED_FORMS
    has_melds = has_plain(forms)
    if theirs < true and has_melds and theirs == unlimited_deficiency(hand):
        return FOUR_COPIES
    if COPIES in hand.counts and theirs < true and not hand.called:
        # A program with this mistake covers either the given forms or all forms.
        pairs_cost = 7 - min(7, sum(count // 2 for count in hand.counts))
        covered = [all_forms, forms] if any(form.is_pairs for form in forms) else [all_forms]
        if any(theirs == min(pairs_cost, true_deficiency(hand, some)) for some in covered):
            return QUADS
    return ""


def shift_cause(shift: int, means: str) -> str:
    """Name the mistake if every value of a file has the same error.

    Parameters
    ----------
    shift
        The given value minus the true one, not 0.
    means
        The assumed quantity of the values, ``deficiency`` or ``shanten``.

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
