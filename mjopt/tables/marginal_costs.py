"""Marginal costs: the effect of one more tile on a suit, and the cheapest shares of a hand.

A complete hand assigns a number of melds to every suit, and the eye to one suit. The cost
vector of a suit is the number of missing tiles for each such *share*. A tile is useful
exactly if, for some share in a cheapest assignment, one more copy lowers the cost of its
suit. Two small tables therefore cover every hand: for each class of a suit and of the rest
of the hand, the set of shares in cheapest assignments; for each state of a suit and each
such set, the kinds that lower the cost of one of its shares.
"""

from functools import cache
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.costs import NUM_COSTS, Costs, joined
from mjopt.tables.groups import groups_of
from mjopt.tables.hand_tables import completed, few_honours
from mjopt.tables.state_index import MOST_TILES, num_states, state_copies, state_numbers
from mjopt.tables.table_file import (
    HONOURS,
    NUM_CLASSES,
    NUM_HONOUR,
    NUM_MIXED,
    NUM_PAIR,
    NUM_SUIT,
    load_tables,
)

# Offsets of the tables in ``words``, which `find_gains` returns.
REST: Final = NUM_SUIT << 8
THREE: Final = REST + (NUM_PAIR << 8)
MIXED: Final = THREE + (NUM_PAIR << 8)
BESIDE: Final = MIXED + (NUM_SUIT << 8)
WAYS: Final = BESIDE + (NUM_MIXED << 8)
HONOUR_WAYS: Final = WAYS + (NUM_PAIR << 8)
_RANKS, _HONOUR_KINDS = 9, 7
_KINDS: Final = HONOUR_WAYS + (NUM_PAIR << 8)

Words = NDArray[np.uint16]
Rows = NDArray[np.uint32]
Number = TypeVar("Number", np.int8, np.uint16)


class CheapestShares(NamedTuple):
    """Tables of the cheapest shares; R classes of the rest of a hand, T of three suits."""

    pair: Words  # class of two suits, by their classes
    least: Costs  # missing tiles, by class of a suit and of the rest; shape (NUM_SUIT, R)
    cheapest: Words  # one bit for each cheapest share, shape (NUM_SUIT, R)
    of_honours: Words  # the same for the honours, shape (NUM_HONOUR, T)
    rest: Rows  # class of the rest, by class of a pair and of the honours (27 kinds: the pair)
    three: Rows  # class of three suits, by class of a pair and of a suit


@cache
def helps_of(num_kinds: int) -> tuple[Rows, Words, Words]:
    """Find the kinds that lower the costs of each state of a suit or of the honours.

    Returns
    -------
    row_of
        By state number: the row of ``kinds``.
    kinds
        Shape (rows, 10): for each share ``2 * melds + eye``, one bit per kind.
    class_of
        The class of the states of each row.

    Examples
    --------
    >>> row_of, kinds, _ = helps_of(7)
    >>> two_east_winds = kinds[row_of[2]]
    >>> two_east_winds[:4].tolist()  # nothing, an eye, a pong, both: nothing, nothing, east, any
    [0, 0, 1, 127]
    """
    tables = load_tables()
    classes = tables.suit_class if num_kinds == 9 else tables.honour_class
    share = np.arange(NUM_COSTS, dtype=np.uint16)
    lower = lower_shares(num_kinds)
    numbers = np.flatnonzero(classes < classes.max())
    copies = state_copies(numbers.astype(np.uint32), num_kinds)
    place = 5 ** np.arange(num_kinds - 1, -1, -1)
    codes, own = copies @ place, classes[numbers]
    class_of = np.zeros(5**num_kinds, np.uint8)
    class_of[codes] = own
    is_full = copies.sum(axis=1) == MOST_TILES
    shares = np.zeros(copies.shape, np.uint16)
    for kind in range(num_kinds):
        room = np.flatnonzero((copies[:, kind] < COPIES) & ~is_full)
        shares[room, kind] = lower[own[room], class_of[codes[room] + place[kind]]]
        # Fifteen tiles have no state number. A share needs at most fourteen, so drop one.
        room = np.flatnonzero((copies[:, kind] < COPIES) & is_full)
        for gone in range(num_kinds):
            some = room[copies[room, gone] > 0]
            after = class_of[codes[some] + place[kind] - place[gone]]
            shares[some, kind] |= lower[own[some], after]
    rows, row_of_known = _distinct(np.column_stack([shares, own.astype(np.uint16)]))
    bits = (rows[:, None, :-1] >> share[:, None] & 1) << np.arange(num_kinds, dtype=np.uint16)
    kinds, place_of = _distinct(np.column_stack([bits.sum(axis=2, dtype=np.uint16), rows[:, -1]]))
    row_of = np.zeros(len(classes), np.uint32)
    row_of[numbers] = place_of[row_of_known]
    return row_of, kinds[:, :-1], kinds[:, -1]


