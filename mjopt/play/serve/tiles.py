"""Names of the tile pictures in ``static/tiles.svg``, and tiles in words and in sentences."""

import re
from typing import Final

from jinja2 import Environment, pass_environment
from markupsafe import Markup, escape

from mjopt._internal.sanitize import short_repr
from mjopt.errors import TileError
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import TILE_NAMES
from mjopt.play.game.moves import NO_KIND
from mjopt.play.serve.language import gettext

BACK: Final = "back"  # name of a face-down tile
NAMES: Final = (*TILE_NAMES, BACK)
"""Ids of the symbols in the sprite."""

RANKS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_WRITTEN: Final = re.compile(r"(?<![\w.])(?:[0-9]+[mps]|[1-7]+z)(?!\w)", re.ASCII)

HONOURS: Final = (
    *(f"{wind} wind" for wind in ("east", "south", "west", "north")),
    *(f"{colour} dragon" for colour in ("white", "green", "red")),
)


def tile_words(tile: int | str) -> str:
    """Return the name of a tile in words, in the current language.

    Examples
    --------
    >>> tile_words("5p"), tile_words("0p"), tile_words(27), tile_words("5z"), tile_words(-1)
    ('five of dots', 'red five of dots', 'east wind', 'white dragon', 'face-down tile')
    """
    name = tile_name(tile)
    if name == BACK:
        return gettext("face-down tile")
    rank, letter = int(name[0]), name[1]
    if letter == "z":
        return gettext(HONOURS[rank - 1])
    suit = next(suit.name for suit in FULL.suits if suit.letter == letter)
    return gettext(f"{RANKS[rank - 1]} of {suit}" if rank else f"red five of {suit}")


def spoken(sentence: str) -> str:
    """Return a sentence, which holds tiles as ``5p`` or ``234m``, with their names in words.

    Examples
    --------
    >>> spoken("Chow 23m: wins 5.70 %.")
    'Chow two of characters three of characters: wins 5.70 %.'
    """
    return _WRITTEN.sub(lambda found: " ".join(map(tile_words, _names(found))), sentence)


@pass_environment
def drawn(environment: Environment, sentence: str) -> Markup:
    """Return a sentence, which holds tiles as ``5p`` or ``234m``, with their pictures."""
    sheet = environment.globals["tile_sheet"]

    def picture(found: re.Match[str]) -> str:
        names = _names(found)
        if environment.globals["has_text_tiles"]:
            return f"<i>{' '.join(names)}</i>"
        return "".join(
            f'<svg class="tile said" role="img" aria-label="{words}"><title>{words}</title>'
            f'<use href="{sheet}#{name}"/></svg>'
            for name in names
            for words in [tile_words(name)]
        )

    return Markup(_WRITTEN.sub(picture, str(escape(sentence))))


def _names(found: re.Match[str]) -> list[str]:
    """Return the names of tiles of one suit."""
    ranks, suit = found[0][:-1], found[0][-1]
    return [rank + suit for rank in ranks]


def missing_words(number: int) -> str:
    """Return a number of missing tiles as the current language counts them."""
    return gettext(str(number))


def tile_name(tile: int | str) -> str:
    """Return the name of a kind or a red five, ``back`` for -1; names are returned unchanged.

    Examples
    --------
    >>> tile_name(13), tile_name(-1), tile_name("0p"), tile_name(35)
    ('5p', 'back', '0p', '0p')
    >>> tile_name("5q")
    Traceback (most recent call last):
    mjopt.errors.TileError: no tile '5q', expected 1m to 9s, 1z to 7z, 0m, 0p, 0s or back
    """
    if isinstance(tile, str):
        if tile in NAMES:
            return tile
    elif NO_KIND <= tile < len(TILE_NAMES):
        return BACK if tile == NO_KIND else TILE_NAMES[tile]
    raise TileError(
        f"no tile {short_repr(tile)}", expected="1m to 9s, 1z to 7z, 0m, 0p, 0s or back"
    )
