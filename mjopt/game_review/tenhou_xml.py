"""Read Tenhou's XML (`.mjlog`): tiles are numbers from 0 to 135, calls are bit fields."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, NoReturn
from urllib.parse import unquote

from mjopt.errors import LogError
from mjopt.game_review.events import (
    KIND_OF,
    NO_TILE,
    NORTH_KIND,
    RED,
    ActionType,
    DrawReason,
    Game,
    LogBuilder,
    by_kind,
    riichi_rules,
)

NAME: Final = "tenhou-xml"
MULTI, NO_REDS, THREE_PLAYERS = 0x01, 0x02, 0x10  # bits of GO's type
_RED_IDS: Final = {4 * 4: RED, 13 * 4: RED + 1, 22 * 4: RED + 2}
_SEATS: Final = {letter: place % 4 for place, letter in enumerate("TUVWDEFG")}  # draws, discards
_IGNORED: Final = frozenset(["mjloggm", "SHUFFLE", "TAIKYOKU", "BYE", "UN"])
DRAW_REASONS: Final = {
    "": DrawReason.WALL_EMPTY,
    "nm": DrawReason.MANGAN,
    "yao9": DrawReason.NINE_KINDS,
    "kaze4": DrawReason.FOUR_WINDS,
    "kan4": DrawReason.FOUR_KONGS,
    "reach4": DrawReason.FOUR_READY,
    "ron3": DrawReason.THREE_WINNERS,
}

_ELEMENT: Final = re.compile(
    r'<(?:\?xml[^<>]*\?|/([A-Za-z]+)\s*|([A-Za-z]+)(\d*)((?:\s+\w+="[^"<>&]*")*)\s*/?)>\s*'
)
_ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')


class Element(NamedTuple):
    """An element: its name, the number after it, its attributes and its position."""

    name: str
    number: int
    attributes: dict[str, str]
    at: int


class PackedMeld(NamedTuple):
    """An unpacked call, with tiles as Tenhou's numbers."""

    action: ActionType
    giver: int  # seats to the right of the caller; 0 for own tiles
    tile: int
    held: tuple[int, ...]  # tiles from the hand


def elements(text: str) -> Iterator[Element]:
    """Yield the elements of a document; raise LogError on anything else.

    Examples
    --------
    >>> [element.name for element in elements('<GO type="169"/><T12/>')]
    ['GO', 'T']
    """
    at = 0
    for match in _ELEMENT.finditer(text):  # a leading \s* would take quadratic time
        if match.start() != at:
            break
        closes, name, number, attributes = match.groups()
        if name is not None:
            pairs = dict(_ATTRIBUTE.findall(attributes)) if attributes else {}
            yield Element(name, int(number[:9]) if number else -1, pairs, at)
        elif closes not in (None, "mjloggm"):
            raise LogError(f"character {at + 1}: </{closes}> closes no element")
        at = match.end()
    if at < len(text):
        raise LogError(f"character {at + 1}: not an element of a Tenhou log")