def lower_shares(num_kinds: int) -> Words:
    """Return, by class before and after, one bit for each share that costs less after."""
    tables = load_tables()
    costs = tables.suit_cost if num_kinds == 9 else tables.honour_cost
    share = np.arange(NUM_COSTS, dtype=np.uint16)
    lower: Words = ((costs < costs[:, None]) << share).sum(axis=2, dtype=np.uint16)
    return lower


def _distinct(rows: NDArray[Number]) -> tuple[NDArray[Number], Rows]:
    """Return the distinct rows and the index of each row among them."""
    flat = np.ascontiguousarray(rows)
    keys = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], number.astype(np.uint32)


@cache
def cheapest_shares(num_kinds: int, called: int) -> CheapestShares:
    """Return the tables of the cheapest shares of the suits of a hand.

    Parameters
    ----------
    num_kinds
        27 or 34.
    called
        Melds on the table.

    """
    tables, melds = load_tables(), 4 - called
    vectors = tables.pair_cost
    cheapest_honours = np.zeros((1, 1), np.uint16)
    rest = rest_of_honours = np.zeros((1, 1), np.uint32)
    if num_kinds == 34:
        with_honours = joined(tables.pair_cost, tables.honour_cost)
        vectors, rest = _distinct(with_honours.reshape(-1, NUM_COSTS))
        three = joined(tables.pair_cost, tables.suit_cost)
        vectors_of_three, rest_of_honours = _distinct(three.reshape(-1, NUM_COSTS))
        cheapest_honours = _cheapest(tables.honour_cost, vectors_of_three, melds)
        rest = rest.reshape(NUM_PAIR, NUM_HONOUR)
        rest_of_honours = rest_of_honours.reshape(NUM_PAIR, NUM_SUIT)
    return CheapestShares(
        tables.pair_class,
        completed(tables.suit_cost, vectors, melds),
        _cheapest(tables.suit_cost, vectors, melds),
        cheapest_honours,
        rest,
        rest_of_honours,
    )


@cache
def cost_classes(width: int) -> NDArray[np.uint8]:
    """Return, for every state of a group, a class with its costs: of suits, or of seven honours.

    Other groups, such as the terminals of three players, have classes of suits with equal costs.
    Their number of tiles may be another: a fourth copy of an honour never helps, so that four
    cost as much as three. Marginal costs do not depend on the number of tiles.

    Examples
    --------
    >>> len(cost_classes(2))
    32
    """
    tables = load_tables()
    if width == _RANKS:
        return tables.suit_class
    if width == _HONOUR_KINDS:
        return tables.honour_class
    part = few_honours(width)
    classes = {costs.tobytes(): number for number, costs in enumerate(tables.suit_cost)}
    own = np.array([classes.get(row.tobytes(), 0) for row in part.costs], np.uint8)
    found: NDArray[np.uint8] = own[part.numbers]
    return found


@cache
def find_gains(tiles: TileSet, called: int) -> tuple[Rows, int, Words]:
    """Return the arrays for the kernels, for a number of called melds.

    A *way* is the number of missing tiles times 256 plus the number of the set of cheapest
    shares of a suit; the sets of each class are numbered from 0.

    Returns
    -------
    states, words
        As for :func:`_gains_of_suits`. States of a third group of another width than a suit
        follow those of the suits and honours.
    third
        Where the states of the third group begin.
    """
    groups = groups_of(tiles)
    states, words = _gains_of_suits(27 if len(groups) == 3 else 34, called)
    width = groups[2].width
    if width == _RANKS:
        return states, 0, words
    cheapest = cheapest_shares(34, called).cheapest
    classes, lower = cost_classes(width), lower_shares(_RANKS)
    copies = state_copies(np.arange(num_states(width), dtype=np.uint32), width)
    own = np.zeros(len(classes), np.uint32)
    every, end = [words], len(words)
    for number, held in enumerate(copies):
        sets = np.unique(cheapest[classes[number]])
        kinds = np.zeros(len(sets), np.uint16)
        for kind in np.flatnonzero(held < COPIES):
            after = held.copy()
            after[kind] += 1
            helped = lower[classes[number], classes[state_numbers(after[None])[0]]]
            kinds |= ((sets & helped) != 0).astype(np.uint16) << np.uint16(kind)
        own[number] = end << 8 | int(classes[number])
        every.append(kinds)
        end += len(sets)
    assert end < 1 << 24, end
    return np.concatenate([states, own]), len(states), np.concatenate(every)


