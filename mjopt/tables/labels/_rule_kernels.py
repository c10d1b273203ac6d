"""Label kernels for any winning forms: the deficiency of every row, by look-ups in all bundles.

Rows are read once for all bundles: the state of a group gives one word with the classes of all
bundles, or the number of such a word if it has more than 32 bits. Indices are unsigned, otherwise
numba tests their sign.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import sha256_of
from mjopt._internal.jit import Kernel, inner, kernel, specialised
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundles.rule_arrays import ArrayLayout
from mjopt.tables.rows._simd_rows import row_reader
from mjopt.tables.standard._kernels import BLOCK, renumber
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of

# D(hand) = min over bundles of answer(left class, right class), the minimum over templates of
# docs/reference/winning-forms.md: a bundle is a set of templates that share tables (`bundle`). For
# each bundle the look-up is like that of `_kernels`, for packed hands. The arrays are those
# of `rule_arrays`; where each bundle begins is a constant of the kernel, not a value to read.
#
# Only the first bundle knows the number of tiles. Its answer for a row that is no hand is -1, which
# is below all others, so the minimum over bundles is -1, too.

U = np.uint64
OCTET = np.int8
_LOW = U(0xFFFFFFFF)
_HIGH = U(32)
_MOST = OCTET(127)

Bytes = NDArray[np.uint8]
Words = NDArray[np.unsignedinteger]
Records = NDArray[np.uint64]
Labels = NDArray[np.int8]
Joins = NDArray[np.uint16]
Starts = NDArray[np.uint32]
Ranks = NDArray[np.int32]
Integers = NDArray[np.int64]

# `specialised` replaces these names, functions too, by those of a layout.
WIDTH = 0  # counts of a row
HAS_FOUR = True  # groups
HAS_RECORDS = False  # whether a state gives the number of a record
STARTS, RECORD_STARTS = (0, 0, 0, 0), (0, 0, 0, 0)  # of each group
NUM_BUNDLES, NUM_JOKERS = 0, 0
SHIFT, MASK, PAIR, PAIR_ROW, OTHER, OTHER_ROW, HAS_JOKERS = (), (), (), (), (), (), ()
JOKERS = (0,)  # kinds


def read_four(rows: Bytes, start: int) -> tuple[U, ...]:
    """Return whether some count exceeds three, and two words of state numbers of each row."""
    raise NotImplementedError


def read_one(rows: Bytes, start: int) -> tuple[U, U, U]:
    """Return the same of one row."""
    raise NotImplementedError


def find(
    words: Words,
    records: Records,
    pairs: Starts,
    others: Joins,
    answers: Labels,
    suits: U,
    rest: U,
    held: OCTET,
) -> OCTET:
    """Look up one hand: ``suits`` holds the state numbers of two groups, ``rest`` those of others.

    ``held`` is the number of jokers.
    """
    one = U(words[U(STARTS[0]) + (suits & _LOW)])
    two = U(words[U(STARTS[1]) + (suits >> _HIGH)])
    three = U(words[U(STARTS[2]) + (rest & _LOW)])
    four = U(words[U(STARTS[3]) + (rest >> _HIGH)]) if HAS_FOUR else U(0)
    if HAS_RECORDS:
        one = U(records[U(RECORD_STARTS[0]) + one])
        two = U(records[U(RECORD_STARTS[1]) + two])
        three = U(records[U(RECORD_STARTS[2]) + three])
        four = U(records[U(RECORD_STARTS[3]) + four]) if HAS_FOUR else U(0)
    least = _MOST
    for bundle in range(NUM_BUNDLES):
        shift, mask = U(SHIFT[bundle]), U(MASK[bundle])
        first = U(PAIR[bundle]) + (one >> shift & mask) * U(PAIR_ROW[bundle])
        second = U(OTHER[bundle]) + (three >> shift & mask) * U(OTHER_ROW[bundle])
        second += four >> shift & mask
        found = answers[U(pairs[first + (two >> shift & mask)]) + U(others[second])]
        # Jokers held replace missing tiles, down to 0. A negative answer stays negative, and
        # UNREACHABLE as it is.
        if HAS_JOKERS[bundle] and found < _MOST:
            found = max(OCTET(found - held), OCTET(-(found < 0)))
        least = min(least, found)
    return least


def num_jokers(rows: Bytes, start: U) -> OCTET:
    """Return the number of jokers of a row."""
    held = OCTET(0)
    for place in range(NUM_JOKERS):
        held += OCTET(rows[start + U(JOKERS[place])])
    return held


def label_block(
    rows: Bytes,
    start: int,
    stop: int,
    words: Words,
    records: Records,
    pairs: Starts,
    others: Joins,
    answers: Labels,
    out: Labels,
    again: Integers,
) -> int:
    """Label the rows of a block, and return how many groups of four rows hold four of a kind.

    This loop does only the work that every hand needs: one more addition per row is measurable.
    As a function of its own it is about 2 % faster than inside `label_rows`.
    """
    num_again = 0
    for i in range(start, stop, 4):
        high, a0, a1, b0, b1, c0, c1, d0, d1 = read_four(rows, WIDTH * i)
        u, w = U(i), U(WIDTH)
        j = num_jokers(rows, u * w)
        a = find(words, records, pairs, others, answers, a0, a1, j)
        j = num_jokers(rows, (u + U(1)) * w)
        b = find(words, records, pairs, others, answers, b0, b1, j)
        j = num_jokers(rows, (u + U(2)) * w)
        c = find(words, records, pairs, others, answers, c0, c1, j)
        j = num_jokers(rows, (u + U(3)) * w)
        d = find(words, records, pairs, others, answers, d0, d1, j)
        out[u], out[u + U(1)], out[u + U(2)], out[u + U(3)] = a, b, c, d
        if high:
            again[num_again] = i
            num_again += 1
    return num_again


def label_rows(
    rows: Bytes,
    words: Words,
    records: Records,
    pairs: Starts,
    others: Joins,
    answers: Labels,
    groups: Integers,
    steps: Ranks,
    starts: Ranks,
    again: Integers,
    out: Labels,
) -> OCTET:
    """Label at least four rows of counts, one after the other in ``rows``.

    Rows with four of a kind, about one in 200, are corrected after their block.

    Returns a negative number if some row is not a hand; its label is then -1.
    """
    worst = OCTET(0)
    stop = 0
    while stop < out.size:
        start = stop
        stop = start + BLOCK
        if stop > out.size:
            stop = start + ((out.size - start) & ~3)
        if stop == start:  # fewer than four remain: overlap rows already labelled
            start, stop = out.size - 4, out.size
        num_again = label_block(
            rows, start, stop, words, records, pairs, others, answers, out, again
        )
        # The four rows of a call share one test. Those without four of a kind already have their
        # labels.
        for k in range(4 * num_again):
            row = again[k >> 2] + (k & 3)
            high, suits, rest = read_one(rows, WIDTH * row)
            if high:
                suits, rest = renumber(rows, WIDTH * row, groups, steps, starts)
                held = num_jokers(rows, U(WIDTH * row))
                out[row] = find(words, records, pairs, others, answers, suits, rest, held)
        for k in range(U(start), U(stop)):
            worst = OCTET(worst | out[k])
    return worst


LabelKernel = Kernel[
    Bytes, Words, Records, Starts, Joins, Labels, Integers, Ranks, Ranks, Integers, Labels, OCTET
]


@cache
def label_kernel(tiles: TileSet, layout: ArrayLayout) -> LabelKernel:
    """Return the kernel of a tile set for a layout."""
    padding = (0,) * (MOST_GROUPS - len(layout.starts))
    shift, mask, pair, pair_row, other, other_row, has_jokers = zip(*layout.bundles, strict=True)
    names: dict[str, object] = {
        "WIDTH": tiles.num_kinds,
        "HAS_FOUR": not padding,
        "HAS_RECORDS": bool(layout.record_starts),
        "STARTS": layout.starts + padding,
        "RECORD_STARTS": (layout.record_starts or layout.starts) + padding,
        "NUM_BUNDLES": len(layout.bundles),
        "NUM_JOKERS": len(layout.jokers),
        "SHIFT": shift,
        "MASK": mask,
        "PAIR": pair,
        "PAIR_ROW": pair_row,
        "OTHER": other,
        "OTHER_ROW": other_row,
        "HAS_JOKERS": has_jokers,
        "JOKERS": layout.jokers or (0,),
    }
    # Numba links functions by their names, so those of two layouts must differ.
    content = repr((sorted(names.items()), groups_of(tiles)))
    key = f"{tiles.key if tiles.is_built_in else 'tiles'}_{sha256_of(content.encode())[:8]}"
    names |= {"read_four": row_reader(4, tiles), "read_one": row_reader(1, tiles)}
    for function in (num_jokers, find, label_block):
        name = function.__name__
        names[name] = inner(specialised(function, f"{name}_{key}", **names))
    return kernel(specialised(label_rows, f"label_{key}", **names))
