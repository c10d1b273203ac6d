"""Suit states of a graph of hands, numbered on demand, with their neighbours by one tile.

A hand is then four small numbers, and its properties are looked up suit by suit.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.tiles import COPIES
from mjopt.tables.state_index import MOST_TILES, state_numbers
from mjopt.tables.table_file import NUM_HONOUR, NUM_SUIT, load_tables

Ints = NDArray[np.int64]
Small = NDArray[np.int32]

_UNKNOWN: Final = -2
NUM_RANKS: Final = 9
PAIR: Final = 2

BITS: Final = 15
"""Bits of a suit's number in the key of a hand: four numbers fit a word."""


class SuitStates:
    """The numbered states of one suit.

    Parameters
    ----------
    held
        Copies of its kinds in the first hand of the graph.

    Notes
    -----
    The columns of ``features`` are: tiles that the first hand does not hold, pairs, singles,
    missing orphans, and orphans held twice. The class of the state determines the rest.
    """

    def __init__(self, held: NDArray[np.int64]) -> None:
        self.held, self.width = held, len(held)
        self._orphans = [0, 8] if self.width == NUM_RANKS else list(range(self.width))
        self._place: Ints = 5 ** np.arange(self.width)
        self._number = np.zeros(5**self.width, np.int32)  # number plus one; 0 if not numbered yet
        self.copies = np.zeros((0, self.width), np.uint8)
        self.classes = np.zeros(0, np.uint8)
        self.features = np.zeros((0, 5), np.int64)
        self._steps = {change: np.zeros((0, self.width), np.int32) for change in (1, -1)}
        self.numbers(held[None] @ self._place)

    def numbers(self, codes: Ints) -> Small:
        """Return the numbers of states, given as copies in base five."""
        fresh = np.unique(codes[self._number[codes] == 0])
        if len(fresh):
            first = len(self.copies)
            self._number[fresh] = np.arange(first, first + len(fresh)) + 1
            copies = (fresh[:, None] // self._place % 5).astype(np.uint8)
            self.copies = np.concatenate([self.copies, copies])
            self.classes = np.concatenate([self.classes, self._classes(copies)])
            orphans = copies[:, self._orphans]
            num_new = np.maximum(copies.astype(np.int64) - self.held, 0)
            sums = num_new, copies >= PAIR, copies == 1, orphans == 0, orphans >= PAIR
            features = np.stack([some.sum(axis=1) for some in sums], axis=1)
            self.features = np.concatenate([self.features, features])
        return self._number[codes] - 1

    @property
    def num_new(self) -> Ints:
        """Number of tiles that the first hand does not hold."""
        return self.features[:, 0]

    def _classes(self, copies: NDArray[np.uint8]) -> NDArray[np.uint8]:
        tables = load_tables()
        of_state, last = tables.suit_class, NUM_SUIT - 1
        if self.width != 9:
            of_state, last = tables.honour_class, NUM_HONOUR - 1
        found = np.full(len(copies), last, np.uint8)
        known = copies.sum(axis=1) <= MOST_TILES
        found[known] = of_state[state_numbers(copies[known])]
        return found

    def steps(self, numbers: Any, change: int) -> Small:
        """Return the states with one copy more or fewer of each kind, -1 for impossible states.

        Parameters
        ----------
        numbers
            Numbers of states, shape (N,).
        change
            1 or -1.

        Returns
        -------
        ndarray of int32, shape (M, K)
            Indexed by state number; rows of other states may be unset.
        """
        known = self._steps[change]
        if len(known) < len(self.copies):
            more = np.full((2 * len(self.copies) - len(known), self.width), _UNKNOWN, np.int32)
            known = self._steps[change] = np.concatenate([known, more])
        fresh = np.unique(numbers[known[numbers, 0] == _UNKNOWN])
        if len(fresh):
            copies = self.copies[fresh].astype(np.int64)
            codes = copies @ self._place
            is_room = copies > 0
            if change > 0:
                is_room = (copies < COPIES) & (copies.sum(axis=1) < MOST_TILES)[:, None]
            after = np.full(copies.shape, -1, np.int32)
            after[is_room] = self.numbers((codes[:, None] + change * self._place)[is_room])
            known[fresh] = after
        return known

    def left(self, wall: NDArray[Any]) -> Ints:
        """Return the copies in the wall of each state, if every drawn copy were still held."""
        left: Ints = wall - np.maximum(self.copies.astype(np.int64) - self.held, 0)
        return left
