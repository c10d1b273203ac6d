"""Tiles as the two digits of a record: the suit's number, then the rank."""

from functools import cache

from mjopt.errors import RecordError
from mjopt.hands.tiles import TileSet


@cache
def _numbers(tiles: TileSet) -> tuple[str, ...]:
    return tuple(
        f"{suit_number}{rank}"
        for suit_number, suit in enumerate(tiles.suits)
        for rank in suit.ranks
    )


@cache
def _kinds(tiles: TileSet) -> dict[str, int]:
    return {number: kind for kind, number in enumerate(_numbers(tiles))}


def to_numbers(kinds: "list[int] | tuple[int, ...]", tiles: TileSet) -> str:
    """Write kinds one after the other, two digits each.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> to_numbers([0, 8, 9, 33], FULL)
    '01091137'
    """
    numbers = _numbers(tiles)
    return "".join(numbers[kind] for kind in kinds)


def kind_of(number: str, tiles: TileSet) -> int:
    """Read two digits.

    Raises
    ------
    RecordError
        If they are no tile of the set.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> kind_of("29", M0)
    26
    >>> kind_of("31", M0)
    Traceback (most recent call last):
    mjopt.errors.RecordError: '31' is not a tile of M0: expected a suit 0..2 and a rank 1..9
    """
    kind = _kinds(tiles).get(number)
    if kind is None:
        raise RecordError(
            f"{number!r} is not a tile of {tiles.name}: "
            f"expected a suit 0..{len(tiles.suits) - 1} and a rank 1..9"
        )
    return kind


def from_numbers(text: str, tiles: TileSet) -> tuple[int, ...]:
    """Read tiles written one after the other."""
    return tuple(kind_of(text[i : i + 2], tiles) for i in range(0, len(text), 2))
