"""Exact deal-in rates of discards if every ready hand of the opponent is equally likely."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.chances.danger.opponent import templates_beside
from mjopt.chances.danger.ready_counts import ReadyCounts, count_ready
from mjopt.hands.hand import Hand
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import TileSet

UNIT: Final = 10**9
"""Rates are whole numbers of billionths."""

_FEWEST_DIGITS: Final = 2  # so that 0 is no rounded share of 4 %
_FINEST: Final = UNIT // 10**7  # as precise as floating point of 32 bits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedDiscards:
    """The discards of N rows whose rates are asked, arrays of shape ``(N,)``."""

    kinds: NDArray[np.intp]  # discarded
    barred: NDArray[np.int64]  # kinds that the opponent cannot win on, a bit for each
    opponents: NDArray[np.object_]  # the melds of the opponent, as hands without concealed tiles
    digits: int  # decimal places of the given rates

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


class ReadyQuery(NamedTuple):
    """What the ready hands of an opponent depend on."""

    templates: tuple[Template, ...]
    tiles: TileSet
    left: tuple[int, ...]
    called: int
    shown: tuple[int, ...]
    barred: frozenset[int]


Rate = Callable[[ReadyQuery, int], Fraction | int | None]
"""The rate of a kind; None if there is none."""


def ready_queries(
    asked: AskedDiscards, left: NDArray[np.uint8], forms: tuple[WinningForm, ...]
) -> Iterator[tuple[ReadyQuery, int]]:
    """Yield the ready hands to count and the discard of each row; ``left`` has shape ``(N, K)``."""
    for row, kind in enumerate(asked.kinds.tolist()):
        hand: Hand = asked.opponents[row]
        mask = int(asked.barred[row])
        yield (
            ReadyQuery(
                templates=templates_beside(hand, forms),
                tiles=hand.tiles,
                left=tuple(left[row].tolist()),
                called=hand.called,
                shown=hand.shown,
                barred=frozenset(k for k in range(hand.tiles.num_kinds) if mask >> k & 1),
            ),
            kind,
        )


@lru_cache(maxsize=4096)
def ready_hands(query: ReadyQuery) -> ReadyCounts:
    """Count the ready hands of a query, by kind of wait and by kind that they win on."""
    return count_ready(*query)


def uniform_rate(query: ReadyQuery, kind: int) -> Fraction | int | None:
    """Return 0 for a kind that is safe by rule, else its share under the uniform prior."""
    return 0 if kind in query.barred else ready_hands(query).share(kind)


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
