"""Logged games as events, independent of the log format, and the builder of such games."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from mjopt._internal.sanitize import shorten
from mjopt.errors import FileError
from mjopt.hands.tiles import COPIES, FULL, SANMA, TileSet
from mjopt.play.game.events import Event
from mjopt.play.game.moves import NO_KIND, Action
from mjopt.play.game.rules import HAND_SIZE, RIICHI_TABLE, GameRules
from mjopt.play.game.state import Ending

T = TypeVar("T")

MALFORMED: Final = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What a reader may raise on a log whose parts have wrong types or sizes."""

RANGES: Final = {"wind": (0, 3), "number": (1, 4), "honba": (0, 999), "sticks": (0, 999)}
MOST_POINTS: Final = 10**12
MOST_UNREAD: Final = 100
"""Maximum number of rounds of a game that may be unreadable."""

MOST_NAMED: Final = 100
"""Maximum number of ignored events of a game that are named."""

MOST_IGNORED: Final = 10_000
"""Maximum number of ignored events of a game."""

NOT_OF_THREE: Final = frozenset(range(1, 8))
"""Kinds removed for three players: 2 to 8 of characters."""

NORTH_KIND: Final = FULL.names.index("4z")


def no_round(flaws: Sequence[str]) -> FileError:
    """Return the error of a log without rounds, with the first thing that was ignored."""
    return FileError("; ".join(["no round in the log", *flaws[:1]]))


def check_range(field: str, number: int) -> int:
    """Return a number of :data:`RANGES`; raise FileError if it is out of its range."""
    least, most = RANGES[field]
    if not least <= number <= most:
        raise FileError(f"{field} {shorten(str(number))}", expected=f"{least} to {most}")
    return number


def check_points(points: Sequence[int], seats: int | None = None) -> tuple[int, ...]:
    """Return points; raise FileError if they are not those of all seats, or out of range."""
    if seats is not None and len(points) != seats:
        raise FileError(f"points of {len(points)} seats, not {seats}")
    if any(abs(number) > MOST_POINTS for number in points):
        raise FileError(f"points beyond {MOST_POINTS}")
    return tuple(points)


def read_optional(errors: list[FileError], read: Callable[[], T], default: T, name: str) -> T:
    """Return a fact that no decision needs, or the default with a new error if it is malformed."""
    try:
        return read()
    except MALFORMED as error:
        why = error if isinstance(error, FileError) else FileError(f"{name} missing or malformed")
        errors.append(why)
        return default


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRules:
    """The rules that a log implies: a rule set, and what varies between logs.

    Examples
    --------
    >>> LogRules().draws, LogRules(seats=3, missing=NOT_OF_THREE).draws
    (70, 55)
    """

    rule_set: GameRules = RIICHI_TABLE  # tiles, forms, dead wall, robbed kongs, last and swap calls
    seats: int = 4  # three or four
    missing: frozenset[int] = frozenset()  # kinds that are not in the game
    # Red fives of characters, dots and bamboos; None if the log does not contain them
    reds: tuple[int, int, int] | None = None
    ready_closed: bool = True  # whether a ready declaration requires a hand without called melds
    kongs: int = 4  # maximum number of kongs in a round
    counts_indicators: bool = True  # whether an indicator is one of the four copies

    @property
    def tiles(self) -> TileSet:
        """The tiles that a hand can hold; tiles of events are always those of ``rule_set``."""
        return SANMA if self.missing == NOT_OF_THREE else self.rule_set.tiles

    @property
    def copies(self) -> tuple[int, ...]:
        """Copies of each kind of ``rule_set`` in the game."""
        kinds = range(self.rule_set.tiles.num_kinds)
        return tuple(0 if kind in self.missing else COPIES for kind in kinds)

    @property
    def draws(self) -> int:
        """Number of tiles that may be drawn in a round."""
        tiles = self.rule_set.tiles.num_tiles - COPIES * len(self.missing)
        return tiles - HAND_SIZE * self.seats - self.rule_set.dead_wall


