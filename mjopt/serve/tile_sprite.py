"""Pictures of the tiles: one SVG sprite, drawn here from strokes, and each tile in words."""

from functools import cache
from typing import Final

from mjopt._internal.validation import told
from mjopt.errors import TileError
from mjopt.game.moves import NO_KIND
from mjopt.hands.tiles import FULL

BACK: Final = "back"  # the name of a tile that lies face down
RED_FIVES: Final = ("0m", "0p", "0s")
NAMES: Final = (*FULL.names, *RED_FIVES, BACK)
"""What the sprite holds; the names are the ids of its symbols."""

WIDTH, HEIGHT = 60, 80

INK, RED, GREEN, BLUE = "#1c2331", "#b8141f", "#0d6b39", "#174a8c"
COLOURS: Final = {"R": RED, "G": GREEN, "B": BLUE}
Places = list[list[float]]
FACE: Final = "var(--tile-face,#fffdf4)"
EDGE: Final = "var(--tile-edge,#767c87)"
"""Stands out by 3:1 from a white page, from a black one and from the face."""

RANKS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
HONOURS: Final = (
    *(f"{wind} wind" for wind in ("east", "south", "west", "north")),
    *(f"{colour} dragon" for colour in ("white", "green", "red")),
)

# Strokes of 萬 and of the numerals 一 to 九, in a square of 100.
MYRIAD: Final = (
    "M6 15H94M33 3V27M67 3V27M24 36H76V61H24ZM24 48H76M50 36V80"
    "M10 97V71H90V88Q90 96 79 95M28 86L66 81M60 74L70 87"
)
NUMERALS: Final = (
    "M6 54Q50 50 94 50",
    "M20 26H80M6 78H94",
    "M14 14H86M22 49H78M6 85H94",
    "M10 14H90V88H10ZM37 16Q38 48 22 62M62 16V48Q62 58 82 57",
    "M12 12H88M48 12L34 88M22 47H76L70 88M4 88H96",
    "M48 4L55 19M5 35H95M36 50Q30 72 10 92M62 50Q76 66 92 92",
    "M6 48L92 34M40 6V76Q40 89 54 89H80Q92 89 93 70",
    "M38 18Q36 62 6 92M58 10Q64 66 96 92",
    "M8 32H68V76Q68 90 80 90Q94 90 95 70M40 4Q46 64 6 94",
)

# Strokes of 東 南 西 北, a frame, 發 中, with their colours.
SIGNS: Final = (
    (BLUE, "M8 18H92M50 3V97M22 33H78V63H22ZM22 48H78M47 64Q34 82 6 91M53 64Q68 82 94 91"),
    (
        BLUE,
        "M8 17H92M50 3V33M12 96V33H88V86Q88 95 74 94M36 42L41 53M64 42L59 53M30 57H70"
        "M27 73H73M50 57V92",
    ),
    (BLUE, "M6 12H94M14 34H86V92H14ZM38 12V42Q38 60 24 66M62 12V54Q62 63 77 61"),
    (BLUE, "M38 6V94M8 34H38M5 82L38 68M60 6V78Q60 89 71 89H82Q94 89 95 70M60 46L92 28"),
    (BLUE, "M10 2H90V98H10ZM22 14H78V86H22Z"),
    (
        GREEN,
        "M12 9H40Q34 38 5 47M17 22L29 32M58 4Q66 36 96 46M86 6L70 20M96 21L78 32"
        "M12 55H41V67H15L12 80H43Q42 98 26 95M60 53Q60 66 52 71M60 53H80V63Q80 69 93 68"
        "M53 78H84Q76 92 52 97M60 80Q72 93 95 97",
    ),
    (RED, "M14 26H86V63H14ZM50 2V98"),
)

# The index in the corner, for who does not read the rest: a box of 10 by 16.
INDEX: Final = {
    "1": "M1 4L5.5 0V16",
    "2": "M.5 4Q.5 0 5 0T9.5 4Q9.5 7 .5 16H10",
    "3": "M1 0H9L4.5 6Q9.5 6 9.5 11Q9.5 16 4.5 16Q1.5 16 .5 13.5",
    "4": "M7 16V0L0 11.5H10",
    "5": "M9 0H1.5L1 7Q9.5 5 9.5 10.8Q9.5 16 4.5 16Q1.5 16 .5 13.8",
    "6": "M8.5 0Q.5 5 .5 11.3Q.5 16 5 16T9.5 11.3Q9.5 7 5 7T.5 11.3",
    "7": "M.5 0H9.5L4 16",
    "8": "M5 7Q1 7 1 3.5T5 0T9 3.5T5 7Q.3 7 .3 11.5T5 16T9.7 11.5T5 7",
    "9": "M1.5 16Q9.5 11 9.5 4.7Q9.5 0 5 0T.5 4.7Q.5 9 5 9T9.5 4.7",
    "E": "M9.5 0H1V16H9.5M1 8H8",
    "S": "M9.3 3Q9 0 5 0T1 4Q1 8 5 8T9.5 12T5 16T.5 13",
    "W": "M-1 0L2 16L5 5L8 16L11 0",
    "N": "M1 16V0L9.5 16V0",
    "P": "M1 16V0H5Q9.5 0 9.5 4.3T5 8.6H1",
    "F": "M1 16V0H9.5M1 7.6H8",
    "C": "M9.5 3.5Q9 0 5.5 0Q.5 0 .5 8T5.5 16Q9 16 9.5 12.5",
}
LETTERS: Final = "ESWNPFC"

