"""Convert hand-like arguments (text, counts, tile names) to a Hand."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from numbers import Integral
from typing import Any, TypedDict

from mjopt._internal.jit import is_few
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import whole
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.text_rows import FEW, Texts, read_texts
from mjopt.hands.rules.read_forms import FormsLike, needs_honours, rule_set_of
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import (
    FULL,
    M0,
    TileSet,
    as_list,
    as_tiles,
    check_counts,
    from_full,
    places_in_full,
)

HandLike = Hand | str | Iterable[int] | Iterable[str]
"""A hand; mpsz text; 27 or 34 counts, as a list or an array; or the names of its tiles."""

TilesLike = TileSet | str | None
"""A tile set or its name; None infers it from the hand."""


class _Options(TypedDict, total=False):
    """Options of ``Hand.parse`` and ``Hand.from_counts``."""

    tiles: TileSet
    called: int
    rules: RuleSet


EXPECTED = "a Hand, text, 27 or 34 counts, or names of tiles"


def as_hand(
    value: HandLike,
    tiles: TilesLike = None,
    *,
    called: int | None = None,
    forms: FormsLike = None,
    what: str = "hand",
    row: int | None = None,
) -> Hand:
    """Convert an argument to a Hand; the message of the error for another begins with ``what``.

    Every public function reads its hand with this. Text alone does not tell the notation, the
    called melds, or the tile set of a hand without honours: build such a hand with
    ``Hand.parse(text, tiles="sanma", called=1)``, which every function accepts. `deficiency`,
    `shanten`, `is_win`, `useful_tiles` and `discards`, which people type, also take ``tiles`` and
    ``called`` themselves.

    A hand is also text in mpsz notation, copies per kind, 27 (M0) or 34 (FULL), in anything that
    can be iterated, or names of tiles. Tile set and called melds are by default those of the hand,
    or inferred from text or counts, with no called melds. A rule set among ``forms`` decides the
    tile set and the size of a hand that is not a `Hand`; without ``tiles``, a form that needs
    honours implies FULL. ``row`` is that of a hand in a
    list. The error is a `TileError` or `HandError`, or a `TypeError` for other types.

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
    if isinstance(value, Hand):
        if tiles is not None and value.tiles != (named := as_tiles(tiles)):
            raise TileError(
                f"{named.name}, but the {what} is one of {value.tiles.name}", argument="tiles"
            )
        if called is not None and whole(called, "called") != value.called:
            raise HandError(
                f"{short_repr(called)}, but the {what} has {value.called}", argument="called"
            )
        return value
    rules = rule_set_of(forms)
    names_forms = rules is None and isinstance(forms, str | list | tuple)
    if tiles is None and names_forms and needs_honours(forms):  # type: ignore[arg-type]
        tiles = FULL
    how: _Options = {} if tiles is None else {"tiles": as_tiles(tiles)}
    if rules is not None:
        how["rules"] = rules
    if called is not None:
        how["called"] = called
    try:
        if isinstance(value, str):
            return Hand.parse(value, **how)
        items = _items(value, what if row is None else f"{what} row {row}")
        if items and all(isinstance(item, str) for item in items):
            return _of_names(items, how)
        return Hand.from_counts(items, **how)
    except MjoptError as error:
        if error.argument == "counts":  # these are the hand itself
            error.argument = ""
        error.locate(what, row)
        raise


def each_hand(hands: Iterable[HandLike], tiles: TilesLike = None) -> Iterator[Hand]:
    """Convert several arguments to hands lazily; messages name the row.

    Examples
    --------
    >>> [hand.num_tiles for hand in each_hand(["1112345678999m", [2] * 7 + [0] * 20])]
    [13, 14]
    >>> next(each_hand("1112345678999m"))
    Traceback (most recent call last):
    TypeError: hands: '1112345678999m', expected several hands
    """
    if isinstance(hands, str | Hand) or not hasattr(hands, "__iter__"):
        raise TypeError(f"hands: {short_repr(hands)}, expected several hands")
    if isinstance(hands, list | tuple) and not is_few(len(hands), FEW):
        texts = [hand for hand in hands if isinstance(hand, str)]
        if len(texts) == len(hands):
            yield from _hands_of_texts(texts, tiles)
            return
    for row, hand in enumerate(hands):
        yield as_hand(hand, tiles, what="hands", row=row)


