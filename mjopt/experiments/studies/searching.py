"""One block of searches, in whatever process it is given to."""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mjopt.errors import MjoptError, StudyError
from mjopt.experiments.studies.methods import make_method
from mjopt.experiments.studies.plan import PlannedMethod
from mjopt.experiments.studies.row_files import KEPT, Columns
from mjopt.hands.tiles import TILE_SETS
from mjopt.heuristics.result import Batch
from mjopt.heuristics.running import run_batch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Hands for one method and one run.

    Parameters
    ----------
    unit
        Which file of rows it belongs to, as a number that its reader knows.
    method
        The method.
    stream, seed, run
        They name the streams, together with the numbers of the hands.
    numbers
        The hands' numbers in their set, shape (N,).
    counts
        Copies per kind, shape (N, K), uint8.
    targets
        The certified deficiencies, shape (N,), int8.
    stop_at_target
        Whether a search stops when it has reached its target.
    history
        Whether to keep the best value after each generation.
    tiles
        The key of the tile set.
    """

    unit: int
    method: PlannedMethod
    stream: str
    seed: int
    run: int
    numbers: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.int8]
    stop_at_target: bool
    history: bool
    tiles: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Searched:
    """What came of a block.

    Parameters
    ----------
    block
        The number of the unit, and the run.
    columns
        The kept columns of `ROWS`, one entry a hand.
    history
        Best value after each generation, shape (N, G + 1), if it was asked for.
    seconds
        CPU time of the searches.
    """

    unit: int
    run: int
    columns: Columns
    history: npt.NDArray[np.int8] | None
    seconds: float


_warm: set[tuple[str, bool, str]] = set()


def search_block(block: Block) -> Searched:
    """Search every hand of a block, and measure the CPU time of it.

    Raises
    ------
    StudyError
        If the method fails; the message names it and where.
    """
    method, label = make_method(block.method), block.method.label

    def search(rows: slice) -> Batch:
        return run_batch(
            method,
            block.counts[rows],
            seed=block.seed,
            method=block.stream,
            hand_numbers=block.numbers[rows],
            run=block.run,
            targets=block.targets[rows],
            stop_at_target=block.stop_at_target,
            history=block.history,
            tiles=TILE_SETS[block.tiles],
        )

    kind = (block.method.name, block.history, block.tiles)
    try:
        if kind not in _warm:  # kernels are compiled or loaded outside what is measured
            search(slice(1))
            _warm.add(kind)
        start = time.process_time()
        batch = search(slice(None))
        seconds = time.process_time() - start
    except MjoptError as error:
        raise StudyError(f"method {label}, run {block.run}: {error}") from None
    except Exception as error:
        # A plug-in of somebody else: their fault, with its name on it.
        first, last = block.numbers[0], block.numbers[-1]
        raise StudyError(
            f"method {label} fails on hands {first}..{last}, run {block.run}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return Searched(
        unit=block.unit,
        run=block.run,
        columns={name: getattr(batch, name) for name in KEPT},
        history=batch.history,
        seconds=seconds,
    )
