"""Logged games as events, independent of the log format, and the builder of such games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from mjopt._internal.sanitize import shorten
from mjopt.errors import LogError
from mjopt.hands.tiles import FULL, TileSet
from mjopt.hands.winning_forms import RIICHI

RED: Final = FULL.num_kinds
"""The red fives follow the 34 kinds: of characters, dots and bamboos."""

TILE_NAMES: Final = (*FULL.names, "0m", "0p", "0s")
KIND_OF: Final = (*range(RED), 4, 13, 22)
"""The kind of each tile: a red five is a five."""

RED_OF: Final = {4: RED, 13: RED + 1, 22: RED + 2}
"""The red five of each kind that has one."""

NO_TILE: Final = -1
MALFORMED: Final = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What a reader may raise on a log whose parts have wrong types or sizes."""

RANGES: Final = {"wind": (0, 3), "number": (1, 4), "honba": (0, 999), "sticks": (0, 999)}
MOST_POINTS: Final = 10**12
NOT_OF_THREE: Final = frozenset(range(1, 8))
"""Kinds removed for three players: 2 to 8 of characters."""

NORTH_KIND: Final = FULL.names.index("4z")


def by_kind(tiles: Iterable[int]) -> tuple[int, ...]:
    """Return tiles sorted by kind, red fives after the other fives."""
    return tuple(sorted(tiles, key=lambda tile: (KIND_OF[tile], tile)))


class ActionType(StrEnum):
    """An action of a seat, or an event without a seat."""

    DRAW = "draw"
    DISCARD = "discard"
    CHOW = "chow"
    PONG = "pong"
    KONG = "kong"  # of another seat's discard
    CLOSED_KONG = "closed kong"
    ADDED_KONG = "added kong"  # to a pong on the table
    NORTH = "north"  # set aside, with three players
    READY = "ready"  # declared: the discard follows
    READY_STANDS = "ready stands"  # the declaration counts: no seat won on that discard
    DORA = "dora"  # another indicator is revealed
    WIN = "win"
    DRAWN = "drawn game"


class Event(NamedTuple):
    """An event of a round."""

    seat: int  # the acting seat, or -1
    action: ActionType
    # The tile drawn, discarded, called, added, revealed or won on, ``0..36``; else -1
    tile: int = NO_TILE
    # The seat whose tile was called or won on; the seat itself for an own draw; else -1
    other: int = -1
    tiles: tuple[int, ...] = ()  # tiles from the hand laid down for a meld, ascending
    is_drawn: bool = False  # of a discard: whether it is the tile just drawn

    def __str__(self) -> str:
        words = [f"seat {self.seat}"] if self.seat >= 0 else []
        tile = [] if self.tile < 0 else [TILE_NAMES[self.tile]]
        with_tiles = ["with", *(TILE_NAMES[tile] for tile in self.tiles)] if self.tiles else []
        return " ".join([*words, self.action.value, *tile, *with_tiles])


class DrawReason(StrEnum):
    """The reason of a drawn round."""

    WALL_EMPTY = "wall empty"
    MANGAN = "mangan of discards"
    NINE_KINDS = "nine kinds"
    FOUR_WINDS = "four winds"
    FOUR_KONGS = "four kongs"
    FOUR_READY = "four ready"
    THREE_WINNERS = "three winners"
    UNTOLD = "untold"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRules:
    """The rules that a log implies: seats, tiles and winning forms.

    Examples
    --------
    >>> LogRules().draws, LogRules(seats=3, missing=NOT_OF_THREE).draws
    (70, 55)
    """

    seats: int = 4  # three or four
    tiles: TileSet = FULL  # the tile set
    forms: tuple[str, ...] = RIICHI  # the forms that win
    dead: int = 14  # tiles that are never drawn
    missing: frozenset[int] = frozenset()  # kinds that are not in the game
    # Red fives of characters, dots and bamboos; None if the log does not contain them
    reds: tuple[int, int, int] | None = None
    ready_closed: bool = True  # whether a ready declaration requires a hand without called melds
    kongs: int = 4  # maximum number of kongs in a round
    robbing: bool = True  # whether a seat may win on the tile of an added kong
    last_calls: bool = False  # whether chow and pong may be called when no tile is left to draw
    # Whether a seat may call a tile and discard the same kind, or the other end of the chow
    swaps: bool = False

    @property
    def draws(self) -> int:
        """Number of tiles that may be drawn in a round."""
        tiles = self.tiles.num_tiles - 4 * len(self.missing)
        return tiles - 13 * self.seats - self.dead


