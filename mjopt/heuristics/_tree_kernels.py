"""Kernels: the exact tree search of Li and Yan with a bound, for one hand and for many."""

from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.jit import inner, kernel
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import COPIES
from mjopt.heuristics._candidates import INT
from mjopt.heuristics._tree_leaves import finish
from mjopt.heuristics._tree_moves import (
    BRANCHES,
    DROP,
    PAIR,
    Flags,
    Numbers,
    drop_from,
    is_legal,
    make_move,
    take_back,
)

# At the first tile that is not yet processed, a node tries the moves of `_tree_moves`; a leaf is a
# set of pieces with at most four melds and two-tile slots and one eye, whose exact cost is that of
# `_tree_leaves`. The proof that the least cost of a leaf is the deficiency is in
# :class:`mjopt.heuristics.tree_search.TreeSearch`; docs/results/heuristics.md ("Tree search") says
# how it was tested.
#
# The stack is explicit because numba cannot cache a recursive kernel: an item of each array below
# for each level of the path. The hand itself exists once. A move changes it and `take_back` undoes
# the change, so at any time it is the hand that the path leaves.

NO_LIMIT: Final = 2**62
_PAST: Final = 3  # padding kinds after the last one, always absent; index -1 is one of them
_DEEPEST: Final = 16  # each level uses or drops at least one of 14 tiles


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
        if held[a + 1] and (starts[a] or starts[a - 1]):
            rest[1, a] = rest[1, a + 1] = 1
    # From the last kind down. A run ends after a kind that no meld or pmeld shares with the kinds
    # after it: then its melds are counted, rounded down, before the next run begins.
    end, in_melds, useful, later_melds, later_useful = num_kinds, 0, 0, 0, 0
    for a in range(num_kinds - 1, -1, -1):
        is_same_run = held[a] and starts[a] and held[a + 2]
        if held[a] and held[a + 1] and (starts[a] or starts[a - 1]):
            is_same_run = True
        if held[a - 1] and starts[a - 1] and held[a + 1]:
            is_same_run = True
        if not is_same_run:
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


@inner
def search_one(  # noqa: PLR0912, PLR0915 - one loop
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

    Copies held and copies that can still arrive have shape ``(K,)``; ``slots`` is melds to make,
    ``0..4``. ``starts`` says whether a chow begins at a kind, shape ``(K + 3,)``; ``melds`` has
    every chow and pong, shape ``(M, 3)``. Moves are tried in ``order``; with ``prune``, nodes that
    cannot improve on the best leaf are pruned. The search stops at ``stop_value``, and records when
    ``target`` is reached; -1 for never.

    ``best_kind`` and ``best_move`` receive the pieces of the best leaf, in the order of the path.
    The result is the least cost (``UNREACHABLE`` if there is no completion), the nodes, the nodes
    when the target was reached (or -1), the number of pieces, and whether the search was complete.
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
    # No literals: numba would compile `finish` again for each.
    none, eye, best = INT(0), INT(1), INT(UNREACHABLE)
    nodes, hit, num_pieces = 1, -1, 0
    levels, depth = 0, 0
    while kind[0] < num_kinds and held[kind[0]] == 0:
        kind[0] += 1
    if kind[0] == num_kinds:  # no tiles: the root is the only leaf
        tried[0] = BRANCHES
        best = finish(
            slot_kind, slot_move, none, slots, eye, left, unseen, starts, melds, best, choice
        )
    # Invariant: no leaf before the current move, seen or pruned, costs less than ``best``.
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
            descends = False
            # A leaf costs at least one draw for a two-tile slot, two for an empty one, and one for
            # the eye.
            if made[1] + 2 * free + no_eye < best:
                drop_from(b, 1, held, left)
                cost = finish(
                    slot_kind, slot_move, made[1], free, no_eye, left, unseen, starts, melds,
                    best, choice,
                )  # fmt: skip
                drop_from(b, -1, held, left)
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
            descends = not prune or _bound(b, made[1], free, no_eye, first, held, rest) < best
        if descends:
            depth += 1
            kind[depth], tried[depth] = b, 0
            earliest[depth] = at if b == a else 0
        else:
            levels -= take_back(move, a, held, left, made)
    if best == UNREACHABLE and depth >= 0:  # the node limit came before the first leaf: no pieces
        for a in range(num_kinds):
            left[a], unseen[a] = counts[a], can_arrive[a]
        best = finish(
            slot_kind, slot_move, none, slots, eye, left, unseen, starts, melds, best, choice
        )
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
    is_complete: Flags,
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
        value[i], evaluations[i], hit_evaluations[i], _, is_complete[i] = search_one(
            held, unseen, slots, starts, melds, order, prune, most_levels, NO_LIMIT,
            target if stop_at_target else -1, target, best_kind, best_move,
        )  # fmt: skip
