"""Kernels: useful tiles and best discards of every hand, as bits by kind.

``tables`` is one tuple everywhere: classes, pair, rows, kinds, cheapest, honour_rows,
honour_kinds, cheapest_honours, rest, rest_of_honours (see `gains`).
"""

from typing import Any

import numpy as np

from mjopt.runtime.kernels import kernel
from mjopt.tables.store import HONOURS

U: Any = np.uint64
INT: Any = np.int64


@kernel
def _helped(kinds: Any, row: Any, shares: Any) -> Any:
    """Return the kinds that help some of these shares."""
    found = U(0)
    share = 0
    while shares:
        if shares & 1:
            found |= U(kinds[row, share])
        shares >>= 1
        share += 1
    return found


@kernel
def _useful_m0(
    a: Any,
    b: Any,
    c: Any,
    classes: Any,
    pair: Any,
    rows: Any,
    kinds: Any,
    cheapest: Any,
) -> Any:
    """Return the useful tiles of a hand of three suits, by its state numbers."""
    i, j, k = INT(classes[a]), INT(classes[b]), INT(classes[c])
    first = _helped(kinds, rows[a], cheapest[i, pair[j, k]])
    second = _helped(kinds, rows[b], cheapest[j, pair[i, k]])
    third = _helped(kinds, rows[c], cheapest[k, pair[i, j]])
    return first | second << U(9) | third << U(18)


@kernel
def _useful_full(
    a: Any,
    b: Any,
    c: Any,
    h: Any,
    classes: Any,
    pair: Any,
    rows: Any,
    kinds: Any,
    cheapest: Any,
    honour_rows: Any,
    honour_kinds: Any,
    cheapest_honours: Any,
    rest: Any,
    rest_of_honours: Any,
) -> Any:
    """Return those of a hand of three suits and the honours."""
    i, j, k = INT(classes[a]), INT(classes[b]), INT(classes[c])
    honours = INT(classes[HONOURS + h])
    both = pair[i, j]
    first = _helped(kinds, rows[a], cheapest[i, rest[pair[j, k], honours]])
    second = _helped(kinds, rows[b], cheapest[j, rest[pair[i, k], honours]])
    third = _helped(kinds, rows[c], cheapest[k, rest[both, honours]])
    shares = cheapest_honours[honours, rest_of_honours[both, k]]
    last = _helped(honour_kinds, honour_rows[h], shares)
    return first | second << U(9) | third << U(18) | last << U(27)


@kernel
def useful(numbers: Any, tables: Any, out: Any) -> None:
    """Write the useful tiles of hands given as state numbers, shape (N, 3) or (N, 4)."""
    classes, pair, rows, kinds, cheapest = tables[:5]
    honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours = tables[5:]
    if numbers.shape[1] == 3:
        for row in range(len(numbers)):
            a, b, c = numbers[row, 0], numbers[row, 1], numbers[row, 2]
            out[row] = _useful_m0(a, b, c, classes, pair, rows, kinds, cheapest)
    else:
        for row in range(len(numbers)):
            a, b, c, h = numbers[row, 0], numbers[row, 1], numbers[row, 2], numbers[row, 3]
            out[row] = _useful_full(
                a,
                b,
                c,
                h,
                classes,
                pair,
                rows,
                kinds,
                cheapest,
                honour_rows,
                honour_kinds,
                cheapest_honours,
                rest,
                rest_of_honours,
            )


@kernel
def _number(hand: Any, suit: Any, steps: Any, starts: Any) -> Any:
    """Return the state number of a suit, read from its copies."""
    start = 9 * suit
    num_kinds = 9 if suit < 3 else 7
    number = INT(0)
    most = INT(0)
    tiles = INT(0)
    for kind in range(num_kinds):
        held = INT(hand[start + kind])
        number |= held << 2 * kind
        most = max(most, held)
        tiles += held
    if most < 4:
        return number
    number = INT(1 << 2 * num_kinds) + starts[num_kinds, tiles]
    four = INT(0)
    for kind in range(num_kinds):
        held = INT(hand[start + kind])
        number += steps[num_kinds - kind, tiles, four, held]
        tiles -= held
        four |= held >> 2
    return number


@kernel
def _num_unseen(found: Any, hand: Any, thrown: Any) -> Any:
    """Return the copies unseen of some kinds; a tile thrown away is seen."""
    copies = 0
    for kind in range(len(hand)):
        if found >> U(kind) & U(1):
            copies += 4 - hand[kind] - (kind == thrown)
    return copies


@kernel
def best_discards(
    hands: Any,
    numbers: Any,
    answer: Any,
    mixed: Any,
    steps: Any,
    starts: Any,
    tables: Any,
    out: Any,
) -> None:
    """Write the discards after which least is missing and most useful tiles are unseen.

    ``answer`` is what a hand before its draw lacks, by class of a pair and of the rest.
    """
    classes, pair, rows, kinds, cheapest = tables[:5]
    honour_rows, honour_kinds, cheapest_honours, rest, rest_of_honours = tables[5:]
    hand = np.empty(hands.shape[1], np.uint8)
    for row in range(len(hands)):
        hand[:] = hands[row]
        a, b, c = INT(numbers[row, 0]), INT(numbers[row, 1]), INT(numbers[row, 2])
        h = INT(numbers[row, numbers.shape[1] - 1])
        least, most, best = 99, -1, U(0)
        for kind in range(len(hand)):
            if hand[kind] == 0:
                continue
            hand[kind] -= 1
            suit = kind // 9
            after = _number(hand, suit, steps, starts)
            i = after if suit == 0 else a
            j = after if suit == 1 else b
            k = after if suit == 2 else c
            last = after if suit == 3 else h
            if len(hand) == 27:
                found = _useful_m0(i, j, k, classes, pair, rows, kinds, cheapest)
                third = INT(classes[k])
            else:
                found = _useful_full(
                    i,
                    j,
                    k,
                    last,
                    classes,
                    pair,
                    rows,
                    kinds,
                    cheapest,
                    honour_rows,
                    honour_kinds,
                    cheapest_honours,
                    rest,
                    rest_of_honours,
                )
                third = INT(mixed[INT(classes[k]), INT(classes[HONOURS + last])])
            missing = INT(answer[pair[INT(classes[i]), INT(classes[j])], third])
            copies = _num_unseen(found, hand, kind)
            if missing < least or (missing == least and copies > most):
                least, most, best = missing, copies, U(0)
            if missing == least and copies == most:
                best |= U(1) << U(kind)
            hand[kind] += 1
        out[row] = best
