"""Legal moves of a seat, computed from its observation."""

from collections.abc import Iterable
from functools import cache

from mjopt.hands.blocks import barred_kinds, chow, pong
from mjopt.play.game.events import KIND_OF, Event
from mjopt.play.game.moves import PASS, Action, Move, after_call, with_copies
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import NUM_SEATS, GameRules
from mjopt.play.game.scoring import away, wins

Counts = tuple[int, ...]


def turn_moves(table: OpenTable, seat: int, hand: Counts, drawn: int) -> tuple[Move, ...]:
    """Return the legal moves of the seat whose turn it is, in phase TURN or CALLED; never empty.

    A win comes first, then kongs, discards by kind and ready declarations by kind. ``hand``
    includes the drawn tile; ``drawn`` is its kind, or -1.
    """
    moves: list[Move] = []
    is_ready = table.ready[seat]
    if table.phase is Phase.TURN:
        if wins(hand, len(table.melds[seat]), table.rules):
            moves.append(Move(Action.WIN, drawn))
        moves += _own_kongs(table, seat, hand, drawn)
    if is_ready:
        return (*moves, Move(Action.DISCARD, drawn))
    barred = barred_now(table, seat)
    kinds = [kind for kind, held in enumerate(hand) if held and kind not in barred]
    discards = _discards(len(hand))
    moves += [discards[kind] for kind in kinds]
    if table.rules.ready:
        moves += [Move(Action.READY, kind) for kind in ready_discards(table, seat, hand, kinds)]
    return tuple(moves)


def barred_discards(call: Event | Move, tile: int, rules: GameRules) -> tuple[int, ...]:
    """Return the kinds that must not be discarded immediately after a call of the kind ``tile``.

    An event or move that is no call bars nothing.

    Examples
    --------
    >>> from mjopt.play.game.rules import GMJBG, RIICHI_TABLE
    >>> call = Move(Action.CHOW, 1)
    >>> barred_discards(call, 1, RIICHI_TABLE), barred_discards(call, 1, GMJBG)
    ((1, 4), ())
    """
    if rules.swaps or call.action not in (Action.CHOW, Action.PONG):
        return ()
    make = chow if call.action is Action.CHOW else pong
    return barred_kinds(make(call.kind), tile, rules.tiles)


def barred_now(table: OpenTable, seat: int) -> tuple[int, ...]:
    """Return the kinds that a seat must not discard now, because it has just called a tile."""
    last = table.events[-1] if table.events else None
    if last is None or last.seat != seat:
        return ()
    return barred_discards(last, KIND_OF[last.tile], table.rules)


def _leaves_discard(table: OpenTable, hand: Counts, move: Move) -> bool:
    """Return whether a hand can discard after a chow or a pong of the tile on offer."""
    barred = barred_discards(move, table.tile, table.rules)
    return not barred or any(
        held and kind not in barred for kind, held in enumerate(after_call(hand, move, table.tile))
    )


@cache
def _discards(num_kinds: int) -> tuple[Move, ...]:
    """Return the discard of each kind; stored, since computing them took 5 % of a game."""
    return tuple(Move(Action.DISCARD, kind) for kind in range(num_kinds))


def _own_kongs(table: OpenTable, seat: int, hand: Counts, drawn: int) -> list[Move]:
    if not table.rules.kongs or not table.left_for(seat):
        return []
    melds = table.melds[seat]
    moves = [
        Move(Action.CLOSED_KONG, kind)
        for kind, held in enumerate(hand)
        if held == 4 and _may_kong(table, seat, hand, kind, 4)
    ]
    moves += [
        Move(Action.ADDED_KONG, meld.kind)
        for meld in melds
        if meld.action is Action.PONG and hand[meld.kind]
        # The waiting hand of a seat that has declared must not change.
        if not table.ready[seat] or meld.kind == drawn
    ]
    return moves


def _may_kong(table: OpenTable, seat: int, hand: Counts, kind: int, used: int) -> bool:
    """Return whether a kong is allowed: after a ready declaration the hand must stay ready."""
    if not table.ready[seat]:
        return True
    return away(with_copies(hand, kind, -used), len(table.melds[seat]) + 1, table.rules) == 1


def ready_discards(table: OpenTable, seat: int, hand: Counts, kinds: Iterable[int]) -> list[int]:
    """Return those of some kinds after whose discard the hand waits for one tile."""
    called = len(table.melds[seat])
    if away(hand, called, table.rules) > 1:
        return []
    return [kind for kind in kinds if away(with_copies(hand, kind, -1), called, table.rules) == 1]


def claims_of(table: OpenTable, seat: int, hand: Counts) -> tuple[Move, ...]:
    """Return the legal moves of another seat for the tile on offer, in phase CLAIM or ROB.

    Empty if there is no legal claim; else the win, kong, pong and chows, and a pass last. The seat
    must not be the one whose tile is on offer.
    """
    rules, kind = table.rules, table.tile
    moves: list[Move] = []
    if wins(with_copies(hand, kind, 1), len(table.melds[seat]), rules):
        moves.append(Move(Action.WIN, kind))
    if table.phase is Phase.CLAIM:
        held = hand[kind]
        is_last = not table.left_for((table.turn + 1) % NUM_SEATS)
        may_call = not table.ready[seat] and (not is_last or rules.calls_on_last_discard)
        may_draw = rules.kongs and held == 3 and table.left_for(seat) > 0
        if may_draw and _may_kong(table, seat, hand, kind, 3):
            moves.append(Move(Action.KONG, kind))
        calls: list[Move] = []
        if held >= 2 and may_call:
            calls.append(Move(Action.PONG, kind))
        if may_call and (table.turn + 1) % NUM_SEATS == seat:
            calls += [
                Move(Action.CHOW, first)
                for first in range(max(0, kind - 2), kind + 1)
                if first in rules.tiles.chow_starts
                and all(hand[k] for k in range(first, first + 3) if k != kind)
            ]
        moves += [move for move in calls if _leaves_discard(table, hand, move)]
    return (*moves, PASS) if moves else ()


def offered(
    table: OpenTable, hands: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, tuple[Move, ...]], ...]:
    """Return the seats that may claim the tile on offer, in turn order, with their moves."""
    seats = [(table.turn + i) % NUM_SEATS for i in range(1, NUM_SEATS)]
    options = [(seat, claims_of(table, seat, hands[seat])) for seat in seats]
    return tuple((seat, moves) for seat, moves in options if moves)