# Dots of each rank: their radius, then colour and centre of each.
DOTS: Final = (
    "19 R30,47",
    "10 G33,26 B33,59",
    "8.5 B17,36 R31,50 G45,64",
    "10 B17,36 G43,36 G17,64 B43,64",
    "8.5 B17,36 G43,36 R30,50 G17,64 B43,64",
    "8 G19,34 G41,34 R19,52 R41,52 R19,69 R41,69",
    "6.3 G14,33 G30,38 G46,43 R20,56 R40,56 R20,70 R40,70",
    "6.7 B25,25 B25,40 B25,55 B25,70 B44,25 B44,40 B44,55 B44,70",
    "7.2 G13,34 G30,34 G47,34 R13,51.5 R30,51.5 R47,51.5 B13,69 B30,69 B47,69",
)

# Sticks of each rank from two on: their width, then colour, x, and y of both ends; of
# slanted ones the other x too.
BAMBOOS: Final = (
    "8.5 G30,17,40 G30,51,73",
    "8.5 G30,17,40 G16,51,73 G44,51,73",
    "8.5 G17,31,45 G43,31,45 G17,57,71 G43,57,71",
    "8.5 G14,31,45 G46,31,45 G14,57,71 G46,57,71 R30,42,60",
    "8.5 G13,31,45 G30,31,45 G47,31,45 G13,57,71 G30,57,71 G47,57,71",
    "8.5 R30,11,23 G13,36,48 G30,36,48 G47,36,48 G13,60,72 G30,60,72 G47,60,72",
    "7 G10,30,45 G50,30,45 G20,30,44,26 G40,30,44,34 G26,58,71,20 G34,58,71,40 G10,57,72 G50,57,72",
    "7 G13,30,38 G13,48,55 G13,65,73 R30,30,38 R30,48,55 R30,65,73 B47,30,38 B47,48,55 B47,65,73",
)


def tile_words(tile: int | str) -> str:
    """Return the name of a tile in words, as a screen reader says it.

    Examples
    --------
    >>> tile_words("5p"), tile_words("0p"), tile_words(27), tile_words("5z"), tile_words(-1)
    ('five of dots', 'red five of dots', 'east wind', 'white dragon', 'face-down tile')
    """
    name = tile_name(tile)
    if name == BACK:
        return "face-down tile"
    rank, letter = int(name[0]), name[1]
    if letter == "z":
        return HONOURS[rank - 1]
    suit = next(suit.name for suit in FULL.suits if suit.letter == letter)
    return f"{RANKS[rank - 1]} of {suit}" if rank else f"red five of {suit}"


def tile_name(tile: int | str) -> str:
    """Return the name of a kind, ``back`` for -1; a name stays as it is.

    Examples
    --------
    >>> tile_name(13), tile_name(-1), tile_name("0p")
    ('5p', 'back', '0p')
    >>> tile_name("5q")
    Traceback (most recent call last):
    mjopt.errors.TileError: no tile '5q', expected 1m to 9s, 1z to 7z, 0m, 0p, 0s or back
    """
    if isinstance(tile, str):
        if tile in NAMES:
            return tile
    elif NO_KIND <= tile < FULL.num_kinds:
        return BACK if tile == NO_KIND else FULL.names[tile]
    raise TileError(f"no tile {told(repr(tile))}, expected 1m to 9s, 1z to 7z, 0m, 0p, 0s or back")


@cache
def sprite() -> str:
    """Return the pictures of all tiles as one SVG document of symbols.

    A page shows one by ``<svg class="tile"><use href="/static/tiles.svg#5p"/></svg>``. A page
    that stands alone holds the sprite itself, in an element that is ``hidden``, and asks for
    ``#5p``. The paper follows the property ``--tile-face``, the border ``--tile-edge``.

    Examples
    --------
    >>> sprite().count("<symbol ")
    38
    """
    drawn = "\n".join(_symbol(name) for name in NAMES)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">\n{drawn}\n</svg>\n'


