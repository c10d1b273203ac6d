"""Kernels: a game played on to its end, and hidden tiles dealt at random."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.play.rollout._borrowed_arrays import borrowed
from mjopt.play.rollout._policy_kernels import (
    ADDED_KONG,
    BACK,
    CALLED,
    CHOW,
    CLAIM,
    CLOSED_KONG,
    DECLARED,
    DRAW,
    DRAWN,
    FRONT,
    HAND,
    INT,
    KONG,
    LIVE,
    MELD_KIND,
    MELD_SHAPE,
    MELDS,
    NONE,
    OF_CHOW,
    OF_KONG,
    OF_PONG,
    OVER,
    PASS,
    PHASE,
    RANKS,
    READY,
    REPLACE,
    REPLACED,
    ROB,
    SEATS,
    SHOWN,
    STRIDE,
    SUIT,
    SUITS,
    TILE,
    TURN,
    TURN_OF,
    VALUE,
    WAIT,
    WALL,
    WIN,
    Integers,
    Number,
    PlayoutRules,
    PlayoutTables,
    U,
    add,
    best_discard,
    change,
    choose_call,
    choose_turn,
    count,
    may_call,
    refresh,
    seen_by,
    take_chow,
)

Bytes = NDArray[np.int8]
Generator = NDArray[np.uint64]

# Endings, in the order of `mjopt.play.rollout.playout.ENDINGS`.
BY_DISCARD: Final = 0
BY_OWN_DRAW: Final = 1
BY_REPLACEMENT: Final = 2
BY_ROBBING: Final = 3
WALL_EMPTY: Final = 4

# Items of an outcome; the scores of the four seats come first.
ENDING: Final = 4
WINNER: Final = 5
PAYER: Final = 6
WIN_KIND: Final = 7
WORTH: Final = 8
NUM_EVENTS: Final = 9
NUM_RESULTS: Final = 10

# Limits of the growth of a hand that has declared ready.
MOST_GROWTH: Final = 40
MOST_RESTARTS: Final = 6


class Hidden(NamedTuple):
    """What a seat knows about the hands of the others, each of shape ``(4,)``."""

    sizes: Integers  # numbers of tiles
    draws: Integers  # draws by which the hand grows, see `_grow`; with 0 it is dealt uniformly
    passed: Integers  # kinds that the seat did not win on after its declaration


@inner
def _show(game: Integers, kind: INT, copies: int) -> None:
    for _ in range(copies):
        add(game, INT(SHOWN), kind)


@inner
def _lay_down(game: Integers, seat: INT, kind: INT, shape: int) -> None:
    """Append a meld."""
    meld = 4 * seat + game[MELDS + seat]
    game[MELD_KIND + meld], game[MELD_SHAPE + meld] = kind, shape
    game[MELDS + seat] += 1


@inner
def _worth(game: Integers, seat: INT, rules: PlayoutRules) -> INT:
    """Return the value of a winning hand, the winning tile included."""
    hand, called = HAND + 6 * seat, game[MELDS + seat]
    ones, twos, fours = game[hand], game[hand + 1], game[hand + 2]
    worth = INT(rules.normal)
    is_pongs = count(twos & ~ones) == 1 and not ones & ~twos and not fours
    kinds = ones | twos | fours
    for meld in range(4 * seat, 4 * seat + called):
        kinds |= INT(1) << game[MELD_KIND + meld]
        is_pongs = is_pongs and game[MELD_SHAPE + meld] != OF_CHOW
    if is_pongs:
        worth = max(worth, INT(rules.all_pongs))
    num_suits = 0
    for suit in range(SUITS):
        num_suits += (kinds >> RANKS * suit & SUIT) != 0
    if num_suits == 1:
        worth = max(worth, INT(rules.one_suit))
    if rules.seven_pairs and called == 0 and count(twos | fours) == 7:
        worth = max(worth, INT(rules.seven_pairs_worth))
    return worth * rules.ready_multiplier if game[DECLARED + seat] else worth


@inner
def _end_with_win(
    game: Integers, winner: INT, kind: INT, ending: int, rules: PlayoutRules, result: Integers
) -> None:
    """Write the outcome of a win on a drawn tile, or on the tile of the seat whose turn it is."""
    payer = INT(NONE)
    if ending in (BY_DISCARD, BY_ROBBING):
        payer = game[TURN_OF]
        change(game, HAND + 6 * winner, kind, 1)
    worth = _worth(game, winner, rules)
    for seat in range(SEATS):
        owed = worth if payer == NONE else worth * rules.payments * (seat == payer)
        if seat != winner:
            result[seat] -= owed
            result[winner] += owed
    result[ENDING], result[WINNER], result[PAYER] = ending, winner, payer
    result[WIN_KIND], result[WORTH] = kind, worth
    game[PHASE] = OVER


@inner(inline=True)
def _note(events: Bytes, result: Integers, seat: INT, action: INT, kind: INT) -> None:
    """Append an event, if events are kept."""
    if len(events):
        number = result[NUM_EVENTS]
        events[number, 0], events[number, 1], events[number, 2] = seat, action, kind
        result[NUM_EVENTS] = number + 1


@inner
def _call(game: Integers, seat: INT, action: INT, kind: INT) -> None:
    """Move the tile on offer to a meld of a seat, whose turn it then is."""
    hand, tile = HAND + 6 * seat, game[TILE]
    game[TURN_OF] = seat
    game[PHASE] = REPLACE if action == KONG else CALLED
    if action == CHOW:
        take_chow(game, hand, kind, tile, -1)
        for other in range(kind, kind + 3):
            if other != tile:
                _show(game, INT(other), 1)
        _lay_down(game, seat, kind, OF_CHOW)
        return
    copies = 3 if action == KONG else 2
    change(game, hand, tile, -copies)
    _show(game, tile, copies)
    _lay_down(game, seat, tile, OF_KONG if action == KONG else OF_PONG)


@inner
def _take_turn(
    game: Integers, action: INT, kind: INT, rules: PlayoutRules, tables: PlayoutTables
) -> None:
    """Carry out a discard or a kong of the seat whose turn it is."""
    seat = game[TURN_OF]
    hand = HAND + 6 * seat
    game[REPLACED] = 0
    if action == CLOSED_KONG:
        change(game, hand, kind, -4)
        _show(game, kind, 4)
        _lay_down(game, seat, kind, OF_KONG)
        game[PHASE] = REPLACE
        return
    change(game, hand, kind, -1)
    _show(game, kind, 1)
    game[TILE] = kind
    if action == ADDED_KONG:
        for meld in range(4 * seat, 4 * seat + game[MELDS + seat]):
            if game[MELD_KIND + meld] == kind and game[MELD_SHAPE + meld] == OF_PONG:
                game[MELD_SHAPE + meld] = OF_KONG
        game[PHASE] = ROB if rules.robbing else REPLACE
        return
    if action == READY:
        game[DECLARED + seat] = 1
    refresh(game, seat, rules.seven_pairs, tables)
    game[PHASE] = CLAIM


@inner(inline=True)
def _part_of_wall(game: Integers) -> INT:
    """Return the part of the wall from which the seat whose turn it is draws.

    After the last tile of its own part that is the part with the most tiles.
    """
    if game[STRIDE] == 1:
        return INT(FRONT)
    part: INT = FRONT + game[TURN_OF]
    if game[part] >= game[BACK]:
        for other in range(FRONT, FRONT + SEATS):
            if game[other] < game[part]:
                part = INT(other)
    return part


@inner(inline=True)
def _draw(game: Integers, result: Integers) -> bool:
    """Draw the next tile of the seat whose turn it is; if there is none, end the game."""
    if game[LIVE] == 0:
        result[ENDING], result[WINNER], result[PAYER] = WALL_EMPTY, NONE, NONE
        result[WIN_KIND] = NONE
        game[PHASE] = OVER
        return False
    game[REPLACED] = game[PHASE] == REPLACE
    part = _part_of_wall(game)
    if game[REPLACED] and game[STRIDE] == 1:
        game[BACK] -= 1
        game[TILE] = game[game[BACK]]
    else:
        game[TILE] = game[game[part]]
        game[part] += game[STRIDE]
    game[LIVE] -= 1
    game[PHASE] = TURN
    change(game, HAND + 6 * game[TURN_OF], game[TILE], 1)
    return True


@inner
def _claim(
    game: Integers,
    own: int,
    forced: INT,
    forced_kind: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
) -> tuple[INT, INT, INT]:
    """Return the claim that takes the tile on offer: the seat, the action and the kind.

    The answer of the seat ``own`` is given unless it is NONE; no seat before it wins.
    """
    giver, tile = game[TURN_OF], game[TILE]
    caller, call, of_kind = INT(NONE), INT(PASS), INT(NONE)
    is_before = forced != NONE
    for place in range(1, SEATS):
        seat = (giver + place) % SEATS
        action, kind = INT(NONE), INT(NONE)
        if forced != NONE and seat == own:
            if forced != PASS:
                action, kind = forced, forced_kind
            is_before = False
        elif game[VALUE + seat] == 1 and game[WAIT + seat] >> tile & 1:
            if not is_before:
                action, kind = INT(WIN), tile
        elif game[PHASE] == CLAIM and may_call(game, seat, tile):
            action, kind = choose_call(game, seat, rules, tables)
        if action == WIN:
            return seat, action, kind
        # Kong and pong cannot both be called: there are four copies.
        if action != NONE and call >= CHOW and action < call:
            caller, call, of_kind = seat, action, kind
    return caller, call, of_kind


@inner
def _play_on(  # noqa: PLR0912 - one branch for each phase
    game: Integers,
    own: int,
    first: INT,
    first_kind: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Integers,
) -> None:
    """Play a game to its end; see :func:`play_one`."""
    for item in range(NUM_RESULTS):
        result[item] = 0
    forced = first
    while game[PHASE] != OVER:
        seat = game[TURN_OF]
        if game[PHASE] in (DRAW, REPLACE):
            if _draw(game, result):
                _note(events, result, seat, INT(DRAWN), game[TILE])
        elif game[PHASE] in (TURN, CALLED):
            action, kind = forced, first_kind
            if forced == NONE:
                action, kind = choose_turn(game, rules, tables)
            forced = INT(NONE)
            _note(events, result, seat, action, kind)
            if action == WIN:
                ending = BY_REPLACEMENT if game[REPLACED] else BY_OWN_DRAW
                _end_with_win(game, seat, kind, ending, rules, result)
            else:
                _take_turn(game, action, kind, rules, tables)
        else:
            caller, call, kind = _claim(game, own, forced, first_kind, rules, tables)
            forced = INT(NONE)
            if caller != NONE:
                _note(events, result, caller, call, kind)
            if call == WIN:
                ending = BY_ROBBING if game[PHASE] == ROB else BY_DISCARD
                _end_with_win(game, caller, kind, ending, rules, result)
            elif game[PHASE] == ROB:
                game[PHASE] = REPLACE
            elif caller != NONE:
                _call(game, caller, call, kind)
            else:
                game[TURN_OF] = (seat + 1) % SEATS
                game[PHASE] = DRAW


@inner
def _borrowed_tables(tables: PlayoutTables) -> PlayoutTables:
    return PlayoutTables(borrowed(tables.states), borrowed(tables.words), tables.begins)


@kernel
def play_one(
    game: Integers,
    own: int,
    first: int,
    first_kind: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    events: Bytes,
    result: Integers,
) -> None:
    """Play one game with all tiles known to its end; ``game`` is changed, ``result`` is written.

    ``own``, ``first`` and ``first_kind`` are the seat to decide, its action and the kind; no seat
    asked before it wins on a tile on offer. If the action is NONE, every seat plays by the policy.
    ``events`` is empty, or a buffer for the draws and moves without passes: seat, action, kind.
    """
    state = borrowed(game)
    own_tables = _borrowed_tables(tables)
    for seat in range(SEATS):
        refresh(state, INT(seat), rules.seven_pairs, own_tables)
    kind = INT(first_kind)
    _play_on(state, own, INT(first), kind, rules, own_tables, borrowed(events), borrowed(result))


@inner(inline=True)
def _random(state: Generator, size: INT) -> INT:
    """Return a random number below ``size``, by the generator SplitMix64."""
    state[0] += U(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ word >> U(30)) * U(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U(27)) * U(0x94D049BB133111EB)
    word ^= word >> U(31)
    return INT((word >> U(32)) * U(size) >> U(32))


@inner(inline=True)
def _swap(game: Integers, one: Number, two: Number) -> None:
    game[one], game[two] = game[two], game[one]


@inner
def _deal(game: Integers, hand: INT, start: INT, size: INT, state: Generator) -> None:
    """Move random unseen tiles, which begin at an item, to their front and into a hand."""
    for item in range(hand, hand + 6):
        game[item] = 0
    for place in range(start, start + size):
        _swap(game, place, place + _random(state, game[BACK] - place))
        change(game, hand, game[place], 1)


@inner
def _grow(
    game: Integers,
    seat: INT,
    start: INT,
    end: INT,
    draws: INT,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: Generator,
) -> None:
    """Let a hand draw at most ``draws`` of the unseen tiles and discard by the policy.

    A hand before a declaration stops before it waits; one after it draws until it waits. Its tiles
    are the items ``start`` to ``end`` of the wall; unseen tiles follow.
    """
    hand, called = HAND + 6 * seat, game[MELDS + seat]
    has_declared = game[DECLARED + seat] != 0
    if end == game[BACK]:  # no tile is left
        return
    for _ in range(draws):
        other = end + _random(state, game[BACK] - end)
        drawn = game[other]
        change(game, hand, drawn, 1)
        seen = seen_by(game, seat)
        kind, value, _ = best_discard(game, hand, called, seen, rules.seven_pairs, tables)
        if value == 1 and rules.ready and not has_declared:
            change(game, hand, drawn, -1)
            return
        change(game, hand, kind, -1)
        if kind != drawn:
            for place in range(start, end):
                if game[place] == kind:
                    _swap(game, place, other)
                    break
        if value == 1 and has_declared:
            return


@inner
def _deal_hidden(
    game: Integers,
    number: int,
    seed: int,
    own: int,
    hidden: Hidden,
    rules: PlayoutRules,
    tables: PlayoutTables,
    state: Generator,
) -> None:
    """Deal the unseen tiles, which are the wall, to the other seats and the wall.

    Each seat then has a part of the wall, so that a call changes only who draws, not what. This
    is as random as one wall, and lowers the variance of differences between moves by a quarter.

    ``game`` is the state as the own seat sees it, ``number`` that of the deal, ``seed`` that of all
    deals, and ``hidden`` what is known about the hands of the other seats.
    """
    sizes, draws, passed = hidden
    state[0] = U(number)
    _random(state, INT(1))
    state[0] = (state[0] ^ U(seed)) * U(0xD1342543DE82EF95)
    begin = INT(WALL)
    for turn in range(2):  # hands that wait come first, since they need certain tiles
        for place in range(1, SEATS):
            seat = INT((own + place) % SEATS)
            must_wait = game[DECLARED + seat] != 0 and draws[seat] > 0
            if (turn == 0) != must_wait:
                continue
            hand, end = HAND + 6 * seat, begin + sizes[seat]
            for _ in range(MOST_RESTARTS if must_wait else 1):
                _deal(game, hand, begin, sizes[seat], state)
                growth = INT(MOST_GROWTH) if must_wait else draws[seat]
                _grow(game, seat, begin, end, growth, rules, tables, state)
                refresh(game, seat, rules.seven_pairs, tables)
                if game[VALUE + seat] == 1 and not game[WAIT + seat] & passed[seat]:
                    break
            begin = end
    for place in range(begin, game[BACK]):
        _swap(game, place, place + _random(state, game[BACK] - place))
    game[STRIDE] = SEATS
    for part in range(SEATS):
        game[FRONT + part] = begin + part
    refresh(game, INT(own), rules.seven_pairs, tables)


@kernel
def deal_one(
    game: Integers,
    number: int,
    seed: int,
    own: int,
    hidden: Hidden,
    rules: PlayoutRules,
    tables: PlayoutTables,
    generator: Generator,
) -> None:
    """Deal the unseen tiles once; see :func:`_deal_hidden`."""
    _deal_hidden(game, number, seed, own, hidden, rules, tables, generator)


@kernel
def play_many(
    game: Integers,
    own: int,
    hidden: Hidden,
    moves: Integers,
    seed: int,
    first: int,
    rules: PlayoutRules,
    tables: PlayoutTables,
    work: Integers,
    no_events: Bytes,
    generator: Generator,
    scores: Integers,
) -> None:
    """Play some moves of a seat on the same random deals of the unseen tiles.

    ``game`` is the state as the own seat sees it; its wall are the unseen tiles. ``own`` and
    ``hidden`` are as in :func:`_deal_hidden`. ``moves`` are actions and kinds, shape ``(M, 2)``;
    ``seed`` is that of all deals, ``first`` the number of the first deal. Memory: ``work`` has
    three rows of the size of a state, ``no_events`` is empty, and ``generator`` has one item.
    ``scores``, shape ``(N, M)``, receives the points of the own seat for each deal and move.
    """
    deal, copy, result = borrowed(work[0]), borrowed(work[1]), borrowed(work[2])
    own_tables, events, state = _borrowed_tables(tables), borrowed(no_events), borrowed(generator)
    for row in range(len(scores)):
        for place in range(len(game)):
            deal[place] = game[place]
        _deal_hidden(deal, first + row, seed, own, hidden, rules, own_tables, state)
        for column in range(len(moves)):
            for place in range(len(game)):
                copy[place] = deal[place]
            action, kind = moves[column, 0], moves[column, 1]
            _play_on(copy, own, action, kind, rules, own_tables, events, result)
            scores[row, column] = result[own]
