"""Recipes by name."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from mjopt.datasets.recipes.base import Deal, HandRecipe
from mjopt.datasets.recipes.enumerated import every_hand, from_file, one_type
from mjopt.datasets.recipes.sampled import deals, distinct, few_types, kongs
from mjopt.datasets.recipes.stratified import stratified
from mjopt.errors import RecipeError
from mjopt.hands.tiles import M0, TileSet

RECIPES: Final = {
    "one-type": "one-type: every hand of one suit (118,800 of 14 tiles)",
    "two-type": "two-type:N: deals with tiles of exactly two suits",
    "three-type": "three-type:N: deals with tiles of exactly three suits",
    "deals": "deals:N: all deals equally likely",
    "distinct": "distinct:N: all distinct hands equally likely",
    "stratified": "stratified:N[:D=SHARE,...]: deals, so many of each deficiency; equally many "
    "unless shares are named",
    "kongs": "kongs:N[:K]: distinct hands with at least K kinds held four times (3)",
    "all": "all: every distinct hand, in order",
    "file": "file:PATH: the hands of a .txt, .csv or .npy file",
}
"""Every recipe, in words."""

PAPER_SETS: Final = ("one-type", "two-type:100000", "three-type:100000")
"""The data sets of Yan and Li (2023), section 4.1."""

_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def read_recipe(text: str, *, tiles: TileSet = M0, size: int = 14, called: int = 0) -> HandRecipe:
    """Read a recipe.

    Parameters
    ----------
    text
        One of :data:`RECIPES`. A number may be written ``100000``, ``100_000``,
        ``100k`` or ``1e5``.
    tiles
        The tile set.
    size
        Tiles of a hand with nothing called, 13 or 14.
    called
        Melds on the table, each of them three tiles fewer in the hand.

    Raises
    ------
    RecipeError
        If there is no such recipe, or it cannot be followed.
    FileError, TileError, HandError
        If the file of a ``file:`` recipe cannot be read.

    Examples
    --------
    >>> read_recipe("one-type").num_hands
    118800
    >>> recipe = read_recipe("two-type:1e3")
    >>> recipe.name, recipe.counts(seed=7).shape
    ('two-type:1000', (1000, 27))
    >>> read_recipe("four-type:10")
    Traceback (most recent call last):
    mjopt.errors.RecipeError: recipe 'four-type:10': expected one of one-type, two-type:N, ...
    """
    word, _, rest = text.strip().partition(":")
    deal = Deal(tiles=tiles, size=size, called=called)
    try:
        return _read(word, rest, deal)
    except RecipeError as error:
        raise RecipeError(f"recipe {text!r}: {error}") from None


def _read(word: str, rest: str, deal: Deal) -> HandRecipe:
    if word not in RECIPES:
        names = ", ".join(line.partition(": ")[0] for line in RECIPES.values())
        raise RecipeError(f"expected one of {names}")
    if word == "file":
        if not rest:
            raise RecipeError("expected file:PATH")
        if rest == "-":
            raise RecipeError("standard input is read only once, the hands more often: file:PATH")
        return from_file(deal, Path(rest))
    if word in _LISTED:
        if rest:
            raise RecipeError(f"expected {word} alone: its number of hands is given")
        return _LISTED[word](deal)
    number, _, more = rest.partition(":")
    wanted = _number(number, word)
    if word == "kongs":
        return kongs(deal, wanted, *([_number(more, "kongs:N", least=0)] if more else []))
    if word == "stratified":
        return stratified(deal, wanted, more)
    if more:
        raise RecipeError(f"expected {word}:N and no more")
    return _DRAWN[word](deal, wanted)


_LISTED: Final[dict[str, Callable[[Deal], HandRecipe]]] = {"one-type": one_type, "all": every_hand}
_DRAWN: Final[dict[str, Callable[[Deal, int], HandRecipe]]] = {
    "deals": deals,
    "distinct": distinct,
    "two-type": partial(few_types, num_types=2, word="two"),
    "three-type": partial(few_types, num_types=3, word="three"),
}


def _number(text: str, word: str, *, least: int = 1) -> int:
    """Read a whole number of hands."""
    found = re.fullmatch(r"(\d[\d_,]*)(?:e(\d{1,2})|([kmg]?))", text.strip().lower())
    if not found:
        raise RecipeError(f"{text!r} after {word}:, expected a number such as 100000 or 100k")
    digits, power, scale = found.groups()
    number = int(re.sub("[_,]", "", digits)) * (10 ** int(power) if power else _SCALE[scale or ""])
    if number < least:
        raise RecipeError(f"{number} after {word}:, expected {least} or more")
    return number
