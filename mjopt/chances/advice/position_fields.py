"""Read the fields of a position: from its text form, or from the parts of an address."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect
from mjopt.chances.advice.calls import CallOption
from mjopt.errors import ArgumentError, HandError, MjoptError, NotationError, TileError
from mjopt.hands.blocks import chow, kong, pong
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation.readings import MPSZ, read_text, to_mpsz
from mjopt.hands.rules.rule_file import get_rules, is_rule_file
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import FULL, TileSet, as_tiles

FIELDS: Final = (
    *("hand", "tiles", "rules", "melds", "called", "seen", "draws", "offered", "swaps", "barred"),
    *("calls", "forms"),
)
NONE: Final = "none"
YES: Final = "yes"
NO: Final = "no"
MAX_CHARACTERS: Final = 1000
"""Length of a text; all 136 tiles take less than half of it."""

Counts = tuple[int, ...]


class ReadFields(NamedTuple):
    """The fields of a position, each read but not yet compared with the others."""

    hand: Hand
    seen: Counts | None = None
    draws: int | None = None
    forms: Any = ()  # names, or the forms once they are validated
    offered: int | None = None
    calls: tuple[CallOption, ...] | None = None
    swaps: bool = True
    barred: tuple[int, ...] = ()


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
) -> ReadFields:
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
            rules = get_rules(values["rules"])
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
    return ReadFields(
        hand=hand,
        seen=counts("seen") if "seen" in values else None,
        draws=read_number(values["draws"], "draws") if "draws" in values else None,
        forms=tuple(values["forms"].split(",")) if "forms" in values else (),
        offered=offered,
        calls=tuple(_read_calls(values["calls"], tiles)) if "calls" in values else None,
        swaps=swaps == YES,
        barred=tuple(kind for kind, copies in enumerate(barred) if copies),
    )


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