def _hands_of_texts(texts: list[str], tiles: TilesLike) -> Iterator[Hand]:
    """Yield hands of M0 or, if they hold honours, of FULL; or all of one tile set."""
    named = None if tiles is None else as_tiles(tiles)
    for first in range(0, len(texts), FEW):
        some = texts[first : first + FEW]
        found = read_texts(Texts.of(some), "mpsz", named or FULL, with_reds=True)
        sizes = found.counts.sum(axis=1).tolist()
        rows = zip(some, sizes, found.counts.tolist(), found.reds.tolist(), strict=True)
        for row, (text, size, counts, reds) in enumerate(rows):
            if size not in (13, 14):
                yield as_hand(text, tiles, what="hands", row=first + row)
            elif named or any(counts[M0.num_kinds :]):
                parts = tuple(counts), tuple(reds)
                yield Hand.of_checked(named or FULL, *parts, called=0, melds=(), partial=False)
            else:
                parts = tuple(counts[: M0.num_kinds]), tuple(reds[: M0.num_kinds])
                yield Hand.of_checked(M0, *parts, called=0, melds=(), partial=False)


def as_copies(
    value: Iterable[int] | Iterable[str] | str, tiles: TileSet, *, what: str
) -> tuple[int, ...]:
    """Convert numbers, mpsz text or tile names to copies per kind.

    Examples
    --------
    >>> from mjopt import FULL
    >>> as_copies("113m7z", FULL, what="unseen")[:3]
    (2, 0, 1)
    >>> as_copies(["1m", "三萬"], FULL, what="wall")[:3]
    (1, 0, 1)
    """
    if not isinstance(value, str):
        items = as_list(value, what)
        if not items or not all(isinstance(item, str) for item in items):
            if len(items) == FULL.num_kinds != tiles.num_kinds and places_in_full(tiles):
                items = from_full(items, tiles, what=what)
            return check_counts(items, tiles, what=what)
        value = " ".join(items)
    try:
        return get_notation("mpsz").parse(value, tiles).counts
    except MjoptError as error:
        error.locate(what)
        raise


def as_kind(value: int | str, tiles: TileSet) -> int:
    """Convert the number or the name of a tile to its kind.

    Examples
    --------
    >>> from mjopt import FULL
    >>> [as_kind(tile, FULL) for tile in (2, "3m", "三萬", "🀉", "東")]
    [2, 2, 2, 2, 27]
    """
    if isinstance(value, str):
        with suppress(MjoptError):
            counts = get_notation("mpsz").parse(value, tiles).counts
            if sum(counts) == 1:
                return counts.index(1)
    elif isinstance(value, Integral) and value in range(tiles.num_kinds):
        return int(value)
    first, last = tiles.names[0], tiles.names[-1]
    raise TileError(
        f"no tile {short_repr(value)} in {tiles.name}", expected=f"one of {first}..{last}"
    )


def _items(value: Iterable[object], what: str) -> list[Any]:
    """Return numbers or names as a list; an array of several hands is an error."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise TileError(f"an array of shape {shape}", expected=EXPECTED)
    if hasattr(value, "tolist"):
        value = value.tolist()  # Python integers are checked several times faster
    elif not hasattr(value, "__iter__"):
        raise TypeError(f"{what}: {short_repr(value)}, expected {EXPECTED}")
    return as_list(value, what)


def _of_names(names: list[str], how: _Options) -> Hand:
    try:
        return Hand.parse(" ".join(names), **how)
    except TileError:
        for number, name in enumerate(names):  # find the wrong name
            try:
                Hand.parse(name, partial=True, **how)
            except MjoptError as error:
                error.locate(position=number, unit="item")
                raise
        raise
