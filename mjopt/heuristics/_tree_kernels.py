"""Compiled kernels of the tree search, for one hand and for rows of hands.

The stack is explicit because numba cannot cache a recursive kernel.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import UNREACHABLE

# Moves of the tree, numbered. a is the kind of the first unprocessed tile:
PONG: Final = 0  # a a a
CHOW: Final = 1  # a, a + 1, a + 2
EYE: Final = 2  # a a, once
PAIR: Final = 3  # a a in a meld slot, to become a pong
NEAR: Final = 4  # a, a + 1 in a meld slot, to become a chow
GAP: Final = 5  # a, a + 2 in a meld slot, to become a chow
DROP: Final = 6  # leave over every remaining copy of a

BRANCHES: Final = 7

ORDERS: Final = {
    "melds-first": (PONG, CHOW, EYE, PAIR, NEAR, GAP, DROP),
    "as-published": (DROP, CHOW, NEAR, GAP, EYE, PONG, PAIR),
}
"""Order in which the moves at a tile are tried, by name."""

NO_LIMIT: Final = 2**62
_PAST: Final = 3  # padding kinds after the last one, always absent
_DEEPEST: Final = 16  # each level uses or drops at least one of 14 tiles

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
INT: Any = np.int64  # numba decides the types


@inner
def _useful_tiles(held: Numbers, starts: Flags, rest: Numbers) -> None:
    """Tabulate which remaining tiles can still be useful, from each kind on.

    A *run* is a range of kinds that no meld or pmeld of the hand crosses, so melds are counted run
    by run. ``rest`` has a column for each kind: row 0 is 1 for a tile in some complete meld, row 1
    is 1 for one in some meld, pair or pchow; rows 2 and 3 count such tiles from the kind to the end
    of its run; row 4 is the most melds of later runs (each run's tiles divided by three), row 5
    their useful tiles; row 6 is the end of the run.
    """
    num_kinds = len(held) - _PAST
    for a in range(num_kinds):
        rest[0, a] |= held[a] >= 3
        rest[1, a] |= held[a] >= 2
        if held[a] == 0:
            continue
        if starts[a] and held[a + 1] and held[a + 2]:
            rest[0, a] = rest[0, a + 1] = rest[0, a + 2] = 1
        if starts[a] and held[a + 2]:
            rest[1, a] = rest[1, a + 2] = 1
        if held[a + 1] and (starts[a] or (a > 0 and starts[a - 1])):
            rest[1, a] = rest[1, a + 1] = 1
    end, in_melds, useful, later_melds, later_useful = num_kinds, 0, 0, 0, 0
    for a in range(num_kinds - 1, -1, -1):
        goes_on = held[a] and starts[a] and held[a + 2]
        if held[a] and held[a + 1] and (starts[a] or (a > 0 and starts[a - 1])):
            goes_on = True
        if a > 0 and held[a - 1] and starts[a - 1] and held[a + 1]:
            goes_on = True
        if not goes_on:
            later_melds += in_melds // 3
            later_useful += useful
            end, in_melds, useful = a + 1, 0, 0
        in_melds += held[a] * rest[0, a]
        useful += held[a] * rest[1, a]
        rest[2, a], rest[3, a] = in_melds, useful
        rest[4, a], rest[5, a], rest[6, a] = later_melds, later_useful, end


@inner
def _bound(
    a: int, num_two: int, free: int, no_eye: int, first: Numbers, held: Numbers, rest: Numbers
) -> int:
    """Return a lower bound on the cost of every leaf below a node; a is its first unprocessed kind.

    A free slot costs 2 and a missing eye 1. Three tiles of a complete meld save 2, two useful tiles
    save 1 in a slot or as the eye. The bound assumes as many melds as the number of tiles allows,
    and pairs of tiles from the rest, whatever their kinds.
    """
    in_melds, useful = rest[2, a], rest[3, a]
    for b in range(a, min(a + 3, rest[6, a])):  # chows that began earlier may have used these
        used = first[b] - held[b]
        in_melds -= used * rest[0, b]
        useful -= used * rest[1, b]
    melds = min(free, in_melds // 3 + rest[4, a])
    twos = (useful + rest[5, a] - 3 * melds) // 2
    return int(num_two + 2 * (free - melds) + no_eye - min(free - melds + no_eye, twos))


# Effects of the moves on a hand: check, apply, undo.


@inner
def is_legal(  # noqa: PLR0911 - one line a branch
    move: int,
    a: int,
    free: int,
    has_eye: int,
    held: Numbers,
    unseen: Numbers,
    starts: Flags,
) -> bool:
    """Return whether the hand has the tiles, a slot is free and a tile can complete the piece.

    ``held``, ``unseen`` and ``starts`` have two entries after the last kind.
    """
    if move == DROP:
        return True
    if move == EYE:
        return bool(has_eye == 0 and held[a] >= 2)
    if free == 0:
        return False
    if move == PONG:
        return bool(held[a] >= 3)
    if move == CHOW:
        return bool(starts[a] and held[a + 1] > 0 and held[a + 2] > 0)
    if move == PAIR:
        return bool(held[a] >= 2 and unseen[a] > 0)
    if move == NEAR:
        if held[a + 1] == 0:
            return False
        above = starts[a] and unseen[a + 2] > 0
        return bool(above or (a > 0 and starts[a - 1] and unseen[a - 1] > 0))
    return bool(starts[a] and held[a + 2] > 0 and unseen[a + 1] > 0)


@inner
def make_move(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Apply a move and return its number of branchings.

    ``made`` holds the number of melds, of two-tile slots, and 1 for an eye. Dropping k copies
    counts as k branchings of the original tree.
    """
    if move == DROP:
        left[a] = held[a]
        held[a] = 0
        return int(left[a])
    return _use(move, a, 1, held, made)


@inner
def take_back(move: int, a: int, held: Numbers, left: Numbers, made: Numbers) -> int:
    """Undo :func:`make_move`, and return the same number."""
    if move == DROP:
        held[a] = left[a]
        left[a] = 0
        return int(held[a])
    return _use(move, a, -1, held, made)


@inner
def _use(move: int, a: int, by: int, held: Numbers, made: Numbers) -> int:
    """Remove the tiles of a piece from the hand, or restore them with sign -1: one branching."""
    if move == PONG:
        held[a] -= 3 * by
        made[0] += by
    elif move == CHOW:
        held[a] -= by
        held[a + 1] -= by
        held[a + 2] -= by
        made[0] += by
    elif move == EYE:
        held[a] -= 2 * by
        made[2] += by
    else:
        held[a] -= by
        held[a + (0 if move == PAIR else 1 if move == NEAR else 2)] -= by
        made[1] += by
    return 1


@inner
def _drop_from(a: int, by: int, held: Numbers, left: Numbers) -> None:
    """Leave over all tiles from a kind on, or undo that with sign -1."""
    for kind in range(a, len(left)):
        left[kind] += by * held[kind]


# Exact cost of a leaf.


@inner
def finish(
    slot_kind: Numbers,
    slot_move: Numbers,
    num_two: int,
    num_empty: int,
    no_eye: int,
    left: Numbers,
    unseen: Numbers,
    starts: Flags,
    melds: Numbers,
    best: int,
    choice: Numbers,
) -> int:
    """Return the fewest draws that complete a leaf, or ``best`` if there is no better completion.

    The slots are filled in turn, depth first: each two-tile slot by a tile that completes it; each
    empty slot by a meld that uses one leftover tile (2 draws) or none (3); the eye likewise (1 or
    2). The draws of a kind never exceed its unseen copies. A slot with two leftover tiles belongs
    to another leaf.

    Parameters
    ----------
    slot_kind, slot_move
        The two-tile slots: first kind, and PAIR, NEAR or GAP.
    num_two, num_empty, no_eye
        Two-tile slots, empty slots, and 1 if there is no eye.
    left, unseen
        Copies left over in the hand, and copies that can still arrive: modified during the search
        and restored.
    starts
        Whether a chow begins at a kind.
    melds
        Every chow and pong, shape ``(M, 3)``.
    best
        Upper limit: only fewer draws are searched for.
    choice
        Buffer for the choice of each slot, at least seven long.
    """
    num_meld_slots = num_two + num_empty
    cost = 0
    i = 0
    choice[0] = -1
    while i >= 0:
        if i == num_meld_slots + no_eye:
            best = cost
            i -= 1
            continue
        # Undo the slot's last choice, then find its next choice that is cheap enough.
        rest = max(0, num_two - 1 - i) + no_eye
        if i < num_two:
            rest += 2 * num_empty
            cost -= choice[i] >= 0
            now, paid = _next_two(
                choice[i], slot_kind[i], slot_move[i], unseen, starts, best - cost - rest
            )
        elif i < num_meld_slots:
            rest += 2 * (num_meld_slots - 1 - i)
            # Empty slots are interchangeable: their choices are in ascending order.
            low = choice[i - 1] if i > num_two else 0
            cost -= _draws(choice[i], len(melds))
            now, paid = _next_empty(choice[i], low, melds, left, unseen, best - cost - rest)
        else:
            cost -= 0 if choice[i] < 0 else 1 if choice[i] < len(left) else 2
            now, paid = _next_eye(choice[i], left, unseen, best - cost)
        if now >= 0:
            cost += paid
            choice[i] = now
            i += 1
            choice[i] = -1
        else:
            i -= 1
    return best


@inner
def _next_two(
    now: int, kind: int, move: int, unseen: Numbers, starts: Flags, room: int
) -> tuple[int, int]:
    """Return the next choice of a two-tile slot and its draws, which must be below ``room``."""
    if now >= 0:
        unseen[_completing(kind, move, now)] += 1
    if room <= 1:
        return -1, 0
    for choice in range(now + 1, 2 if move == NEAR else 1):
        if move == NEAR:
            if choice == 0 and (kind == 0 or not starts[kind - 1]):
                continue
            if choice == 1 and not starts[kind]:
                continue
        drawn = _completing(kind, move, choice)
        if unseen[drawn] > 0:
            unseen[drawn] -= 1
            return choice, 1
    return -1, 0


@inner
def _completing(kind: int, move: int, choice: int) -> int:
    """Return the kind that completes a two-tile slot; a slot a, a + 1 has two."""
    if move == PAIR:
        return kind
    if move == NEAR:
        return kind - 1 if choice == 0 else kind + 2
    return kind + 1


@inner
def _draws(choice: int, num_melds: int) -> int:
    """Return the cost of a choice of an empty slot: those with a leftover tile come first."""
    if choice < 0:
        return 0
    return 2 if choice < 3 * num_melds else 3


@inner
def _next_empty(
    now: int, low: int, melds: Numbers, left: Numbers, unseen: Numbers, room: int
) -> tuple[int, int]:
    """Return the next choice of an empty slot and its draws.

    A choice encodes the position of the leftover tile in the meld (3 for none), then the meld.
    """
    num_melds = len(melds)
    if now >= 0:
        _place(melds[now % num_melds], now // num_melds, -1, left, unseen)
    for choice in range(low if now < 0 else now + 1, 4 * num_melds):
        if _draws(choice, num_melds) >= room:
            break
        meld, place = melds[choice % num_melds], choice // num_melds
        if place == 3 or left[meld[place]] > 0:
            _place(meld, place, 1, left, unseen)
            if unseen[meld[0]] >= 0 and unseen[meld[1]] >= 0 and unseen[meld[2]] >= 0:
                return choice, _draws(choice, num_melds)
            _place(meld, place, -1, left, unseen)
    return -1, 0


@inner
def _place(meld: Numbers, place: int, sign: int, left: Numbers, unseen: Numbers) -> None:
    """Apply (or with sign -1 undo) a meld: one leftover tile or none, the other tiles drawn."""
    for i in range(3):
        if i == place:
            left[meld[i]] -= sign
        else:
            unseen[meld[i]] -= sign


@inner
def _next_eye(now: int, left: Numbers, unseen: Numbers, room: int) -> tuple[int, int]:
    """Return the next choice of the eye and its draws: a leftover kind, then a new one."""
    num_kinds = len(left)
    if now >= num_kinds:
        unseen[now - num_kinds] += 2
    elif now >= 0:
        left[now] += 1
        unseen[now] += 1
    for choice in range(now + 1, 2 * num_kinds):
        draws = 1 if choice < num_kinds else 2
        if draws >= room:
            break
        kind = choice % num_kinds
        if unseen[kind] >= draws and (draws == 2 or left[kind] > 0):
            unseen[kind] -= draws
            left[kind] -= 2 - draws
            return choice, draws
    return -1, 0


@inner
def search_one(  # noqa: PLR0912, PLR0915 - one loop that tells one story
    counts: Numbers,
    can_arrive: Numbers,
    slots: int,
    starts: Flags,
    melds: Numbers,
    order: Numbers,
    prune: bool,
    most_levels: int,
    most_nodes: int,
    stop_value: int,
    target: int,
    best_kind: Numbers,
    best_move: Numbers,
) -> tuple[int, int, int, int, bool]:
    """Search one hand.

    Parameters
    ----------
    counts, can_arrive
        Copies held and copies that can still arrive, shape ``(K,)``.
    slots
        Melds to make, ``0..4``.
    starts
        Whether a chow begins at a kind, shape ``(K + 3,)``.
    melds
        Every chow and pong, shape ``(M, 3)``.
    order
        The moves in the order in which they are tried.
    prune
        Whether to prune nodes that cannot improve on the best leaf.
    most_levels, most_nodes
        Limits on the depth and the number of nodes.
    stop_value, target
        Stop at a value; record when a value is reached; -1 for never.
    best_kind, best_move
        The pieces of the best leaf, in the order of the path.

    Returns
    -------
    tuple
        The least cost (``UNREACHABLE`` if there is no completion), the nodes, the nodes
        when the target was reached (or -1), the number of pieces, and whether the
        search was complete.
    """
    num_kinds = len(counts)
    first = np.zeros(num_kinds + _PAST, np.int64)
    held = np.zeros(num_kinds + _PAST, np.int64)
    unseen = np.zeros(num_kinds + _PAST, np.int64)
    left = np.zeros(num_kinds, np.int64)
    for a in range(num_kinds):
        first[a], held[a], unseen[a] = counts[a], counts[a], can_arrive[a]
    rest = np.zeros((7, num_kinds + _PAST), np.int64)
    _useful_tiles(held, starts, rest)
    kind = np.zeros(_DEEPEST, np.int64)  # first tile of each node on the path
    tried = np.zeros(_DEEPEST, np.int64)  # number of its moves tried
    earliest = np.zeros(_DEEPEST, np.int64)  # index of its first move
    played = np.zeros(_DEEPEST, np.int64)  # index of its current move
    made = np.zeros(3, np.int64)
    slot_kind = np.zeros(4, np.int64)
    slot_move = np.zeros(4, np.int64)
    choice = np.zeros(8, np.int64)
    best, nodes, hit, num_pieces = UNREACHABLE, 1, -1, 0
    levels, depth = 0, 0
    while kind[0] < num_kinds and held[kind[0]] == 0:
        kind[0] += 1
    if kind[0] == num_kinds:  # no tiles: the root is the only leaf
        tried[0] = BRANCHES
        best = finish(slot_kind, slot_move, 0, slots, 1, left, unseen, starts, melds, best, choice)
    while depth >= 0:
        a = kind[depth]
        if tried[depth] == BRANCHES:
            depth -= 1
            if depth >= 0:
                levels -= take_back(played[depth], kind[depth], held, left, made)
            continue
        at = tried[depth]
        tried[depth] += 1
        move = order[at]
        # The order of moves at one kind does not matter: keep one order of each set.
        if at < earliest[depth] and move != DROP:
            continue
        if not is_legal(move, a, slots - made[0] - made[1], made[2], held, unseen, starts):
            continue
        if nodes == most_nodes:
            break
        if PAIR <= move < DROP:
            slot_kind[made[1]], slot_move[made[1]] = a, move
        levels += make_move(move, a, held, left, made)
        played[depth] = move
        nodes += 1
        b = a
        while b < num_kinds and held[b] == 0:
            b += 1
        free = slots - made[0] - made[1]
        no_eye = 1 - made[2]
        if b == num_kinds or (free == 0 and no_eye == 0) or levels >= most_levels:
            goes_on = False
            if made[1] + 2 * free + no_eye < best:
                _drop_from(b, 1, held, left)
                cost = finish(
                    slot_kind, slot_move, made[1], free, no_eye, left, unseen, starts, melds,
                    best, choice,
                )  # fmt: skip
                _drop_from(b, -1, held, left)
                if cost < best:
                    best, num_pieces = cost, 0
                    for i in range(depth + 1):
                        if played[i] != DROP:
                            best_kind[num_pieces], best_move[num_pieces] = kind[i], played[i]
                            num_pieces += 1
                    if hit < 0 and best <= target:
                        hit = nodes
                    if best <= stop_value:
                        break
        else:
            goes_on = not prune or _bound(b, made[1], free, no_eye, first, held, rest) < best
        if goes_on:
            depth += 1
            kind[depth], tried[depth] = b, 0
            earliest[depth] = at if b == a else 0
        else:
            levels -= take_back(move, a, held, left, made)
    if best == UNREACHABLE and depth >= 0:  # the node limit came before the first leaf: no pieces
        for a in range(num_kinds):
            left[a], unseen[a] = counts[a], can_arrive[a]
        best = finish(slot_kind, slot_move, 0, slots, 1, left, unseen, starts, melds, best, choice)
        if best <= target:
            hit = nodes
    return best, nodes, hit, num_pieces, depth < 0


@kernel
def search_rows(
    counts: npt.NDArray[np.uint8],
    slots: int,
    starts: Flags,
    melds: Numbers,
    order: Numbers,
    prune: bool,
    most_levels: int,
    targets: npt.NDArray[np.int8],
    stop_at_target: bool,
    value: npt.NDArray[np.int8],
    evaluations: npt.NDArray[np.int32],
    hit_evaluations: npt.NDArray[np.int32],
    ended: Flags,
) -> None:
    """Search every row; all copies that a row does not hold are unseen.

    ``targets`` has shape ``(N,)`` (-1 for none); the last four arrays receive the results.
    """
    num_kinds = counts.shape[1]
    held = np.zeros(num_kinds, np.int64)
    unseen = np.zeros(num_kinds, np.int64)
    best_kind = np.zeros(5, np.int64)
    best_move = np.zeros(5, np.int64)
    for i in range(len(counts)):
        for a in range(num_kinds):
            held[a] = counts[i, a]
            unseen[a] = COPIES - held[a]
        target = INT(targets[i])
        found = search_one(
            held, unseen, slots, starts, melds, order, prune, most_levels, NO_LIMIT,
            target if stop_at_target else -1, target, best_kind, best_move,
        )  # fmt: skip
        value[i], evaluations[i], hit_evaluations[i] = found[0], found[1], found[2]
        ended[i] = found[4]
