"""The state of a round during the replay of a log.

This does not use the engine of ``mjopt.play.game``: a log has no wall, and may have red fives,
indicators and three players. Replaying a log with the engine, which generates all legal moves of
all seats, was 25 times slower (4,000 discards per second instead of 100,000).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from mjopt.errors import LogError
from mjopt.hands.tiles import COPIES
from mjopt.play.review.events import (
    KIND_OF,
    NO_TILE,
    NORTH_KIND,
    RED,
    RED_OF,
    TILE_NAMES,
    ActionType,
    DrawReason,
    Event,
    Game,
    LogRules,
    Round,
    by_kind,
)
from mjopt.tables.lookup import label_one

HAND_SIZE: Final = 13
KONGS: Final = (ActionType.KONG, ActionType.CLOSED_KONG, ActionType.ADDED_KONG)
DEPOSIT: Final = 1000
"""Points deposited for a ready declaration until a seat wins them."""


class Meld(NamedTuple):
    """A meld on the table: the last action that formed it, and its tiles."""

    action: ActionType
    tiles: tuple[int, ...]


class Phase(Enum):
    """The phase of a round: the event required next."""

    FIRST = auto()  # the dealer draws
    ACTION = auto()  # the seat has drawn: it acts
    DISCARD = auto()  # the seat has called or declared ready: it discards
    ANSWER = auto()  # a discard can be won or called, or the next seat draws
    REPLACEMENT = auto()  # after a kong or a north: robbed, or the seat draws
    END = auto()


class RoundState:
    """The state of round ``deal`` under ``rules``; :meth:`apply` changes it.

    A hand may be hidden: its tiles are ``NO_TILE``. Such a tile becomes known when the seat
    plays it, and nothing is checked that depends on tiles that are still hidden.

    Attributes
    ----------
    hands, counts
        Known concealed copies of each of the 37 tiles, and of each of the 34 kinds, by seat.
    hidden
        Number of hidden tiles in the hand of each seat.
    melds, rivers, ready
        By seat: melds, all discards (called ones too), and whether it has declared.
    shown
        Copies of each of the 34 kinds in melds, rivers and indicators.
    live
        Tiles that can still be drawn.
    turn, phase
        The seat whose turn it is (or whose tile is offered), and the event required next.
    drawn, offered
        The tile just drawn, and the tile that others can take; else -1.
    """

    def __init__(self, deal: Round, rules: LogRules) -> None:
        seats = range(rules.seats)
        self.deal, self.rules = deal, rules
        self.hands = [[0] * len(TILE_NAMES) for _ in seats]
        self.counts = [[0] * RED for _ in seats]
        self.hidden = [0 for _ in seats]
        self.melds: list[list[Meld]] = [[] for _ in seats]
        self.rivers: list[list[int]] = [[] for _ in seats]
        self.ready = [False for _ in seats]
        self.shown = [0] * RED
        self.live = rules.draws
        self.turn, self.phase = deal.dealer, Phase.FIRST
        self.drawn = self.offered = NO_TILE
        self._seen = [0] * len(TILE_NAMES)  # copies of each tile dealt, drawn or revealed so far
        self._declares = self._declaration_is_open = False
        if len(deal.hands) != rules.seats or not 0 <= deal.dealer < rules.seats:
            raise LogError(f"{deal.name}: {len(deal.hands)} hands, dealer {deal.dealer}")
        if len(deal.points) not in (0, rules.seats):
            raise LogError(f"{deal.name}: points of {len(deal.points)} seats, not {rules.seats}")
        for seat, hand in enumerate(deal.hands):
            if len(hand) != HAND_SIZE:
                raise self._error(f"seat {seat} is dealt {len(hand)} tiles, expected {HAND_SIZE}")
            for tile in hand:
                self._add_to_hand(seat, tile)
        if deal.dora != NO_TILE:
            self._turn_indicator(deal.dora)

    def concealed(self, seat: int) -> list[int]:
        """Return the copies of each kind in the hand of a seat, including a drawn tile."""
        return self.counts[seat][: self.rules.tiles.num_kinds]

    def reds(self, seat: int) -> tuple[int, ...]:
        """Return the number of red fives of each suit in the hand of a seat."""
        return tuple(self.hands[seat][RED:])

    def tiles(self, seat: int) -> list[int]:
        """Return the tiles in the hand of a seat, sorted by kind, red fives after other fives."""
        return list(by_kind(Counter(dict(enumerate(self.hands[seat]))).elements()))

    def pick(self, seat: int, kinds: Iterable[int]) -> tuple[int, ...]:
        """Return tiles of the given kinds from the hand of a seat; red fives only if needed."""
        picked = list[int]()
        for kind, copies in Counter(kinds).items():
            plain = min(copies, self.hands[seat][kind])
            picked += [kind] * plain + [RED_OF.get(kind, kind)] * (copies - plain)
        return by_kind(picked)

    def called(self, seat: int) -> int:
        """Return the number of melds of a seat, without norths set aside."""
        return sum(meld.action is not ActionType.NORTH for meld in self.melds[seat])

    @property
    def can_kong(self) -> bool:
        """Whether another kong is allowed and a replacement tile is available."""
        kongs = sum(meld.action in KONGS for melds in self.melds for meld in melds)
        return self.live > 0 and kongs < self.rules.kongs

    def deficiency(self, seat: int, tile: int = NO_TILE) -> int:
        """Return the deficiency of the hand of a seat, optionally with another tile."""
        counts = self.concealed(seat)
        if tile != NO_TILE:
            counts[KIND_OF[tile]] += 1
        return _deficiency(bytes(counts), self.called(seat), self.rules.forms)

    def wins_with(self, seat: int, tile: int) -> bool:
        """Return whether a tile completes the hand of a seat (before its draw, on its own turn)."""
        counts = self.concealed(seat)
        if seat == self.turn and self.drawn != NO_TILE:
            counts[KIND_OF[self.drawn]] -= 1
        called, forms = self.called(seat), self.rules.forms
        if _deficiency(bytes(counts), called, forms) > 1:  # usually cached, since few hands change
            return False
        counts[KIND_OF[tile]] += 1
        return _deficiency(bytes(counts), called, forms) == 0

    def apply(self, event: Event) -> None:
        """Apply the next event.

        Raises
        ------
        LogError
            If the event is impossible; the message names round, turn and tile.
        """
        is_seatless = event.action in (ActionType.DORA, ActionType.DRAWN)
        if not (event.seat == -1 if is_seatless else 0 <= event.seat < self.rules.seats):
            raise self._error(f"{event}: there are {self.rules.seats} seats")
        if event.tile >= len(TILE_NAMES):
            raise self._error(f"no tile {event.tile}")
        if event.action is not ActionType.DORA:  # an indicator may come before the confirmation
            self._close_declaration(event)
        _HANDLERS[event.action](self, event)

    def _close_declaration(self, event: Event) -> None:
        if self._declaration_is_open and event.action not in (
            ActionType.READY_STANDS,
            ActionType.WIN,
            ActionType.DRAWN,
        ):
            raise self._error(f"{event}, but the declaration of seat {self.turn} is still open")
        self._declaration_is_open = False

    def finish(self) -> None:
        """Raise LogError if the round has no end, or the wall is not empty as claimed."""
        if self.phase is not Phase.END:
            raise self._error("the round has no end")
        if self.deal.draw_reason in (DrawReason.WALL_EMPTY, DrawReason.MANGAN) and self.live:
            raise self._error(f"{self.deal.draw_reason}, but {self.live} tiles remain")

    def _error(self, text: str) -> LogError:
        turn = max((len(river) for river in self.rivers), default=0) + 1
        return LogError(f"{self.deal.name}, turn {turn}: {text}")

    def _expect_phase(self, event: Event, *phases: Phase) -> None:
        if self.phase not in phases:
            raise self._error(f"{event} out of turn")

    def _expect_turn(self, event: Event, *phases: Phase) -> None:
        self._expect_phase(event, *phases)
        if event.seat != self.turn:
            raise self._error(f"{event}, but it is the turn of seat {self.turn}")

    def _expect_offered(self, event: Event, text: str) -> None:
        if event.seat == self.turn or event.other != self.turn or event.tile != self.offered:
            raise self._error(f"{event}, but {text}")

    def _count(self, tile: int) -> None:
        """Count a newly visible tile, and raise LogError for a fifth copy."""
        kind = KIND_OF[tile]
        if kind in self.rules.missing or kind >= self.rules.tiles.num_kinds:
            raise self._error(f"{TILE_NAMES[tile]} is not in the game")
        self._seen[tile] += 1
        if tile >= RED and self.rules.reds is not None:
            most = self.rules.reds[tile - RED]
            if self._seen[tile] > most:
                raise self._error(
                    f"{self._seen[tile]} copies of {TILE_NAMES[tile]}, expected at most {most}"
                )
        red = RED_OF.get(kind)
        if self._seen[kind] + (0 if red is None else self._seen[red]) > COPIES:
            raise self._error(f"a fifth {TILE_NAMES[tile]}")

    def _add_to_hand(self, seat: int, tile: int) -> None:
        if tile == NO_TILE:
            self.hidden[seat] += 1
            return
        self._count(tile)
        self.hands[seat][tile] += 1
        self.counts[seat][KIND_OF[tile]] += 1

    def _lay_down(self, event: Event, tiles: tuple[int, ...]) -> None:
        """Move tiles from a hand to the table."""
        for tile in tiles:
            if not self.hands[event.seat][tile] and self.hidden[event.seat]:
                self.hidden[event.seat] -= 1
                self._add_to_hand(event.seat, tile)
            self.hands[event.seat][tile] -= 1
            self.counts[event.seat][KIND_OF[tile]] -= 1
            self.shown[KIND_OF[tile]] += 1
            if self.hands[event.seat][tile] < 0:
                raise self._error(f"{event}, but it holds no {TILE_NAMES[tile]}")

    def _turn_indicator(self, tile: int) -> None:
        self._count(tile)
        self.shown[KIND_OF[tile]] += 1

    def _offer(self, tile: int, phase: Phase) -> None:
        self.drawn, self.offered, self.phase = NO_TILE, tile, phase

    def _draw(self, event: Event) -> None:
        self._expect_phase(event, Phase.FIRST, Phase.ANSWER, Phase.REPLACEMENT)
        turn = self.turn
        if self.phase is Phase.ANSWER:
            turn = (turn + 1) % self.rules.seats
        if event.seat != turn:
            raise self._error(f"{event}, but it is the turn of seat {turn}")
        if not self.live:
            raise self._error(f"{event}, but the wall is empty")
        self.live -= 1
        self._add_to_hand(event.seat, event.tile)
        self.turn, self.drawn, self.offered = turn, event.tile, NO_TILE
        self.phase = Phase.ACTION

    def _discard(self, event: Event) -> None:
        self._expect_turn(event, Phase.ACTION, Phase.DISCARD)
        seat, tile = event.seat, event.tile
        is_draw_hidden = self.hidden[seat] and self.drawn == NO_TILE
        is_bound = event.is_drawn or self.ready[seat]
        if is_bound and tile != self.drawn and not is_draw_hidden:
            reason = "it was not drawn" if event.is_drawn else "the seat has declared itself ready"
            raise self._error(f"{event}, but {reason}")
        self._lay_down(event, (tile,))
        if self._declares:
            if not self.hidden[seat] and self.deficiency(seat) != 1:
                raise self._error(f"{event}: declared, but the hand is not ready")
            self.ready[seat] = self._declaration_is_open = True
            self._declares = False
        self.rivers[seat].append(tile)
        self._offer(tile, Phase.ANSWER)

    def _call(self, event: Event) -> None:
        self._expect_phase(event, Phase.ANSWER)
        seat, tile, seats = event.seat, event.tile, self.rules.seats
        self._expect_offered(event, f"{TILE_NAMES[self.offered]} of seat {self.turn} is on offer")
        if self.ready[seat]:
            raise self._error(f"{event}, but it has declared itself ready")
        kinds = sorted(KIND_OF[used] for used in (tile, *event.tiles))
        if event.action is ActionType.CHOW:
            first = kinds[0]
            if kinds != [first, first + 1, first + 2] or first not in self.rules.tiles.chow_starts:
                raise self._error(f"{event}: not a chow")
            if seat != (self.turn + 1) % seats or seats == 3:
                raise self._error(f"{event}: only the next seat of four may chow")
        elif len(set(kinds)) > 1 or len(kinds) != 3 + (event.action is ActionType.KONG):
            raise self._error(f"{event}: not a {event.action}")
        self._lay_down(event, event.tiles)
        self.melds[seat].append(Meld(event.action, (*event.tiles, tile)))
        self.turn, self.offered = seat, NO_TILE
        is_kong = event.action is ActionType.KONG
        self.phase = Phase.REPLACEMENT if is_kong else Phase.DISCARD

    def _closed_kong(self, event: Event) -> None:
        self._expect_turn(event, Phase.ACTION)
        kinds = [KIND_OF[tile] for tile in event.tiles]
        if kinds != [KIND_OF[event.tile]] * 4:
            raise self._error(f"{event}: not a kong")
        self._lay_down(event, event.tiles)
        self.melds[event.seat].append(Meld(event.action, event.tiles))
        self._offer(event.tile, Phase.REPLACEMENT)

    def _added_kong(self, event: Event) -> None:
        self._expect_turn(event, Phase.ACTION)
        melds = self.melds[event.seat]
        kinds = [
            KIND_OF[meld.tiles[0]] if meld.action is ActionType.PONG else NO_TILE for meld in melds
        ]
        if KIND_OF[event.tile] not in kinds:
            raise self._error(f"{event}, but it has no such pong")
        self._lay_down(event, (event.tile,))
        place = kinds.index(KIND_OF[event.tile])
        melds[place] = Meld(event.action, (*melds[place].tiles, event.tile))
        self._offer(event.tile, Phase.REPLACEMENT)

    def _north(self, event: Event) -> None:
        self._expect_turn(event, Phase.ACTION)
        if self.rules.seats != 3 or event.tile != NORTH_KIND:
            raise self._error(f"{event}: a north is set aside only with three players")
        self._lay_down(event, (event.tile,))
        self.melds[event.seat].append(Meld(event.action, (event.tile,)))
        self._offer(event.tile, Phase.REPLACEMENT)

    def _declare(self, event: Event) -> None:
        self._expect_turn(event, Phase.ACTION, Phase.DISCARD)
        if self.ready[event.seat] or self._declares:
            raise self._error(f"{event}: it has declared before")
        closed = (ActionType.CLOSED_KONG, ActionType.NORTH)
        is_open = any(meld.action not in closed for meld in self.melds[event.seat])
        if is_open and self.rules.ready_closed:
            raise self._error(f"{event}, but it has called")
        self._declares, self.phase = True, Phase.DISCARD

    def _confirm_declaration(self, event: Event) -> None:
        self._expect_phase(event, Phase.ANSWER)
        if event.seat != self.turn or not self.ready[event.seat]:
            raise self._error(f"{event}: it has not declared")

    def _dora(self, event: Event) -> None:
        self._turn_indicator(event.tile)

    def _win(self, event: Event) -> None:
        seat, tile = event.seat, event.tile
        if self.phase is Phase.END and event.other in (seat, -1):
            raise self._error(f"{event} after the end")
        is_own_draw = event.other == seat
        if is_own_draw:
            self._expect_turn(event, Phase.ACTION)
            if self.drawn not in (tile, NO_TILE):
                raise self._error(f"{event}, but {TILE_NAMES[self.drawn]} was drawn")
        else:
            self._expect_phase(event, Phase.ANSWER, Phase.REPLACEMENT, Phase.END)
            self._expect_offered(event, f"seat {event.other} offers no such tile")
        if not self.hidden[seat]:
            missing = self.deficiency(seat) if is_own_draw else self.deficiency(seat, tile)
            if missing:
                raise self._error(f"{event}, but its hand is {missing} away from a win")
        self.phase = Phase.END

    def _drawn_game(self, event: Event) -> None:
        if self.phase is Phase.END:
            raise self._error(f"{event} after the end")
        self.phase = Phase.END


@lru_cache(maxsize=256)
def _deficiency(counts: bytes, called: int, forms: tuple[str, ...]) -> int:
    return label_one(list(counts), called, forms=forms)


_HANDLERS: Final = {
    ActionType.DRAW: RoundState._draw,
    ActionType.DISCARD: RoundState._discard,
    ActionType.CHOW: RoundState._call,
    ActionType.PONG: RoundState._call,
    ActionType.KONG: RoundState._call,
    ActionType.CLOSED_KONG: RoundState._closed_kong,
    ActionType.ADDED_KONG: RoundState._added_kong,
    ActionType.NORTH: RoundState._north,
    ActionType.READY: RoundState._declare,
    ActionType.READY_STANDS: RoundState._confirm_declaration,
    ActionType.DORA: RoundState._dora,
    ActionType.WIN: RoundState._win,
    ActionType.DRAWN: RoundState._drawn_game,
}


def replay_round(deal: Round, rules: LogRules) -> Iterator[tuple[RoundState, Event]]:
    """Yield the state before each event, with the event, and check the end.

    The same mutable state is yielded each time: copy data to keep it.

    Raises
    ------
    LogError
        If an event is impossible.

    Examples
    --------
    >>> empty = Round(wind=0, number=1, dealer=0, points=(), hands=((0,) * 13,) * 4, events=())
    >>> list(replay_round(empty, LogRules()))
    Traceback (most recent call last):
    mjopt.errors.LogError: East 1, turn 1: a fifth 1m
    """
    state = RoundState(deal, rules)
    for event in deal.events:
        yield state, event
        state.apply(event)
    state.finish()


def check_round(deal: Round, rules: LogRules) -> Round:
    """Return the round, or raise LogError if it cannot be replayed."""
    for _ in replay_round(deal, rules):
        pass
    return deal


def check_points(game: Game) -> None:
    """Raise LogError unless each round begins with the points after the previous one."""
    expected: tuple[int, ...] | None = None
    for deal in game.rounds:
        if expected not in (None, deal.points):
            text = f"{list(deal.points)} points, but the previous round ends with {expected}"
            raise LogError(f"{deal.name}: {text}")
        expected = points_after(deal)


def points_after(deal: Round) -> tuple[int, ...] | None:
    """Return the points of each seat after a round, or None if its changes are unknown."""
    if len(deal.change) != len(deal.points):
        return None
    points = [sum(pair) for pair in zip(deal.points, deal.change, strict=True)]
    for event in deal.events:
        if event.action is ActionType.READY_STANDS:
            points[event.seat] -= DEPOSIT
    return tuple(points)
