"""The form of the hand page: its fields, and the query they describe."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from operator import sub
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.chances.advice.calls import forms_of
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.position_document import errors_of, read_fields
from mjopt.chances.danger.opponent import Opponent
from mjopt.errors import ArgumentError, HandError, MjoptError, NotationError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import Parsed, get_notation
from mjopt.hands.notation.readings import (
    MPSZ,
    read_text,
    readings_of,
    to_mpsz,
)
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import FORMS, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, names_of
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.play.serve.language import gettext

MAX_CHARACTERS: Final = 1000  # of one field; all 136 tiles fit in any notation
ALL: Final = "all"

FORM_WORDS: Final = {
    STANDARD: "four melds and a pair",
    SEVEN_PAIRS: "seven pairs",
    THIRTEEN_ORPHANS: "thirteen orphans",
    "taiwan": "five melds and a pair",
    "mcr.seven_pairs": "seven pairs",
    "mcr.knitted_straight": "knitted straight",
    "mcr.honours_and_knitted": "honours and knitted tiles",
    "sichuan.standard": "four melds and a pair of two suits",
    "sichuan.seven_pairs": "seven pairs of two suits",
    "half-flush": "half flush",
    "full-flush": "full flush",
}
"""Names of the winning forms of all rule sets."""

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandForm:
    """The fields of the form as text; an empty field has no effect."""

    hand: str = ""
    notation: str = ""  # of all tiles except the last; empty if any notation will do
    melds: str = ""  # separated by commas, semicolons or blanks
    called: str = ""
    seen: str = ""  # elsewhere: discards, melds of other players
    unseen: str = ""
    rules: str = ""  # the name of a rule set, which decides the tiles and the forms
    tiles: str = ""  # by default all 136
    forms: str = ALL  # separated by commas; by default all that rules or tile set allow
    draws: str = ""  # own draws left; by default 18, or as many as the wall has
    offered: str = ""  # discard of another player, such as 3m; not among the seen tiles
    swaps: str = ""  # "no": swap calls are not allowed
    barred: str = ""  # kinds that must not be discarded now, right after a call
    riichi: str = ""  # what a player in riichi discarded or let pass: opens the column of danger
    calls: str = ""  # as in :meth:`mjopt.Position.to_fields`; by default all that are possible

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
        tiles, forms, rules = self.tile_set(), self.chosen_forms(), self.rule_set()
        known = {name: getattr(self, name) for name in ("called", "draws", "calls", "swaps")}
        known |= {key: self._in_mpsz(key, tiles) for key in ("melds", "hand", "offered", "barred")}
        read = read_fields(known | {"tiles": tiles.key}, MPSZ, partial=True, rules=rules)
        hand, offered, forms = read.hand, read.offered, forms_of(read.hand, forms)
        wall, size = self._wall(hand, offered), hand.size - 1 - 3 * hand.called
        if hand.num_tiles >= size:
            hand = replace(hand, partial=False)
            position = Position.of_document(read._replace(hand=hand, forms=forms, wall=wall))
            query = HandQuery(hand, forms, wall, general=True)
            return AnalysisQuery(query, position, self._opponent(position))
        if offered is not None:
            raise HandError(
                f"{hand.num_tiles} tiles in the hand", argument="offered", expected=str(size)
            )
        hand = replace(hand, partial=True)
        return AnalysisQuery(HandQuery(hand, forms, wall, general=True), None)

    def _opponent(self, position: Position) -> Opponent | None:
        """Return the player in riichi, whose discards are what was seen if nothing else was."""
        if (kinds := self._counts("riichi", position.hand.tiles)) is None:
            return None
        thrown = tuple(kind for kind, copies in enumerate(kinds) for _ in range(copies))
        if any(position.seen):
            return Opponent(passed=thrown, is_ready=True)
        return Opponent(discards=thrown, is_ready=True)

    def rule_set(self) -> RuleSet | None:
        """Return the rule set that is named, if one is; never a file."""
        with errors_of("rules"):
            if self.rules and self.rules not in RULE_SETS:
                raise HandError("unknown", value=short_repr(self.rules), expected=RULE_SETS)
            return get_rules(self.rules) if self.rules else None

    def tile_set(self) -> TileSet:
        """Return the tile set: that of the rules, if there are any."""
        if (rules := self.rule_set()) is not None:
            return rules.tiles
        with errors_of("tiles"):
            return as_tiles(self.tiles) if self.tiles else FULL

    def chosen_forms(self) -> tuple[WinningForm, ...]:
        """Return the winning forms that count."""
        rules, words = self.rule_set(), self.forms.split(",")
        with errors_of("forms"):
            if rules is None:
                return check_forms(self.forms, self.tile_set())
            if self.forms == ALL:
                return rules.forms
            names = names_of(rules.forms)
            if unknown := [word for word in words if word not in names]:
                raise HandError("unknown", value=short_repr(unknown[0]), expected=names)
        return tuple(form for form in rules.forms if form.name in words)

    def _in_mpsz(self, field: str, tiles: TileSet) -> str:
        """Return the tiles of a field in mpsz notation, melds separated by commas."""
        parts = [text := getattr(self, field)]
        if field == "melds":
            parts = re.split("[;,]" if {*";,"} & {*text} else r"\s", text)
        with errors_of(field):
            return ",".join(to_mpsz(self._read(part, tiles), tiles) for part in parts if part)

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

    def _wall(self, hand: Hand, offered: int | None) -> Counts:
        """Return the copies that are not seen anywhere."""
        tiles, left = hand.tiles, hand.unseen
        wall = tuple(map(min, self._counts("unseen", tiles) or left, left))
        if (seen := self._counts("seen", tiles)) is not None:
            for name, copies, num_seen in zip(tiles.names, wall, seen, strict=True):
                if num_seen > copies:
                    message = gettext("%(seen)d of %(tile)s, but only %(left)d can be elsewhere")
                    more = {"seen": num_seen, "tile": name, "left": copies}
                    raise ArgumentError(message % more, argument="seen")
            wall, left = tuple(map(sub, wall, seen)), tuple(map(sub, left, seen))
        if offered is None:
            return wall
        if not left[offered]:
            message = f"all {COPIES} copies of {tiles.names[offered]} are held or seen"
            raise TileError(message, argument="offered")
        most = (copies - (kind == offered) for kind, copies in enumerate(left))
        return tuple(map(min, wall, most))

    def with_throw(self, tile: str) -> "HandForm":
        """Return the form after a discard, which has been seen from then on."""
        after = self.with_tiles(remove=tile)
        if after.hand == self.with_tiles().hand:
            message = gettext("%(tile)s is not in the hand") % {"tile": repr(tile)}
            raise ArgumentError(message, argument="hand")
        with errors_of("seen"):
            seen = replace(self, hand=self.seen).with_tiles(add=tile.replace("0", "5")).hand
        return replace(after, seen=seen)

    def with_tiles(self, *, add: str = "", remove: str = "") -> "HandForm":
        """Return the form with mpsz tiles added, and one tile removed."""
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
    """The content of a form: a hand, which may still lack tiles, or a position."""

    hand_query: HandQuery  # its unseen tiles are the wall
    position: Position | None  # None before the hand has 13 tiles
    opponent: Opponent | None = None  # in riichi


def named_tiles(found: Parsed) -> list[str]:
    """Return the name of every tile of the full set, in order; a red five ``0m`` comes first."""
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
    form = HandForm(**given)
    if "forms" in given:
        words = query.getlist("forms")
        with suppress(MjoptError):  # reported when the form is parsed
            own = FORMS if (rules := form.rule_set()) is None else names_of(rules.forms)
            words = [word for word in words if word in own or word not in FORM_WORDS]
            form = replace(form, forms=",".join(words) or ALL)
            every = names_of(replace(form, forms=ALL).chosen_forms())
            if {*every} <= {*names_of(replace(form, tiles="").chosen_forms())}:
                form = replace(form, forms=ALL)
    return replace(form, tiles="") if form.rules in RULE_SETS else form


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
    """Return the address of a form; default values are left out."""
    usual = HandForm()
    given = {field.name: getattr(form, field.name) for field in fields(HandForm)}
    given = {name: text for name, text in given.items() if text != getattr(usual, name)} | more
    return f"{path}?{urlencode(given, safe=',:')}" if given else path


def position_address(position: Position, path: str = "/", **more: str) -> str:
    """Return the address of the hand page for a position."""
    return form_address(HandForm(**position.to_fields()), path, **more)
