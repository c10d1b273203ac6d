"""The form of the hand page: its fields, and the query they describe."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from operator import add, sub
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import ArgumentError, HandError, MjoptError, NotationError, TileError
from mjopt.hands.blocks import Block, usage
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation import Parsed, get_notation
from mjopt.hands.notation.readings import (
    MPSZ,
    read_text,
    readings_of,
    to_mpsz,
)
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.hands.winning_forms import STANDARD, check_forms
from mjopt.play.serve.language import gettext
from mjopt.play.serve.win_chances import DRAWS

MAX_CHARACTERS: Final = 1000  # of one field; all 136 tiles fit in any notation
NUMBERS: Final = tuple(map(str, range(MAX_CALLED + 1)))
"""Possible numbers of called melds, as text."""

ALL: Final = "all"

Counts = tuple[int, ...]


@contextmanager
def errors_of(field: str) -> Iterator[None]:
    """Name the field that an error is about."""
    try:
        yield
    except MjoptError as error:
        error.locate(field)
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForm:
    """The fields of the form as text; an empty field has no effect."""

    hand: str = ""
    notation: str = ""  # of all tiles except the last; empty if any notation will do
    melds: str = ""  # separated by blanks, or by semicolons if a meld contains blanks
    called: str = ""
    seen: str = ""  # elsewhere: discards, melds of other players
    unseen: str = ""
    tiles: str = ""  # by default all 136
    forms: str = ALL  # separated by commas; by default all that the tile set allows
    draws: str = ""  # own draws left; by default 18, or as many as the wall has
    offered: str = ""  # discard of another player, such as 3m; not among the seen tiles

    def parse(self) -> "AnalysisQuery":
        """Parse the fields; the argument of an error is the field that is wrong.

        Examples
        --------
        >>> HandForm(hand="1112345678999m1p").parse().hand_query.hand.num_tiles
        14
        >>> HandForm(hand="12x").parse()
        Traceback (most recent call last):
        mjopt.errors.NotationError: hand: 'x' at character 3: not a suit of FULL, ...
        """
        self._check_length()
        with errors_of("notation"):
            get_notation(self.notation or MPSZ)
        with errors_of("tiles"):
            tiles = as_tiles(self.tiles) if self.tiles else FULL
        with errors_of("forms"):
            forms = check_forms(self.forms, tiles)
        parse = partial(Hand.parse, tiles=tiles, partial=True)
        parts = re.split(";" if ";" in self.melds else r"\s", self.melds)
        with errors_of("melds"):
            read = [self._read(part, tiles) for part in parts if part.strip()]
            melds = [to_mpsz(meld, tiles) for meld in read]
            parse("", melds=melds)
        with errors_of("called"):
            called = _number(self.called, MAX_CALLED, "called melds")
            parse("", melds=melds, called=called)
        with errors_of("hand"):
            text = to_mpsz(self._read(self.hand, tiles), tiles)
            hand = parse(text, melds=melds, called=called)
        wall, offered = self._wall(hand)
        with errors_of("draws"):
            draws = _number(self.draws, sum(wall), "draws")
        if hand.called and STANDARD in forms:
            forms = (STANDARD,)  # the others have no melds
        return AnalysisQuery(
            HandQuery(hand, forms, wall), min(DRAWS, sum(wall)) if draws is None else draws, offered
        )

    def _read(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; the notation of an unambiguous hand applies to the other fields as well."""
        try:
            return read_text(text, self.notation, tiles)
        except NotationError as error:
            known = [*readings_of(self.hand)]
            if len(known) != 1 or known[0] not in error.readings:
                raise
            return read_text(text, known[0], tiles)

    def _check_length(self) -> None:
        for field in self.__slots__:
            size = len(getattr(self, field))
            if size > MAX_CHARACTERS:
                raise ArgumentError(
                    f"{size} characters", argument=field, expected=f"at most {MAX_CHARACTERS}"
                )

    def _counts(self, field: str, tiles: TileSet) -> Counts | None:
        text = getattr(self, field)
        with errors_of(field):
            return self._read(text, tiles).counts if text.strip() else None

    def _wall(self, hand: Hand) -> tuple[Counts, int | None]:
        """Return the copies that are not seen anywhere, and the kind of the offered tile."""
        tiles, elsewhere = hand.tiles, hand.unseen
        wall = tuple(map(min, self._counts("unseen", tiles) or elsewhere, elsewhere))
        if (seen := self._counts("seen", tiles)) is not None:
            for name, copies, num_seen in zip(tiles.names, wall, seen, strict=True):
                if num_seen > copies:
                    message = gettext("%(seen)d of %(tile)s, but only %(left)d can be elsewhere")
                    more = {"seen": num_seen, "tile": name, "left": copies}
                    raise ArgumentError(message % more, argument="seen")
            wall, elsewhere = tuple(map(sub, wall, seen)), tuple(map(sub, elsewhere, seen))
        with errors_of("offered"):
            offered = read_text(self.offered, MPSZ, tiles).counts
            if sum(offered) > 1:
                raise TileError(f"{sum(offered)} tiles", expected="one")
            if not any(offered):
                return wall, None
            if hand.num_tiles != (size := 13 - 3 * hand.called):
                raise HandError(
                    f"{hand.num_tiles} tiles", expected=f"{size}: a hand before its draw"
                )
            kind = offered.index(1)
            if not elsewhere[kind]:
                raise TileError(f"all {COPIES} copies of {tiles.names[kind]} are held or seen")
        return tuple(map(min, wall, map(sub, elsewhere, offered))), kind

    def with_throw(self, tile: str) -> "HandForm":
        """Return the form after a discard, which has been seen from then on.

        Examples
        --------
        >>> thrown = HandForm(hand="123m1z").with_throw("1z")
        >>> thrown.hand, thrown.seen
        ('123m', '1z')
        """
        after = self.with_tiles(remove=tile)
        if after.hand == self.with_tiles().hand:
            message = gettext("%(tile)s is not in the hand") % {"tile": repr(tile)}
            raise ArgumentError(message, argument="hand")
        with errors_of("seen"):
            seen = replace(self, hand=self.seen).with_tiles(add=tile.replace("0", "5")).hand
        return replace(after, seen=seen)

    def with_tiles(self, *, add: str = "", remove: str = "") -> "HandForm":
        """Return the form with mpsz tiles added, and one tile removed.

        Examples
        --------
        >>> HandForm(hand="E 1m", notation="mjai").with_tiles(add="0m").hand
        '1m 5mr E'
        """
        self._check_length()
        with errors_of("hand"):
            notation, mpsz = get_notation(self.notation or MPSZ), get_notation(MPSZ)
            names = named_tiles(read_text(self.hand, self.notation))
            names += named_tiles(mpsz.parse(add, FULL))
            if remove not in names:
                remove = remove.replace("5", "0")  # the only five may be red
            if remove in names:
                names.remove(remove)
            try:
                after = mpsz.parse("".join(names), FULL)
            except NotationError as error:  # a fifth copy; its position is not one in the text
                raise TileError(error.message, expected=error.expected) from None
            return replace(self, hand=notation.write(after.counts, after.red, FULL))


