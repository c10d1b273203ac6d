"""Legal moves of a seat, computed from its observation."""

from collections.abc import Container, Iterable, Sequence
from functools import cache

from mjopt.hands.blocks import barred_kinds
from mjopt.hands.tiles import COPIES
from mjopt.play.game.events import BLOCK_OF, KIND_OF, Event, Meld
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
    kinds = possible_discards(hand, barred_now(table, seat))
    discards = _discards(len(hand))
    moves += [discards[kind] for kind in kinds]
    if table.rules.ready:
        moves += [Move(Action.READY, kind) for kind in ready_discards(table, seat, hand, kinds)]
    return tuple(moves)


def possible_calls(
    hand: Counts, kind: int, rules: GameRules, *, may_chow: bool, called: int
) -> list[Move]:
    """Return the kong, the pong and the chows that a hand can make with a tile on offer.

    The hand has ``called`` melds. Without swap calls, a discard must be left after a pong or chow.

    Examples
    --------
    >>> from mjopt.play.game.rules import M0_RULES
    >>> hand = (1, 3, 1, 1, 0, 0, 0, 1, 0) + (0, 3, 0, 0, 0, 0, 0, 3, 0) + (0,) * 9
    >>> calls = possible_calls(hand, 1, M0_RULES, may_chow=True, called=0)
    >>> [(call.action.word, call.kind) for call in calls]
    [('kong', 1), ('pong', 1), ('chow', 0), ('chow', 1)]
    """
    if hand[kind] < 2 and not may_chow:
        return []
    kongs = [Move(Action.KONG, kind)] if hand[kind] == COPIES - 1 else []
    calls = [Move(Action.PONG, kind)] if hand[kind] >= 2 else []
    if may_chow:
        calls += [
            Move(Action.CHOW, first)
            for first in range(max(0, kind - 2), kind + 1)
            if first in rules.tiles.chow_starts
            and all(hand[k] for k in range(first, first + 3) if k != kind)
        ]
    # A first call leaves eleven concealed tiles, of which at most eight are barred.
    if called and not rules.swaps:
        calls = [call for call in calls if _leaves_discard(hand, call, kind, rules)]
    return kongs + calls


def possible_kongs(hand: Counts, melds: Sequence[Meld]) -> list[Move]:
    """Return the closed kongs of a hand by kind, then the tiles that it can add to its pongs.

    Examples
    --------
    >>> pong = Meld(Action.PONG, (2, 2, 2), seat_from=3)
    >>> [(move.action.word, move.kind) for move in possible_kongs((4, 0, 1), (pong,))]
    [('closed kong', 0), ('added kong', 2)]
    """
    # Few hands have four of a kind, and a test by ``in`` is faster than a loop.
    closed = [kind for kind, held in enumerate(hand) if held == COPIES] if COPIES in hand else []
    added = [meld.kind for meld in melds if meld.action is Action.PONG and hand[meld.kind]]
    return [
        *(Move(Action.CLOSED_KONG, kind) for kind in closed),
        *(Move(Action.ADDED_KONG, kind) for kind in added),
    ]


def possible_discards(hand: Sequence[int], barred: Container[int] = ()) -> list[int]:
    """Return the kinds that a hand can discard, without those that a call has barred."""
    return [kind for kind, held in enumerate(hand) if held and kind not in barred]


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
    return barred_kinds(BLOCK_OF[call.action](call.kind), tile, rules.tiles)


def barred_now(table: OpenTable, seat: int) -> tuple[int, ...]:
    """Return the kinds that a seat must not discard now, because it has just called a tile."""
    last = table.events[-1] if table.events else None
    if last is None or last.seat != seat:
        return ()
    return barred_discards(last, KIND_OF[last.tile], table.rules)


def _leaves_discard(hand: Counts, call: Move, tile: int, rules: GameRules) -> bool:
    """Return whether a hand can discard after a chow or a pong of a tile on offer."""
    barred = barred_discards(call, tile, rules)
    return bool(possible_discards(after_call(hand, call, tile), barred))


@cache
def _discards(num_kinds: int) -> tuple[Move, ...]:
    """Return the discard of each kind; stored, since computing them took 5 % of a game."""
    return tuple(Move(Action.DISCARD, kind) for kind in range(num_kinds))


def _own_kongs(table: OpenTable, seat: int, hand: Counts, drawn: int) -> list[Move]:
    if not table.rules.kongs or not table.left_for(seat):
        return []
    kongs = possible_kongs(hand, table.melds[seat])
    if not table.ready[seat]:
        return kongs
    # The waiting hand of a seat that has declared must not change.
    return [
        move
        for move in kongs
        if (move.action is Action.ADDED_KONG and move.kind == drawn)
        or (move.action is Action.CLOSED_KONG and _stays_ready(table, seat, hand, move.kind, 4))
    ]


def _stays_ready(table: OpenTable, seat: int, hand: Counts, kind: int, used: int) -> bool:
    """Return whether a hand waits for one tile after a kong of ``used`` of its tiles."""
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
        next_seat, called = (table.turn + 1) % NUM_SEATS, len(table.melds[seat])
        calls = possible_calls(hand, kind, rules, may_chow=seat == next_seat, called=called)
        moves += [move for move in calls if _may_call(table, seat, hand, move)]
    return (*moves, PASS) if moves else ()


def _may_call(table: OpenTable, seat: int, hand: Counts, move: Move) -> bool:
    """Return whether a seat may make one of its possible calls now."""
    rules, is_ready = table.rules, table.ready[seat]
    if move.action is Action.KONG:
        may_draw = rules.kongs and table.left_for(seat) > 0
        return may_draw and (not is_ready or _stays_ready(table, seat, hand, move.kind, 3))
    is_last = not table.left_for((table.turn + 1) % NUM_SEATS)
    return not is_ready and (not is_last or rules.calls_on_last_discard)


def offered(
    table: OpenTable, hands: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, tuple[Move, ...]], ...]:
    """Return the seats that may claim the tile on offer, in turn order, with their moves."""
    seats = [(table.turn + i) % NUM_SEATS for i in range(1, NUM_SEATS)]
    options = [(seat, claims_of(table, seat, hands[seat])) for seat in seats]
    return tuple((seat, moves) for seat, moves in options if moves)
