"""What seats could have called and did not, as far as a log proves it."""

from collections.abc import Iterator
from typing import Final

from mjopt.game_review.events import KIND_OF, NO_TILE, Did, Event, Ruling, Why
from mjopt.game_review.round_state import RoundTable, Waits
from mjopt.hands.tiles import COPIES, FULL

BEFORE: Final = {Did.DRAW: 0, Did.CHOW: 1, Did.PONG: 2, Did.KONG: 2, Did.WIN: 3, Did.DRAWN: 2}
"""What answers a discard, by what goes before it: calls of a lower number stay unknown."""

PAIRS: Final = tuple(
    tuple(
        (first + (first == kind), first + 2 - (first + 2 == kind))
        for first in range(kind - 2, kind + 1)
        if first in FULL.chow_starts
    )
    for kind in range(FULL.num_kinds)
)
"""What makes a chow with each kind."""

OWN_TURN: Final = frozenset((Did.DISCARD, Did.CLOSED_KONG, Did.ADDED_KONG, Did.NORTH))
ALL_ASKED: Final = frozenset(Why) - {Why.THREE_WINNERS, Why.UNTOLD}
"""How a round ends only if nobody won on the discard that lies."""


def passed_up(table: RoundTable, event: Event) -> list[Event]:
    """Return the calls and wins that seats could have had instead of an event, and passed up.

    Whose call another one went before is not told: had it been made, the log would be the
    same. Nor is what else a seat could have called that did call. A win is one by the forms
    of the game: yaku and furiten are not looked at.
    """
    if table.offered != NO_TILE:
        return _answers(table, event) if event.did in BEFORE else []
    if table.drawn == NO_TILE or event.did not in OWN_TURN:
        return []
    seat, found = event.seat, list[Event]()
    if table.wins_with(seat, KIND_OF[table.drawn]):
        found.append(Event(seat, Did.WIN, table.drawn, seat))
    if event.did is Did.DISCARD and (table.melds[seat] or COPIES in table.kinds[seat]):
        found += _own_kongs(table, seat)
    return found


def _own_kongs(table: RoundTable, seat: int) -> list[Event]:
    """Return the kongs that a seat can make of its own tiles.

    None once it has declared: which of them that allows is for the rules of the house.
    """
    kinds, found = table.kinds[seat], list[Event]()
    pongs = [laid.tiles[0] for laid in table.melds[seat] if laid.did is Did.PONG]
    if table.ready[seat] or not table.may_kong:
        return found
    for kind in (kind for kind, copies in enumerate(kinds) if copies == COPIES):
        laid = table.some(seat, (kind,) * COPIES)
        found.append(Event(seat, Did.CLOSED_KONG, kind, tiles=laid))
    for kind in (KIND_OF[tile] for tile in pongs if kinds[KIND_OF[tile]]):
        [tile] = table.some(seat, (kind,))
        found.append(Event(seat, Did.ADDED_KONG, tile))
    return found


def _answers(table: RoundTable, event: Event) -> list[Event]:
    found = list[Event]()
    did, deal, ruling = event.did, table.deal, table.ruling
    if table.waits is Waits.END:
        return found
    turn, tile = table.turn, table.offered
    winners = {one.seat for one in deal.events if one.did is Did.WIN} if did is Did.WIN else ()
    is_discard, kind = table.waits is Waits.ANSWER, KIND_OF[tile]
    may_win = did is not Did.DRAWN or deal.why in ALL_ASKED
    may_win &= is_discard or _may_be_robbed(table)
    may_call = is_discard and bool(table.live or ruling.last_calls)
    for place in range(1, ruling.seats):
        seat = (turn + place) % ruling.seats
        if seat in winners:
            break  # who comes later may have been forestalled
        if may_win and table.is_near[seat] is not False and table.wins_with(seat, kind):
            found.append(Event(seat, Did.WIN, tile, turn))
        is_next = place == 1 and ruling.seats > 3
        if not may_call or not (is_next or table.kinds[seat][kind] > 1) or table.ready[seat]:
            continue
        if did is Did.DRAW or seat != event.seat:  # else it chose among its calls
            calls = _calls(table, seat, is_next=is_next)
            found += [call for call in calls if did is Did.DRAW or BEFORE[call.did] > BEFORE[did]]
    return found


def _may_be_robbed(table: RoundTable) -> bool:
    kind = KIND_OF[table.offered]
    return table.ruling.robbing and any(
        laid.did is Did.NORTH or (laid.did is Did.ADDED_KONG and KIND_OF[laid.tiles[0]] == kind)
        for laid in table.melds[table.turn]
        if KIND_OF[laid.tiles[0]] == kind
    )


def _calls(table: RoundTable, seat: int, *, is_next: bool) -> Iterator[Event]:
    """Yield the kong, the pong and the chows that a seat can make of the tile that lies."""
    kinds, tile, ruling = table.kinds[seat], table.offered, table.ruling
    kind = KIND_OF[tile]
    held = kinds[kind]
    if held == 3 and table.may_kong:
        yield Event(seat, Did.KONG, tile, table.turn, table.some(seat, (kind,) * 3))
    melds: list[tuple[Did, tuple[int, ...]]] = [(Did.PONG, (kind, kind))] if held >= 2 else []
    if is_next:
        melds += [(Did.CHOW, pair) for pair in PAIRS[kind] if kinds[pair[0]] and kinds[pair[1]]]
    for did, pair in melds:
        call = Event(seat, did, tile, table.turn, table.some(seat, pair))
        # After a first call eleven tiles are left, of which no more than eight are barred.
        barred = barred_after(call, ruling) if table.melds[seat] else ()
        if not barred or any(
            copies - pair.count(one) and one not in barred for one, copies in enumerate(kinds)
        ):
            yield call


def barred_after(call: Event, ruling: Ruling) -> tuple[int, ...]:
    """Return the kinds that must not be thrown just after a call.

    Where a call may not be a swap these are the kind called and, of a chow, the one at the
    other end of the two tiles that were held.

    Examples
    --------
    >>> barred_after(Event(0, Did.CHOW, 1, 3, (2, 3)), Ruling())
    (1, 4)
    """
    if ruling.swaps or call.did not in (Did.CHOW, Did.PONG):
        return ()
    kind = KIND_OF[call.tile]
    low, high = sorted(KIND_OF[tile] for tile in call.tiles)
    starts = ruling.tiles.chow_starts
    if kind == low - 1 and low in starts:
        return kind, high + 1
    if kind == high + 1 and low - 1 in starts:
        return kind, low - 1
    return (kind,)
