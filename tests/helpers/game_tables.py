"""Handmade positions for tests of agents: a table, a seat's hand and its legal moves."""

from collections.abc import Sequence

import numpy as np

from mjopt.hands.blocks import Block, Shape, usage
from mjopt.hands.hand import Hand
from mjopt.play.game import Action, Event, GameRules, Meld, Move, OpenTable, Phase, View
from mjopt.play.game.legal import claims_of, turn_moves

RNG = np.random.default_rng(0)


def view(
    rules: GameRules,
    hand: str,
    *,
    seat: int = 0,
    tile: str | None = None,
    giver: int = 3,
    melds: Sequence[Block] = (),
    rivers: Sequence[str] = ("", "", "", ""),
    phase: Phase | None = None,
    live: int = 30,
    events: tuple[Event, ...] = (),
) -> View:
    """Return a seat's view after its draw or, with ``tile``, after another seat's discard."""
    tiles = rules.tiles
    counts = Hand.parse(hand, tiles=tiles, called=len(melds), partial=True).counts
    lying = [_kinds(river, rules) for river in rivers]
    if tile is not None:
        lying[giver] = (*lying[giver], tiles.names.index(tile))
    shown = list(usage(list(melds), tiles.num_kinds))
    for river in lying:
        for kind in river:
            shown[kind] += 1
    own = tuple(
        Meld(Action[block.shape.name], (*block.kinds[1:], block.kinds[0]), (seat + 3) % 4)
        for block in melds
    )
    everyone: list[tuple[Meld, ...]] = [(), (), (), ()]
    everyone[seat] = own
    table = OpenTable(
        rules=rules,
        dealer=0,
        turn=seat if tile is None else giver,
        phase=phase or (Phase.TURN if tile is None else Phase.CLAIM),
        tile=-1 if tile is None else tiles.names.index(tile),
        melds=tuple(everyone),
        rivers=tuple(lying),
        shown=tuple(shown),
        live=live,
        events=events,
    )
    drawn = next(k for k in range(tiles.num_kinds - 1, -1, -1) if counts[k])
    return View(seat=seat, table=table, hand=counts, drawn=drawn if tile is None else -1)


def _kinds(text: str, rules: GameRules) -> tuple[int, ...]:
    if not text:
        return ()
    counts = Hand.parse(text, tiles=rules.tiles, partial=True).counts
    return tuple(kind for kind, copies in enumerate(counts) for _ in range(copies))


def moves(seen: View) -> tuple[Move, ...]:
    """Return the legal moves of the seat."""
    if seen.phase in (Phase.CLAIM, Phase.ROB):
        return claims_of(seen.table, seen.seat, seen.hand)
    return turn_moves(seen.table, seen.seat, seen.hand, seen.drawn)


def called(kinds: Sequence[int], shape: Shape) -> Block:
    return Block(tuple(kinds), shape)
