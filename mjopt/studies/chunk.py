"""A chunk of hands that one worker searches, and the CPU time of its blocks of hands."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.tiles import TILE_SETS
from mjopt.heuristics.base import BatchHeuristic, Heuristic
from mjopt.heuristics.result import Batch
from mjopt.heuristics.runner import run_batch
from mjopt.studies.study_files import TimedBlock

BLOCK_SECONDS: Final = 0.002  # CPU time of a block; a call itself takes a twentieth of it
MAX_BLOCKS: Final = 8  # of hands of one deficiency in a chunk
FIRST_BLOCK: Final = 16  # hands
MAX_REPEATS: Final = 4096  # of a short block
MIN_COST: Final = 1e-7  # seconds of a search, in case the clock did not move


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chunk:
    """Some hands of a unit, as they are sent to a worker."""

    unit: int  # its number among the pending units
    heuristic: Heuristic
    label: str
    stream: str  # names the random streams, with the seed, the run and the hand numbers
    seed: int
    run: int
    numbers: npt.NDArray[np.int32]  # of the hands in their set, shape (N,)
    counts: npt.NDArray[np.uint8]  # copies per kind, shape (N, K)
    targets: npt.NDArray[np.int8]  # the true deficiencies, shape (N,)
    stop_at_target: bool
    history: bool  # whether to keep the best value after each generation
    tiles: str  # the key of the tile set


class ChunkResult(NamedTuple):
    """The result of a chunk."""

    unit: int
    batch: Batch
    seconds: float  # CPU time
    elapsed: float  # wall-clock time
    blocks: tuple[TimedBlock, ...] = ()


_warm: set[tuple[str, bool, str]] = set()


def run_chunk(chunk: Chunk) -> ChunkResult:
    """Search every hand of a chunk and measure the CPU time of blocks of equal deficiency.

    A method that fails is an `ArgumentError` that names it and the hands.
    """

    def search(rows: npt.NDArray[np.int64]) -> Batch:
        return run_batch(
            chunk.heuristic,
            chunk.counts[rows],
            seed=chunk.seed,
            method=chunk.stream,
            hand_numbers=chunk.numbers[rows],
            run=chunk.run,
            targets=chunk.targets[rows],
            stop_at_target=chunk.stop_at_target,
            history=chunk.history,
            tiles=TILE_SETS[chunk.tiles],
        )

    kind = chunk.label, chunk.history, chunk.tiles
    try:
        if kind not in _warm:  # compile or load kernels before the time is measured
            search(np.arange(1))
            _warm.add(kind)
        start, start_elapsed = time.process_time(), time.perf_counter()
        parts, blocks = [], []
        for deficiency in np.unique(chunk.targets):
            rows = np.flatnonzero(chunk.targets == deficiency)
            for block, batch, seconds in _search_blocks(
                search, rows, may_repeat=isinstance(chunk.heuristic, BatchHeuristic)
            ):
                parts.append((block, batch))
                blocks.append(TimedBlock(int(deficiency), len(block), seconds))
        spent, elapsed = time.process_time() - start, time.perf_counter() - start_elapsed
    except MjoptError as error:
        raise ArgumentError(f"method {chunk.label}, run {chunk.run}: {error}") from None
    except Exception as error:  # of a plug-in or a user's class
        raise ArgumentError(
            f"method {chunk.label} fails on hands {chunk.numbers[0]}..{chunk.numbers[-1]}, "
            f"run {chunk.run}: {type(error).__name__}: {error}"
        ) from error
    seconds = sum(block.seconds for block in blocks)
    elapsed *= seconds / max(spent, seconds, MIN_COST)  # without repeated searches
    return ChunkResult(chunk.unit, _join(parts), seconds, elapsed, tuple(blocks))


def _search_blocks(
    search: Callable[[npt.NDArray[np.int64]], Batch],
    rows: npt.NDArray[np.int64],
    *,
    may_repeat: bool,
) -> Iterator[tuple[npt.NDArray[np.int64], Batch, float]]:
    """Search rows in blocks that are long enough to be timed; yield rows, results, CPU seconds.

    Blocks grow until they are. If all rows together are too short, they are searched several times
    in one call, if the method searches batches: otherwise each hand is a call.
    """
    first, size = 0, max(FIRST_BLOCK, -(-len(rows) // MAX_BLOCKS))
    while first < len(rows):
        is_last = len(rows) - first < 1.5 * size
        block = rows[first:] if is_last else rows[first : first + size]
        batch, seconds = _timed(search, block)
        if seconds < BLOCK_SECONDS and not is_last:
            size *= 4
            continue
        times = 1
        while may_repeat and seconds < BLOCK_SECONDS and not first and times < MAX_REPEATS:
            times *= 4
            _, seconds = _timed(search, np.tile(block, times))
        yield block, batch, seconds / times
        first += len(block)


def _timed(
    search: Callable[[npt.NDArray[np.int64]], Batch], rows: npt.NDArray[np.int64]
) -> tuple[Batch, float]:
    start = time.process_time()
    batch = search(rows)
    return batch, time.process_time() - start


def _join(parts: Sequence[tuple[npt.NDArray[np.int64], Batch]]) -> Batch:
    """Join results of some rows each into one batch of all rows."""
    history = parts[0][1].history
    joined = Batch.empty(
        sum(len(rows) for rows, _ in parts),
        num_generations=None if history is None else history.shape[1] - 1,
    )
    for rows, batch in parts:
        for column in fields(Batch):
            if (values := getattr(batch, column.name)) is not None:
                getattr(joined, column.name)[rows] = values
    return joined
