"""One discard, and what the play after it is worth."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from mjopt.analysis.win_chance.upper_bound import ONE
from mjopt.hands.hand import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDiscard:
    """One discard, and bounds of the chance to win after it.

    Parameters
    ----------
    kind
        The kind thrown away; None for a hand that waits for its draw.
    hand
        What is left.
    lower
        The chance that some way to play has at least, whatever class it is of.
    upper
        What no way to play within the class exceeds.
    upper_any
        What none exceeds at all: where the class is not all plays, the chance of who could
        keep every tile.
    is_exact
        Whether ``value`` is known.
    value
        The best chance within the class; None where only the bounds are known.
    regret
        How much more another discard may be worth, at most: its upper bound against this
        lower one; 0 if none is better, which is then proven within the class.
    """

    kind: int | None
    hand: Hand
    lower: Fraction
    upper: Fraction
    upper_any: Fraction
    is_exact: bool
    value: Fraction | None
    regret: Fraction

    def to_document(self) -> dict[str, Any]:
        """Return the discard as plain data: exact numbers as text, floats rounded outwards."""
        return {
            "discard": None if self.kind is None else self.hand.tiles.names[self.kind],
            "lower": str(self.lower),
            "lower_float": rounded(self.lower, up=False),
            "upper": str(self.upper),
            "upper_float": rounded(self.upper, up=True),
            "upper_any": str(self.upper_any),
            "upper_any_float": rounded(self.upper_any, up=True),
            "is_exact": self.is_exact,
            "value": None if self.value is None else str(self.value),
            "regret": str(self.regret),
            "regret_float": rounded(self.regret, up=True),
        }


def as_fraction(number: int) -> Fraction:
    """Return a bound that is given in units of ``1 / ONE``.

    Examples
    --------
    >>> as_fraction(ONE // 2)
    Fraction(1, 2)
    """
    return Fraction(number, ONE)


def rounded(number: Fraction, *, up: bool) -> float:
    """Return the float next to a number, on the side where a bound still holds.

    Examples
    --------
    >>> rounded(Fraction(1, 3), up=False) < Fraction(1, 3) < rounded(Fraction(1, 3), up=True)
    True
    """
    near = float(number)
    if up and near < number:
        return nextafter(near, inf)
    return nextafter(near, -inf) if not up and near > number else near


def decimals(number: Fraction, digits: int, *, up: bool) -> str:
    """Write a number with so many decimals, on the side where a bound still holds.

    Examples
    --------
    >>> decimals(Fraction(2, 3), 3, up=False), decimals(Fraction(2, 3), 3, up=True)
    ('0.666', '0.667')
    >>> decimals(Fraction(1), 3, up=True)
    '1.000'
    """
    scale = 10**digits
    units = -(-number * scale // 1) if up else number * scale // 1
    return f"{units // scale}.{units % scale:0{digits}d}"
