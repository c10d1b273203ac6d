"""The document of a position, decoded from its text form, an address, or values by name."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.chances.advice.calls import CallOption
from mjopt.errors import ArgumentError, HandError, MjoptError, NotationError, TileError
from mjopt.hands.blocks import chow, kong, pong
from mjopt.hands.coerce import HandLike, as_copies, as_hand, as_kind
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation.readings import MPSZ, read_text, to_mpsz
from mjopt.hands.rules.read_forms import rule_set_of
from mjopt.hands.rules.rule_file import is_rule_file, named_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import FULL, TileSet, as_tiles

FIELDS: Final = (
    *("hand", "tiles", "rules", "melds", "called", "seen", "draws", "offered", "swaps", "barred"),
    *("calls", "forms"),
)
UNSAID: Final = -1
"""In place of a number of draws: the default."""

NONE: Final = "none"
YES: Final = "yes"
NO: Final = "no"
MAX_CHARACTERS: Final = 1000
"""Length of a text; all 136 tiles take less than half of it."""

Counts = tuple[int, ...]


class PositionDocument(NamedTuple):
    """The fields of a position, each decoded but not yet compared with the others."""

    hand: Hand
    seen: Counts | None = None
    wall: Counts | None = None  # in place of ``seen``: copies that the player sees nowhere
    draws: int = UNSAID
    forms: Any = ()  # names, or the forms once they are validated
    offered: int | None = None
    calls: tuple[CallOption, ...] | None = None
    swaps: bool = True
    barred: tuple[int, ...] = ()

    def remaining_wall(self) -> Counts:
        """Return the wall: the copies that hand, offer and the tiles seen elsewhere leave."""
        if self.wall is not None:
            return self.wall
        left = list(self.hand.unseen)
        if self.offered is not None:
            left[self.offered] -= left[self.offered] > 0
        if self.seen is None:
            return tuple(left)
        for name, copies, gone in zip(self.hand.tiles.names, left, self.seen, strict=True):
            if gone > copies:
                raise TileError(
                    f"{gone} of {name}, but only {copies} can be elsewhere", argument="seen"
                )
        return tuple(copies - gone for copies, gone in zip(left, self.seen, strict=True))


def split_words(
    text: str, names: Sequence[str] = FIELDS[1:], what: str = "position"
) -> dict[str, str]:
    """Return the fields of the text form of a position, or of something else with fields.

    Examples
    --------
    >>> split_words("2378m345p6688s11z draws=4")
    {'hand': '2378m345p6688s11z', 'draws': '4'}
    """
    expect(text, str, what)
    if len(text) > MAX_CHARACTERS:
        raise ArgumentError(
            f"{len(text)} characters", argument=what, expected=f"at most {MAX_CHARACTERS}"
        )
    words = text.split()
    fields = {"hand": " ".join(word for word in words if "=" not in word)}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            continue
        if name not in names:
            raise ArgumentError(short_repr(name), argument=what, expected=", ".join(names))
        if name in fields:
            raise ArgumentError(f"{name} twice", argument=what, expected="once")
        fields[name] = value
    return fields


def read_fields(
    fields: Mapping[str, str],
    notation: str = "",
    *,
    partial: bool = False,
    rules: RuleSet | None = None,
) -> PositionDocument:
    """Read the fields, texts by name; missing and empty ones have their default.

    An empty notation is any that reads the tiles. A partial hand may lack tiles. The rule set is by
    default that which a field names. Fields name no files: they may come from other people.
    """
    values = {name: value for name in FIELDS if (value := fields.get(name, ""))}
    with errors_of("tiles"):
        tiles = as_tiles(values["tiles"]) if "tiles" in values else FULL
    for name in ("rules", "forms"):
        if any(map(is_rule_file, values.get(name, "").split(","))):
            raise HandError(
                "a file", argument=name, value=short_repr(values[name]), expected="names"
            )
    with errors_of("rules"):
        if "rules" in values:
            if rules is not None:
                raise ArgumentError("given twice", expected="once")
            rules = named_rules(values["rules"])
        if rules is not None:
            tiles = rules.tiles if "tiles" not in values else tiles
            Hand.parse("", tiles=tiles, rules=rules, partial=True)
    most_called = MAX_CALLED if rules is None else rules.most_called

    def counts(name: str) -> Counts:
        with errors_of(name):
            return read_text(values[name], notation, tiles).counts

    called = read_number(values["called"], "called", most_called) if "called" in values else None
    with errors_of("melds"):
        parts = values.get("melds", "").replace(";", ",").split(",")
        melds = [to_mpsz(read_text(part, notation, tiles), tiles) for part in parts if part]
        Hand.parse("", tiles=tiles, melds=melds, partial=True, rules=rules)
    with errors_of("called"):
        Hand.parse("", tiles=tiles, melds=melds, called=called, partial=True, rules=rules)
    with errors_of("hand"):
        text = to_mpsz(read_text(values.get("hand", ""), notation, tiles), tiles)
        hand = Hand.parse(
            text, tiles=tiles, melds=melds, called=called, partial=partial, rules=rules
        )
    offered = None
    if "offered" in values:
        offer = counts("offered")
        if sum(offer) != 1:
            raise TileError(f"{sum(offer)} tiles", argument="offered", expected="one")
        offered = offer.index(1)
    swaps = values.get("swaps", YES)
    if swaps not in (YES, NO):
        raise ArgumentError(short_repr(swaps), argument="swaps", expected=f"{YES} or {NO}")
    barred = counts("barred") if "barred" in values else ()
    return PositionDocument(
        hand=hand,
        seen=counts("seen") if "seen" in values else None,
        draws=read_number(values["draws"], "draws") if "draws" in values else UNSAID,
        forms=tuple(values["forms"].split(",")) if "forms" in values else (),
        offered=offered,
        calls=tuple(_read_calls(values["calls"], tiles)) if "calls" in values else None,
        swaps=swaps == YES,
        barred=tuple(kind for kind, copies in enumerate(barred) if copies),
    )


def read_words(hand: HandLike, words: Mapping[str, Any]) -> PositionDocument:
    """Read a hand, or a text, and values by name; ``tile`` is the one on offer, None not given."""
    given = {name: value for name, value in words.items() if value is not None}
    if "tile" in given:
        given["offered"] = given.pop("tile")
    if {"seen", "wall"} <= {*given}:
        raise ArgumentError("given together with wall", argument="seen", expected="one of them")
    if isinstance(hand, str):
        fields = split_words(hand)
        if twice := [name for name in given if name in fields]:
            raise ArgumentError(f"{twice[0]} twice", argument="position", expected="once")
        rules = None if "rules" in fields else rule_set_of(given.get("forms"))
        read = read_fields(fields, rules=rules)
    else:
        read = PositionDocument(as_hand(hand, forms=given.get("forms")))
    if "draws" in given and whole(given["draws"], "draws") < 0:
        raise ArgumentError(str(given["draws"]), argument="draws", expected="0 or more")
    if "offered" in given:
        with errors_of("offered"):
            given["offered"] = as_kind(given["offered"], read.hand.tiles)
    for name in {"seen", "wall"} & {*given}:
        given[name] = as_copies(given[name], read.hand.tiles, what=name)
    return read._replace(**given)


@contextmanager
def errors_of(field: str) -> Iterator[None]:
    """Name the field that an error is about."""
    try:
        yield
    except MjoptError as error:
        error.locate(field)
        raise


def read_number(text: str, argument: str, most: int = 999) -> int:
    """Return a whole number that a text holds."""
    if not (text.isascii() and text.isdecimal() and int(text[:9]) <= most and len(text) < 9):
        raise ArgumentError(short_repr(text), argument=argument, expected=f"0 to {most}")
    return int(text)


def _read_calls(text: str, tiles: TileSet) -> Iterator[CallOption]:
    for part in text.split(",") if text != NONE else ():
        written, colon, draws = part.partition(":")
        with errors_of("calls"):
            counts = read_text(written, MPSZ, tiles).counts
        kinds = tuple(k for k, copies in enumerate(counts) for _ in range(copies))
        shapes = [shape for shape in (chow, pong, kong) if kinds and shape(kinds[0]).kinds == kinds]
        if not colon or not shapes:
            raise NotationError(
                short_repr(part), argument="calls", expected="a meld and its draws: 234m:17"
            )
        yield CallOption(shapes[0](kinds[0]), read_number(draws, "calls"))
