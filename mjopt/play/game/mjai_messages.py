"""Events as mjai messages and back: mjai is a common format of Mahjong programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypedDict, TypeGuard

from mjopt.errors import FileError
from mjopt.hands.notation.mjai import RED_SYMBOLS, SYMBOLS
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import CALLS, KIND_OF, RED, TILE_NAMES, Event, by_kind
from mjopt.play.game.log import (
    MALFORMED,
    LogBuilder,
    LogRound,
    check_points,
    check_range,
    last_tile,
    riichi_rules,
)
from mjopt.play.game.log_sequence import points_after
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.state import Ending


class Message(TypedDict, total=False):
    """A message, which has the fields of its type. Those of other programs may have wrong types."""

    type: str
    actor: int
    target: int  # the seat whose tile is called or won on
    pai: str
    consumed: list[str]  # tiles from the hand
    tsumogiri: bool  # whether the tile just drawn is discarded
    # start_game, hello and join
    names: list[str]
    id: int | str
    name: str
    room: str
    # start_kyoku: the round, its counters and deposits, the dealer, and the hands
    bakaze: str
    kyoku: int
    honba: int
    kyotaku: int
    oya: int
    dora_marker: str
    tehais: list[list[str]]
    # ends of a round
    reason: str
    deltas: list[int]
    scores: list[int]
    uradora_markers: list[str]
    yakus: list[list[str | int]]  # names with their values
    fan: int
    fu: int
    # start_game of this package's own games of riichi
    rules: str
    engine: str
    seed: int
    game: int
    fault: str
    # decisions
    cannot_dahai: list[str]
    possible_actions: list["Message"]


HIDDEN: Final = "?"
RED_SIGNS: Final = tuple(RED_SYMBOLS.values())
TILES: Final = {sign: TILE_NAMES.index(name) for name, sign in SYMBOLS.items()} | {
    sign: RED + place for place, sign in enumerate(RED_SIGNS)
}
ACTIONS: Final = {
    "tsumo": Action.DRAW,
    "dahai": Action.DISCARD,
    "chi": Action.CHOW,
    "pon": Action.PONG,
    "daiminkan": Action.KONG,
    "ankan": Action.CLOSED_KONG,
    "kakan": Action.ADDED_KONG,
    "nukidora": Action.NORTH,
    "kita": Action.NORTH,
    "reach": Action.READY,
    "reach_accepted": Action.READY_STANDS,
    "hora": Action.WIN,
}
WORDS: Final = {action: word for word, action in ACTIONS.items() if word != "kita"}
START_POINTS: Final = 25_000
IGNORED: Final = frozenset(["hello", "none", "end_kyoku", "end_game"])
WINDS: Final = ("E", "S", "W", "N")
DRAW_REASONS: Final = {
    "fanpai": Ending.WALL_EMPTY,
    "ryukyoku": Ending.WALL_EMPTY,
    "nagashimangan": Ending.MANGAN,
    "kyushukyuhai": Ending.NINE_KINDS,
    "sufonrenta": Ending.FOUR_WINDS,
    "suukantsu": Ending.FOUR_KONGS,
    "suukaikan": Ending.FOUR_KONGS,
    "suchareach": Ending.FOUR_READY,
    "sanchaho": Ending.THREE_WINNERS,
}
REASONS: Final = {
    ending: reason
    for reason, ending in DRAW_REASONS.items()
    if reason not in ("ryukyoku", "suukaikan")
}
"""The reason to write for each drawn game."""


def is_message(value: object) -> TypeGuard[Message]:
    """Return whether a JSON document is an mjai message, whatever its other fields."""
    return isinstance(value, dict) and isinstance(value.get("type"), str)


def seen_message(message: Message, seat: int) -> Message:
    """Return a message as a seat sees it: the hands and the draws of others are hidden.

    Examples
    --------
    >>> seen_message({"type": "tsumo", "actor": 2, "pai": "5mr"}, 1)
    {'type': 'tsumo', 'actor': 2, 'pai': '?'}
    """
    if message["type"] == "tsumo" and message["actor"] != seat:
        return {**message, "pai": HIDDEN}
    if message["type"] != "start_kyoku":
        return message
    hands = enumerate(message["tehais"])
    hidden = [hand if other == seat else [HIDDEN] * len(hand) for other, hand in hands]
    return {**message, "tehais": hidden}


def messages_of(event: Event, names: Sequence[str] = FULL.names) -> Iterator[Message]:
    """Yield the messages of an event: three of a declaration with its discard, else one.

    The event is that of a seat. Its tile may be hidden.

    Examples
    --------
    >>> list(messages_of(Event(2, Action.PONG, 4, 1, (4, 34))))
    [{'type': 'pon', 'actor': 2, 'target': 1, 'pai': '5m', 'consumed': ['5m', '5mr']}]
    """
    message: Message = {"type": WORDS[event.action], "actor": event.seat}
    if event.action in (*CALLS, Action.WIN):
        message["target"] = event.other
    if event.action not in (Action.READY, Action.READY_STANDS, Action.CLOSED_KONG):
        message["pai"] = sign_of(event.tile, names)
    if event.action is Action.DISCARD:
        message["tsumogiri"] = event.is_drawn
    if event.action is Action.ADDED_KONG:
        message["consumed"] = [message["pai"]] * 3
    elif event.tiles:
        message["consumed"] = [sign_of(tile, names) for tile in event.tiles]
    yield message
    if event.action is Action.READY and event.tile != NO_KIND:
        yield from messages_of(event._replace(action=Action.DISCARD), names)
        yield from messages_of(Event(event.seat, Action.READY_STANDS), names)


def sign_of(tile: int, names: Sequence[str] = FULL.names) -> str:
    """Return the mjai symbol of a tile.

    Examples
    --------
    >>> sign_of(4), sign_of(34), sign_of(33), sign_of(-1)
    ('5m', '5mr', 'C', '?')
    """
    if tile >= RED:
        return RED_SIGNS[tile - RED]
    return HIDDEN if tile == NO_KIND else SYMBOLS[names[tile]]


def tile_of(sign: str) -> int:
    """Return the tile of an mjai symbol.

    Examples
    --------
    >>> TILE_NAMES[tile_of("5pr")], TILE_NAMES[tile_of("C")]
    ('0p', '7z')
    """
    if not isinstance(sign, str) or sign not in TILES:  # a message may hold anything
        hidden = ": the log of one seat's view cannot be replayed" if sign == HIDDEN else ""
        raise FileError(f"{sign!r:.20} is not a tile{hidden}")
    return TILES[sign]


def tiles_of(signs: Iterable[str]) -> tuple[int, ...]:
    """Return the tiles of mjai symbols, sorted by kind."""
    return by_kind(map(tile_of, signs))


def round_label(message: Message) -> tuple[int, int, int]:
    """Return wind, number and counters of a ``start_kyoku``."""
    wind = WINDS.index(message["bakaze"])
    return wind, int(message["kyoku"]), int(message["honba"])


def _points(scores: Sequence[int], seats: int) -> tuple[int, ...]:
    return check_points([*map(int, scores)][:seats], seats)


def _dealer(seat: int, seats: int) -> int:
    if type(seat) is not int or not 0 <= seat < seats:
        raise FileError(argument="oya", value=f"{seat!r:.20}", expected=f"0..{seats - 1}")
    return seat


def _indicator(sign: str) -> int:
    return NO_KIND if sign == HIDDEN else tile_of(sign)


class MessageReader(LogBuilder):
    """Reads one message after another.

    If ``hidden``, tiles that are dealt or drawn may be hidden, as in the view of one seat. They are
    then ``NO_KIND``.
    """

    def __init__(self, *, hidden: bool = False) -> None:
        super().__init__()
        self.hidden = hidden

    def read(self, message: object) -> str:
        """Read a message and return its type; FileError if it is no message or out of order."""
        if not is_message(message):
            raise FileError("not an mjai message")
        kind = message["type"]
        try:
            self._read(kind, message)
        except FileError:
            raise
        except KeyError as error:
            raise FileError(f"{kind} without {error}"[:120]) from None
        except MALFORMED:
            raise FileError(f"{kind} malformed"[:120]) from None
        return kind

    def _read(self, kind: str, message: Message) -> None:
        if kind == "start_game":
            self.names = tuple(map(str, message.get("names", ())))
        elif kind == "start_kyoku":
            self._begin_round(message)
        elif kind == "dora":
            self._add(Event(-1, Action.DORA, tile_of(message["dora_marker"])))
        elif kind == "ryukyoku":
            self._end_drawn(message)
        elif kind in ACTIONS:
            self._add_action(ACTIONS[kind], message)
        elif kind not in IGNORED:
            raise FileError(f"{kind!r:.30} is not a message type")

    def _add_action(self, action: Action, message: Message) -> None:
        """Add the event of a message."""
        seat, other, tiles = message["actor"], -1, tuple[int, ...]()
        if action in (Action.READY, Action.READY_STANDS):
            tile = NO_KIND
        elif action is Action.CLOSED_KONG:
            tiles = tiles_of(message["consumed"])
            if not tiles:
                raise FileError(f"{action.word} of no tiles")
            tile = KIND_OF[tiles[0]]
        elif action is Action.WIN:
            tile = self._winning_tile(message)
        elif action is Action.DRAW:
            tile = self._dealt(message["pai"])
        else:
            tile = tile_of(message.get("pai", "N") if action is Action.NORTH else message["pai"])
        is_drawn = action is Action.DISCARD and bool(message.get("tsumogiri"))
        if action in CALLS:
            tiles = tiles_of(message["consumed"])
        if action in CALLS or action is Action.WIN:
            other = self._seat(message["target"])
        self._add(Event(seat, action, tile, other, tiles, is_drawn))
        if action is Action.WIN:
            self._score(message)

    def _add(self, event: Event) -> None:
        if self.deal is None:
            raise FileError(f"{event.action.word} before the first start_kyoku")
        self._seat(event.seat)
        self.add(event)

    def _seat(self, seat: object) -> int:
        seats = 4 if self.deal is None else len(self.deal.hands)
        if type(seat) is not int or not -1 <= seat < seats:
            raise FileError(argument="seat", value=f"{seat!r:.20}", expected=f"0..{seats - 1}")
        return seat

    def _begin_round(self, message: Message) -> None:
        self.close()
        self.skips = False
        seats = sum(1 for hand in message["tehais"] if hand)
        if self.rules is not None and self.rules.seats != seats:
            raise FileError(f"{seats} hands", expected=f"{self.rules.seats} as before")
        if seats not in (3, 4):
            raise FileError(f"{seats} hands", expected="3 or 4")
        self.rules = riichi_rules(seats)
        points: Sequence[int] | None = None
        if message.get("scores"):
            unknown: tuple[int, ...] = ()
            points = self.optional(lambda: _points(message["scores"], seats), unknown, "scores")
        notes = list[str]()
        if points is None and self.rounds:
            points = points_after(self.rounds[-1])
        if points is None:
            points = (START_POINTS,) * seats
            if not any(deal.notes for deal in self.rounds):
                notes = [f"the log has no scores: {START_POINTS:,} for each seat assumed"]
        number = self.optional(lambda: check_range("number", int(message["kyoku"])), 0, "kyoku")
        dealer = self.optional(lambda: _dealer(message["oya"], seats), number - 1, "oya")
        wind = self.rounds[-1].wind if self.rounds else 0
        self.begin(
            LogRound(
                wind=self.optional(lambda: WINDS.index(message["bakaze"]), wind, "bakaze"),
                number=number or dealer + 1,
                honba=self.optional(
                    lambda: check_range("honba", int(message["honba"])), 0, "honba"
                ),
                sticks=self.optional(
                    lambda: check_range("sticks", int(message["kyotaku"])), 0, "kyotaku"
                ),
                dealer=dealer,
                points=tuple(points),
                dora=self.optional(lambda: _indicator(message["dora_marker"]), NO_KIND, "dora"),
                hands=tuple(by_kind(map(self._dealt, hand)) for hand in message["tehais"][:seats]),
                events=(),
                notes=tuple(notes),
            )
        )

    def _winning_tile(self, message: Message) -> int:
        named = tile_of(message["pai"]) if "pai" in message else NO_KIND
        acted = [event for event in self.events if event.seat >= 0]
        if acted and acted[-1].action is Action.DRAW and acted[-1].tile == NO_KIND:
            return named  # the draw is hidden
        tile = last_tile(self.events)
        # An own draw may be written as a plain five.
        return tile if named == NO_KIND or KIND_OF[named] == KIND_OF[tile] else named

    def _dealt(self, sign: str) -> int:
        return NO_KIND if self.hidden and sign == HIDDEN else tile_of(sign)

    def _end_drawn(self, message: Message) -> None:
        self._add(Event(-1, Action.DRAWN_GAME))
        assert self.rules is not None
        was_last = sum(event.action is Action.DRAW for event in self.events) == self.rules.draws
        reason = DRAW_REASONS.get(message.get("reason", ""))
        if reason is None and was_last:
            reason = Ending.WALL_EMPTY
        self.draw_reason = reason
        self._score(message)

    def _score(self, message: Message) -> None:
        assert self.rules is not None
        self.score(list(map(int, message.get("deltas") or ()))[: self.rules.seats])
