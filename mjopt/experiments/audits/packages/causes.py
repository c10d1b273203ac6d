"""Why a value is wrong: kinds of error, and the usual causes that explain one."""

from typing import Final

from mjopt.experiments.audits.packages.unlimited import unlimited_deficiency
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, orphan_kinds
from mjopt.hands.hand import Hand
from mjopt.tables.single import label_one

TOO_LOW: Final = "too low"
TOO_HIGH: Final = "too high"
NOT_A_NUMBER: Final = "not a number"
IMPOSSIBLE: Final = "impossible hand"
KINDS: Final = (TOO_LOW, TOO_HIGH, NOT_A_NUMBER, IMPOSSIBLE)

FOUR_COPIES: Final = "ignores the four-copy limit"
MIXED_FORMS: Final = "mixed forms"
OTHER: Final = "other"


def true_deficiency(hand: Hand, forms: tuple[str, ...]) -> int:
    """Return the deficiency of a hand, from the tables.

    Examples
    --------
    >>> true_deficiency(Hand.parse("1112345678999m1p"), ("standard",))
    1
    """
    return label_one(hand.counts, hand.called, forms=forms, partial=hand.partial)


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
        of every tile; else :data:`OTHER`.

    Examples
    --------
    >>> likely_cause(Hand.parse("1111m123p112233s"), ("standard",), 1, 2)
    'ignores the four-copy limit'
    >>> likely_cause(Hand.parse("1133557799m1133p"), ("standard",), 0, 4)
    'mixed forms'
    """
    every = [STANDARD, SEVEN_PAIRS]
    if orphan_kinds(hand.tiles):
        every.append(THIRTEEN_ORPHANS)
    if not set(every) <= set(forms) and theirs == true_deficiency(hand, tuple(every)):
        return MIXED_FORMS
    if theirs < true and STANDARD in forms and theirs == unlimited_deficiency(hand):
        return FOUR_COPIES
    return OTHER


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
