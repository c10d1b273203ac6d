"""The players in riichi as another seat sees them: tiles shown, and those they cannot win on."""

from typing import TYPE_CHECKING

from mjopt.hands.blocks import Block
from mjopt.hands.tiles import FULL, TileSet, places_in_full
from mjopt.play.game.events import DISCARDS, KIND_OF
from mjopt.play.game.moves import Action
from mjopt.play.game.public_state import OpenTable

if TYPE_CHECKING:
    from mjopt.chances.danger.opponent import Opponent


def players_in_riichi(table: OpenTable, seat: int, tiles: TileSet = FULL) -> "dict[int, Opponent]":
    """Return the other players in riichi by seat, in kinds of a tile set."""
    others = [other for other, is_ready in enumerate(table.ready) if is_ready and other != seat]
    if not others:
        return {}
    from mjopt.chances.danger.opponent import Opponent  # needless without a riichi

    local = {kind: place for place, kind in enumerate(places_in_full(tiles))}
    found = {}
    for other in others:
        events = table.events
        declared = max(
            at for at, e in enumerate(events) if e.seat == other and e.action is Action.READY
        )
        passed = {
            KIND_OF[event.tile]
            for event in events[declared + 1 :]
            if event.seat != other and event.action in (*DISCARDS, Action.ADDED_KONG)
        }
        melds = [
            Block(tuple(local[kind] for kind in meld.block.kinds), meld.block.shape)
            for meld in table.melds[other]
            if meld.action is not Action.NORTH
        ]
        discards = [KIND_OF[tile] for tile in table.discards_of(other)]
        found[other] = Opponent(
            melds=tuple(melds),
            # A kind that a hand cannot hold, such as 5m of three players, is no wait.
            passed=tuple(sorted(local[k] for k in {*passed, *discards} if k in local)),
            is_ready=True,
        )
    return found
