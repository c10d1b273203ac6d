"""Folding: while another seat is in riichi, a hand far from a win discards the safest tile."""

from collections.abc import Sequence
from typing import Final

from mjopt.play.game.in_riichi import players_in_riichi
from mjopt.play.game.observation import View
from mjopt.play.game.open_hands import open_distance, open_melds, value_kinds
from mjopt.play.game.positions import position_of
from mjopt.play.game.rules import RIICHI_GAME, RIICHI_TABLE, GameRules
from mjopt.tables.lookup import label_one

TABLES: Final[tuple[GameRules, ...]] = (RIICHI_TABLE, RIICHI_GAME)
"""The rules with furiten, by which a discard can be safe."""


def folds(view: View, safety: int) -> bool:
    """Return whether a hand that misses ``safety`` tiles or more folds; 0 never does."""
    ready, seat = view.table.ready, view.seat
    if not safety or view.rules not in TABLES or not any(ready[:seat] + ready[seat + 1 :]):
        return False
    return missing_tiles(view) >= safety


def missing_tiles(view: View) -> int:
    """Return how many tiles a hand of riichi misses; an open one needs a win with a yaku."""
    if melds := open_melds(view):
        values = value_kinds(view.seat, view.table.dealer, view.wind)
        return open_distance(view.hand, melds, values, view.unseen)
    return label_one(view.hand, view.called, forms=view.rules.forms)


def safest(view: View, kinds: Sequence[int]) -> list[int]:
    """Return the kinds of least danger against the players in riichi, by the default prior."""
    from mjopt.chances.danger.danger import danger  # its tables are needed only here

    opponents = players_in_riichi(view.table, view.seat)
    found = danger(position_of(view), tuple(opponents.values()))
    shares = {kind: found.of(kind).share or 0 for kind in kinds}
    least = min(shares.values())
    return [kind for kind in kinds if shares[kind] == least]
