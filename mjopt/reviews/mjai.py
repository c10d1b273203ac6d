"""mjai: one JSON message a line, as many programs that play write their games."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from mjopt.errors import LogError
from mjopt.hands.notation.mjai import RED_SIGNS, SIGNS
from mjopt.reviews.events import (
    KIND_OF,
    NO_TILE,
    RED,
    TILE_NAMES,
    Did,
    Event,
    Game,
    Round,
    Why,
    by_kind,
    ruling_of,
)

NAME: Final = "mjai"
TILES: Final = {sign: TILE_NAMES.index(name) for name, sign in SIGNS.items()} | {
    sign: RED + place for place, sign in enumerate(RED_SIGNS.values())
}
CALLS: Final = {"chi": Did.CHOW, "pon": Did.PONG, "daiminkan": Did.KONG}
IGNORED: Final = frozenset(["hello", "none", "end_game"])
WHYS: Final = {
    "fanpai": Why.WALL_EMPTY,
    "ryukyoku": Why.WALL_EMPTY,
    "nagashimangan": Why.MANGAN,
    "kyushukyuhai": Why.NINE_KINDS,
    "sufonrenta": Why.FOUR_WINDS,
    "suukantsu": Why.FOUR_KONGS,
    "suukaikan": Why.FOUR_KONGS,
    "suchareach": Why.FOUR_READY,
    "sanchaho": Why.THREE_WINNERS,
}
Message = dict[str, Any]


def read(messages: Iterable[Any]) -> Game:
    """Return the game that messages tell.

    Raises
    ------
    LogError
        If they tell none; the message names the place.
    """
    reader = _Reader()
    for number, message in enumerate(messages, start=1):
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise LogError(f"message {number}: no mjai message")
        try:
            reader.take(message)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, LogError):
                raise LogError(f"message {number}: {error}") from None
            told = (
                f"without {error.args[0]!r}" if isinstance(error, KeyError) else "not well formed"
            )
            raise LogError(f"message {number}: {message['type']} {told}"[:120]) from None
    return reader.game()


def tile_of(sign: Any) -> int:
    """Return the tile of a sign.

    Examples
    --------
    >>> TILE_NAMES[tile_of("5pr")], TILE_NAMES[tile_of("C")]
    ('0p', '7z')
    """
    if sign not in TILES:
        hidden = ": the log of one seat's view cannot be replayed" if sign == "?" else ""
        raise LogError(f"no tile {sign!r:.20}{hidden}")
    return TILES[sign]


def tiles_of(signs: Iterable[Any]) -> tuple[int, ...]:
    """Return tiles, ascending by kind."""
    return by_kind(map(tile_of, signs))


class _Reader:
    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.seats = 4
        self.rounds: list[Round] = []
        self.open: Message | None = None
        self.events: list[Event] = []
        self.change: list[int] = []
        self.why: Why | None = None
        self.takes: dict[str, Callable[[Message], None]] = {
            "start_kyoku": self._start,
            "end_kyoku": lambda _: self._close(),
            "tsumo": lambda m: self._add(m["actor"], Did.DRAW, tile_of(m["pai"])),
            "dahai": lambda m: self._add(
                m["actor"], Did.DISCARD, tile_of(m["pai"]), is_drawn=bool(m.get("tsumogiri"))
            ),
            "ankan": self._closed_kong,
            "kakan": lambda m: self._add(m["actor"], Did.ADDED_KONG, tile_of(m["pai"])),
            "nukidora": lambda m: self._add(m["actor"], Did.NORTH, tile_of(m.get("pai", "N"))),
            "kita": lambda m: self._add(m["actor"], Did.NORTH, tile_of(m.get("pai", "N"))),
            "reach": lambda m: self._add(m["actor"], Did.READY),
            "reach_accepted": lambda m: self._add(m["actor"], Did.READY_STANDS),
            "dora": lambda m: self._add(-1, Did.DORA, tile_of(m["dora_marker"])),
            "hora": self._win,
            "ryukyoku": self._drawn,
        }

    def take(self, message: Message) -> None:
        kind = message["type"]
        if kind == "start_game":
            self.names = tuple(map(str, message.get("names", ())))
        elif kind in CALLS:
            held = tiles_of(message["consumed"])
            tile, giver = tile_of(message["pai"]), message["target"]
            self._add(message["actor"], CALLS[kind], tile, other=giver, tiles=held)
        elif kind in self.takes:
            self.takes[kind](message)
        elif kind not in IGNORED:
            raise LogError(f"{kind!r:.30} is no type of message")

    def game(self) -> Game:
        self._close()
        if not self.rounds:
            raise LogError("no round in it")
        names = (*self.names, "", "", "", "")[: self.seats]
        return Game(form=NAME, names=names, ruling=ruling_of(self.seats), rounds=tuple(self.rounds))

    def _add(self, seat: Any, did: Did, tile: int = NO_TILE, **more: Any) -> None:
        if self.open is None:
            raise LogError(f"{did} before the first start_kyoku")
        if not (isinstance(seat, int) and -1 <= seat < self.seats):
            raise LogError(f"seat {seat!r:.20}, expected 0..{self.seats - 1}")
        self.events.append(Event(seat, did, tile, **more))

    def _start(self, message: Message) -> None:
        self._close()
        self.open = message
        given = [hand for hand in message["tehais"] if hand]
        if self.rounds and len(given) != self.seats:
            raise LogError(f"{len(given)} hands, before {self.seats}")
        self.seats = len(given)
        if self.seats not in (3, 4):
            raise LogError(f"{self.seats} hands, expected 3 or 4")

    def _closed_kong(self, message: Message) -> None:
        held = tiles_of(message["consumed"])
        self._add(message["actor"], Did.CLOSED_KONG, KIND_OF[held[0]], tiles=held)

    def _win(self, message: Message) -> None:
        given = next((e for e in reversed(self.events) if e.tile != NO_TILE and e.seat >= 0), None)
        if given is None:
            raise LogError("a win, but nothing was drawn")
        tile = tile_of(message["pai"]) if "pai" in message else given.tile
        # A win on an own draw may name the tile in its plain form.
        tile = given.tile if KIND_OF[tile] == KIND_OF[given.tile] else tile
        self._add(message["actor"], Did.WIN, tile, other=message["target"])
        self._score(message)

    def _drawn(self, message: Message) -> None:
        draws = sum(event.did is Did.DRAW for event in self.events)
        was_last = draws == ruling_of(self.seats).draws
        told = WHYS.get(message.get("reason", ""), Why.UNTOLD)
        self.why = Why.WALL_EMPTY if told is Why.UNTOLD and was_last else told
        self._add(-1, Did.DRAWN)
        self._score(message)

    def _score(self, message: Message) -> None:
        changes = list(map(int, message.get("deltas") or ()))[: self.seats]
        before = self.change or [0] * len(changes)
        self.change = [a + b for a, b in zip(before, changes, strict=True)]

    def _close(self) -> None:
        if self.open is None:
            return
        said = self.open
        self.rounds.append(
            Round(
                wind="ESWN".index(said["bakaze"]),
                number=int(said["kyoku"]),
                honba=int(said["honba"]),
                sticks=int(said["kyotaku"]),
                dealer=int(said["oya"]),
                points=tuple(map(int, said["scores"]))[: self.seats],
                dora=NO_TILE if said["dora_marker"] == "?" else tile_of(said["dora_marker"]),
                hands=tuple(map(tiles_of, said["tehais"][: self.seats])),
                events=tuple(self.events),
                why=self.why,
                change=tuple(self.change),
            )
        )
        self.events, self.change, self.why, self.open = [], [], None, None
