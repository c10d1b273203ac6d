"""Which of several discards that are worth the same: a named rule."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from mjopt.errors import GameError
from mjopt.hands.tiles import TileSet

TIES: Final[dict[str, str]] = {
    "outer": "an honour first, then the rank farthest from 5, then the lowest kind",
    "first": "the lowest kind",
    "last": "the highest kind",
    "random": "any of them, drawn from the agent's random numbers",
    "draws": "the one after which the fewest draws are expected, then as outer",
}
"""Every rule and what it says."""


def check_ties(name: str) -> None:
    """Refuse a rule that does not exist."""
    if name not in TIES:
        raise GameError(f"ties={name}, expected one of {', '.join(TIES)}")


@cache
def _distance(tiles: TileSet) -> tuple[int, ...]:
    """Return how far each kind stands from the middle of its suit; honours farthest."""
    chows = {k for first in tiles.chow_starts for k in range(first, first + 3)}
    return tuple(
        abs(tiles.rank(kind) - 5) if kind in chows else 9 for kind in range(tiles.num_kinds)
    )


def break_tie(kinds: Sequence[int], rule: str, *, tiles: TileSet, rng: np.random.Generator) -> int:
    """Return one of the kinds; for ``draws``, what is left of them after that rule.

    Parameters
    ----------
    kinds
        At least one, ascending.
    rule
        One of :data:`TIES`.
    tiles
        The tile set.
    rng
        Used by ``random`` only.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> rng = np.random.default_rng(1)
    >>> [break_tie([1, 8, 30], rule, tiles=FULL, rng=rng) for rule in ("first", "last", "outer")]
    [1, 30, 30]
    """
    if len(kinds) == 1 or rule == "first":
        return kinds[0]
    if rule == "last":
        return kinds[-1]
    if rule == "random":
        return kinds[int(rng.integers(len(kinds)))]
    far = _distance(tiles)
    return min(kinds, key=lambda kind: (-far[kind], kind))
