"""Kernels: the policy by which every seat plays in a playout, for the tile set M0."""

from mjopt._internal.jit import inner
from mjopt.play.rollout._game_record import (
    ADDED_KONG,
    CHOW,
    CLOSED_KONG,
    DISCARD,
    INT,
    KONG,
    NONE,
    OF_PONG,
    PONG,
    RANKS,
    READY,
    SEATS,
    TURN,
    WIN,
    Number,
    PlayoutRules,
    Record,
)
from mjopt.play.rollout._hand_kernels import (
    FAR,
    PlayoutTables,
    best_discard,
    change,
    copies_in,
    count,
    deficiency_of,
)

# The policy is that of the agent ``deficiency`` with its defaults (docs/reference/agents.md): win
# if possible, else choose the least deficiency, then the most useful tiles. The tests compare
# every move with that of the agent. A move is tried on the record itself and undone: after each
# function of this module but `take_chow` the game is as it was before.


@inner(inline=True)
def seen_by(game: Record, player: Record) -> tuple[INT, INT, INT]:
    """Return the copies that a seat holds or sees, in binary."""
    held, shown = player.held, game.shown
    # A binary addition of 27 numbers at once. No sum exceeds 4, so nothing is carried beyond.
    carry, both = held.ones & shown.ones, held.twos ^ shown.twos
    fours = held.fours | shown.fours | (held.twos & shown.twos) | (carry & both)
    return held.ones ^ shown.ones, both ^ carry, fours


@inner
def _own_kong(
    game: Record, player: Record, best: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the first kong that does not increase the deficiency ``best``, or no action."""
    if not rules.kongs or game.live == 0:
        return INT(NONE), INT(NONE)
    called = player.num_melds
    has_declared = player.has_declared != 0  # then the hand must still wait
    bits = player.held.fours
    while bits:
        kind = count((bits & -bits) - 1)
        bits &= bits - 1
        change(player, kind, -4)
        value = deficiency_of(player, called + 1, rules.seven_pairs, tables)
        change(player, kind, 4)
        if value <= best and (value == 1 or not has_declared):
            return INT(CLOSED_KONG), kind
    for meld in range(called):
        kind = player.meld_kinds[meld]
        if player.meld_shapes[meld] != OF_PONG or not copies_in(player.held, kind):
            continue
        if has_declared and kind != game.tile:
            continue
        change(player, kind, -1)
        value = deficiency_of(player, called, rules.seven_pairs, tables)
        change(player, kind, 1)
        if value <= best:
            return INT(ADDED_KONG), kind
    return INT(NONE), INT(NONE)


@inner(inline=True)
def choose_turn(game: Record, rules: PlayoutRules, tables: PlayoutTables) -> tuple[INT, INT]:
    """Return the action and the kind of the seat whose turn it is."""
    player, tile = game.seats[game.turn], game.tile
    called = player.num_melds
    has_drawn = game.phase == TURN
    if has_drawn and deficiency_of(player, called, rules.seven_pairs, tables) == 0:
        return INT(WIN), tile
    if player.has_declared:
        change(player, tile, -1)
        best = deficiency_of(player, called, rules.seven_pairs, tables)
        change(player, tile, 1)
        action, kind = _own_kong(game, player, best, rules, tables)
        if action == NONE:
            action, kind = INT(DISCARD), tile
        return action, kind
    seen = seen_by(game, player)
    kind, best, _ = best_discard(player, called, seen, rules.seven_pairs, tables)
    held = player.held
    if has_drawn and (held.fours or called):
        action, of_kong = _own_kong(game, player, best, rules, tables)
        if action != NONE:
            return action, of_kong
    kinds = held.ones | held.twos | held.fours
    # A hand of one kind has just called; the policy then discards without a declaration.
    declares = rules.ready and best == 1 and kinds & (kinds - 1)
    return INT(READY) if declares else INT(DISCARD), kind


@inner
def take_chow(player: Record, first: Number, tile: INT, by: int) -> None:
    """Add or remove the two other tiles of a chow."""
    for kind in range(first, first + 3):
        if kind != tile:
            change(player, kind, by)


@inner(inline=True)
def may_call(player: Record, tile: INT) -> bool:
    """Return whether a seat may have a call of the policy, a test that most tiles fail.

    A chow or pong lowers the deficiency only with a tile that does; a kong needs three copies.
    """
    is_useful = player.useful >> tile & 1 and not player.has_declared
    return is_useful or copies_in(player.held, tile) == 3


@inner
def choose_call(
    game: Record, seat: INT, rules: PlayoutRules, tables: PlayoutTables
) -> tuple[INT, INT]:
    """Return the call of a seat that does not win: an action and a kind, or no action."""
    player, tile, live = game.seats[seat], game.tile, game.live
    called, current = player.num_melds, player.deficiency
    has_declared = player.has_declared != 0
    copies, pairs = copies_in(player.held, tile), rules.seven_pairs
    action, kind = INT(NONE), INT(NONE)
    best, best_copies = INT(FAR), INT(NONE)
    # A kong may leave the deficiency as it is, since it also draws a tile; pong and chow must
    # lower it. Of equally good calls the first one tried stays.
    if rules.kongs and copies == 3 and live > 0:
        change(player, tile, -3)
        value = deficiency_of(player, called + 1, pairs, tables)
        change(player, tile, 3)
        if value <= current and (value == 1 or not has_declared):
            action, kind, best, best_copies = INT(KONG), tile, value, INT(0)
    if has_declared or not (live > 0 or rules.calls_on_last_discard):
        return action, kind
    seen = seen_by(game, player)
    if copies >= 2:
        change(player, tile, -2)
        _, value, useful = best_discard(player, called + 1, seen, pairs, tables)
        change(player, tile, 2)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(PONG), tile, value, useful
    if (game.turn + 1) % SEATS != seat:
        return action, kind
    kinds = player.held.ones | player.held.twos | player.held.fours
    start = tile - tile % RANKS
    for first in range(max(start, tile - 2), min(tile, start + RANKS - 3) + 1):
        others = (INT(7) << first) & ~(INT(1) << tile)  # the two other kinds of the chow
        if kinds & others != others:
            continue
        take_chow(player, first, tile, -1)
        _, value, useful = best_discard(player, called + 1, seen, pairs, tables)
        take_chow(player, first, tile, 1)
        if value < current and (value < best or (value == best and useful > best_copies)):
            action, kind, best, best_copies = INT(CHOW), INT(first), value, useful
    return action, kind
