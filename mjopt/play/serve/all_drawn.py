"""The probability that certain tiles are all among the next draws."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb


def chance_to_draw(missing: Sequence[int], wall: Sequence[int], draws: int) -> Fraction:
    """Return the exact probability that some tiles, copies of each kind, are among the next draws.

    Draws are without replacement from the copies of each kind in the wall; at most its size is
    used.

    Examples
    --------
    >>> chance_to_draw([1, 0], (1, 2), draws=1), chance_to_draw([1, 1], (1, 2), draws=2)
    (Fraction(1, 3), Fraction(2, 3))
    """
    pairs = sorted((left, need) for left, need in zip(wall, missing, strict=True) if need)
    return _chance(tuple(pairs), sum(wall), min(draws, sum(wall)))


@lru_cache(maxsize=4096)
def _chance(pairs: tuple[tuple[int, int], ...], size: int, draws: int) -> Fraction:
    """Count the sets of drawn tiles that hold enough of every kind, one kind after another."""
    ways = {0: 1}
    for left, need in pairs:
        more: dict[int, int] = {}
        for drawn, number in ways.items():
            for copies in range(need, left + 1):
                more[drawn + copies] = more.get(drawn + copies, 0) + number * comb(left, copies)
        ways = more
    rest = size - sum(left for left, _ in pairs)
    enough = sum(n * comb(rest, draws - drawn) for drawn, n in ways.items() if drawn <= draws)
    return Fraction(enough, comb(size, draws))
