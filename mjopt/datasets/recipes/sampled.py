"""Recipes that draw hands at random: under a rule, or dealt tile by tile."""

from functools import lru_cache
from typing import Final

import numpy as np

from mjopt._internal.jit import in_python, is_few
from mjopt.datasets.recipes.base import Counts, Deal, HandRecipe
from mjopt.datasets.recipes.ranking import (
    DEALT,
    DISTINCT,
    Ways,
    any_hand,
    count_ways,
    with_kongs,
    with_types,
)
from mjopt.errors import RecipeError

STREAMS: Final = {"deals": 1, "types": 2, "distinct": 3, "kongs": 4, "stratified": 5}
"""Which random numbers each kind of recipe uses; never to be changed."""

MOST_KINDS = 64  # so many the dealing kernel has bits for
_FEW: Final = 4096  # hands: fewer are dealt in Python, sooner than numba loads
DEFAULT_KONGS = 3  # as many as it takes for the paper's cost to be wrong


@lru_cache(maxsize=32)
def _ways(deal: Deal, stream: str, number: int) -> Ways:
    if stream == "types":
        return count_ways(deal.tiles, with_types(deal.tiles, deal.num_tiles, number), weights=DEALT)
    rule = with_kongs(deal.num_tiles, number) if stream == "kongs" else any_hand(deal.num_tiles)
    return count_ways(deal.tiles, rule, weights=DISTINCT)


def _drawn(deal: Deal, number: int, text: str, stream: str, of_rule: int = 0) -> HandRecipe:
    """Draw hands one by one; the first of a longer recipe are those of a shorter one."""
    ways = _ways(deal, stream, of_rule)
    return HandRecipe(
        name=text,
        deal=deal,
        num_hands=number,
        find=lambda start, stop, rng: ways.draw(stop - start, rng),
        stream=STREAMS[stream],
    )


def distinct(deal: Deal, number: int) -> HandRecipe:
    """Draw hands, all distinct hands equally likely."""
    return _drawn(deal, number, f"distinct:{number}", "distinct")


def few_types(deal: Deal, number: int, num_types: int, word: str) -> HandRecipe:
    """Draw deals that hold exactly so many suits (honours are one), all equally likely."""
    return _drawn(deal, number, f"{word}-type:{number}", "types", num_types)


def kongs(deal: Deal, number: int, least: int = DEFAULT_KONGS) -> HandRecipe:
    """Draw hands that hold some kinds four times, all distinct such hands equally likely."""
    text = f"kongs:{number}" + (f":{least}" if least != DEFAULT_KONGS else "")
    return _drawn(deal, number, text, "kongs", least)


def deals(deal: Deal, number: int) -> HandRecipe:
    """Draw so many deals: all choices of so many tiles equally likely.

    Numbering all deals, as other recipes do, is as exact but takes five times as long
    (310 against 62 ns a hand), and this is the recipe for a hundred million of them.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> deals(Deal(tiles=M0), 5).counts(seed=1).sum(axis=1).tolist()
    [14, 14, 14, 14, 14]
    """
    num_kinds = deal.tiles.num_kinds
    if num_kinds > MOST_KINDS:
        raise RecipeError(f"{num_kinds} kinds, expected at most {MOST_KINDS}")
    if deal.num_tiles > deal.tiles.num_tiles:
        raise RecipeError(f"{deal.num_tiles} tiles from the {deal.tiles.num_tiles} there are")

    def find(start: int, stop: int, rng: np.random.Generator) -> Counts:
        from mjopt.datasets.recipes import _kernels

        # Enough for nearly every row: 27 pieces of 7 bits, or 40 of 8 bits.
        num_words = 3 if 4 * num_kinds <= 128 else 5
        words = rng.integers(0, 1 << 64, size=(stop - start, num_words), dtype=np.uint64)
        hands = np.empty((stop - start, num_kinds), np.uint8)
        deal_hands = _kernels.deal_hands
        if is_few(len(hands), _FEW):
            deal_hands = in_python(deal_hands)
        with np.errstate(over="ignore"):  # as 64 bits do
            deal_hands(words, deal.num_tiles, hands)
        return hands

    return HandRecipe(
        name=f"deals:{number}", deal=deal, num_hands=number, find=find, stream=STREAMS["deals"]
    )