@dataclass(frozen=True, slots=True)
class AnalysisQuery:
    """The position that a form describes; the tiles unseen of its query are the wall."""

    hand_query: HandQuery
    draws: int
    offered: int | None = None  # the kind discarded by another player

    @property
    def wall(self) -> Counts:
        """Copies of each kind that are not seen anywhere."""
        return self.hand_query.unseen


def _number(text: str, most: int, what: str) -> int | None:
    """Read a whole number of a field; None if the field is empty."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 19 and int(text) <= most):
        raise ArgumentError(f"{short_repr(text)} {what}", expected=f"0..{most}")
    return int(text)


def named_tiles(found: Parsed) -> list[str]:
    """Return the name of every tile of the full set, in order; a red five ``0m`` comes first.

    Examples
    --------
    >>> named_tiles(get_notation("mpsz").parse("1z505m", FULL))
    ['0m', '5m', '5m', '1z']
    """
    names: list[str] = []
    for name, held, red in zip(FULL.names, found.counts, found.red, strict=True):
        names += [f"0{name[1]}"] * red + [name] * (held - red)
    return names


def form_from_query(query: QueryParams) -> HandForm:
    """Return the form in the query of an address; ``forms`` may be repeated.

    Examples
    --------
    >>> form_from_query(QueryParams("forms=chiitoi&forms=standard&tiles=m0")).forms
    'all'
    """
    given = {
        field.name: query[field.name].strip() for field in fields(HandForm) if query.get(field.name)
    }
    if "forms" in given:
        given["forms"] = ",".join(query.getlist("forms"))
        with suppress(MjoptError):  # reported when the form is parsed
            every = check_forms(ALL, as_tiles(given.get("tiles", FULL)))
            if {*every} <= {*check_forms(given["forms"], FULL)}:
                given["forms"] = ALL
    return HandForm(**given)


def flaws_of(query: QueryParams, others: Iterable[str] = ()) -> list[str]:
    """Return the unknown and the repeated parts of an address, each as a sentence.

    Examples
    --------
    >>> flaws_of(QueryParams("hand=1m&hand=2m&turn=3&wait=1"), ["wait"])
    ['The address has hand twice: the last one counts.', 'Unknown part of the address: turn.']
    """
    known = [field.name for field in fields(HandForm)]
    twice = gettext("The address has %(part)s twice: the last one counts.")
    unknown = gettext("Unknown part of the address: %(part)s.")
    repeated = [name for name in known if name != "forms" and len({*query.getlist(name)}) > 1]
    strange = sorted({*query} - {*known, *others})
    return [twice % {"part": name} for name in repeated] + [
        unknown % {"part": shorten(name)} for name in strange
    ]


def form_address(form: HandForm, path: str = "/", **more: str) -> str:
    """Return the address of a form; default values are left out.

    Examples
    --------
    >>> form_address(HandForm(hand="123m", melds="111z"), "/certificate", format="json")
    '/certificate?hand=123m&melds=111z&format=json'
    """
    usual = HandForm()
    given = {field.name: getattr(form, field.name) for field in fields(HandForm)}
    given = {name: text for name, text in given.items() if text != getattr(usual, name)} | more
    return f"{path}?{urlencode(given)}" if given else path


def position_address(
    counts: Counts,
    melds: Iterable[Block],
    unseen: Counts,
    tiles: TileSet,
    *,
    forms: str = ALL,
    draws: int | None = None,
    offered: int | None = None,
) -> str:
    """Return the address of the hand page for a position in a game.

    Parameters
    ----------
    counts
        Concealed tiles of a player, copies per kind.
    melds
        The player's melds.
    unseen
        Copies of each kind that the player has not seen; the page treats them as the wall.
    tiles
        The tile set.
    forms
        The winning forms, separated by commas.
    draws, offered
        Own draws left, and the kind discarded by another player, which is not in the wall.

    Examples
    --------
    >>> from mjopt.hands.blocks import pong
    >>> hand = Hand.parse("23m67p44s1z", called=2)
    >>> melds = [pong(2), pong(32)]
    >>> unseen = [4 - copies for copies in hand.counts]
    >>> unseen[2], unseen[32], unseen[33] = 0, 1, 2  # two red dragons were discarded
    >>> position_address(hand.counts, melds, tuple(unseen), FULL)
    '/?hand=23m67p44s1z&melds=333m+666z&seen=77z'
    """
    melds, write = tuple(melds), get_notation("mpsz").write
    known = map(add, counts, usage(melds, tiles.num_kinds))
    seen = tuple(
        COPIES - copies - left - (kind == offered)
        for kind, (copies, left) in enumerate(zip(known, unseen, strict=True))
    )
    form = HandForm(
        hand=write(counts, (), tiles),
        melds=" ".join(meld.text(tiles) for meld in melds),
        seen=write(seen, (), tiles),
        tiles="" if tiles == FULL else tiles.key,
        forms=forms,
        draws="" if draws in (None, min(DRAWS, sum(unseen))) else str(draws),
        offered="" if offered is None else tiles.names[offered],
    )
    return form_address(form)
