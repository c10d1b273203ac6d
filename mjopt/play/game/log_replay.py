"""Replay of logs: the state of a round that checks every event."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

from mjopt.errors import FileError
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES
from mjopt.play.game.events import KIND_OF, RED, RED_OF, TILE_NAMES, Event, by_kind
from mjopt.play.game.log import NORTH_KIND, LogRound, LogRules
from mjopt.play.game.moves import NO_KIND, Action, with_copies
from mjopt.play.game.public_state import OpenTable, Phase, evolve
from mjopt.play.game.rule_reading import away_with_melds
from mjopt.play.game.rules import HAND_SIZE
from mjopt.play.game.scoring import away_by_forms
from mjopt.play.game.state import NO_REDS, Ending, RoundState

UNOPENED: Final = (Action.CLOSED_KONG, Action.NORTH)
SEATLESS: Final = (Action.DORA, Action.DRAWN_GAME)
AFTER_DECLARATION: Final = (Action.READY_STANDS, Action.WIN, Action.DRAWN_GAME)


@dataclass(frozen=True, kw_only=True)
class LogState(RoundState):
    """The state of a round during the replay of its log.

    A hand may be hidden. Nothing is checked that depends on tiles that are still hidden.
    """

    deal: LogRound
    rules: LogRules
    # Copies of each of the 37 tiles dealt, drawn or revealed so far.
    seen: tuple[int, ...] = (0,) * len(TILE_NAMES)
    declares: bool = False  # whether the seat has declared ready: its discard comes next
    is_open: bool = False  # whether the declaration does not count yet: its discard could be won

    @classmethod
    def dealt(cls, deal: LogRound, rules: LogRules) -> Self:
        """Return the state before the first draw; FileError if the deal is impossible."""
        seats, kinds = rules.seats, rules.rule_set.tiles.num_kinds
        if len(deal.hands) != seats or not 0 <= deal.dealer < seats:
            raise FileError(
                f"{deal.name}: {len(deal.hands)} hands, dealer {deal.dealer}",
                expected=f"{seats} hands, dealer 0..{seats - 1}",
            )
        if len(deal.points) not in (0, seats):
            raise FileError(f"{deal.name}: points of {len(deal.points)} seats, not {seats}")
        table = OpenTable(
            rules=rules.rule_set,
            dealer=deal.dealer,
            turn=deal.dealer,
            phase=Phase.DEALT,
            melds=((),) * seats,
            rivers=((),) * seats,
            ready=(False,) * seats,
            shown=(0,) * kinds,
            live=rules.draws,
        )
        state = cls(
            table=table,
            hands=((0,) * kinds,) * seats,
            reds=(NO_REDS,) * seats,
            hidden=(0,) * seats,
            deal=deal,
            rules=rules,
        )
        for seat, hand in enumerate(deal.hands):
            if len(hand) != HAND_SIZE:
                raise state.error(f"seat {seat} is dealt {len(hand)} tiles, expected {HAND_SIZE}")
            seen = state.seen
            for tile in hand:
                seen = seen if tile == NO_KIND else state._seen_with(seen, tile)
            state = evolve(state, seen=seen, **state.with_tiles(seat, hand, 1))
        return state if deal.dora == NO_KIND else state.apply(Event(-1, Action.DORA, deal.dora))

    @property
    def offered(self) -> int:
        """The tile that other seats can take, else -1."""
        return NO_KIND if self.table.tile == NO_KIND else self.table.events[-1].tile

    @property
    def can_be_robbed(self) -> bool:
        """Whether the offered tile was set aside as a north or added to a pong."""
        robbed = (Action.NORTH, Action.ADDED_KONG)
        return self.rules.rule_set.robbing and self.table.events[-1].action in robbed

    def pick(self, seat: int, kinds: Iterable[int]) -> tuple[int, ...]:
        """Return tiles of the given kinds from the hand of a seat; red fives only if needed."""
        picked = list[int]()
        for kind, copies in Counter(kinds).items():
            plain = min(copies, self.held(seat, kind))
            picked += [kind] * plain + [RED_OF.get(kind, kind)] * (copies - plain)
        return by_kind(picked)

    def called(self, seat: int) -> int:
        """Return the number of melds of a seat, without norths set aside."""
        return sum(meld.action is not Action.NORTH for meld in self.table.melds[seat])

    @property
    def can_kong(self) -> bool:
        """Whether another kong is allowed and a replacement tile is available."""
        return self.table.live > 0 and self.table.num_kongs < self.rules.kongs

    def deficiency(self, seat: int, tile: int = NO_KIND) -> int:
        """Return the deficiency of the hand of a seat, optionally with another tile."""
        counts = self.hands[seat]
        if tile != NO_KIND:
            counts = with_copies(counts, KIND_OF[tile], 1)
        rules, melds = self.rules, self.table.melds[seat]
        return away_with_melds(
            counts, melds, rules.rule_set, tiles=rules.tiles, in_game=rules.copies
        )

    def is_ready_in_shape(self, seat: int) -> bool:
        """Return whether some tile would complete a hand, even a fifth copy: rules differ."""
        return _deficiency(self.hands[seat], self.called(seat), self.rules.rule_set.forms) == 1

    def wins_with(self, seat: int, tile: int) -> bool:
        """Return whether a tile completes the hand of a seat (before its draw, on its own turn)."""
        counts = self.hands[seat]
        if seat == self.table.turn and self.drawn != NO_KIND:
            counts = with_copies(counts, KIND_OF[self.drawn], -1)
        called, forms = self.called(seat), self.rules.rule_set.forms
        if _deficiency(counts, called, forms) > 1:  # usually cached, since few hands change
            return False
        return _deficiency(with_copies(counts, KIND_OF[tile], 1), called, forms) == 0

    def has_discarded_wait(self, seat: int) -> bool:
        """Return whether a discard of a seat completes its hand: it is furiten in riichi."""
        held, own = self.hands[seat], {KIND_OF[tile] for tile in self.table.discards_of(seat)}
        return any(held[kind] < COPIES and self.wins_with(seat, kind) for kind in own)

    def apply(self, event: Event) -> Self:
        """Check the next event, and return the state after it.

        An impossible event is a FileError; the message names round, turn and tile.
        """
        seats, action = self.rules.seats, event.action
        if not (event.seat == -1 if action in SEATLESS else 0 <= event.seat < seats):
            raise self.error(f"{event}: there are {seats} seats")
        if event.tile >= len(TILE_NAMES):
            raise self.error(f"no tile {event.tile}")
        if self.is_open and action is not Action.DORA and action not in AFTER_DECLARATION:
            text = f"the declaration of seat {self.table.turn} is still open"
            raise self.error(f"{event}, but {text}")
        _CHECKS[action](self, event)
        seen = self._seen_after(event)
        if action is Action.DORA:  # an indicator may come before the confirmation
            return self.after(event, seen=seen)
        if action is Action.READY:
            table = evolve(self.table, phase=Phase.CALLED)
            return evolve(self, table=table, declares=True, is_open=False)
        if action is Action.READY_STANDS:
            return evolve(self, is_open=False)
        declared = self.declares and action is Action.DISCARD
        if declared:
            event = event._replace(action=Action.READY)
        return self.after(event, seen=seen, declares=False, is_open=declared)

    def end_flaw(self) -> str:
        """Return what is wrong with the end of the round: none, or a wall that is not empty."""
        live, reason = self.table.live, self.deal.draw_reason
        if self.table.phase is not Phase.OVER:
            return "the round has no end"
        is_flaw = reason in (Ending.WALL_EMPTY, Ending.MANGAN) and live
        return f"{reason}, but {live} tiles remain" if is_flaw else ""

    def error(self, text: str) -> FileError:
        """Return an error that names the round and the turn."""
        turn = 1 + max(map(self.table.num_discards, range(self.rules.seats)))
        return FileError(f"{self.deal.name}, turn {turn}: {text}")

    def _seen_after(self, event: Event) -> tuple[int, ...]:
        """Return the copies seen; raise FileError for tiles that are not held or a fifth copy."""
        if event.action in (Action.DRAW, Action.DORA):
            is_counted = event.action is Action.DRAW or self.rules.counts_indicators
            is_new = event.tile != NO_KIND and is_counted
            return self._seen_with(self.seen, event.tile) if is_new else self.seen
        seen, hidden, tiles = self.seen, self.hidden[event.seat], event.laid
        for place, tile in enumerate(tiles):
            if tiles[: place + 1].count(tile) > self.held(event.seat, tile):
                if not hidden:
                    raise self.error(f"{event}, but it holds no {TILE_NAMES[tile]}")
                hidden -= 1
                seen = self._seen_with(seen, tile)
        return seen

    def _seen_with(self, seen: tuple[int, ...], tile: int) -> tuple[int, ...]:
        kind, name = KIND_OF[tile], TILE_NAMES[tile]
        if kind in self.rules.missing or kind >= self.rules.rule_set.tiles.num_kinds:
            raise self.error(f"{name} is not in the game")
        seen = with_copies(seen, tile, 1)
        if tile >= RED and self.rules.reds is not None:
            most = self.rules.reds[tile - RED]
            if seen[tile] > most:
                raise self.error(f"{seen[tile]} copies of {name}, expected at most {most}")
        if seen[kind] + (seen[RED_OF[kind]] if kind in RED_OF else 0) > COPIES:
            raise self.error(f"a fifth {name}")
        return seen

    def _expect_phase(self, event: Event, *phases: Phase) -> None:
        if self.table.phase not in phases:
            raise self.error(f"{event} out of turn")

    def _expect_turn(self, event: Event, *phases: Phase) -> None:
        self._expect_phase(event, *phases)
        if event.seat != self.table.turn:
            raise self.error(f"{event}, but it is the turn of seat {self.table.turn}")

    def _expect_offered(self, event: Event, text: str) -> None:
        turn = self.table.turn
        if event.seat == turn or event.other != turn or event.tile != self.offered:
            raise self.error(f"{event}, but {text}")

    def _check_draw(self, event: Event) -> None:
        self._expect_phase(event, Phase.DEALT, Phase.CLAIM, Phase.ROB)
        turn = self.table.turn
        if self.table.phase is Phase.CLAIM:
            turn = (turn + 1) % self.rules.seats
        if event.seat != turn:
            raise self.error(f"{event}, but it is the turn of seat {turn}")
        if not self.table.live:
            raise self.error(f"{event}, but the wall is empty")

    def _check_discard(self, event: Event) -> None:
        self._expect_turn(event, Phase.TURN, Phase.CALLED)
        seat = event.seat
        is_draw_hidden = self.hidden[seat] and self.drawn == NO_KIND
        is_bound = event.is_drawn or self.table.ready[seat]
        if is_bound and event.tile != self.drawn and not is_draw_hidden:
            reason = "it was not drawn" if event.is_drawn else "the seat has declared itself ready"
            raise self.error(f"{event}, but {reason}")

    def _check_call(self, event: Event) -> None:
        self._expect_phase(event, Phase.CLAIM)
        turn, seat, seats = self.table.turn, event.seat, self.rules.seats
        self._expect_offered(event, f"{TILE_NAMES[self.offered]} of seat {turn} is on offer")
        if self.table.ready[seat]:
            raise self.error(f"{event}, but it has declared itself ready")
        kinds = sorted(KIND_OF[used] for used in (event.tile, *event.tiles))
        if event.action is Action.CHOW:
            first, starts = kinds[0], self.rules.rule_set.tiles.chow_starts
            if kinds != [first, first + 1, first + 2] or first not in starts:
                raise self.error(f"{event}: not a chow")
            if seat != (turn + 1) % seats or seats == 3:
                raise self.error(f"{event}: only the next seat of four may chow")
        elif len(set(kinds)) > 1 or len(kinds) != 3 + (event.action is Action.KONG):
            raise self.error(f"{event}: not a {event.action.word}")

    def _check_closed_kong(self, event: Event) -> None:
        self._expect_turn(event, Phase.TURN)
        kinds = [KIND_OF[tile] for tile in event.tiles]
        if kinds != [KIND_OF[event.tile]] * 4:
            raise self.error(f"{event}: not a kong")

    def _check_added_kong(self, event: Event) -> None:
        self._expect_turn(event, Phase.TURN)
        pongs = [m.kind for m in self.table.melds[event.seat] if m.action is Action.PONG]
        if KIND_OF[event.tile] not in pongs:
            raise self.error(f"{event}, but it has no such pong")

    def _check_north(self, event: Event) -> None:
        self._expect_turn(event, Phase.TURN)
        if self.rules.seats != 3 or event.tile != NORTH_KIND:
            raise self.error(f"{event}: a north is set aside only with three players")

    def _check_declaration(self, event: Event) -> None:
        self._expect_turn(event, Phase.TURN, Phase.CALLED)
        if self.table.ready[event.seat] or self.declares:
            raise self.error(f"{event}: it has declared before")
        has_called = any(m.action not in UNOPENED for m in self.table.melds[event.seat])
        if has_called and self.rules.ready_closed:
            raise self.error(f"{event}, but it has called")

    def _check_confirmation(self, event: Event) -> None:
        if event.seat != self.table.turn or not self.is_open:
            raise self.error(f"{event}: it has not declared")

    def _check_win(self, event: Event) -> None:
        seat, tile, is_over = event.seat, event.tile, self.table.phase is Phase.OVER
        if is_over and event.other in (seat, -1):
            raise self.error(f"{event} after the end")
        is_own_draw = event.other == seat
        if is_own_draw:
            self._expect_turn(event, Phase.TURN)
            if self.drawn not in (tile, NO_KIND):
                raise self.error(f"{event}, but {TILE_NAMES[self.drawn]} was drawn")
        else:
            self._expect_phase(event, Phase.CLAIM, Phase.ROB, Phase.OVER)
            self._expect_offered(event, f"seat {event.other} offers no such tile")
        if not self.hidden[seat]:
            missing = self.deficiency(seat) if is_own_draw else self.deficiency(seat, tile)
            if missing:
                raise self.error(f"{event}, but its hand is {missing} away from a win")

    def _check_drawn_game(self, event: Event) -> None:
        if self.table.phase is Phase.OVER:
            raise self.error(f"{event} after the end")
        is_last = self.deal.draw_reason in (Ending.WALL_EMPTY, Ending.MANGAN)
        if is_last and self.drawn != NO_KIND:
            raise self.error(f"{event}, but seat {self.table.turn} has not discarded")

    def _check_indicator(self, event: Event) -> None:
        """Accept an indicator at any time."""


def replay_round(deal: LogRound, rules: LogRules) -> Iterator[tuple[LogState, Event]]:
    """Yield the state before each event, with the event; FileError if an event is impossible.

    :func:`mjopt.play.game.log_repair.repair_round` makes the events of a log possible.

    Examples
    --------
    >>> empty = LogRound(wind=0, number=1, dealer=0, points=(), hands=((0,) * 13,) * 4, events=())
    >>> list(replay_round(empty, LogRules()))
    Traceback (most recent call last):
    mjopt.errors.FileError: East 1, turn 1: a fifth 1m
    """
    state = LogState.dealt(deal, rules)
    for event in deal.events:
        yield state, event
        state = state.apply(event)


@lru_cache(maxsize=256)
def _deficiency(counts: tuple[int, ...], called: int, forms: tuple[WinningForm, ...]) -> int:
    return away_by_forms(counts, called, forms)


_CHECKS: Final = {
    Action.DRAW: LogState._check_draw,
    Action.DISCARD: LogState._check_discard,
    Action.CHOW: LogState._check_call,
    Action.PONG: LogState._check_call,
    Action.KONG: LogState._check_call,
    Action.CLOSED_KONG: LogState._check_closed_kong,
    Action.ADDED_KONG: LogState._check_added_kong,
    Action.NORTH: LogState._check_north,
    Action.READY: LogState._check_declaration,
    Action.READY_STANDS: LogState._check_confirmation,
    Action.DORA: LogState._check_indicator,
    Action.WIN: LogState._check_win,
    Action.DRAWN_GAME: LogState._check_drawn_game,
}
