"""Read Tenhou's XML (`.mjlog`): tiles are numbers from 0 to 135, calls are bit fields."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, NoReturn
from urllib.parse import unquote

from mjopt._internal.sanitize import short_repr
from mjopt.errors import FileError
from mjopt.play.game.events import KIND_OF, RED, Event, by_kind
from mjopt.play.game.log import (
    MALFORMED,
    NORTH_KIND,
    LogBuilder,
    LogGame,
    LogRound,
    check_points,
    check_range,
    riichi_rules,
)
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.state import Ending

NAME: Final = "tenhou-xml"
MULTI, NO_REDS, THREE_PLAYERS = 0x01, 0x02, 0x10  # bits of GO's type
_RED_IDS: Final = {4 * 4: RED, 13 * 4: RED + 1, 22 * 4: RED + 2}
_SEATS: Final = {letter: place % 4 for place, letter in enumerate("TUVWDEFG")}  # draws, discards
_IGNORED: Final = frozenset(["mjloggm", "SHUFFLE", "TAIKYOKU", "BYE", "UN"])
_NEEDED: Final = frozenset(["", "INIT", "N", *_SEATS])  # tiles and turns, and text without a name
DRAW_REASONS: Final = {
    "": Ending.WALL_EMPTY,
    "nm": Ending.MANGAN,
    "yao9": Ending.NINE_KINDS,
    "kaze4": Ending.FOUR_WINDS,
    "kan4": Ending.FOUR_KONGS,
    "reach4": Ending.FOUR_READY,
    "ron3": Ending.THREE_WINNERS,
}

_ELEMENT: Final = re.compile(
    r'<(?:\?xml[^<>]*\?|/([A-Za-z]+)\s*|([A-Za-z]+)(\d*)((?:\s+\w+="[^"<>&]*"){0,100})\s*/?)>\s*'
)  # a limit of attributes, because matching takes memory for each
_OF_TILES: Final = frozenset(["who", "m", "oya", *(f"hai{seat}" for seat in range(4))])
_NAME: Final = re.compile(r"<([A-Za-z]+)")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')


class Attributes(dict[str, str]):
    """The attributes of an element by name; of those given twice, the first."""

    def __missing__(self, name: str) -> NoReturn:
        raise FileError(f"no attribute {name}")

    def number(self, name: str) -> int:
        """Return an attribute that is one whole number."""
        [number] = self.numbers(name)
        return number

    def numbers(self, name: str) -> list[int]:
        """Return an attribute that is a list of whole numbers."""
        texts = self[name].split(",")
        for text in texts:
            if not _NUMBER.fullmatch(text):
                raise FileError(argument=name, value=short_repr(text), expected="a whole number")
        return list(map(int, texts))


class Element(NamedTuple):
    """An element."""

    name: str
    number: int  # the number after the name, or -1
    attributes: Attributes
    at: int  # its position
    flaw: str = ""  # of its text
    is_lost: bool = False  # whether the flaw leaves it without a meaning

    @property
    def is_needed(self) -> bool:
        """Whether decisions need it."""
        return self.name in _NEEDED


class PackedMeld(NamedTuple):
    """An unpacked call, with tiles as Tenhou's numbers."""

    action: Action
    giver: int  # seats to the right of the caller; 0 for own tiles
    tile: int
    held: tuple[int, ...]  # tiles from the hand


def elements(text: str) -> Iterator[Element]:
    """Yield the elements of a document, and those that cannot be read with their flaw.

    Examples
    --------
    >>> [element.name for element in elements('<GO type="169"/><T12/>')]
    ['GO', 'T']
    >>> [(element.at, element.flaw) for element in elements('<T12/> T13 <D12/>')][1]
    (7, 'not an element of a Tenhou log')
    """
    at = 0
    while at < len(text):
        match = _ELEMENT.match(text, at)  # a leading \s* would take quadratic time
        if match is None:
            named = _NAME.match(text, at)
            flaw = "not an element of a Tenhou log"
            yield Element(named[1] if named else "", -1, Attributes(), at, flaw, is_lost=True)
            at = text.find("<", at + 1)
            at = len(text) if at < 0 else at
            continue
        closes, name, number, attributes = match.groups()
        if name is not None:
            given = _ATTRIBUTE.findall(attributes) if attributes else []
            # Of values that differ, the first counts.
            pairs = Attributes(given if len(given) < 2 else reversed(given))
            element = Element(name, int(number[:9]) if number else -1, pairs, at)
            if len(pairs) < len(given):
                keys = [key for key, _ in given]
                twice = ", ".join(sorted(key for key in pairs if keys.count(key) > 1))
                differing = {key for key, value in given if value != pairs[key]}
                values = "different values" if differing else "equal values"
                flaw = f"gives {twice} twice, with {values}"
                element = element._replace(flaw=flaw, is_lost=not differing.isdisjoint(_OF_TILES))
            yield element
        elif closes not in (None, "mjloggm"):
            yield Element(f"/{closes}", -1, Attributes(), at, "closes no element", is_lost=True)
        at = match.end()