def unpack(code: int) -> PackedMeld:
    """Unpack the number of a call.

    Examples
    --------
    >>> unpack(46185)
    PackedMeld(action=<ActionType.PONG: 'pong'>, giver=1, tile=120, held=(121, 122))
    """
    giver = code & 3
    if code & 4:
        pattern, called = divmod(code >> 10, 3)
        first = pattern // 7 * 9 + pattern % 7
        ids = [4 * (first + i) + (code >> shift & 3) for i, shift in enumerate((3, 5, 7))]
        return PackedMeld(ActionType.CHOW, giver, ids.pop(called), tuple(ids))
    if code & 24:
        kind, called = divmod(code >> 9, 3)
        fourth = code >> 5 & 3
        ids = [4 * kind + i for i in range(4) if i != fourth]
        if code & 8:
            return PackedMeld(ActionType.PONG, giver, ids.pop(called), tuple(ids))
        return PackedMeld(ActionType.ADDED_KONG, 0, 4 * kind + fourth, tuple(ids))
    tile = code >> 8
    if code & 32:
        return PackedMeld(ActionType.NORTH, 0, tile, (tile,))
    ids = [tile // 4 * 4 + i for i in range(4)]
    if giver == 0:
        return PackedMeld(ActionType.CLOSED_KONG, 0, tile, tuple(ids))
    ids.remove(tile)
    return PackedMeld(ActionType.KONG, giver, tile, tuple(ids))


def read(text: str) -> Game:
    """Read the game of a document."""
    reader = _Reader()
    try:
        for reader.element in elements(text):
            reader.read_element(*reader.element[:3])
    except LogError:
        raise
    except (KeyError, ValueError, IndexError) as error:
        reader.fail(f"malformed: {type(error).__name__} {error}"[:100])
    return reader.game(NAME)


class _Reader(LogBuilder):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = self.offered = self.turn = -1  # tiles as Tenhou's numbers
        self.ended = False
        self.element = Element("", -1, {}, 0)

    def fail(self, text: str) -> NoReturn:
        where = f"<{self.element.name}> at character {self.element.at + 1}"
        raise LogError(f"{where}: {text}")

    def read_element(self, name: str, number: int, attributes: dict[str, str]) -> None:
        if self.deal is not None and number >= 0 and name in _SEATS:
            self.turn = _SEATS[name]
            if name in "TUVW":
                self.drawn = number
                self.add(self.turn, ActionType.DRAW, self._tile(number))
            else:
                is_drawn, self.drawn, self.offered = number == self.drawn, -1, number
                self.add(self.turn, ActionType.DISCARD, self._tile(number), is_drawn=is_drawn)
        elif name == "GO":
            kind = int(attributes["type"])
            reds = (0, 0, 0) if kind & NO_REDS else (1, 1, 1)
            self.rules = riichi_rules(3 if kind & THREE_PLAYERS else 4, reds)
        elif name == "UN" and "n0" in attributes and self.deal is None:
            self.names = tuple(unquote(attributes.get(f"n{seat}", "")) for seat in range(4))
        elif name == "INIT":
            self._begin_round(attributes)
        elif name not in _IGNORED:
            if self.deal is None:
                self.fail("before the first <INIT>")
            self._add_action(name, attributes)

    def _add_action(self, name: str, attributes: dict[str, str]) -> None:
        if name == "N":
            self._call(int(attributes["who"]), int(attributes["m"]))
        elif name == "REACH":
            self.add(
                int(attributes["who"]),
                {1: ActionType.READY, 2: ActionType.READY_STANDS}[int(attributes["step"])],
            )
        elif name == "DORA":
            self.add(-1, ActionType.DORA, self._tile(int(attributes["hai"])))
        elif name == "AGARI":
            tile, giver = self._tile(int(attributes["machi"])), int(attributes["fromWho"])
            self.add(int(attributes["who"]), ActionType.WIN, tile, other=giver)
            self._end(attributes)
        elif name == "RYUUKYOKU":
            self.draw_reason = DRAW_REASONS[attributes.get("type", "")]
            self.add(-1, ActionType.DRAWN)
            self._end(attributes)
        else:
            self.fail("unknown element")

    def _tile(self, number: int) -> int:
        if not 0 <= number < 4 * RED:
            self.fail(f"tile {number}, expected 0..135")
        assert self.rules is not None
        has_reds = self.rules.reds != (0, 0, 0)
        return _RED_IDS.get(number, number // 4) if has_reds else number // 4

    def _tiles(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return by_kind(map(self._tile, numbers))

    def add(self, seat: int, action: ActionType, tile: int = NO_TILE, **more: Any) -> None:
        if self.ended and action is not ActionType.WIN:
            self.fail("after the end of the round")
        super().add(seat, action, tile, **more)

    def _call(self, who: int, code: int) -> None:
        meld = unpack(code)
        tile = self._tile(meld.tile)
        assert self.rules is not None
        if meld.action is ActionType.NORTH and KIND_OF[tile] != NORTH_KIND:
            self.fail(f"sets aside tile {meld.tile}, which is not a north")
        own = meld.action in (ActionType.CLOSED_KONG, ActionType.ADDED_KONG, ActionType.NORTH)
        if not own:
            if meld.tile != self.offered:
                self.fail(f"calls tile {meld.tile}, but {self.offered} is on offer")
            giver = (who + meld.giver) % 4
            if self.rules.seats == 4 and giver != self.turn:
                self.fail(f"calls from seat {giver}, but seat {self.turn} discarded")
        held = (
            ()
            if meld.action in (ActionType.ADDED_KONG, ActionType.NORTH)
            else self._tiles(meld.held)
        )
        if meld.action is ActionType.CLOSED_KONG:
            tile = KIND_OF[tile]  # the kind identifies a closed kong
        self.add(who, meld.action, tile, other=-1 if own else self.turn, tiles=held)
        self.turn, self.drawn = who, -1

    def _end(self, attributes: dict[str, str]) -> None:
        self.ended = True
        self.score(100 * int(text) for text in attributes["sc"].split(",")[1::2])

    def _begin_round(self, attributes: dict[str, str]) -> None:
        self.close()
        if self.rules is None:
            self.fail("no <GO> before the first round")
        seats, self.ended = self.rules.seats, False
        number, honba, sticks, _, _, dora = map(int, attributes["seed"].split(","))
        hands = (map(int, attributes[f"hai{seat}"].split(",")) for seat in range(seats))
        self.deal = {
            "wind": number // 4,
            "number": number % 4 + 1,
            "honba": honba,
            "sticks": sticks,
            "dealer": int(attributes["oya"]),
            "points": tuple(100 * int(ten) for ten in attributes["ten"].split(",")[:seats]),
            "dora": self._tile(dora),
            "hands": tuple(map(self._tiles, hands)),
        }
