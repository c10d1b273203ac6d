"""The recursion of a ceiling table over all hands, one draw at a time."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from math import comb, fsum
from typing import Final, Protocol, TypeVar

import numpy as np

from mjopt._internal.progress import Progress
from mjopt.chances.ceiling._kernels import ONE, STORED_ONE, Values, discard, draw
from mjopt.chances.ceiling.layout import FIRST_NUMBER, Layout, make_layout
from mjopt.chances.ceiling.suits import honour_moves, suit_moves
from mjopt.chances.ceiling.table import PART, Stored
from mjopt.errors import FileError
from mjopt.hands.tiles import TileSet

# Layer m needs layer m - 1 alone, and `draw` works in place: two arrays of four bytes a hand are
# all the memory of the recursion (ceiling.md, "The table"). Blocks and rows write to places of
# their own, so that threads need no lock, and the result does not depend on their number.

Result = TypeVar("Result")
Observer = Callable[[int, Values, Values], None]

MILLION: Final = 1_000_000
"""Hands per unit of progress reports."""

_CHUNK: Final = 1 << 20  # hands per task of a thread, roughly


class TableFields(Protocol):
    """The parameters of a ceiling table that the recursion needs: a part of :class:`TableKey`."""

    @property
    def tile_set(self) -> TileSet:
        """The tile set."""

    @property
    def size(self) -> int:
        """Tiles in a hand after its discard."""

    @property
    def wall_size(self) -> int:
        """Tiles in the wall when the hand holds one tile more."""

    @property
    def draws(self) -> int:
        """Number of draws."""


class Sweeps:
    """The recursion over all hands, one draw at a time.

    ``key`` has the tile set, tiles of a hand and of the wall, and draws.
    """

    def __init__(self, key: TableFields, threads: int, progress: Progress) -> None:
        self.key, self.done = key, 0  # done: number of draws computed
        # Mean value over all deals of a hand with its drawn tile, by number of draws.
        self.means: list[float] = []
        self._progress = progress
        self._held_layout = make_layout(key.tile_set, key.size)
        self._full_layout = make_layout(key.tile_set, key.size + 1)
        self._removals = self._full_layout.moves_to(self._held_layout)
        self._additions = self._held_layout.moves_to(self._full_layout)
        # Values of the hands after a discard, in units of 1 / ONE.
        self.held: Values = np.zeros(self._held_layout.num_states, np.uint32)
        # Values of the hands with a drawn tile, in the same units.
        self.full: Values = np.empty(self._full_layout.num_states, np.uint32)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mjopt-ceiling")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="mjopt-ceiling-writer")

    def run(
        self, save: Callable[["Sweeps"], None] | None = None, observe: Observer | None = None
    ) -> None:
        """Compute all layers that are missing.

        ``save`` is called after each layer, in a thread, while nothing changes ``held``.
        ``observe`` is called after each layer with the number of draws, the values of full hands
        with one draw less, and the values of held hands.
        """
        draws = self.key.draws
        held, full = self._held_layout.num_states, self._full_layout.num_states
        hands = draws * (held + full) + full
        done = self.done * (held + full)
        self._progress.begin(hands / MILLION, "million hands", done // MILLION)
        saving: Future[None] | None = None
        for layer in range(self.done + 1, draws + 1):
            self._discard()
            if saving is not None:
                saving.result()  # the next sweep changes what it writes
            self._draw(self.key.wall_size - (draws - layer))
            self.done = layer
            if observe is not None:
                observe(layer, self.full, self.held)
            if save is not None:
                saving = self._writer.submit(save, self)
        self._discard()
        if saving is not None:
            saving.result()

    def close(self) -> None:
        """Stop the threads; a finished layer is still saved."""
        self._pool.shutdown(cancel_futures=True)
        self._writer.shutdown()

    def _discard(self) -> None:
        """Set the values of full hands from those of held hands."""
        suits, honours, layout = suit_moves(), honour_moves(), self._full_layout

        def run(task: tuple[int, int, int]) -> float:
            block, low, high = task
            return discard(
                self.full,
                self.held,
                layout.blocks[block],
                self._removals[block],
                suits,
                honours,
                low,
                high,
            )

        # The sum over parts is rounded once, so the mean does not depend on how threads share the
        # work.
        deals = comb(self.key.tile_set.num_tiles, self.key.size + 1)
        self.means.append(fsum(self._each(layout, run)) / ONE / deals)

    def _draw(self, in_wall: int) -> None:
        """Set the values of held hands from those of full hands with one draw less."""
        suits, honours, layout = suit_moves(), honour_moves(), self._held_layout

        def run(task: tuple[int, int, int]) -> None:
            block, low, high = task
            draw(
                self.held,
                self.full,
                layout.blocks[block],
                self._additions[block],
                suits,
                honours,
                low,
                high,
                in_wall,
            )

        for _ in self._each(layout, run):
            pass

    def _each(
        self, layout: Layout, run: Callable[[tuple[int, int, int]], Result]
    ) -> Iterator[Result]:
        """Run a function on parts of all blocks in threads, and report progress."""
        tasks = list(split_blocks(layout))
        for (block, low, high), result in zip(tasks, self._pool.map(run, tasks), strict=True):
            hands = (high - low) * int(layout.blocks[block, FIRST_NUMBER])
            self._progress.advance(hands / MILLION)
            yield result


@contextmanager
def sweeping(key: TableFields, threads: int, progress: Progress) -> Iterator[Sweeps]:
    """Yield the recursion, and stop its threads at the end.

    FileError if the system refuses the memory.
    """
    try:
        sweeps = Sweeps(key, threads, progress)
    except MemoryError as error:
        raise FileError(f"the system refuses the memory: {error}") from error
    try:
        yield sweeps
    finally:
        sweeps.close()


def stored_values(values: Values) -> Iterator[Stored]:
    """Round values up to stored numbers, in parts of at most a million."""
    for start in range(0, len(values), PART):
        part = values[start : start + PART].astype(np.uint64) * np.uint64(STORED_ONE)
        yield (-(-part // np.uint64(ONE))).astype(np.uint16)


def split_blocks(layout: Layout) -> Iterator[tuple[int, int, int]]:
    """Yield parts of all blocks: block, first row, end."""
    for block, columns in enumerate(layout.blocks.tolist()):
        first, second, third, honours = columns[FIRST_NUMBER : FIRST_NUMBER + 4]
        rows, step = second * third * honours, max(1, _CHUNK // first)
        for low in range(0, rows, step):
            yield block, low, min(rows, low + step)
