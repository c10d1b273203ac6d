"""Kernels: a game of which all tiles are known, played on to its end."""

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner
from mjopt.play.rollout._game_record import (
    ADDED_KONG,
    BY_DISCARD,
    BY_OWN_DRAW,
    BY_REPLACEMENT,
    BY_ROBBING,
    CALLED,
    CHOW,
    CLAIM,
    CLOSED_KONG,
    DRAW,
    DRAWN,
    INT,
    KONG,
    NONE,
    OF_CHOW,
    OF_KONG,
    OF_PONG,
    OVER,
    PASS,
    RANKS,
    READY,
    REPLACE,
    ROB,
    SEATS,
    SUIT,
    SUITS,
    TURN,
    WALL_EMPTY,
    WIN,
    PlayoutRules,
    Record,
)
from mjopt.play.rollout._hand_kernels import PlayoutTables, add, change, count, refresh
from mjopt.play.rollout._policy_kernels import choose_call, choose_turn, may_call, take_chow

# The rules are those of :mod:`mjopt.play.game.engine`, without the options that
# `check_playout_rules` excludes; the tests compare both move by move. What the engine asks one seat
# after the other is decided in one step here: no seat's answer depends on that of another.

Bytes = NDArray[np.int8]


@inner
def _show(game: Record, kind: INT, copies: int) -> None:
    for _ in range(copies):
        add(game.shown, kind)


@inner
def _lay_down(player: Record, kind: INT, shape: int) -> None:
    """Append a meld."""
    meld = player.num_melds
    player.meld_kinds[meld], player.meld_shapes[meld] = kind, shape
    player.num_melds += 1


@inner
def _worth(player: Record, rules: PlayoutRules) -> INT:
    """Return the value of a winning hand, the winning tile included."""
    held, called = player.held, player.num_melds
    ones, twos, fours = held.ones, held.twos, held.fours
    worth = INT(rules.normal)
    # One kind with two copies, all others with three: 3 is both bits, 2 is the second alone.
    is_pongs = count(twos & ~ones) == 1 and not ones & ~twos and not fours
    kinds = ones | twos | fours
    for meld in range(called):
        kinds |= INT(1) << player.meld_kinds[meld]
        is_pongs = is_pongs and player.meld_shapes[meld] != OF_CHOW
    if is_pongs:
        worth = max(worth, INT(rules.all_pongs))
    # A chow adds its lowest kind alone, which is in the same suit.
    num_suits = 0
    for suit in range(SUITS):
        num_suits += (kinds >> RANKS * suit & SUIT) != 0
    if num_suits == 1:
        worth = max(worth, INT(rules.one_suit))
    if rules.seven_pairs and called == 0 and count(twos | fours) == 7:
        worth = max(worth, INT(rules.seven_pairs_worth))
    return worth * rules.ready_multiplier if player.has_declared else worth


@inner
def _end_with_win(
    game: Record, winner: INT, kind: INT, ending: int, rules: PlayoutRules, result: Record
) -> None:
    """Write the outcome of a win on a drawn tile, or on the tile of the seat whose turn it is."""
    payer = INT(NONE)
    if ending in (BY_DISCARD, BY_ROBBING):
        payer = game.turn
        change(game.seats[winner], kind, 1)
    worth = _worth(game.seats[winner], rules)
    for seat in range(SEATS):
        owed = worth if payer == NONE else worth * rules.payments * (seat == payer)
        if seat != winner:
            result.scores[seat] -= owed
            result.scores[winner] += owed
    result.ending, result.winner, result.payer = ending, winner, payer
    result.kind, result.worth = kind, worth
    game.phase = OVER


@inner(inline=True)
def _note(events: Bytes, result: Record, seat: INT, action: INT, kind: INT) -> None:
    """Append an event, if events are kept."""
    if len(events):
        number = result.num_events
        events[number, 0], events[number, 1], events[number, 2] = seat, action, kind
        result.num_events = number + 1


@inner
def _call(game: Record, seat: INT, action: INT, kind: INT) -> None:
    """Move the tile on offer to a meld of a seat, whose turn it then is."""
    player, tile = game.seats[seat], game.tile
    game.turn = seat
    game.phase = REPLACE if action == KONG else CALLED
    # The tile on offer has been shown since it was discarded.
    if action == CHOW:
        take_chow(player, kind, tile, -1)
        for other in range(kind, kind + 3):
            if other != tile:
                _show(game, INT(other), 1)
        _lay_down(player, kind, OF_CHOW)
        return
    copies = 3 if action == KONG else 2
    change(player, tile, -copies)
    _show(game, tile, copies)
    _lay_down(player, tile, OF_KONG if action == KONG else OF_PONG)