@cache
def _gains_of_suits(num_kinds: int, called: int) -> tuple[Rows, Words]:
    """Return the states and words of hands of three suits, with honours if of 34 kinds.

    Returns
    -------
    states
        By state number, and from ``HONOURS`` on for the honours: the class, and from
        bit 8 on the offset of the kinds in ``words``.
    words
        All other tables in one array. First the class of two suits,
        at ``first << 8 | second``. From ``REST`` on the class of the rest of a hand, at
        ``pair << 8 | honours``, where 27 kinds have honours of class 0; from ``THREE`` on
        that of three suits, at ``pair << 8 | suit``. From ``MIXED`` on the class of a suit
        and the honours, at ``suit << 8 | honours``; from ``BESIDE`` on that of the rest of
        a hand, at ``mixed << 8 | suit``. From ``WAYS`` on the way of a suit, from
        ``HONOUR_WAYS`` on that of the honours, at ``rest << 8 | class``. Then come the
        useful kinds: for each row of a state, one word for each set of shares.
    """
    tables = load_tables()
    pair, least, cheapest, of_honours, rest, three = cheapest_shares(num_kinds, called)
    numbers, begins, kinds = _by_set(9, cheapest)
    ways, every = least.astype(np.uint16) << 8 | numbers, [kinds]
    states = np.zeros(NUM_CLASSES, np.uint32)
    states[: len(begins)] = begins + _KINDS << 8 | tables.suit_class
    joins: list[tuple[int, NDArray[np.integer]]] = [(0, pair), (WAYS, ways.T)]
    if num_kinds == 34:
        numbers, begins, kinds = _by_set(7, of_honours)
        begins += _KINDS + every[0].size
        states[HONOURS : HONOURS + len(begins)] = begins << 8 | tables.honour_class
        every.append(kinds)
        # Any suit and honours of a mixed class determine its class with one more suit.
        some = np.unique(tables.mixed_class, return_index=True)[1]
        suits, honours = np.divmod(some, tables.mixed_class.shape[1])
        beside = rest[pair[suits], honours[:, None]]
        joins += [(REST, rest), (THREE, three), (HONOUR_WAYS, numbers.T)]
        joins += [(MIXED, tables.mixed_class), (BESIDE, beside)]
    else:
        states[HONOURS:] = HONOUR_WAYS << 8  # class 0, and no kinds
        joins += [(REST, np.arange(NUM_PAIR)[:, None]), (MIXED, np.arange(NUM_SUIT)[:, None])]
        joins.append((BESIDE, pair))
    words = np.concatenate([np.zeros(_KINDS, np.uint16), *every])
    for start, table in joins:
        place = start + (np.arange(len(table))[:, None] << 8) + np.arange(table.shape[1])
        words[place] = table
    return states, words


def _by_set(num_kinds: int, cheapest: Words) -> tuple[Words, Rows, Words]:
    """Return the number of the set by class and rest, offsets of kinds by state, and the kinds."""
    row_of, by_share, class_of = helps_of(num_kinds)
    numbers = np.zeros(cheapest.shape, np.uint16)
    begins = np.zeros(len(by_share), np.uint32)
    every, end = [], 0
    for number in range(len(cheapest)):
        sets, numbers[number] = np.unique(cheapest[number], return_inverse=True)
        some = np.flatnonzero(class_of == number)
        helps = np.zeros((len(some), len(sets)), np.uint16)
        for share in range(NUM_COSTS):
            helps |= by_share[some, share, None] * (sets >> np.uint16(share) & np.uint16(1))
        begins[some] = end + len(sets) * np.arange(len(some))
        every.append(helps.ravel())
        end += helps.size
    return numbers, begins[row_of], np.concatenate(every)


def _cheapest(part: NDArray[np.int8], rest: NDArray[np.int8], melds: int) -> Words:
    """Return, for every part and rest, the shares of the part in cheapest assignments."""
    least = completed(part, rest, melds)
    found = np.zeros(least.shape, np.uint16)
    for here in range(melds + 1):
        for eye in range(2):
            share = 2 * here + eye
            other = rest[:, 2 * (melds - here) + 1 - eye]
            is_least = part[:, share, None].astype(np.int64) + other == least
            found |= is_least.astype(np.uint16) << np.uint16(share)
    return found
