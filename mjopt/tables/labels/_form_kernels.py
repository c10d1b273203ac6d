"""Kernels of the standard form with limited unseen tiles: deficiencies and useful tiles."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner, kernel
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.standard._kernels import INT, U

# The shortest path of docs/reference/winning-forms.md ("Programs and proofs"), for the standard
# form and limited unseen tiles, which tables do not know. With f_k(o, e, m) the fewest tiles
# missing in the kinds before k, after m melds and e eyes with the open chows o,
#
#     f_{k+1}(o', e + q, m + a) = min over moves of f_k(o, e, m) + max(0, used - held_k)
#
# where a move begins a melds and q eyes at kind k, and uses at most held_k + unseen_k copies. The
# costs for m = 0..4 are the bytes of one word, lowest first, so a shift by 8 a adds a melds to all
# of them. Every stored byte is at most FAR = 100, since it is the minimum with an initial FAR, and
# a kind misses at most four tiles: no sum carries into the next byte.

_MOVES: Final = tuple(
    (chows, one_back, two_back, pongs, eyes, one_back + two_back + chows + 3 * pongs + 2 * eyes)
    for chows in range(3)
    for one_back in range(3)
    for two_back in range(3)
    for pongs, eyes in ((0, 0), (1, 0), (0, 1))
    if one_back + two_back + chows + 3 * pongs + 2 * eyes <= COPIES
)
"""Possible uses of one kind: chows that begin here, that began one and two ranks back,
pongs, eyes; and the number of copies used. Uses without a new chow come first."""

MOVE_TABLE: Final = np.array(
    [
        (3 * one + two, 3 * chows + one, chows + pongs, eyes, used)
        for chows, one, two, pongs, eyes, used in _MOVES
    ]
)
"""For every move: open chows before and after, melds, eyes, copies used."""

PLAIN_MOVES: Final = sum(chows == 0 for chows, *_ in _MOVES)  # they come first
FAR: Final = 100  # infeasible; plus the most a kind can miss it is still below 128

BYTE = np.uint8
_FIVE = U((1 << 40) - 1)
_ONES = U(0x0101010101)
_FAR = U(FAR * 0x0101010101)
_TOP_BITS = U(0x8080808080)

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Labels = NDArray[np.int8]
Integers = NDArray[np.int64]


def begins_chow(tiles: TileSet) -> Flags:
    """Return whether a chow begins on each kind of a tile set, shape ``(K,)``."""
    begins = np.zeros(tiles.num_kinds, np.bool_)
    begins[list(tiles.chow_starts)] = True
    return begins


@inner
def _smaller(first: U, second: U) -> U:
    """Return the byte-wise minimum of two words whose bytes are below 128."""
    # The top bit of each byte stays set exactly if first >= second: 128 + first - second never
    # borrows, because second is below 128. Times 255 it becomes a mask of the byte.
    not_below = (((first | _TOP_BITS) - second) & _TOP_BITS) >> U(7)
    take_second = not_below * U(0xFF)
    return (second & take_second) | (first & ~take_second)


@kernel
def limited(
    rows: Bytes, unseen: Bytes, step: int, begins: Flags, melds: int, moves: Integers, out: Labels
) -> None:
    """Replace each label by the deficiency of the standard form if that is less.

    A dynamic program over the kinds. Its state is the number of chows that began one and
    two ranks back, whether the eye is complete, and the number of melds. Three equal chows
    are three pongs, so at most two begin on a rank. The costs for 0..4 melds are the bytes
    of one word, so a move takes a dozen operations on two words.

    ``rows`` holds one number for each kind of a hand; ``unseen``, the copies that can still arrive,
    those of hand i from ``i * step`` on. ``begins`` says on which kinds a chow begins, ``melds``
    how many are needed; ``moves`` is ``MOVE_TABLE``.
    """
    width = begins.size
    best = np.empty((9, 2), np.uint64)
    after = np.empty((9, 2), np.uint64)
    for row in range(out.size):
        # Bit o of `is_open` says whether `best[o]` is in use; the others hold costs of an earlier
        # kind.
        is_open = 1
        best[0, 0] = _FAR & ~U(0xFF)
        best[0, 1] = _FAR
        for kind in range(width):
            held = INT(rows[row * width + kind])
            reach = min(INT(4), held + INT(unseen[row * step + kind]))
            num_moves = len(moves) if begins[kind] else PLAIN_MOVES
            now_open = 0
            for move in range(num_moves):
                source, target = moves[move, 0], moves[move, 1]
                added, used = moves[move, 2], moves[move, 4]
                if not is_open >> source & 1 or used > reach:
                    continue
                if not now_open >> target & 1:
                    now_open |= 1 << target
                    after[target, 0] = _FAR
                    after[target, 1] = _FAR
                missing = U(max(0, used - held)) * _ONES
                shift = U(8 * added)
                filled = _FAR >> (U(40) - shift)  # fewer melds than were added
                plain = (((best[source, 0] + missing) << shift) & _FIVE) | filled
                if moves[move, 3]:  # an eye
                    after[target, 1] = _smaller(after[target, 1], plain)
                else:
                    with_eye = (((best[source, 1] + missing) << shift) & _FIVE) | filled
                    after[target, 0] = _smaller(after[target, 0], plain)
                    after[target, 1] = _smaller(after[target, 1], with_eye)
            best, after = after, best
            is_open = now_open
        found = INT(best[0, 1] >> U(8 * melds) & U(0xFF))
        if is_open & 1 and found < FAR:
            out[row] = min(INT(out[row]), found)


@inner
def _step(before: U, added: INT, missing: U) -> U:
    """Return the costs for each number of melds after a move that adds some."""
    shift = U(8 * added)
    return (((before + missing) << shift) & _FIVE) | _FAR >> (U(40) - shift)  # fewer: none


@kernel
def limited_waits(
    rows: Bytes,
    unseen: Bytes,
    begins: Flags,
    melds: int,
    moves: Integers,
    out: NDArray[np.int16],
    masks: NDArray[np.uint64],
) -> None:
    """Write the deficiency of the standard form, and the kinds that some nearest hand draws.

    The dynamic program of :func:`limited` from both ends: a move is on a cheapest path
    exactly if the costs before it, of it and after it add up to the minimum. ``go`` indexes
    the costs after a move by the melds *before* it, so that both are added byte by byte.

    ``rows``, ``unseen``, ``begins``, ``melds`` and ``moves`` are those of :func:`limited`. ``out``
    and ``masks`` have one number per hand: ``FAR`` and no kinds if no complete hand can be reached.
    """
    width = begins.size
    come = np.empty((width + 1, 9, 2), np.uint64)
    go = np.empty((2, 9, 2), np.uint64)
    for row in range(out.size):
        come[:] = _FAR
        come[0, 0, 0] = _FAR & ~U(0xFF)
        for kind in range(width):
            held = INT(rows[row * width + kind])
            reach = min(INT(4), held + INT(unseen[row * width + kind]))
            for move in range(len(moves) if begins[kind] else PLAIN_MOVES):
                source, target, used = moves[move, 0], moves[move, 1], moves[move, 4]
                if used > reach or (come[kind, source, 0] == _FAR == come[kind, source, 1]):
                    continue
                missing, eye = U(max(0, used - held)) * _ONES, moves[move, 3]
                for paired in range(2 - eye):
                    way = _step(come[kind, source, paired], moves[move, 2], missing)
                    there = paired + eye
                    come[kind + 1, target, there] = _smaller(come[kind + 1, target, there], way)
        least = come[width, 0, 1] >> U(8 * melds) & U(0xFF)
        out[row], masks[row] = least, U(0)
        if least >= U(FAR):
            continue
        # Backwards: go[k & 1, o, e] are the fewest tiles missing from kind k on, in byte m if m
        # melds came before. Two layers suffice, because the masks need one move at a time.
        go[:] = _FAR
        go[width & 1, 0, 1] = _FAR & ~(U(0xFF) << U(8 * melds))
        for kind in range(width - 1, -1, -1):
            held = INT(rows[row * width + kind])
            reach = min(INT(4), held + INT(unseen[row * width + kind]))
            here, after = kind & 1, kind + 1 & 1
            go[here] = _FAR
            for move in range(len(moves) if begins[kind] else PLAIN_MOVES):
                source, target, used = moves[move, 0], moves[move, 1], moves[move, 4]
                if used > reach or (go[after, target, 0] == _FAR == go[after, target, 1]):
                    continue
                missing, eye = U(max(0, used - held)) * _ONES, moves[move, 3]
                shift = U(8 * moves[move, 2])
                for paired in range(2 - eye):
                    way = (go[after, target, paired + eye] + missing) >> shift
                    way |= _FAR << (U(40) - shift) & _FIVE
                    go[here, source, paired] = _smaller(go[here, source, paired], way)
                    if used > held:
                        # A byte of 0 marks the minimum. Without such a byte no borrow occurs.
                        over = (come[kind, source, paired] + way) ^ least * _ONES
                        if (over - _ONES) & ~over & _TOP_BITS:
                            masks[row] |= U(1) << U(kind)
