"""Bounds of the chance to win after one discard."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from mjopt.chances.win_chance.bounds import ONE
from mjopt.hands.hand import Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDiscard:
    """One discard and the bounds of the chance to win after it.

    Parameters
    ----------
    kind
        The discarded kind; None for a hand before its draw.
    hand
        The hand after the discard.
    lower
        Lower bound of optimal play, without conditions.
    upper
        Upper bound of all plays within the class.
    upper_any
        Upper bound of all plays. If the class is not complete, this is the ceiling, or without one
        the chance to win if every drawn tile could be kept.
    is_exact
        Whether ``value`` is known.
    value
        The optimum within the class; None if only bounds are known.
    regret
        The greatest upper bound of another discard minus this lower bound, at least 0. If it is
        0, no other discard within the class is better.
    ceiling
        Ceiling of the table, see :func:`mjopt.ceiling`; None without a table. It bounds all plays
        only if :attr:`Play.ceiling_is_bound`.
    is_searched
        Whether some play after this discard is in the class; otherwise ``lower``, ``upper``,
        ``value`` and ``regret`` say nothing about it.

    Examples
    --------
    >>> import mjopt
    >>> best = mjopt.optimal_play("22557m234p34789s3z", draws=6, waste=0).discards[0]
    >>> mjopt.FULL.names[best.kind], best.is_exact, best.lower == best.value == best.upper
    ('3z', True, True)
    """

    kind: int | None
    hand: Hand
    lower: Fraction
    upper: Fraction
    upper_any: Fraction
    is_exact: bool
    value: Fraction | None
    regret: Fraction
    ceiling: Fraction | None = None
    is_searched: bool = True

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document: exact numbers as text, floats rounded outwards."""
        return {
            "discard": None if self.kind is None else self.hand.tiles.names[self.kind],
            "lower": str(self.lower),
            "lower_float": rounded(self.lower, up=False),
            "upper": str(self.upper),
            "upper_float": rounded(self.upper, up=True),
            "upper_any": str(self.upper_any),
            "upper_any_float": rounded(self.upper_any, up=True),
            "is_searched": self.is_searched,
            "is_exact": self.is_exact,
            "value": None if self.value is None else str(self.value),
            "regret": str(self.regret),
            "regret_float": rounded(self.regret, up=True),
            "ceiling": None if self.ceiling is None else str(self.ceiling),
        }


def as_fraction(number: int) -> Fraction:
    """Convert a bound from units of ``1 / ONE``."""
    return Fraction(number, ONE)


def rounded(number: Fraction, *, up: bool) -> float:
    """Return the float next to a number, rounded so that a bound still holds.

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
    """Write a number with ``digits`` decimals, rounded so that a bound still holds.

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