def riichi_rules(seats: int, reds: tuple[int, int, int] | None = None) -> LogRules:
    """Return the rules of riichi for three or four players."""
    missing = NOT_OF_THREE if seats == 3 else frozenset[int]()
    return LogRules(seats=seats, missing=missing, reds=reds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One deal of a game."""

    # wind, number: the prevailing wind, 0 for east, and the number of the round in it, from 1
    wind: int
    number: int
    honba: int = 0  # counters for repeated rounds
    sticks: int = 0  # deposits of 1,000 points on the table
    dealer: int  # the seat that draws first
    points: tuple[int, ...]  # points of each seat at the start of the round
    dora: int = NO_TILE  # the first indicator; -1 if absent or unknown
    hands: tuple[tuple[int, ...], ...]  # thirteen tiles of each seat, ascending
    events: tuple[Event, ...]  # all events in order
    draw_reason: DrawReason | None = None  # reason of a drawn round; None after a win
    # Points that each seat gains in the round; empty if the log does not contain them
    change: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()  # ambiguities of the log, as text

    def __post_init__(self) -> None:
        for field, (least, most) in RANGES.items():
            if not least <= (number := getattr(self, field)) <= most:
                raise LogError(f"{field} {shorten(str(number))}, expected {least} to {most}")
        if any(abs(number) > MOST_POINTS for number in (*self.points, *self.change)):
            raise LogError(f"points beyond {MOST_POINTS}")

    @property
    def name(self) -> str:
        """The usual name of the round.

        Examples
        --------
        >>> Round(wind=1, number=3, honba=1, dealer=2, points=(), hands=(), events=()).name
        'South 3, counter 1'
        """
        wind = ("East", "South", "West", "North")[self.wind % 4]
        return f"{wind} {self.number}" + (f", counter {self.honba}" if self.honba else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A logged game."""

    form: str  # the log format
    names: tuple[str, ...]  # names of the players
    rules: LogRules  # its rules
    rounds: tuple[Round, ...]  # its deals


def last_tile(events: Sequence[Event]) -> int:
    """Return the last tile that a seat drew, discarded or added to a kong: the winning tile."""
    for event in reversed(events):
        if event.tile != NO_TILE and event.seat >= 0:
            return event.tile
    raise LogError("a win before any draw")


class LogBuilder:
    """Collects the rounds and events of a game for a log reader."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()  # names of the players
        self.rules: LogRules | None = None  # None until known
        self.rounds: list[Round] = []
        self.deal: dict[str, Any] | None = None  # fields of the current round
        self.events: list[Event] = []
        self.change: list[int] = []
        self.draw_reason: DrawReason | None = None

    def begin(self, **values: Any) -> None:
        """Begin a round with these fields; the others follow from its events."""
        Round(**values, events=())  # checks the ranges where the reader can name the place
        self.deal = values

    def add(self, seat: int, action: ActionType, tile: int = NO_TILE, **more: Any) -> None:
        """Add an event to the current round."""
        self.events.append(Event(seat, action, tile, **more))

    def score(self, changes: Iterable[int]) -> None:
        """Add point changes; several winners have separate changes."""
        more = list(changes)
        before = self.change or [0] * len(more)
        self.change = [a + b for a, b in zip(before, more, strict=True)]

    def close(self) -> None:
        """End the current round, if any."""
        if self.deal is not None:
            change = tuple(self.change[: len(self.deal["hands"])])
            values: dict[str, Any] = self.deal | {"events": tuple(self.events), "change": change}
            self.rounds.append(Round(**values, draw_reason=self.draw_reason))
        self.deal, self.events, self.change, self.draw_reason = None, [], [], None

    def game(self, form: str) -> Game:
        """Return the game.

        Raises
        ------
        LogError
            If there is no round.
        """
        self.close()
        if self.rules is None or not self.rounds:
            raise LogError("no round in the log")
        names = (*self.names, "", "", "", "")[: self.rules.seats]
        return Game(form=form, names=names, rules=self.rules, rounds=tuple(self.rounds))
