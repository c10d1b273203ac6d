"""Recipes that draw hands at random: under a rule, or dealt tile by tile."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mjopt.datasets.recipes.base import Counts, Deal, HandRecipe, block_rng, cut
from mjopt.datasets.recipes.rules import any_hand, with_kongs, with_types
from mjopt.datasets.recipes.ways import DEALT, DISTINCT, Ways, count_ways
from mjopt.errors import RecipeError

STREAMS = {"deals": 1, "types": 2, "distinct": 3, "kongs": 4, "stratified": 5}
"""Which random numbers each kind of recipe uses; never to be changed."""

MOST_KINDS = 64  # so many the dealing kernel has bits for
DEFAULT_KONGS = 3  # as many as it takes for the paper's cost to be wrong


@dataclass(frozen=True, kw_only=True)
class DrawnHands(HandRecipe):
    """Hands drawn one by one, each number of `ways` equally likely.

    The first hands of a longer recipe are those of a shorter one.

    Parameters
    ----------
    name, deal, num_hands
        As for every recipe.
    stream
        Which random numbers it uses.
    ways
        The hands it draws from.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> recipe = distinct(Deal(tiles=M0), 5)
    >>> recipe.counts(seed=1).sum(axis=1).tolist()
    [14, 14, 14, 14, 14]
    """

    stream: int
    ways: Ways

    def block(self, number: int, *, seed: int) -> Counts:
        """Return the hands of one block."""
        start, stop = cut(number, self.num_hands)
        return self.ways.draw(stop - start, block_rng(seed, self.stream, number))


@lru_cache(maxsize=32)
def _ways(deal: Deal, name: str, number: int) -> Ways:
    if name == "types":
        return count_ways(deal.tiles, with_types(deal.tiles, deal.num_tiles, number), weights=DEALT)
    rule = with_kongs(deal.num_tiles, number) if name == "kongs" else any_hand(deal.num_tiles)
    return count_ways(deal.tiles, rule, weights=DISTINCT)


def _drawn(deal: Deal, number: int, text: str, stream: str, of_rule: int = 0) -> DrawnHands:
    ways = _ways(deal, stream, of_rule)
    return DrawnHands(name=text, deal=deal, num_hands=number, stream=STREAMS[stream], ways=ways)


def distinct(deal: Deal, number: int) -> DrawnHands:
    """Draw hands, all distinct hands equally likely."""
    return _drawn(deal, number, f"distinct:{number}", "distinct")


def few_types(deal: Deal, number: int, num_types: int, word: str) -> DrawnHands:
    """Draw deals that hold exactly so many suits (honours are one), all equally likely."""
    return _drawn(deal, number, f"{word}-type:{number}", "types", num_types)


def kongs(deal: Deal, number: int, least: int = DEFAULT_KONGS) -> DrawnHands:
    """Draw hands that hold some kinds four times, all distinct such hands equally likely."""
    text = f"kongs:{number}" + (f":{least}" if least != DEFAULT_KONGS else "")
    return _drawn(deal, number, text, "kongs", least)


@dataclass(frozen=True, kw_only=True)
class DealtHands(HandRecipe):
    """Deals: all choices of so many tiles equally likely.

    Numbering all deals, as other recipes do, is as exact but takes five times as long
    (310 against 62 ns a hand), and this is the recipe for a hundred million of them.

    Parameters
    ----------
    name, deal, num_hands
        As for every recipe.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> recipe = deals(Deal(tiles=M0), 5)
    >>> recipe.counts(seed=1).sum(axis=1).tolist()
    [14, 14, 14, 14, 14]
    """

    def block(self, number: int, *, seed: int) -> Counts:
        """Return the hands of one block."""
        from mjopt.datasets.recipes import _kernels

        start, stop = cut(number, self.num_hands)
        num_kinds = self.deal.tiles.num_kinds
        # Enough for nearly every row: 27 pieces of 7 bits, or 40 of 8 bits.
        num_words = 3 if 4 * num_kinds <= 128 else 5
        words = block_rng(seed, STREAMS["deals"], number).integers(
            0, 1 << 64, size=(stop - start, num_words), dtype=np.uint64
        )
        hands = np.empty((stop - start, num_kinds), np.uint8)
        _kernels.deal_hands(words, self.deal.num_tiles, hands)
        return hands


def deals(deal: Deal, number: int) -> DealtHands:
    """Draw so many deals."""
    if deal.tiles.num_kinds > MOST_KINDS:
        raise RecipeError(f"{deal.tiles.num_kinds} kinds, expected at most {MOST_KINDS}")
    if deal.num_tiles > deal.tiles.num_tiles:
        raise RecipeError(f"{deal.num_tiles} tiles from the {deal.tiles.num_tiles} there are")
    return DealtHands(name=f"deals:{number}", deal=deal, num_hands=number)
