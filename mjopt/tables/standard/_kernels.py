"""Functions that label kernels share: state numbers of a row, and the look-up of one hand.

``classes`` holds the class of every state of every group, padded with "too many tiles", so that
any masked number is a valid index. Indices are unsigned, otherwise numba tests their sign.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import inner
from mjopt.tables.standard.hand_tables import Shape

# The deficiency of docs/reference/winning-forms.md, for four melds and an eye, splits between two
# halves of the kinds:
#
#     D(hand) = min over m, e of left(m, e) + right(4 - m, 1 - e)
#
# where left and right are the fewest tiles that a half misses for m melds and e eyes. They depend
# on a half only through its class, and this only through the classes of its two groups, each a suit
# or the honours. So the minimum is taken once for all pairs of classes, when the tables are built,
# and a label only reads:
#
#     answer[first[class 1, class 2] + second[class 3, class 4]]
#
# All tables are one-dimensional. `first` holds where a row of `answer` begins instead of the class
# of the half, which saves a multiplication (2.8 instead of 3.0 ns a hand, see `_simd_rows`).

BLOCK: Final = 1024  # rows between two passes over those with four of a kind

U = np.uint64
INT = np.int64
OCTET = np.int8
_LOW = U(0xFFFFFFFF)
_HIGH = U(32)

Bytes = NDArray[np.uint8]
Labels = NDArray[np.int8]
Joins = NDArray[np.uint16]
Starts = NDArray[np.uint32]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]


@inner
def find(
    classes: Bytes, first: Starts, second: Joins, answer: Labels, shape: Shape, suits: U, rest: U
) -> OCTET:
    """Look up one hand: ``suits`` holds the state numbers of two groups, ``rest`` those of others.

    ``shape`` is a constant of the kernel, so that the branch costs nothing.
    """
    one = U(classes[U(shape[0]) + (suits & _LOW)])
    two = U(classes[U(shape[1]) + (suits >> _HIGH)])
    other = U(classes[U(shape[2]) + (rest & _LOW)])
    if shape[5] > 1:  # more than one class of a fourth group
        other = U(second[other * U(shape[5]) + U(classes[U(shape[3]) + (rest >> _HIGH)])])
    label: OCTET = answer[U(first[one * U(shape[4]) + two]) + other]
    return label


@inner
def group_number(
    rows: Bytes, start: int, kinds: int, none: int, steps: Ranks, starts: Ranks
) -> INT:
    """Return the state number of the kinds from a byte on.

    Kinds with more than four copies, or with a four and too many tiles, have the number ``none``.
    """
    number = tiles = most = INT(0)
    for kind in range(kinds):
        held = INT(rows[U(start) + U(kind)])
        # Two bits for each kind. A count above 3 spoils its neighbour, but then the number is not
        # used.
        number |= held << INT(2 * kind)
        tiles += held
        most = max(most, held)
    if most < 4:
        return number
    number = INT(none)
    if most == 4 and tiles < steps.shape[1]:
        number = (INT(1) << INT(2 * kinds)) + INT(starts[kinds, tiles])
        # The rank of the state among those with a four of a kind, see `state_index`: `steps` adds
        # the states that begin with the same copies and have fewer of the next kind. `tiles` are
        # those of the kinds still to come, `four` is 1 once a kind had four copies.
        four = INT(0)
        for kind in range(kinds):
            held = INT(rows[U(start) + U(kind)])
            number += INT(steps[kinds - kind, tiles, four, held])
            tiles -= held
            four |= held >> 2
    return number


@inner
def renumber(rows: Bytes, start: int, groups: Integers, steps: Ranks, starts: Ranks) -> tuple[U, U]:
    """Return the two words of a row in which some count exceeds three.

    ``groups`` holds the first kind, the number of kinds and the number of no state of each group.
    """
    suits = rest = U(0)
    for place in range(4):
        first, kinds, none = groups[place, 0], groups[place, 1], groups[place, 2]
        number = U(group_number(rows, start + first, kinds, none, steps, starts))
        if place < 2:
            suits |= number << U(32 * place)
        else:
            rest |= number << U(32 * (place - 2))
    return suits, rest
