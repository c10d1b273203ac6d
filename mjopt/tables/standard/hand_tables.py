"""Lookup tables of four melds and an eye: classes of suits, joins of classes, and answers."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import TileSet
from mjopt.tables.standard.table_file import load_tables
from mjopt.tables.suits.costs import NUM_COSTS, Costs, joined
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import MOST_TILES, num_states, state_copies, state_numbers

# Myhill and Nerode: two states of a suit are equal for every purpose if each rest of the hand gives
# the same answer with both. Equal cost vectors suffice for that, and 506,146 states have 126 of
# them. The number of tiles is made part of the class (159), because the table of answers then also
# knows which rows are hands: a label validates the number of tiles without adding the counts.

NO_HAND: Final = -1
"""Label of tiles that are too many or too few for a hand."""

_MELDS: Final = 4
_FAR: Final = 62  # more missing tiles than any hand has; twice this number fits in an int8
_BITS: Final = 6  # of a number of tiles
_SUIT, _HONOURS = 9, 7  # kinds of the groups in the table file

Shape = tuple[int, int, int, int, int, int, int]
"""Where the classes of each of four groups begin; and the number of classes of the second group, of
the fourth (1 if there is none) and of the second half: the row lengths of joins and answers."""

Labels = NDArray[np.int8]
Number = TypeVar("Number", bound=np.integer)


@dataclass(frozen=True, slots=True, eq=False)
class StateClasses:
    """Classes of the states of some kinds: equal cost vectors and numbers of tiles.

    Two suits of one class give the same deficiency with any rest of the hand. 506,146 states of a
    suit have only 159 classes (126 cost vectors), so a class is a byte and joins are small tables.
    """

    costs: Costs  # cost vectors, shape (C, shares); the last class is of too many tiles
    sizes: NDArray[np.integer]  # numbers of tiles, shape (C,)
    # The class of every state of a group, padded with the last class to a power of two; or the
    # class of every pair of classes of two groups.
    numbers: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.sizes)


class HandTables:
    """The tables of hands of a tile set for four melds and an eye.

    ``parts`` has the classes of each group, in the order of `groups_of`;
    the attribute adds those of groups that the tile set lacks. ``halves`` has the classes of the
    first two groups and of the others, by default derived; ``joins`` the numbers of both, row after
    row; ``groups`` the first kind, number of kinds, and the number of no state, for each of four
    groups.
    """

    def __init__(
        self,
        tiles: TileSet,
        parts: list[StateClasses],
        *,
        pair: StateClasses | None = None,
        other: StateClasses | None = None,
    ) -> None:
        groups = groups_of(tiles)
        self.kinds = [group.kinds for group in groups]
        nothing = _no_kinds()
        # A group that the tile set lacks has one class, of no tiles: kernels need no case of their
        # own for it.
        self.parts = parts + [nothing] * (MOST_GROUPS - len(parts))
        one, two, three, four = self.parts
        if four is nothing:
            other = StateClasses(three.costs, three.sizes, np.arange(len(three))[:, None])
        elif other is None:
            other = join_classes(three, four)
        self.halves = pair or join_classes(one, two), other
        # The places of rows in the answers, so that a look-up adds instead of multiplying.
        row_starts = self.halves[0].numbers.astype(np.uint32) * np.uint32(len(other))
        rest = self.halves[1].numbers.astype(np.uint16)
        self.joins = _read_only(row_starts.ravel()), _read_only(rest.ravel())
        starts = [(group.start, group.width) for group in groups] + [(0, 0)] * MOST_GROUPS
        self.groups = _read_only(
            np.array([(*at, len(p.numbers) - 1) for at, p in zip(starts, self.parts, strict=False)])
        )
        self._answers: dict[tuple[int, bool], Labels] = {}

    @cached_property
    def classes(self) -> NDArray[np.uint8]:
        """The class of every state of each group, one group after the other; equal ones once."""
        parts = list({id(part): part for part in self.parts}.values())
        return _read_only(np.concatenate([part.numbers for part in parts]))

    @cached_property
    def shape(self) -> Shape:
        """Where the classes of each group begin, and the row lengths of joins and answers."""
        begins: dict[int, int] = {}
        end = 0
        for part in self.parts:
            if id(part) not in begins:
                begins[id(part)] = end
                end += len(part.numbers)
        one, two, three, four = [begins[id(part)] for part in self.parts]
        return one, two, three, four, len(self.parts[1]), len(self.parts[3]), len(self.halves[1])

    def answers(self, called: int, *, partial: bool = False) -> Labels:
        """Return the deficiency by the classes of the two halves of a hand.

        It is :data:`NO_HAND` where the number of tiles is wrong; ``partial`` allows fewer.

        Examples
        --------
        >>> from mjopt.hands.tiles import FULL, M0
        >>> some = standard_tables(M0).answers(0)
        >>> some.shape, some.max().item(), standard_tables(FULL).answers(0).max().item()
        ((340, 160), 7, 9)
        """
        key = called, partial
        if key not in self._answers:
            pair, other = self.halves
            size = MOST_TILES - 3 * called
            first, second = (half.sizes.astype(np.int64) for half in self.halves)
            total = first[:, None] + second
            is_hand = total <= size if partial else (total == size) | (total == size - 1)
            is_hand &= (first <= MOST_TILES)[:, None] & (second <= MOST_TILES)
            found = completed(pair.costs, other.costs, _MELDS - called)
            self._answers[key] = _read_only(np.where(is_hand, found, np.int8(NO_HAND)))
        return self._answers[key]


def _read_only(array: NDArray[Number]) -> NDArray[Number]:
    array.setflags(write=False)
    return array


@lru_cache(maxsize=1)
def _no_kinds() -> StateClasses:
    """Return the class of no kinds."""
    costs = np.full((1, NUM_COSTS), _FAR, np.int8)
    costs[0, 0] = 0
    return StateClasses(costs, np.zeros(1, np.int64), _read_only(np.zeros(1, np.uint8)))


@lru_cache(maxsize=8)
def standard_tables(tiles: TileSet) -> HandTables:
    """Return the tables of the standard form, from the table file.

    Groups of other widths than in the file, such as the terminals of three players, have those of
    as many honours. Where the classes of a pair are not in the file, they are derived.

    Examples
    --------
    >>> from mjopt.hands.tiles import SANMA
    >>> [len(half) for half in standard_tables(SANMA).halves]
    [340, 156]
    """
    tables = load_tables()
    suit = StateClasses(tables.suit_cost, tables.suit_size, padded(tables.suit_class))
    honours = StateClasses(tables.honour_cost, tables.honour_size, padded(tables.honour_class))
    parts = []
    for group in groups_of(tiles):
        if group.width == (_SUIT if group.has_chows else _HONOURS):
            parts.append(suit if group.has_chows else honours)
        else:
            parts.append(few_honours(group.width))
    is_mixed = parts[2:] == [suit, honours]
    return HandTables(
        tiles,
        parts,
        pair=StateClasses(tables.pair_cost, tables.pair_size, tables.pair_class),
        other=StateClasses(tables.mixed_cost, tables.mixed_size, tables.mixed_class)
        if is_mixed
        else None,
    )


@lru_cache(maxsize=8)
def few_honours(width: int) -> StateClasses:
    """Return a class for every state of some honours, as part of seven.

    The others only add melds and eyes from nothing, and a target always leaves some real kind
    unused, whose pong or pair costs the same.
    """
    tables = load_tables()
    copies = np.zeros((num_states(width), _HONOURS), np.uint8)
    copies[:, :width] = state_copies(np.arange(len(copies), dtype=np.uint32), width)
    own = np.append(tables.honour_class[state_numbers(copies)], len(tables.honour_size) - 1)
    numbers = padded(np.arange(len(own), dtype=np.uint8))
    return StateClasses(tables.honour_cost[own], tables.honour_size[own], numbers)


def padded(numbers: NDArray[Number]) -> NDArray[Number]:
    """Return the classes of the states, and the last class for every greater number."""
    every = np.full(1 << len(numbers).bit_length(), numbers.max(), numbers.dtype)
    every[: len(numbers)] = numbers
    return _read_only(every)


def join_classes(first: StateClasses, second: StateClasses) -> StateClasses:
    """Return the classes of the pairs of classes of two groups."""
    costs = joined(first.costs, second.costs)
    sizes = first.sizes.astype(np.int64)[:, None] + second.sizes
    found = number_classes(costs.reshape(-1, NUM_COSTS), sizes.ravel())
    return StateClasses(found.costs, found.sizes, found.numbers.reshape(sizes.shape))


def number_classes(costs: Costs, sizes: NDArray[np.int64]) -> StateClasses:
    """Assign numbers to the distinct sizes and cost vectors in ascending order.

    All rows of more than fourteen tiles are the last class.
    """
    far = np.int8(_FAR)
    columns = [sizes, *np.minimum(costs, far).T]
    key = np.zeros(len(sizes), np.int64)
    for start in range(0, len(columns), 6):  # numbers so far take less than 27 bits
        for column in columns[start : start + 6]:
            key = key << _BITS | column
        key = np.unique(key, return_inverse=True)[1]
    is_hand = sizes <= MOST_TILES
    _, first, number = np.unique(key[is_hand], return_index=True, return_inverse=True)
    numbers = np.full(len(sizes), len(first))
    numbers[is_hand] = number
    place = np.flatnonzero(is_hand)[first]
    vectors = np.zeros((len(place) + 1, costs.shape[1]), np.int8)
    np.minimum(costs[place], far, out=vectors[:-1])
    return StateClasses(vectors, np.append(sizes[place], MOST_TILES + 1), numbers)


def completed(first: Costs, second: Costs, melds: int) -> Costs:
    """Return the missing tiles of every pair for some melds and an eye, shape ``(A, B)``."""
    left = first.reshape(len(first), 1, -1, 2)
    right = second.reshape(1, len(second), -1, 2)
    best = np.full((len(first), len(second)), 2 * _FAR, np.int8)
    for here in range(melds + 1):
        for eye in range(2):
            missing = left[:, :, here, eye] + right[:, :, melds - here, 1 - eye]
            np.minimum(best, missing, out=best)
    return best
