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
from mjopt.play.game.furiten import Furiten
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import Action, with_copies
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.play.game.yaku import NO_YAKU, find_yaku

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


def judge_win(state: LogState, win: Event, furiten: Furiten) -> WinBasis | None:
    """Return the words for a complete hand; None if it is furiten."""
    if state.rules.rule_set != RIICHI_TABLE:
        return WinBasis.ALLOWED
    if win.other != win.seat and furiten.bars(state, win.seat):
        return None
    yaku = find_yaku(state, win.seat, None if win.other == win.seat else win.kind)
    if yaku is None:  # a closed hand with pinfu, perhaps
        if find_spec(PACKAGE) is None:
            return WinBasis.NOT_JUDGED
        return WinBasis.YAKU if has_yaku(state, win) else WinBasis.NO_YAKU
    return WinBasis.NO_YAKU if yaku == NO_YAKU else WinBasis.YAKU


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
