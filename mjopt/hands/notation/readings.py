"""Read tiles from text whose notation is not given: all readings, or the only one."""

from contextlib import suppress
from typing import Final

from mjopt.errors import NotationError
from mjopt.hands.notation.base import Parsed
from mjopt.hands.notation.registry import NOTATIONS, get_notation, read_tiles
from mjopt.hands.tiles import FULL, TileSet, places_in_full

MPSZ: Final = "mpsz"
FEW: Final = 12  # numbers of so few tiles are rather the ranks of an unfinished text
NAMED: Final = ("codes121", "codes52", "codes42")
"""Notations that are never inferred: ranks alone can be read in all of them."""


def readings_of(text: str) -> dict[str, Parsed]:
    """Return the meanings of a text, each with the first notation that reads it so.

    Examples
    --------
    >>> list(readings_of("m123 z11")), list(readings_of("EESS123m")), list(readings_of("B1 B2"))
    (['prefix'], ['mpsz'], ['paper', 'botzone'])
    """
    meanings: dict[Parsed, str] = {}
    for name, notation in NOTATIONS.items():
        if name in NAMED:
            continue
        with suppress(NotationError):
            parsed = notation.parse(text, FULL)
            if name != "ids136" or sum(parsed.counts) > FEW:
                meanings.setdefault(parsed, name)
    return {name: parsed for parsed, name in meanings.items()}


def read_text(text: str, notation: str = "", tiles: TileSet = FULL) -> Parsed:
    """Return the tiles of a text, in a notation or in any one that reads it.

    If no notation reads the text, or several read it differently, `NotationError` holds the
    readings.

    Examples
    --------
    >>> read_text("m123 z11") == read_text("1m 2m 3m EE")
    True
    """
    readings = {} if notation else readings_of(text)
    if len(readings) > 1:
        error = NotationError(f"notation {' or '.join(readings)}")
        error.readings = readings
        raise error
    [parsed] = readings.values() or read_tiles([text], notation or MPSZ, FULL)[1]
    places = places_in_full(tiles)
    for kind, copies in enumerate(parsed.counts):
        if copies and kind not in places and FULL.letter(kind) == "z":
            raise NotationError(f"{tiles.name} has no honours", expected="tiles 136")
        if copies and kind not in places:
            raise NotationError(f"{tiles.name} has no {FULL.names[kind]}")
    counts, red = (tuple([all_kinds[k] for k in places]) for all_kinds in parsed)
    return Parsed(counts, red)


def to_mpsz(parsed: Parsed, tiles: TileSet = FULL) -> str:
    """Write tiles in mpsz notation.

    Examples
    --------
    >>> to_mpsz(read_text("🀇🀈🀉 🀄🀄"))
    '123m77z'
    """
    return get_notation(MPSZ).write(parsed.counts, parsed.red, tiles)
