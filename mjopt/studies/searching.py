"""One lot of searches, in whatever process it is given to."""

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.errors import MjoptError, StudyError
from mjopt.hands.tiles import TILE_SETS
from mjopt.heuristics.result import Batch
from mjopt.heuristics.runner import run_batch
from mjopt.studies.methods import make_method
from mjopt.studies.plan import PlannedMethod


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lot:
    """Some hands of a unit, as they go to whatever process searches them."""

    unit: int  # its number: whoever cut the lot knows it
    method: PlannedMethod
    stream: str  # names the streams, with the seed, the run and the numbers of the hands
    seed: int
    run: int
    numbers: npt.NDArray[np.int32]  # of the hands in their set, shape (N,)
    counts: npt.NDArray[np.uint8]  # copies per kind, shape (N, K)
    targets: npt.NDArray[np.int8]  # the certified deficiencies, shape (N,)
    stop_at_target: bool  # whether a search stops when it has reached its target
    history: bool  # whether to keep the best value after each generation
    tiles: str  # the key of the tile set


class Searched(NamedTuple):
    """What came of a lot."""

    unit: int  # whose number
    run: int
    batch: Batch
    seconds: float  # of CPU time
    elapsed: float  # seconds by the clock: a method may wait for something


_warm: set[tuple[str, bool, str]] = set()


def search_lot(lot: Lot) -> Searched:
    """Search every hand of a lot, and measure the CPU time of it.

    Raises
    ------
    StudyError
        If the method fails; the message names it and where.
    """
    method, label = make_method(lot.method), lot.method.label

    def search(rows: slice) -> Batch:
        return run_batch(
            method,
            lot.counts[rows],
            seed=lot.seed,
            method=lot.stream,
            hand_numbers=lot.numbers[rows],
            run=lot.run,
            targets=lot.targets[rows],
            stop_at_target=lot.stop_at_target,
            history=lot.history,
            tiles=TILE_SETS[lot.tiles],
        )

    kind = (lot.method.name, lot.history, lot.tiles)
    try:
        if kind not in _warm:  # kernels are compiled or loaded outside what is measured
            search(slice(1))
            _warm.add(kind)
        start, begun = time.process_time(), time.perf_counter()
        batch = search(slice(None))
        seconds, elapsed = time.process_time() - start, time.perf_counter() - begun
    except MjoptError as error:
        raise StudyError(f"method {label}, run {lot.run}: {error}") from None
    except Exception as error:
        # A plug-in of somebody else: their fault, with its name on it.
        first, last = lot.numbers[0], lot.numbers[-1]
        raise StudyError(
            f"method {label} fails on hands {first}..{last}, run {lot.run}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return Searched(lot.unit, lot.run, batch, seconds, elapsed)
