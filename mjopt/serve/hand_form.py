"""The form of the hand page: its fields, and the query they describe."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from operator import add, sub
from typing import Any, Final
from urllib.parse import urlencode

from mjopt._internal.sanitize import MESSAGE, shorten
from mjopt.analysis.draws.distribution import check_wall
from mjopt.errors import MjoptError, NotationError, TileError
from mjopt.hands.blocks import Block, usage
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.notation import Parsed, get_notation, read_tiles
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.hands.winning_forms import STANDARD, check_forms, needs_honours
from mjopt.serve.language import gettext

MAX_CHARACTERS: Final = 1000  # of one field; all 136 tiles fit in any notation
NUMBERS: Final = tuple(map(str, range(MAX_CALLED + 1)))
"""Possible numbers of called melds, as text."""

Counts = tuple[int, ...]


class FieldError(MjoptError):
    """An error in one field of the form."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(shorten(message, MESSAGE))
        self.field = field


@contextmanager
def errors_of(field: str) -> Iterator[None]:
    """Turn an error into one of a field."""
    try:
        yield
    except MjoptError as error:
        raise FieldError(field, str(error)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForm:
    """The fields of the form as text; an empty field has no effect."""

    hand: str = ""
    notation: str = "mpsz"  # for all tiles except the last
    melds: str = ""  # separated by blanks, or by semicolons if a meld contains blanks
    called: str = ""
    seen: str = ""  # elsewhere: discards, melds of other players
    unseen: str = ""
    wall: str = ""
    tiles: str = ""
    forms: str = STANDARD  # separated by commas
    call: str = ""  # discard of another player, such as 3m

    def parse(self) -> "AnalysisQuery":
        """Parse the fields; FieldError names the field that is wrong.

        Examples
        --------
        >>> HandForm(hand="1112345678999m1p").parse().hand_query.hand.num_tiles
        14
        >>> HandForm(hand="12x").parse()
        Traceback (most recent call last):
        mjopt.serve.hand_analysis.FieldError: 'x' at character 3: not a suit of FULL, ...
        """
        self._check_length()
        with errors_of("notation"):
            get_notation(self.notation)
        with errors_of("forms"):
            tiles = FULL if needs_honours(check_forms(self.forms, FULL)) else None
        with errors_of("tiles"):
            tiles = as_tiles(self.tiles) if self.tiles else tiles
        melds = re.split(";" if ";" in self.melds else r"\s", self.melds)
        melds = [text.strip() for text in melds if text.strip()]
        if tiles is None:
            with suppress(MjoptError):  # reported below, field by field
                tiles = read_tiles([self.hand, *melds, self.seen, self.unseen], self.notation)[0]
                tiles = max(tiles, read_tiles([self.call])[0], key=lambda each: each.num_kinds)
        how: dict[str, Any] = {"tiles": tiles, "notation": self.notation, "partial": True}
        with errors_of("melds"):
            Hand.parse("", melds=melds, **how)
        called = self.called or None
        how |= {"melds": melds, "called": int(called) if called in NUMBERS else called}
        with errors_of("called"):
            Hand.parse("", **how)
        with errors_of("hand"):
            hand = Hand.parse(self.hand, **how)
        with errors_of("forms"):
            check_forms(self.forms, hand.tiles)
        unseen = self._without_seen(hand, self._counts("unseen", self.notation, hand.tiles))
        wall = self._counts("wall", self.notation, hand.tiles)
        call = self._counts("call", "mpsz", hand.tiles)
        hand_query = HandQuery(hand, self.forms, unseen)
        with errors_of("wall"):
            wall = None if wall is None else check_wall(hand, wall)
        with errors_of("call"):
            if call is not None and sum(call) != 1:
                raise TileError(f"{sum(call)} tiles, expected one")
        return AnalysisQuery(hand_query, wall, None if call is None else call.index(1))

    def _check_length(self) -> None:
        for field in self.__slots__:
            size = len(getattr(self, field))
            if size > MAX_CHARACTERS:
                raise FieldError(field, f"{size} characters, expected at most {MAX_CHARACTERS}")

    def _counts(self, field: str, notation: str, tiles: TileSet) -> Counts | None:
        text = getattr(self, field)
        if not text.strip():
            return None
        with errors_of(field):
            return read_tiles([text], notation, tiles)[1][0].counts

    def _without_seen(self, hand: Hand, unseen: Counts | None) -> Counts | None:
        """Return the unseen tiles less those seen elsewhere."""
        seen = self._counts("seen", self.notation, hand.tiles)
        if seen is None:
            return unseen
        most = hand.unseen if unseen is None else unseen
        for name, copies, num_seen in zip(hand.tiles.names, most, seen, strict=True):
            if num_seen > copies:
                message = gettext("%(seen)d of %(tile)s, but only %(left)d can be elsewhere")
                more = {"seen": num_seen, "tile": name, "left": copies}
                raise FieldError("seen", message % more)
        return tuple(map(sub, most, seen))

    def with_tiles(self, *, add: str = "", remove: str = "") -> "HandForm":
        """Return the form with mpsz tiles added, and one tile, or the ``last``, removed.

        Examples
        --------
        >>> HandForm(hand="E 1m", notation="mjai").with_tiles(add="0m").hand
        '1m 5mr E'
        >>> HandForm(hand="123m1z").with_tiles(remove="last").hand
        '123m'
        """
        self._check_length()
        with errors_of("hand"):
            notation, mpsz = get_notation(self.notation), get_notation("mpsz")
            names = named_tiles(notation.parse(self.hand, FULL))
            names += named_tiles(mpsz.parse(add, FULL))
            if remove == "last" and names:
                remove = names[-1]
            if remove not in names:
                remove = remove.replace("5", "0")  # the last five may be red
            if remove in names:
                names.remove(remove)
            try:
                after = mpsz.parse("".join(names), FULL)
            except NotationError as error:  # a fifth copy; its position is not one in the text
                raise TileError(str(error).partition(": ")[2]) from None
            return replace(self, hand=notation.write(after.counts, after.red, FULL))


@dataclass(frozen=True, slots=True)
class AnalysisQuery:
    """The query that a form describes."""

    hand_query: HandQuery
    own_wall: Counts | None = None  # None for all unseen tiles
    call: int | None = None  # the kind discarded by another player

    @property
    def wall(self) -> Counts:
        """Copies of each kind in the wall, including the previously unseen tile on offer."""
        if self.own_wall is not None:
            return self.own_wall
        unseen, call = self.hand_query.unseen, self.call
        gone = call is not None and unseen[call] == self.hand_query.hand.unseen[call] > 0
        return tuple(left - (gone and kind == call) for kind, left in enumerate(unseen))


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


def position_address(counts: Counts, melds: Iterable[Block], unseen: Counts, tiles: TileSet) -> str:
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
    seen = tuple(COPIES - copies - left for copies, left in zip(known, unseen, strict=True))
    form = HandForm(
        hand=write(counts, (), tiles),
        melds=" ".join(meld.text(tiles) for meld in melds),
        seen=write(seen, (), tiles),
        tiles="" if tiles == FULL else tiles.key,
    )
    return form_address(form)