def unpack(code: int) -> PackedMeld:
    """Unpack the number of a call.

    Examples
    --------
    >>> unpack(46185)
    PackedMeld(action=<Action.PONG: 'P'>, giver=1, tile=120, held=(121, 122))
    """
    giver = code & 3
    if code & 4:
        pattern, called = divmod(code >> 10, 3)
        first = pattern // 7 * 9 + pattern % 7
        ids = [4 * (first + i) + (code >> shift & 3) for i, shift in enumerate((3, 5, 7))]
        return PackedMeld(Action.CHOW, giver, ids.pop(called), tuple(ids))
    if code & 24:
        kind, called = divmod(code >> 9, 3)
        fourth = code >> 5 & 3
        ids = [4 * kind + i for i in range(4) if i != fourth]
        if code & 8:
            return PackedMeld(Action.PONG, giver, ids.pop(called), tuple(ids))
        return PackedMeld(Action.ADDED_KONG, 0, 4 * kind + fourth, tuple(ids))
    tile = code >> 8
    if code & 32:
        return PackedMeld(Action.NORTH, 0, tile, (tile,))
    ids = [tile // 4 * 4 + i for i in range(4)]
    if giver == 0:
        return PackedMeld(Action.CLOSED_KONG, 0, tile, tuple(ids))
    ids.remove(tile)
    return PackedMeld(Action.KONG, giver, tile, tuple(ids))


def read(text: str) -> LogGame:
    """Read the game of a document."""
    reader = _Reader()
    for element in elements(text):
        if reader.skips and element.name != "INIT":
            continue
        name = f"<{element.name}> at " if element.name else ""
        where = f"{name}character {element.at + 1}"
        if element.name == "INIT":
            reader.close()
        problem, is_lost = element.flaw, element.is_lost
        try:
            if not is_lost:
                reader.read_element(*element[:3])
        except MALFORMED as error:
            problem = str(error) if isinstance(error, FileError) else "malformed"
            is_lost = True
        if problem and is_lost and element.is_needed:
            reader.cut_round(FileError(f"{where}: {problem}"))
        elif problem:
            reader.ignore(FileError(f"{where}: {problem}"))
    return reader.game(NAME)


class _Reader(LogBuilder):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = self.offered = self.turn = -1  # tiles as Tenhou's numbers

    def read_element(self, name: str, number: int, attributes: Attributes) -> None:
        if self.deal is not None and number >= 0 and name in _SEATS:
            self.turn = _SEATS[name]
            if name in "TUVW":
                self.drawn = number
                self.add(Event(self.turn, Action.DRAW, self._tile(number)))
            else:
                is_drawn, self.drawn, self.offered = number == self.drawn, -1, number
                self.add(Event(self.turn, Action.DISCARD, self._tile(number), is_drawn=is_drawn))
        elif name == "GO":
            kind = attributes.number("type")
            reds = (0, 0, 0) if kind & NO_REDS else (1, 1, 1)
            self.rules = riichi_rules(3 if kind & THREE_PLAYERS else 4, reds)
        elif name == "UN" and "n0" in attributes and self.deal is None:
            self.names = tuple(unquote(attributes.get(f"n{seat}", "")) for seat in range(4))
        elif name == "INIT":
            self._begin_round(attributes)
        elif name not in _IGNORED:
            if self.deal is None:
                raise FileError("before the first <INIT>")
            self._add_action(name, attributes)

    def _add_action(self, name: str, attributes: Attributes) -> None:
        if name == "N":
            self._call(attributes.number("who"), attributes.number("m"))
        elif name == "REACH":
            step = attributes.number("step")
            if step not in (1, 2):
                raise FileError(argument="step", value=str(step), expected="1 or 2")
            action = Action.READY if step == 1 else Action.READY_STANDS
            self.add(Event(attributes.number("who"), action))
        elif name == "DORA":
            self.add(Event(-1, Action.DORA, self._tile(attributes.number("hai"))))
        elif name == "AGARI":
            tile, giver = self._tile(attributes.number("machi")), attributes.number("fromWho")
            self.add(Event(attributes.number("who"), Action.WIN, tile, giver))
            self._end(attributes)
        elif name == "RYUUKYOKU":
            reason = attributes.get("type", "")
            self.draw_reason = DRAW_REASONS.get(reason)
            self.add(Event(-1, Action.DRAWN_GAME))
            if reason not in DRAW_REASONS:
                raise FileError(f"no reason of a draw: type {short_repr(reason)}")
            self._end(attributes)
        else:
            raise FileError("unknown element")

    def _tile(self, number: int) -> int:
        if not 0 <= number < 4 * RED:
            raise FileError(argument="tile", value=str(number), expected="0..135")
        assert self.rules is not None
        has_reds = self.rules.reds != (0, 0, 0)
        return _RED_IDS.get(number, number // 4) if has_reds else number // 4

    def _tiles(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return by_kind(map(self._tile, numbers))

    def _call(self, who: int, code: int) -> None:
        meld = unpack(code)
        tile = self._tile(meld.tile)
        assert self.rules is not None
        if meld.action is Action.NORTH and KIND_OF[tile] != NORTH_KIND:
            raise FileError(f"sets aside tile {meld.tile}, which is not a north")
        own = meld.action in (Action.CLOSED_KONG, Action.ADDED_KONG, Action.NORTH)
        if not own:
            if meld.tile != self.offered:
                raise FileError(f"calls tile {meld.tile}, but {self.offered} is on offer")
            giver = (who + meld.giver) % 4
            if self.rules.seats == 4 and giver != self.turn:
                raise FileError(f"calls from seat {giver}, but seat {self.turn} discarded")
        held = () if meld.action in (Action.ADDED_KONG, Action.NORTH) else self._tiles(meld.held)
        if meld.action is Action.CLOSED_KONG:
            tile = KIND_OF[tile]  # the kind identifies a closed kong
        self.add(Event(who, meld.action, tile, -1 if own else self.turn, held))
        self.turn, self.drawn = who, -1

    def _end(self, attributes: Attributes) -> None:
        if "sc" in attributes:
            self.score(100 * change for change in attributes.numbers("sc")[1::2])

    def _begin_round(self, attributes: Attributes) -> None:
        self.skips = False
        has_four = bool(attributes.get("hai3"))
        if self.rules is None:
            self.rules = riichi_rules(4 if has_four else 3, (1, 1, 1))
            self.unknown.append(FileError("no <GO> before the first round: red fives assumed"))
        elif has_four and self.rules.seats == 3:
            self.rules = riichi_rules(4, self.rules.reds)
            self.unknown.append(FileError("<GO> says three players, but there are four hands"))
        seats, dealer = self.rules.seats, attributes.number("oya")
        wind = self.rounds[-1].wind if self.rounds else 0
        unknown = [4 * wind + dealer, 0, 0, 0, 0, NO_KIND]
        number, honba, sticks, _, _, dora = self.optional(
            lambda: _seed(attributes), unknown, "seed"
        )
        self.begin(
            LogRound(
                wind=number // 4,
                number=number % 4 + 1,
                honba=honba,
                sticks=sticks,
                dealer=dealer,
                points=self.optional(lambda: _points(attributes, seats), (), "ten"),
                dora=self.optional(lambda: self._indicator(dora), NO_KIND, "dora"),
                hands=tuple(self._tiles(attributes.numbers(f"hai{seat}")) for seat in range(seats)),
                events=(),
            )
        )

    def _indicator(self, number: int) -> int:
        return NO_KIND if number == NO_KIND else self._tile(number)


def _seed(attributes: Attributes) -> list[int]:
    """Return the number of a round, honba, deposits, two dice and the first indicator."""
    seed = attributes.numbers("seed")
    if len(seed) != 6:
        raise FileError(f"{len(seed)} numbers in seed", expected="6")
    for field, value in zip(("wind", "honba", "sticks"), (seed[0] // 4, *seed[1:3]), strict=True):
        check_range(field, value)
    return seed


def _points(attributes: Attributes, seats: int) -> tuple[int, ...]:
    hundreds = attributes.numbers("ten")[:seats]
    return check_points([100 * hundred for hundred in hundreds], seats)
