"""The suits that a graph of hands meets: numbered as they turn up, with what one tile changes.

A hand is then four small numbers, and all that is asked of it is looked up suit by suit.
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
"""Of a suit's number in the key of a hand: four of them fit a word."""


class Suits:
    """The states of one suit that have turned up.

    Parameters
    ----------
    held
        Copies of its kinds in the hand that the graph grows from.

    Notes
    -----
    Its ``features`` are tiles that this hand does not hold, pairs, singles, orphans that are
    missing, and orphans held twice: the rest of what a hand lacks is told by its class.
    """

    def __init__(self, held: NDArray[np.int64]) -> None:
        self.held, self.width = held, len(held)
        self._orphans = [0, 8] if self.width == NUM_RANKS else list(range(self.width))
        self._place: Ints = 5 ** np.arange(self.width)
        self._number = np.zeros(5**self.width, np.int32)  # one more than it, 0 for none yet
        self.copies = np.zeros((0, self.width), np.uint8)
        self.classes = np.zeros(0, np.uint8)
        self.features = np.zeros((0, 5), np.int64)
        self._steps = {change: np.zeros((0, self.width), np.int32) for change in (1, -1)}
        self.numbers(held[None] @ self._place)

    def numbers(self, codes: Ints) -> Small:
        """Return the numbers of states, given by their copies in base five."""
        fresh = np.unique(codes[self._number[codes] == 0])
        if len(fresh):
            first = len(self.copies)
            self._number[fresh] = np.arange(first, first + len(fresh)) + 1
            copies = (fresh[:, None] // self._place % 5).astype(np.uint8)
            self.copies = np.concatenate([self.copies, copies])
            self.classes = np.concatenate([self.classes, self._classes(copies)])
            orphans = copies[:, self._orphans]
            news = np.maximum(copies.astype(np.int64) - self.held, 0)
            sums = news, copies >= PAIR, copies == 1, orphans == 0, orphans >= PAIR
            features = np.stack([some.sum(axis=1) for some in sums], axis=1)
            self.features = np.concatenate([self.features, features])
        return self._number[codes] - 1

    @property
    def news(self) -> Ints:
        """Tiles that the hand of the graph does not hold."""
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
        """Return the states with one copy more or less of each kind, -1 where there is none.

        Parameters
        ----------
        numbers
            Of states, shape (N,).
        change
            1 or -1.

        Returns
        -------
        ndarray of int32, shape (M, K)
            By number, of these states and others.
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
        """Return by state the copies in the wall if every copy drawn were still held."""
        left: Ints = wall - np.maximum(self.copies.astype(np.int64) - self.held, 0)
        return left
