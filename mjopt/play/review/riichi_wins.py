"""Whether a complete hand of riichi may win: a yaku, and furiten.

Forms and the situation decide on yaku; the package ``mahjong`` on what these leave open.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from mjopt.hands.tiles import COPIES
from mjopt.play.game.events import KIND_OF, KONGS, Event
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import NO_KIND, Action, with_copies
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.play.game.yaku import NO_YAKU, find_yaku
from mjopt.play.review.missed_calls import PRECEDENCE, can_be_robbed

if TYPE_CHECKING:
    from mahjong.meld import Meld

PACKAGE: Final = "mahjong"
FIRST_WIND: Final = 27
CLOSED: Final = (Action.CLOSED_KONG, Action.NORTH)


class WinBasis(StrEnum):
    """The words for a win passed up, or for a complete hand that could not win."""

    ALLOWED = "complete"  # by rules without yaku
    YAKU = "complete, with a yaku"
    NOT_JUDGED = "complete, yaku not judged"
    NO_YAKU = "complete, no yaku"  # it could not win


class WinJudge:
    """Judges the complete hands of a round, event by event.

    A seat is furiten, and may not win on a discard, while one of its own discards would complete
    its hand, or a tile that did has gone by: since its own last draw, after a declaration ever.
    """

    def __init__(self) -> None:
        self.missed: set[int] = set()  # seats whose winning tile has gone by

    def basis(self, state: LogState, win: Event) -> WinBasis | None:
        """Return the words for a complete hand; None if it is furiten."""
        if state.rules.rule_set != RIICHI_TABLE:
            return WinBasis.ALLOWED
        if win.other != win.seat and self._is_furiten(state, win.seat):
            return None
        yaku = find_yaku(state, win.seat, None if win.other == win.seat else win.kind)
        if yaku is None:  # a closed hand with pinfu, perhaps
            if find_spec(PACKAGE) is None:
                return WinBasis.NOT_JUDGED
            return WinBasis.YAKU if has_yaku(state, win) else WinBasis.NO_YAKU
        return WinBasis.NO_YAKU if yaku == NO_YAKU else WinBasis.YAKU

    def _is_furiten(self, state: LogState, seat: int) -> bool:
        return seat in self.missed or state.has_discarded_wait(seat)

    def add(self, state: LogState, event: Event) -> None:
        """Note the event that follows a state."""
        if state.rules.rule_set != RIICHI_TABLE:
            return
        turn, table = state.table.turn, state.table
        is_offered = state.offered != NO_KIND and event.action in PRECEDENCE
        if is_offered and (table.phase is Phase.CLAIM or can_be_robbed(state)):
            others = (seat for seat in range(state.rules.seats) if seat != turn)
            self.missed.update(seat for seat in others if state.wins_with(seat, state.offered))
        is_own = event.seat == turn and state.drawn != NO_KIND and event.action is Action.DISCARD
        if is_own and table.ready[turn] and state.wins_with(turn, state.drawn):
            self.missed.add(turn)
        if event.action in (Action.DRAW, Action.DISCARD) and not table.ready[event.seat]:
            self.missed.discard(event.seat)


def has_yaku(state: LogState, win: Event) -> bool:
    """Return whether a complete hand has a yaku by the package ``mahjong``.

    Open hands of all simples count.
    """
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

    seat, table, deal = win.seat, state.table, state.deal
    is_own, is_last, seats = win.other == seat, not table.live, state.rules.seats
    before_draw = table.events[-2].action if is_own and len(table.events) > 1 else Action.PASS
    is_replacement = before_draw in (*KONGS, Action.NORTH)
    counts = state.hands[seat] if is_own else with_copies(state.hands[seat], win.kind, 1)
    used: Counter[int] = Counter()

    def ids(kinds: Iterable[int]) -> list[int]:
        """Return different numbers from 0 to 135, which the package needs."""
        numbers = []
        for kind in kinds:
            numbers.append(COPIES * kind + used[kind])
            used[kind] += 1
        return numbers

    concealed = ids(kind for kind, copies in enumerate(counts) for _ in range(copies))
    melds = [
        _meld(meld.action, ids(sorted(KIND_OF[tile] for tile in meld.tiles)))
        for meld in table.melds[seat]
        if meld.action is not Action.NORTH
    ]
    options = OptionalRules(has_open_tanyao=True, is_three_player=seats == 3)
    config = HandConfig(
        is_tsumo=is_own,
        is_riichi=table.ready[seat],
        is_rinshan=is_replacement,
        is_chankan=not is_own and table.events[-1].action is Action.ADDED_KONG,
        is_haitei=is_own and is_last and not is_replacement,
        is_houtei=not is_own and is_last and table.phase is Phase.CLAIM,
        player_wind=FIRST_WIND + (seat - deal.dealer) % seats,
        round_wind=FIRST_WIND + deal.wind,
        options=options,
    )
    tiles = [*concealed, *(tile for meld in melds for tile in meld.tiles)]
    found = HandCalculator().estimate_hand_value(
        tiles, COPIES * win.kind, melds=melds, config=config
    )
    return found.error is None


def _meld(action: Action, tiles: list[int]) -> "Meld":
    from mahjong.meld import Meld

    kinds = {
        Action.CHOW: Meld.CHI,
        Action.PONG: Meld.PON,
        Action.ADDED_KONG: Meld.SHOUMINKAN,
    }
    return Meld(kinds.get(action, Meld.KAN), tiles=tiles, opened=action not in CLOSED)
