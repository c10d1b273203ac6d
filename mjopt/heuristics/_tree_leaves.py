"""Kernels: the exact cost of a leaf of the tree search, the fewest draws that complete it."""

from mjopt._internal.jit import inner
from mjopt.heuristics._tree_moves import NEAR, PAIR, Flags, Numbers

# A leaf is completed slot by slot, depth first, with an explicit stack as in `_tree_kernels`. Draws
# are not independent: two slots may want the last unseen copy of a kind, and a leftover tile can
# start one slot only. So ``unseen`` and ``left`` lack what the slots before have taken, and each
# ``_next`` function first gives back what its last choice took, then takes the next choice. Choices
# of a slot are in ascending order of cost, so the first that is too dear ends the slot.


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

    ``slot_kind`` and ``slot_move`` are the two-tile slots: first kind, and PAIR, NEAR or GAP.
    ``num_two`` and ``num_empty`` count two-tile and empty slots; ``no_eye`` is 1 if there is no
    eye. ``left`` and ``unseen``, copies left over in the hand and copies that can still arrive, are
    modified during the search and restored. ``starts`` says whether a chow begins at a kind;
    ``melds`` has every chow and pong, shape ``(M, 3)``. Only fewer draws than ``best`` are searched
    for. ``choice`` is a buffer for the choice of each slot, at least seven long.
    """
    num_meld_slots = num_two + num_empty
    # Invariant: ``cost`` is the number of draws of the slots before slot i, and of slot i itself
    # while its choice is not -1.
    cost = 0
    i = 0
    choice[0] = -1
    while i >= 0:
        if i == num_meld_slots + no_eye:
            best = cost
            i -= 1
            continue
        # Undo the slot's last choice, then find its next choice that is cheap enough.
        # ``rest`` is the least that the slots after it cost, so only choices below the difference
        # to the best completion are tried.
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
            if choice == 0 and not starts[kind - 1]:
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
            # A pong takes up to three copies of one kind, so the copies are checked afterwards.
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
