"""One row under audit: a hand, or why it is none, and the value that somebody gave it."""

from dataclasses import dataclass
from typing import Any

from mjopt.hands.hand import Hand

MEANINGS = ("deficiency", "shanten")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRow:
    """A hand and somebody else's value for it.

    Parameters
    ----------
    line
        Line of the file, counted from 1; for files without lines the row.
    text
        The hand as it is written there.
    hand
        The hand; None if that is not one.
    reason
        Why it is not a hand.
    written
        The value as it is written there.
    theirs
        The value as a deficiency; None if it is not a whole number.
    """

    line: int
    text: str
    hand: Hand | None
    reason: str = ""
    written: str
    theirs: int | None


def as_deficiency(value: Any, *, means: str) -> int | None:
    """Return a value as a deficiency: shanten is one less than it.

    Parameters
    ----------
    value
        Text or a number; anything may stand in a file.
    means
        ``deficiency`` or ``shanten``.

    Returns
    -------
    int or None
        None if the value is not a whole number.

    Examples
    --------
    >>> as_deficiency("2", means="deficiency"), as_deficiency(-1.0, means="shanten")
    (2, 0)
    >>> as_deficiency("2.5", means="shanten"), as_deficiency(None, means="shanten")
    (None, None)
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if not number.is_integer():  # neither are infinity and NaN
        return None
    return int(number) + (means == "shanten")
