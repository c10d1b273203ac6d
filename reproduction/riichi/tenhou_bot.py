"""An agent that decides as MahjongRepository/tenhou-python-bot does, at the riichi table.

Clone the bot, and install the version of the package ``mahjong`` that it needs beside its code::

    git clone https://github.com/MahjongRepository/tenhou-python-bot
    export TENHOU_PYTHON_BOT=$PWD/tenhou-python-bot
    pip install --target "$TENHOU_PYTHON_BOT/packages" mahjong==1.2.0.dev7
    mjopt battle reproduction/riichi/tenhou_bot.py:TenhouBot deficiency l3 l2 --rules riichi

The bot follows the public events and its own hand, and decides on discards, riichi, chows, pongs,
kongs and the drawn game for nine kinds. It always wins if it can. Shanten numbers and useful tiles
come from mjopt's tables, which are faster than the bot's own search.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from mjopt.errors import GameError
from mjopt.hands.rules.classic_forms import default_forms
from mjopt.hands.tiles import COPIES, FULL
from mjopt.play.game.events import CALLS, DISCARDS, KIND_OF, RED_OF, Event
from mjopt.play.game.moves import NO_KIND, PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, SEATS, GameRules
from mjopt.tables.lookup import lookup_for

VARIABLE: Final = "TENHOU_PYTHON_BOT"
MAHJONG: Final = "mahjong==1.2.0.dev7"
NINE_KINDS: Final = Move(Action.DRAWN_GAME)
HAND: Final = 14
"""Tiles of a hand after its draw."""

Useful = tuple[int, list[int]]
"""The deficiency of a hand, and the kinds that lower it."""


def load_bot() -> SimpleNamespace:
    """Import the names that the agent uses; GameError without a clone or its package."""
    folder = Path(os.environ.get(VARIABLE, ""))
    if not (folder / "project/game/ai/main.py").is_file():
        value = os.environ.get(VARIABLE, "not set")
        raise GameError(argument=VARIABLE, value=value, expected="a clone of tenhou-python-bot")
    if str(folder / "packages") not in sys.path:
        sys.path.insert(0, str(folder / "packages"))
        sys.path.append(str(folder / "project"))  # last: it has a package named statistics
    try:
        reds = import_module("mahjong.constants").AKA_DORA_LIST  # newer versions have another name
    except (ImportError, AttributeError):
        packages = f'pip install --target "${VARIABLE}/packages" {MAHJONG}'
        raise GameError(f"tenhou-python-bot needs its own mahjong: {packages}") from None
    import_module("utils.settings_handler").settings.PRINT_LOGS = False
    return SimpleNamespace(
        Table=import_module("game.table").Table,
        Meld=import_module("utils.decisions_logger").MeldPrint,
        counts_of=import_module("mahjong.tile").TilesConverter.to_34_array,
        is_isolated=import_module("mahjong.utils").is_tile_strictly_isolated,
        red_numbers=dict(zip(RED_OF.values(), reds, strict=True)),
    )


def use_tables(ai: Any, counts_of: Any, is_isolated: Any) -> dict[bytes, Useful]:
    """Let the bot look up shanten numbers and useful tiles; return its memo, to be cleared.

    The bot counts the tiles of the closed hand alone, so its size tells the number of melds. Seven
    pairs stay as they are: the bot computes them without a search.
    """
    lookup = lookup_for(default_forms(FULL))
    assert lookup is not None
    player, builder = ai.player, ai.hand_builder
    search_waits: Callable[..., Any] = builder.calculate_waits
    search_discards: Callable[..., Any] = builder.find_discard_options
    memo: dict[bytes, Useful] = {}

    def shanten(closed: list[int], use_chiitoitsu: bool) -> int:
        if use_chiitoitsu and not player.is_open_hand:
            return int(ai.shanten_calculator.calculate_shanten_for_chiitoitsu_hand(closed))
        return lookup.one(bytes(closed), (HAND - sum(closed)) // 3) - 1

    def waits(closed: list[int], held: list[int], use_chiitoitsu: bool = False) -> Any:
        if use_chiitoitsu and not player.is_open_hand:
            return search_waits(closed, held, use_chiitoitsu=True)
        key = bytes(closed)
        if key not in memo:
            called = (HAND - sum(closed)) // 3
            memo[key] = lookup.useful(closed, called, discards=False)[-1]
        deficiency, useful = memo[key]
        kinds = []
        for kind in useful:  # the bot ignores a kind without neighbours, and one it has four of
            closed[kind] += 1
            if held[kind] < COPIES and (closed[kind] == COPIES or not is_isolated(closed, kind)):
                kinds.append(kind)
            closed[kind] -= 1
        return kinds, deficiency - 1

    def discard_options() -> Any:
        closed = counts_of(player.closed_hand)
        kinds = [kind for kind, copies in enumerate(closed) if copies]
        rows = lookup.useful(closed, (HAND - sum(closed)) // 3)
        for kind, row in zip(kinds, rows, strict=False):  # the last row is without a discard
            closed[kind] -= 1
            memo[bytes(closed)] = row
            closed[kind] += 1
        return search_discards()

    ai.calculate_shanten_or_get_from_cache = shanten
    builder.calculate_waits = waits
    builder.find_discard_options = discard_options
    return memo


class BotSeat:
    """The bot in one seat during one hand.

    The bot numbers tiles 0 to 135, four of a kind in a row, and calls its own seat 0.
    """

    def __init__(self, view: View, rng: np.random.Generator) -> None:
        self.bot, self.seat, self.rng = load_bot(), view.seat, rng
        self.events: tuple[Event, ...] = ()
        self.used: set[int] = set()
        self.held: list[int] = []  # the closed hand, numbered again at every decision
        self.drawn = self.offered = -1  # the tile drawn, and the tile discarded last
        self.table = self.bot.Table()
        self.player = self.table.player
        self.memo = use_tables(self.player.ai, self.bot.counts_of, self.bot.is_isolated)
        number, dealer = NUM_SEATS * view.wind + view.table.dealer, self.relative(view.table.dealer)
        indicator, points = self.allot(view.table.indicators[0]), [0] * NUM_SEATS  # see follow
        self.table.init_round(number, view.honba, view.sticks, indicator, dealer, points)
        for seat in SEATS:
            self.table.get_player(self.relative(seat)).first_seat = seat
        self.follow(view)
        if not view.melds:
            self.player.init_hand(self.player.tiles)

    def relative(self, seat: int) -> int:
        """Return the bot's number of a seat."""
        return (seat - self.seat) % NUM_SEATS

    def tile_of(self, number: int) -> int:
        """Return the tile, 0 to 36, of the bot's number."""
        kind = number // COPIES
        red = RED_OF.get(kind, NO_KIND)
        return red if self.bot.red_numbers.get(red) == number else kind

    def allot(self, tile: int) -> int:
        """Return an unused number of a tile, 0 to 36, and mark it as used."""
        first = COPIES * KIND_OF[tile]
        free = set(range(first, first + COPIES)) - self.used
        number = min(number for number in free if self.tile_of(number) == tile)
        self.used.add(number)
        return number

    def follow(self, view: View) -> None:
        """Take in the events since the last decision, and the hand without a drawn tile."""
        self.memo.clear()
        self.used.difference_update(self.held)
        for event in view.table.events[len(self.events) :]:
            self.apply(event)
        self.events = view.table.events
        for tile in view.table.indicators[len(self.table.dora_indicators) :]:
            self.table.add_dora_indicator(self.allot(tile))
        self.table.count_of_remaining_tiles = view.table.live
        self.table.count_of_riichi_sticks = view.sticks
        scores = [view.points[(self.seat + other) % NUM_SEATS] // 100 for other in SEATS]
        self.table.set_players_scores(scores)
        reds = dict(zip(RED_OF, view.reds, strict=True))
        tiles = [RED_OF[kind] for kind, copies in reds.items() for _ in range(copies)]
        for kind, copies in enumerate(view.hand):
            tiles += [kind] * (copies - reds.get(kind, 0))
        self.held = [self.allot(tile) for tile in tiles]
        self.player.tiles = sorted(self.held + self.player.meld_tiles)
        if view.phase is Phase.TURN:
            self.drawn = next(number for number in self.held if number // COPIES == view.drawn)
            self.player.tiles.remove(self.drawn)

    def apply(self, event: Event) -> None:
        """Let the bot see an event."""
        seat, action = self.relative(event.seat), event.action
        table, kinds = self.table, self.bot.Meld
        tiles = [self.allot(tile) for tile in event.laid]
        if action in DISCARDS:
            [self.offered] = tiles
            if action is Action.READY:
                table.add_called_riichi_step_one(seat)
            table.add_discarded_tile(seat, self.offered, event.is_drawn)
            if action is Action.READY:
                table.add_called_riichi_step_two(seat)
        elif action is Action.CLOSED_KONG:
            table.add_called_meld(seat, kinds(kinds.KAN, tiles, opened=False, who=seat))
        elif action is Action.ADDED_KONG:
            pongs = [m.tiles for m in table.get_player(seat).melds if m.type == kinds.PON]
            [pong] = [pong for pong in pongs if pong[0] // COPIES == event.kind]
            meld = kinds(kinds.SHOUMINKAN, tiles + pong, called_tile=tiles[0], who=seat)
            table.add_called_meld(seat, meld)
        elif action in CALLS:
            word = dict(zip(CALLS, (kinds.CHI, kinds.PON, kinds.KAN), strict=True))[action]
            meld = kinds(word, sorted([*tiles, self.offered]), called_tile=self.offered, who=seat)
            table.add_called_meld(seat, meld)

    def decide(self, view: View, moves: tuple[Move, ...]) -> Move:
        """Return the bot's move, legal or not."""
        if view.phase is Phase.CLAIM:
            return self.answer(view, moves)
        player, forced = self.player, None
        if view.phase is Phase.TURN:
            player.draw_tile(self.drawn)
            if NINE_KINDS in moves and player.should_call_kyuushu_kyuuhai():
                return NINE_KINDS
            for action in (Action.CLOSED_KONG, Action.ADDED_KONG):  # with the drawn tile alone
                kong = Move(action, view.drawn)
                if kong in moves and player.should_call_kan(self.drawn, False, player.in_riichi):
                    return kong
            if player.in_riichi:
                return Move(Action.DISCARD, view.drawn)
        else:
            forced = player.ai.open_hand_handler.last_discard_option
        number, is_riichi = player.ai.discard_tile(forced)
        return Move(Action.READY if is_riichi else Action.DISCARD, number // COPIES)

    def answer(self, view: View, moves: tuple[Move, ...]) -> Move:
        """Return the bot's answer to a discard of another seat."""
        player, kind = self.player, view.tile
        # The bot counts the tile on offer in its hand while it thinks about a call.
        self.table.revealed_tiles[kind] -= 1
        try:
            kong = Move(Action.KONG, kind)
            if kong in moves and player.should_call_kan(self.offered, True):
                return kong
            is_left = self.relative(view.table.turn) == NUM_SEATS - 1
            meld, _ = player.try_to_call_meld(self.offered, is_left)
        finally:
            self.table.revealed_tiles[kind] += 1
        if not meld:
            return PASS
        is_chow = meld.type == self.bot.Meld.CHI
        return Move(Action.CHOW if is_chow else Action.PONG, min(meld.tiles) // COPIES)


class TenhouBot:
    """The agent.

    Attributes
    ----------
    counts
        Number of ``decisions``; of those with an ``illegal`` answer, for which the agent passes or
        discards the nearest kind; and of each exception of the bot, by its text, for which it
        passes or discards the drawn tile.
    """

    name = "tenhou-bot"

    def __init__(self) -> None:
        load_bot()
        self.counts: Counter[str] = Counter()
        self._seats: dict[int, BotSeat] = {}

    def check_rules(self, rules: GameRules) -> None:
        """Raise GameError at a table of other rules than riichi."""
        if rules != RIICHI_GAME:
            raise GameError(f"{self.name}: rules {rules.name}", expected=RIICHI_GAME.name)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the bot's move, or the nearest legal one; a win if possible."""
        if moves[0].action is Action.WIN or len(moves) == 1:
            return moves[0]
        if view.phase is Phase.ROB:
            return PASS
        self.counts["decisions"] += 1
        try:
            move = self._follow(view, rng).decide(view, moves)
        except Exception as error:  # an assertion of the bot must not end the game
            self._seats.pop(view.seat, None)
            self.counts[f"{type(error).__name__}: {error}"] += 1
            return _nearest(Move(Action.DISCARD, view.drawn), moves)
        if move not in moves:
            self.counts["illegal"] += 1
            return _nearest(move, moves)
        return move

    def _follow(self, view: View, rng: np.random.Generator) -> BotSeat:
        """Return the bot in this seat and hand, with all events taken in."""
        seat, events = self._seats.get(view.seat), view.table.events
        if seat and seat.rng is rng and events[: len(seat.events)] == seat.events:
            seat.follow(view)
        else:
            seat = self._seats[view.seat] = BotSeat(view, rng)
        return seat


def _nearest(move: Move, moves: tuple[Move, ...]) -> Move:
    """Return a pass if possible, else the discard whose kind is nearest."""
    if PASS in moves:
        return PASS
    discards = [other for other in moves if other.action is Action.DISCARD]
    return min(discards, key=lambda other: abs(other.kind - move.kind))