@inner
def _take_turn(
    game: Record, action: INT, kind: INT, rules: PlayoutRules, tables: PlayoutTables
) -> None:
    """Carry out a discard or a kong of the seat whose turn it is."""
    player = game.seats[game.turn]
    game.is_replacement = 0
    if action == CLOSED_KONG:
        change(player, kind, -4)
        _show(game, kind, 4)
        _lay_down(player, kind, OF_KONG)
        game.phase = REPLACE
        return
    change(player, kind, -1)
    _show(game, kind, 1)
    game.tile = kind
    if action == ADDED_KONG:
        for meld in range(player.num_melds):
            if player.meld_kinds[meld] == kind and player.meld_shapes[meld] == OF_PONG:
                player.meld_shapes[meld] = OF_KONG
        game.phase = ROB if rules.robbing else REPLACE
        return
    if action == READY:
        player.has_declared = 1
    # Only here, since the deficiency and the useful kinds are read only while other seats discard.
    refresh(player, rules.seven_pairs, tables)
    game.phase = CLAIM


@inner(inline=True)
def _part_of_wall(game: Record) -> INT:
    """Return the part of the wall from which the seat whose turn it is draws.

    After the last tile of its own part that is the part with the most tiles.
    """
    if game.stride == 1:
        return INT(0)
    part = INT(game.turn)
    if game.fronts[part] >= game.back:
        # All parts end at ``back`` with the same stride, so the least front has the most tiles.
        for other in range(SEATS):
            if game.fronts[other] < game.fronts[part]:
                part = INT(other)
    return part


@inner(inline=True)
def _draw(game: Record, result: Record) -> bool:
    """Draw the next tile of the seat whose turn it is; if there is none, end the game."""
    if game.live == 0:
        result.ending, result.winner, result.payer = WALL_EMPTY, NONE, NONE
        result.kind = NONE
        game.phase = OVER
        return False
    game.is_replacement = game.phase == REPLACE
    part = _part_of_wall(game)
    # A replacement comes from the back of a common wall. In a wall of parts the tiles are as random
    # at the front.
    if game.is_replacement and game.stride == 1:
        place = INT(game.back - 1)
        game.back = place
    else:
        place = INT(game.fronts[part])
        game.fronts[part] += game.stride
    game.tile = game.wall[place]
    game.live -= 1
    game.phase = TURN
    change(game.seats[game.turn], game.wall[place], 1)
    return True


@inner
def _claim(
    game: Record,
    own: int,
    forced: INT,
    forced_kind: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
) -> tuple[INT, INT, INT]:
    """Return the claim that takes the tile on offer: the seat, the action and the kind.

    The answer of the seat ``own`` is given unless it is NONE; no seat before it wins.
    """
    giver, tile = game.turn, game.tile
    caller, call, of_kind = INT(NONE), INT(PASS), INT(NONE)
    # The seats are asked in the order of play, so the first win takes the tile. ``own`` is asked
    # only after the seats before it have refused to win, though they may have called.
    is_before = forced != NONE
    for place in range(1, SEATS):
        seat = (giver + place) % SEATS
        player = game.seats[seat]
        action, kind = INT(NONE), INT(NONE)
        if forced != NONE and seat == own:
            if forced != PASS:
                action, kind = forced, forced_kind
            is_before = False
        elif player.deficiency == 1 and player.useful >> tile & 1:
            if not is_before:
                action, kind = INT(WIN), tile
        elif game.phase == CLAIM and may_call(player, tile):
            action, kind = choose_call(game, seat, rules, tables)
        if action == WIN:
            return seat, action, kind
        # Kong and pong cannot both be called: there are four copies.
        if action != NONE and call >= CHOW and action < call:
            caller, call, of_kind = seat, action, kind
    return caller, call, of_kind


@inner
def play_on(  # noqa: PLR0912 - one branch for each phase
    game: Record,
    own: int,
    first: INT,
    first_kind: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Record,
) -> None:
    """Play a game to its end, and write its result.

    ``own``, ``first`` and ``first_kind`` are the seat to decide, its action and the kind; no seat
    asked before it wins on a tile on offer. If the action is NONE, every seat plays by the policy.
    """
    for seat in range(SEATS):
        result.scores[seat] = 0
    result.worth = result.num_events = 0
    # Each round of the loop is one step of the engine: a draw, a turn, or all answers to a tile.
    forced = first
    while game.phase != OVER:
        seat = game.turn
        if game.phase in (DRAW, REPLACE):
            if _draw(game, result):
                _note(events, result, seat, INT(DRAWN), game.tile)
        elif game.phase in (TURN, CALLED):
            action, kind = forced, first_kind
            if forced == NONE:
                action, kind = choose_turn(game, rules, tables)
            forced = INT(NONE)
            _note(events, result, seat, action, kind)
            if action == WIN:
                ending = BY_REPLACEMENT if game.is_replacement else BY_OWN_DRAW
                _end_with_win(game, seat, kind, ending, rules, result)
            else:
                _take_turn(game, action, kind, rules, tables)
        else:
            caller, call, kind = _claim(game, own, forced, first_kind, rules, tables)
            forced = INT(NONE)
            if caller != NONE:
                _note(events, result, caller, call, kind)
            if call == WIN:
                ending = BY_ROBBING if game.phase == ROB else BY_DISCARD
                _end_with_win(game, caller, kind, ending, rules, result)
            elif game.phase == ROB:
                game.phase = REPLACE
            elif caller != NONE:
                _call(game, caller, call, kind)
            else:
                game.turn = (seat + 1) % SEATS
                game.phase = DRAW
