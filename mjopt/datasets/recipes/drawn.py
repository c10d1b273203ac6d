"""Recipes that draw hands at random under a rule."""

from dataclasses import dataclass
from functools import lru_cache

from mjopt.datasets.recipes.base import Counts, Deal, HandRecipe, block_rng, cut
from mjopt.datasets.recipes.rules import any_hand, with_kongs, with_types
from mjopt.datasets.recipes.ways import DEALT, DISTINCT, Ways, count_ways

STREAMS = {"deals": 1, "types": 2, "distinct": 3, "kongs": 4, "stratified": 5}
"""Which random numbers each kind of recipe uses; never to be changed."""

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
def _any(deal: Deal, weights: tuple[int, ...]) -> Ways:
    return count_ways(deal.tiles, any_hand(deal.num_tiles), weights=weights)


@lru_cache(maxsize=32)
def _types(deal: Deal, num_types: int) -> Ways:
    rule = with_types(deal.tiles, deal.num_tiles, num_types)
    return count_ways(deal.tiles, rule, weights=DEALT)


@lru_cache(maxsize=32)
def _kongs(deal: Deal, least: int) -> Ways:
    return count_ways(deal.tiles, with_kongs(deal.num_tiles, least), weights=DISTINCT)


def distinct(deal: Deal, number: int) -> DrawnHands:
    """Draw hands, all distinct hands equally likely."""
    return DrawnHands(
        name=f"distinct:{number}",
        deal=deal,
        num_hands=number,
        stream=STREAMS["distinct"],
        ways=_any(deal, DISTINCT),
    )


def few_types(deal: Deal, number: int, num_types: int, word: str) -> DrawnHands:
    """Draw deals that hold exactly so many suits (honours are one), all equally likely."""
    return DrawnHands(
        name=f"{word}-type:{number}",
        deal=deal,
        num_hands=number,
        stream=STREAMS["types"],
        ways=_types(deal, num_types),
    )


def kongs(deal: Deal, number: int, least: int = DEFAULT_KONGS) -> DrawnHands:
    """Draw hands that hold some kinds four times, all distinct such hands equally likely."""
    return DrawnHands(
        name=f"kongs:{number}" + (f":{least}" if least != DEFAULT_KONGS else ""),
        deal=deal,
        num_hands=number,
        stream=STREAMS["kongs"],
        ways=_kongs(deal, least),
    )
