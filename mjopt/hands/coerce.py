"""The door: what people write for a hand (text, counts, names of tiles) becomes a Hand."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from numbers import Integral
from typing import Any

from mjopt._internal.validation import told, whole
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL, TileSet, as_list, as_tiles, check_counts
from mjopt.hands.winning_forms import STANDARD, needs_honours

HandLike = Hand | str | Iterable[int] | Iterable[str]
"""A hand; mpsz text; 27 or 34 counts, as a list or an array; or the names of its tiles."""

TilesLike = TileSet | str | None
"""A tile set or its name; None leaves it to the hand."""

EXPECTED = "expected a Hand, text, 27 or 34 counts, or names of tiles"


def as_hand(
    given: HandLike,
    tiles: TilesLike = None,
    *,
    called: int | None = None,
    forms: Iterable[str] = (STANDARD,),
    what: str = "hand",
) -> Hand:
    """Return the hand that is meant; every public call reads its hand here.

    Parameters
    ----------
    given
        A hand; text in mpsz notation; copies per kind, 27 (M0) or 34 (FULL), in anything
        that can be iterated; or the names of the tiles, such as ``["1m", "1m", "2m"]``.
    tiles
        The tile set or its name. By default that of the hand, or what text or counts say.
    called
        Melds on the table. By default those of the hand; text and counts know of none.
    forms
        The forms that are asked about: without ``tiles``, those that only FULL can make
        say that it is meant.
    what
        What the argument is called in a message.

    Raises
    ------
    TileError, HandError
        If it is no hand, or a hand of another tile set; the message begins with ``what``.
    TypeError
        If it is nothing of the kind.

    Examples
    --------
    >>> hand = as_hand("1112345678999m")
    >>> as_hand(hand.counts) == as_hand(["111m", "2345678m", "9m", "9m", "9m"]) == hand
    True
    >>> as_hand("1112345678999m", forms="riichi").tiles.name
    'FULL'
    >>> as_hand("11m", called=4).called
    4
    >>> as_hand("111z", "136")
    Traceback (most recent call last):
    mjopt.errors.HandError: hand: 3 tiles, expected 14 or 13
    """
    if isinstance(given, Hand):
        if tiles is not None and given.tiles != (named := as_tiles(tiles)):
            raise TileError(f"tiles: {named.name}, but the {what} is one of {given.tiles.name}")
        if called is not None and whole(called, "called") != given.called:
            raise HandError(f"called: {told(called)}, but the {what} has {given.called}")
        return given
    if tiles is None and isinstance(forms, str | list | tuple) and needs_honours(forms):
        tiles = FULL
    how: dict[str, Any] = {} if tiles is None else {"tiles": as_tiles(tiles)}
    if called is not None:
        how["called"] = called
    try:
        if isinstance(given, str):
            return Hand.parse(given, **how)
        items = _items(given, what)
        if items and all(isinstance(item, str) for item in items):
            return _of_names(items, how)
        return Hand.from_counts(items, **how)
    except MjoptError as error:
        raise type(error)(f"{what}: {error}") from None


def each_hand(given: Iterable[HandLike], tiles: TilesLike = None) -> Iterator[Hand]:
    """Yield the hands that are meant, as they are read; a message names the row.

    Examples
    --------
    >>> [hand.num_tiles for hand in each_hand(["1112345678999m", [2] * 7 + [0] * 20])]
    [13, 14]
    >>> next(each_hand("1112345678999m"))
    Traceback (most recent call last):
    TypeError: hands: '1112345678999m', expected several hands
    """
    if isinstance(given, str | Hand) or not hasattr(given, "__iter__"):
        raise TypeError(f"hands: {told(repr(given))}, expected several hands")
    for row, one in enumerate(given):
        yield as_hand(one, tiles, what=f"hands, row {row}")


def as_copies(
    given: Iterable[int] | Iterable[str] | str, tiles: TileSet, *, what: str
) -> tuple[int, ...]:
    """Return copies per kind, given as numbers, as text in mpsz notation or as names of tiles.

    Examples
    --------
    >>> from mjopt import FULL
    >>> as_copies("113m7z", FULL, what="unseen")[:3]
    (2, 0, 1)
    >>> as_copies(["1m", "三萬"], FULL, what="wall")[:3]
    (1, 0, 1)
    """
    if not isinstance(given, str):
        items = as_list(given, what)
        if not items or not all(isinstance(item, str) for item in items):
            return check_counts(items, tiles, what=what)
        given = " ".join(items)
    try:
        return get_notation("mpsz").parse(given, tiles).counts
    except MjoptError as error:
        raise type(error)(f"{what}: {error}") from None


def as_kind(given: int | str, tiles: TileSet) -> int:
    """Return the kind of a tile, given by number or by name.

    Examples
    --------
    >>> from mjopt import FULL
    >>> [as_kind(tile, FULL) for tile in (2, "3m", "三萬", "🀉", "東")]
    [2, 2, 2, 2, 27]
    """
    if isinstance(given, str):
        with suppress(MjoptError):
            counts = get_notation("mpsz").parse(given, tiles).counts
            if sum(counts) == 1:
                return counts.index(1)
    elif isinstance(given, Integral) and given in range(tiles.num_kinds):
        return int(given)
    first, last = tiles.names[0], tiles.names[-1]
    raise TileError(f"no tile {told(repr(given))} in {tiles.name}, expected one of {first}..{last}")


def _items(given: Any, what: str) -> list[Any]:
    """Return numbers or names as a list; an array of several hands is none."""
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise TileError(f"an array of shape {shape}, {EXPECTED}")
    if hasattr(given, "tolist"):
        given = given.tolist()  # numbers of Python's own are checked several times faster
    elif not hasattr(given, "__iter__"):
        raise TypeError(f"{what}: {told(repr(given))}, {EXPECTED}")
    return as_list(given, what)


def _of_names(names: list[str], how: dict[str, Any]) -> Hand:
    try:
        return Hand.parse(" ".join(names), **how)
    except TileError:
        for number, name in enumerate(names):  # whose fault is it?
            try:
                Hand.parse(name, partial=True, **how)
            except MjoptError as error:
                raise type(error)(f"item {number}: {error}") from None
        raise
