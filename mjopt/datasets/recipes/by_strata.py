"""The recipe that draws so many deals of each deficiency."""

import re
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from mjopt.datasets.recipes.base import Counts, Deal, HandRecipe, block_rng, cut
from mjopt.datasets.recipes.drawn import STREAMS
from mjopt.datasets.recipes.strata import Strata, find_strata
from mjopt.errors import RecipeError

MOST_HANDS = 1 << 31
_GOLDEN = 0.618034  # steps of this share of a circle never bunch up


@dataclass(frozen=True, kw_only=True)
class StratifiedHands(HandRecipe):
    """So many deals of each deficiency, spread evenly, each deal of it equally likely.

    Parameters
    ----------
    name, deal, num_hands
        As for every recipe.
    rows
        Hands of each deficiency.
    strata
        The deals of each deficiency.

    Examples
    --------
    >>> from mjopt.tables import label
    >>> from mjopt.hands.tiles import M0
    >>> recipe = stratified(Deal(tiles=M0), 14, "")
    >>> np.bincount(label(recipe.counts(seed=1))).tolist()
    [2, 2, 2, 2, 2, 2, 2]
    """

    rows: tuple[int, ...]
    strata: Strata

    def deficiencies(self, number: int) -> npt.NDArray[np.int64]:
        """Return the deficiency that each hand of a block is drawn for."""
        start, stop = cut(number, self.num_hands)
        step = _coprime(round(_GOLDEN * self.num_hands), self.num_hands)
        places = np.arange(start, stop, dtype=np.int64) * step % self.num_hands
        return np.searchsorted(np.cumsum(self.rows), places, side="right").astype(np.int64)

    def block(self, number: int, *, seed: int) -> Counts:
        """Return the hands of one block."""
        wanted = self.deficiencies(number)
        rng = block_rng(seed, STREAMS["stratified"], number)
        numbers = rng.integers(0, self.strata.num_deals[wanted], dtype=np.int64)
        return self.strata.hands(wanted, numbers)

    def weights(self, number: int) -> npt.NDArray[np.float64]:
        """Return the share of a hand's deficiency among deals over its share here."""
        deals, rows = self.strata.num_deals.astype(np.float64), np.array(self.rows)
        weight = deals / deals.sum() * self.num_hands / np.maximum(rows, 1)
        return np.asarray(weight[self.deficiencies(number)])

    def identity(self) -> dict[str, object]:
        """Return the hands of each deficiency."""
        return {"rows_by_deficiency": list(self.rows)}


def _coprime(near: int, number: int) -> int:
    return next(step for step in range(max(near, 1), near + number + 2) if gcd(step, number) == 1)


def stratified(deal: Deal, number: int, shares: str = "") -> StratifiedHands:
    """Draw deals by deficiency.

    Parameters
    ----------
    deal
        What a hand is.
    number
        Hands in all.
    shares
        Relative shares such as ``0=1,1=1,2=3``; equal ones if empty. Deficiencies that
        are not named get no hand, and weighted statistics then leave them out.
    """
    if number > MOST_HANDS:
        raise RecipeError(f"{number} hands, expected at most {MOST_HANDS}")
    strata = find_strata(deal)
    possible = strata.num_deals > 0
    wanted = possible.astype(np.float64)
    if shares:
        wanted = _read_shares(shares, possible)
    exact = wanted / wanted.sum() * number
    rows = np.floor(exact).astype(np.int64)
    # Largest remainders get what is left; the first of equal ones.
    most = np.argsort(-(exact - rows), kind="stable")[: number - int(rows.sum())]
    rows[most] += 1
    return StratifiedHands(
        name=f"stratified:{number}" + (f":{shares}" if shares else ""),
        deal=deal,
        num_hands=number,
        rows=tuple(rows.tolist()),
        strata=strata,
    )


def _read_shares(text: str, possible: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    shares = np.zeros(len(possible))
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)\s*=\s*(\d+(?:\.\d+)?)\s*", part)
        if not found:
            raise RecipeError(f"share {part!r}, expected DEFICIENCY=SHARE such as 2=0.5")
        value, share = int(found[1]), float(found[2])
        if value >= len(possible) or not possible[value]:
            names = ", ".join(map(str, np.flatnonzero(possible)))
            raise RecipeError(f"no deal has deficiency {value}, expected one of {names}")
        shares[value] += share
    if not shares.sum():
        raise RecipeError("every share is 0, expected one that is more")
    return shares
