"""Deal-in rates of discards: what they are about, and the exact ones under the uniform prior."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.danger.ready_counts import ReadyCounts, count_ready
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rule_set import WinningForm
from mjopt.hands.template import Template
from mjopt.hands.tiles import TileSet

UNIT: Final = 10**9
"""Rates are whole numbers of billionths."""

_FEWEST_DIGITS: Final = 2  # so that 0 is no rounded share of 4 %
_FINEST: Final = UNIT // 10**7  # as precise as floating point of 32 bits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedDiscards:
    """What the rates of N rows are about.

    Parameters
    ----------
    kinds
        The kind discarded, shape ``(N,)``.
    barred
        Kinds that the opponent cannot win on, a bit for each, shape ``(N,)``.
    opponents
        The melds of the opponent as a hand without concealed tiles, shape ``(N,)``.
    digits
        Decimal places of the given rates.
    """

    kinds: NDArray[np.intp]
    barred: NDArray[np.int64]
    opponents: NDArray[np.object_]
    digits: int

    def take(self, rows: NDArray[np.intp]) -> "AskedDiscards":
        """Return some of the rows."""
        return AskedDiscards(
            kinds=self.kinds[rows],
            barred=self.barred[rows],
            opponents=self.opponents[rows],
            digits=self.digits,
        )

    @property
    def tolerance(self) -> int:
        """How much a rate may differ from the exact one: half a unit of the last digit."""
        places = min(max(self.digits, _FEWEST_DIGITS), 8)
        half = UNIT // int(10**places) // 2
        return max(half, _FINEST)


class Situation(NamedTuple):
    """What the ready hands of an opponent depend on."""

    templates: tuple[Template, ...]
    tiles: TileSet
    left: tuple[int, ...]
    called: int
    shown: tuple[int, ...]
    barred: frozenset[int]


Rate = Callable[[Situation, int], Fraction | int | None]
"""The rate of a kind; None if there is none."""


def situations(
    asked: AskedDiscards, left: NDArray[np.uint8], forms: tuple[WinningForm, ...]
) -> Iterator[tuple[Situation, int]]:
    """Yield the situation and the discard of each row; ``left`` has shape ``(N, K)``."""
    for row, kind in enumerate(asked.kinds.tolist()):
        hand: Hand = asked.opponents[row]
        mask = int(asked.barred[row])
        yield (
            Situation(
                templates=_templates(hand, forms),
                tiles=hand.tiles,
                left=tuple(left[row].tolist()),
                called=hand.called,
                shown=hand.shown,
                barred=frozenset(k for k in range(hand.tiles.num_kinds) if mask >> k & 1),
            ),
            kind,
        )


@lru_cache(maxsize=256)
def _templates(hand: Hand, forms: tuple[WinningForm, ...]) -> tuple[Template, ...]:
    query = HandQuery.of_checked(hand, forms)
    return tuple(dict.fromkeys(t for form in forms for t in query.templates(form)))


@lru_cache(maxsize=4096)
def ready_hands(situation: Situation) -> ReadyCounts:
    """Count the ready hands of a situation, by kind of wait and by kind that they win on."""
    templates, tiles, left, called, shown, barred = situation
    if not templates:
        return ReadyCounts((0,), ((0,) * tiles.num_kinds,))
    return count_ready(templates, tiles, left, called, shown, barred)


def share_of(hands: ReadyCounts, kind: int, weights: tuple[int, ...] = ()) -> Fraction | None:
    """Return the share of ready hands that win on a kind; None if no hand is ready."""
    weights = weights or (1,) * len(hands.by_wait)
    total = sum(weight * number for weight, number in zip(weights, hands.by_wait, strict=True))
    winning = sum(
        weight * kinds[kind] for weight, kinds in zip(weights, hands.by_kind, strict=True)
    )
    return Fraction(winning, total) if total else None


def uniform_rate(situation: Situation, kind: int) -> Fraction | int | None:
    """Return 0 for a kind that is safe by rule, else its share under the uniform prior."""
    return 0 if kind in situation.barred else share_of(ready_hands(situation), kind)


def in_units(rate: Fraction | int) -> int:
    """Return a rate in units; a positive one is never 0.

    Examples
    --------
    >>> in_units(Fraction(1, 3)), in_units(Fraction(1, 10**12)), in_units(0)
    (333333333, 1, 0)
    """
    return max(round(rate * UNIT), 1) if rate > 0 else round(rate * UNIT)


def decimal_places(number: Decimal) -> int:
    """Return the number of decimal places of a finite number as it is written.

    Examples
    --------
    >>> [decimal_places(Decimal(text)) for text in ("0.250", "4", "5.5e-02")]
    [3, 0, 3]
    """
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