def _symbol(name: str) -> str:
    art = _back() if name == BACK else _index(name) + _art(name)
    return (
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x="1.5" y="1.5" width="57" height="77" rx="7" fill="{FACE}" stroke="{EDGE}"'
        f' stroke-width="3"/><g fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f"{art}</g></symbol>"
    )


def _art(name: str) -> str:
    rank, letter = int(name[0]), name[1]
    red = rank == 0
    rank = rank or 5
    match letter:
        case "m":
            return _characters(rank, RED if red else INK)
        case "p":
            size, rings = _by_colour(DOTS[rank - 1], RED if red else None)
            return "".join(_rings(size, colour, at) for colour, at in rings.items())
        case "s" if rank == 1:
            return _bird()
        case "s":
            size, sticks = _by_colour(BAMBOOS[rank - 2], RED if red else None)
            return "".join(_sticks(size, colour, at) for colour, at in sticks.items())
        case _:
            colour, strokes = SIGNS[rank - 1]
            return _strokes(strokes, colour, at=(9, 27), size=0.44, width=9 if rank != 6 else 7.5)


def _strokes(
    strokes: str, colour: str, *, at: tuple[float, float], size: float, width: float
) -> str:
    return (
        f'<path d="{strokes}" transform="translate({at[0]} {at[1]})scale({size})"'
        f' stroke="{colour}" stroke-width="{width}"/>'
    )


def _index(name: str) -> str:
    rank, letter = int(name[0]), name[1]
    sign = LETTERS[rank - 1] if letter == "z" else str(rank or 5)
    colour = INK if rank else RED
    drawn = _strokes(INDEX[sign], colour, at=(7.5, 7.5), size=1, width=3.1)
    # A red five is marked by more than its colour.
    return drawn if rank else f'{drawn}<path d="M51 71h.01" stroke="{RED}" stroke-width="8"/>'


def _characters(rank: int, colour: str) -> str:
    numeral = _strokes(NUMERALS[rank - 1], colour, at=(25, 9), size=0.28, width=13)
    return numeral + _strokes(MYRIAD, RED, at=(14, 42.5), size=0.32, width=9)


def _by_colour(row: str, only: str | None) -> tuple[float, dict[str, Places]]:
    """Read a row of dots or sticks; a red five has one colour only."""
    size, *words = row.split()
    found: dict[str, Places] = {}
    for word in words:
        place = [float(number) for number in word[1:].split(",")]
        found.setdefault(only or COLOURS[word[0]], []).append(place)
    return float(size), found


def _rings(size: float, colour: str, places: Places) -> str:
    """Draw discs as points with round ends, paler and smaller ones upon them."""
    points = "".join(f"M{x:g} {y:g}h.01" for x, y in places)
    widths: tuple[tuple[float, str], ...] = ((2, colour), (1.25, FACE), (0.62, colour))
    if size < 7:  # at 24 pixels the core would fill the ring
        widths = ((2, colour), (0.85, FACE))
    return "".join(
        f'<path d="{points}" stroke="{shade}" stroke-width="{size * width:.3g}"/>'
        for width, shade in widths
    )


def _sticks(width: float, colour: str, places: Places) -> str:
    """Draw sticks, each with a pale joint in its middle."""
    lines, joints = "", ""
    for x, y, until, *other in places:
        to_x = other[0] if other else x
        lines += f"M{x:g} {y:g}L{to_x:g} {until:g}"
        joints += f"M{(x + to_x - width) / 2:g} {(y + until) / 2:g}h{width:g}"
    return (
        f'<path d="{lines}" stroke="{colour}" stroke-width="{width:g}"/>'
        f'<path d="{joints}" stroke="{FACE}" stroke-width="1.8"/>'
    )


def _bird() -> str:
    """Draw tail, body and leg, then head and beak, then what is pale: eye and wing."""
    return (
        f'<g stroke="{GREEN}"><path d="M21 53L9 70M24 56L17 74M28 58L26 75" stroke-width="4.5"/>'
        f'<path d="M16 58Q14 36 37 34Q50 47 39 57Q28 64 16 58Z" fill="{GREEN}" stroke-width="3"/>'
        f'<path d="M37 60V73H45" stroke-width="3"/></g>'
        f'<path d="M39 26h.01" stroke="{RED}" stroke-width="17"/>'
        f'<path d="M47 26L55 29" stroke="{RED}" stroke-width="4"/>'
        f'<path d="M40.5 24h.01M20 54Q24 44 36 44" stroke="{FACE}" stroke-width="3"/>'
    )


def _back() -> str:
    return (
        f'<rect x="8" y="8" width="44" height="64" rx="3" fill="{GREEN}"/>'
        f'<path d="M14 24L30 14L46 24M14 40L30 30L46 40M14 56L30 46L46 56M22 66L30 61L38 66"'
        f' stroke="{FACE}" stroke-width="3.5"/>'
    )