def riichi_rules(seats: int, reds: tuple[int, int, int] | None = None) -> LogRules:
    """Return the rules of riichi for three or four players."""
    missing = NOT_OF_THREE if seats == 3 else frozenset[int]()
    return LogRules(seats=seats, missing=missing, reds=reds)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRound:
    """One deal of a game."""

    # wind, number: the prevailing wind, 0 for east, and the number of the round in it, from 1
    wind: int
    number: int
    honba: int = 0  # counters for repeated rounds
    sticks: int = 0  # deposits of 1,000 points on the table
    dealer: int  # the seat that draws first
    points: tuple[int, ...]  # points of each seat at the start of the round
    dora: int = NO_KIND  # the first indicator; -1 if absent or unknown
    hands: tuple[tuple[int, ...], ...]  # thirteen tiles of each seat, ascending
    events: tuple[Event, ...]  # all events in order
    # Why the round was drawn; None after a win, or if the log does not say
    draw_reason: Ending | None = None
    # Points that each seat gains in the round; empty if the log does not contain them
    change: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()  # ambiguities of the log, as text
    flaws: tuple[str, ...] = ()  # events without effect on decisions that were repaired or ignored
    cut: str = ""  # the flaw in tiles or turns before which the events end

    def __post_init__(self) -> None:
        for field in RANGES:
            check_range(field, getattr(self, field))
        check_points((*self.points, *self.change))

    @property
    def label(self) -> tuple[int, int, int]:
        """Wind, number and counters, in the order of play."""
        return self.wind, self.number, self.honba

    @property
    def name(self) -> str:
        """The usual name of the round.

        Examples
        --------
        >>> LogRound(wind=1, number=3, honba=1, dealer=2, points=(), hands=(), events=()).name
        'South 3, counter 1'
        """
        wind = ("East", "South", "West", "North")[self.wind % 4]
        return f"{wind} {self.number}" + (f", counter {self.honba}" if self.honba else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogGame:
    """A logged game."""

    form: str  # the log format
    names: tuple[str, ...]  # names of the players
    rules: LogRules  # its rules
    rounds: tuple[LogRound, ...]  # its deals that can be read
    unread: tuple[str, ...] = ()  # errors of the others, as text
    flaws: tuple[str, ...] = ()  # events ignored outside of its rounds


def last_tile(events: Sequence[Event]) -> int:
    """Return the last tile that a seat drew, discarded or added to a kong: the winning tile."""
    for event in reversed(events):
        if event.tile != NO_KIND and event.seat >= 0:
            return event.tile
    raise FileError("a win before any draw")


class LogBuilder:
    """Collects the rounds and events of a game for a log reader.

    One rule holds for all readers: what no decision needs is ignored or repaired, with one line;
    a flaw in tiles or turns ends its round.
    """

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()  # names of the players
        self.rules: LogRules | None = None  # None until known
        self.rounds: list[LogRound] = []
        self.deal: LogRound | None = None  # the current round, whose events follow
        self.events: list[Event] = []
        self.change: list[int] = []
        self.draw_reason: Ending | None = None
        self.unread: list[FileError] = []  # errors of rounds that cannot be read
        self.skips = False  # whether to skip all up to the next round
        self.flaws: list[str] = []  # events ignored outside of rounds
        self.round_flaws: list[str] = []  # events ignored in the current round
        self.unknown: list[FileError] = []  # facts about the round to begin that are malformed
        self.num_ignored = 0

    def begin(self, deal: LogRound) -> None:
        """Begin a round, and note the facts about it that are unknown."""
        self.deal = deal
        unknown, self.unknown = self.unknown, []
        for error in unknown:
            self.ignore(error)

    def optional(self, read: Callable[[], T], default: T, name: str) -> T:
        """Return a fact about the round to begin; the default if it is malformed."""
        return read_optional(self.unknown, read, default, name)

    def add(self, event: Event) -> None:
        """Add an event to the current round."""
        if event.action in (Action.WIN, Action.DRAWN_GAME) and event in self.events[-1:]:
            raise FileError(f"{event} twice")
        self.events.append(event)

    def score(self, changes: Iterable[int]) -> None:
        """Add point changes; several winners have separate changes."""
        more = list(changes)
        before = self.change or [0] * len(more)
        total = [a + b for a, b in zip(before, more, strict=True)]
        self.change = list(check_points(total))

    def close(self, cut: str = "") -> None:
        """End the current round, if any, possibly before a flaw in tiles or turns."""
        if self.deal is not None:
            self.rounds.append(
                replace(
                    self.deal,
                    events=tuple(self.events),
                    change=tuple(self.change[: len(self.deal.hands)]),
                    draw_reason=self.draw_reason,
                    flaws=tuple(self.round_flaws),
                    cut=cut,
                )
            )
        self.reset()

    def reset(self) -> None:
        """Forget the current round, if any."""
        self.deal, self.events, self.change, self.draw_reason = None, [], [], None
        self.round_flaws = []

    def ignore(self, error: FileError) -> None:
        """Note an event that is left out or repaired, since no decision needs it."""
        self.num_ignored += 1
        if self.num_ignored > MOST_IGNORED:
            raise FileError(f"more than {MOST_IGNORED:,} events that cannot be read")
        if self.num_ignored > MOST_NAMED:
            return
        text = f"{error}: ignored" if self.num_ignored < MOST_NAMED else "more events ignored"
        if self.deal is None:
            self.flaws.append(text)
        else:
            self.round_flaws.append(f"{self.deal.name}: {text}")

    def cut_round(self, error: FileError) -> None:
        """End the current round before a flaw in tiles or turns, and skip the rest of it."""
        if self.deal is None:
            self.skip_round(error)
        else:
            self.close(f"{self.deal.name}: {error}")
            self.skips = True

    def skip_round(self, error: FileError) -> None:
        """Note that the current round cannot be read; raise the first error if that is frequent."""
        self.unread.append(error)
        if len(self.unread) > MOST_UNREAD:
            raise self.unread[0]
        self.reset()
        self.skips = True

    def game(self, form: str) -> LogGame:
        """Return the game; FileError if there is no round that can be read."""
        self.close()
        if self.rules is None or not self.rounds:
            raise self.unread[0] if self.unread else no_round(self.flaws)
        return LogGame(
            form=form,
            names=(*self.names, "", "", "", "")[: self.rules.seats],
            rules=self.rules,
            rounds=tuple(self.rounds),
            unread=tuple(map(str, self.unread)),
            flaws=tuple(self.flaws),
        )
