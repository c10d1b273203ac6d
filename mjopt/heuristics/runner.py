"""Run a heuristic on one hand, or on many."""

from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import as_array, as_integers, as_whole_numbers
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode
from mjopt._internal.validation import as_rng, expect
from mjopt.errors import ArgumentError, HandError, MjoptError
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.hand import Hand, check_called
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, is_classic
from mjopt.hands.tiles import M0, TileSet, as_tiles
from mjopt.heuristics.base import BatchHeuristic, Heuristic
from mjopt.heuristics.registry import as_heuristic
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.seeding import generator, stream_keys
from mjopt.heuristics.stopping import NEVER, Stop

_NUMBERS: Final = (
    "value", "evaluations", "generations", "hit_evaluations", "hit_generation", "stopped"
)  # fmt: skip


def run(
    method: str | Heuristic | type[Heuristic],
    hand: HandLike,
    *,
    rng: int | np.random.Generator,
    target: int | None = None,
    stop: Stop | None = None,
    **parameters: object,
) -> Result:
    """Run one heuristic on one hand.

    Parameters
    ----------
    method
        One of ``mjopt.heuristics.HEURISTICS`` or of an installed plug-in; or an instance such as
        ``NDDE(population=50)``; or its class.
    hand
        The hand, as for :func:`mjopt.certify`.
    rng
        Source of randomness, or a seed.
    target
        Record when the best cost is first at most this. The search continues; to stop it there, use
        ``stop=reached(value)``.
    stop
        Limits in addition to the method's own budget, such as ``evaluations(500)``.
    **parameters
        Parameters of the method, as fields of its class. Not allowed with an instance.

    Returns
    -------
    Result
        Best cost, a predecomposition that attains it, and statistics of the search.

    Raises
    ------
    ArgumentError
        If there is no such method or parameter, or a parameter is out of range.

    Notes
    -----
    The first search of a population method in a process runs in Python and compiles nothing; from
    the second one on compiled code serves, with the same results. It knows NumPy's ``PCG64``, the
    default, and ``SFC64``; other generators always take Python.

    Examples
    --------
    >>> result = run("ndde", "456m678p12333888s", rng=1, population=20, generations=50)
    >>> result.value, result.stopped.words
    (0, 'all generations done')
    >>> from mjopt.heuristics import NDDE
    >>> run(NDDE(), "456m678p12333888s", rng=np.random.default_rng(1)) == result
    True
    """
    return search(
        as_heuristic(method, **parameters),
        as_hand(hand),
        rng=as_rng(rng),
        target=target,
        stop=NEVER if stop is None else stop,
    )


def search(
    heuristic: Heuristic,
    hand: Hand,
    *,
    rng: np.random.Generator,
    stop: Stop,
    target: int | None = None,
) -> Result:
    """Search one hand; an error of a plug-in is reported in one line.

    `ArgumentError` is raised if the method fails, or returns anything but a result; `HandError` if
    the rules of the hand have other winning forms.
    """
    if hand.rules is not None and not is_classic(hand.rules.forms):
        raise HandError(
            f"{heuristic.name} knows only the form {DEFAULT_FORM}",
            argument="rules",
            value=hand.rules.name,
        )
    # Of the class in a file, `search` is mjopt's and calls its methods.
    with UserCode(type(heuristic), f"{heuristic.name} fails", ArgumentError):
        result: object = heuristic.search(hand, rng=rng, stop=stop, target=target)
    if not isinstance(result, Result):
        what = type(result).__name__
        raise ArgumentError(f"{heuristic.name} returns a {what}", expected="a Result")
    return result


def run_batch(
    heuristic: Heuristic,
    counts: "npt.ArrayLike",
    *,
    seed: int,
    method: str,
    hand_numbers: "npt.ArrayLike",
    run: int,
    targets: "npt.ArrayLike | None" = None,
    stop_at_target: bool = False,
    history: bool = False,
    tiles: TileSet | str = M0,
    called: int = 0,
) -> Batch:
    """Run one heuristic once on every row.

    Row i uses the random stream ``stream(seed, method, hand_numbers[i], run)`` whatever batch it is
    in, so results do not depend on the batches.

    Parameters
    ----------
    heuristic
        The method with its parameters.
    counts
        Copies per kind, shape ``(N, K)``, integers in ``0..4``.
    seed, method, hand_numbers, run
        Keys of the random streams; ``hand_numbers`` has shape ``(N,)``.
    targets
        Shape ``(N,)``: record when each search first reaches its target.
    stop_at_target
        Stop each search at its target.
    history
        Record the best value after each generation.
    tiles, called
        Shared by all hands.

    Returns
    -------
    Batch
        One entry for each row.

    Raises
    ------
    ArgumentError, TileError, HandError
        If the shapes of the arrays do not match, or a row is not a hand.

    Notes
    -----
    Runs in one thread; use several processes to run batches in parallel.

    Examples
    --------
    >>> from mjopt.heuristics import NDDE
    >>> rows = [[3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18, [2] * 7 + [0] * 20]
    >>> batch = run_batch(NDDE(), rows, seed=1, method="ndde", hand_numbers=[0, 1], run=0)
    >>> batch.value.tolist(), batch.evaluations.tolist()
    ([0, 0], [1040, 1040])
    """
    heuristic = as_heuristic(heuristic)
    tiles, called = as_tiles(tiles), check_called(called)
    rows = _rows(counts, tiles, called)
    keys = stream_keys(seed, method, hand_numbers, run)
    numbers = np.asarray(hand_numbers, np.int64)
    if numbers.shape != (len(rows),):
        raise ArgumentError(f"hand numbers of shape {numbers.shape}", expected=f"({len(rows)},)")
    expect(stop_at_target, bool, "stop_at_target")
    expect(history, bool, "history")
    wanted = None if targets is None else _int8(targets, "targets")
    if wanted is not None and wanted.shape != (len(rows),):
        raise ArgumentError(f"targets of shape {wanted.shape}", expected=f"({len(rows)},)")
    if stop_at_target and wanted is None:
        raise ArgumentError("stop_at_target needs targets")
    if isinstance(heuristic, BatchHeuristic):
        with UserCode(type(heuristic), f"{heuristic.name} fails", ArgumentError):
            return heuristic.search_batch(
                rows,
                keys=keys,
                targets=wanted,
                stop_at_target=stop_at_target,
                history=history,
                tiles=tiles,
                called=called,
            )
    return _one_by_one(heuristic, rows, keys, wanted, stop_at_target, history, tiles, called)


def _int8(given: npt.ArrayLike, what: str) -> npt.NDArray[np.int8]:
    numbers = as_whole_numbers(as_array(given, what, ArgumentError))
    limits = np.iinfo(np.int8)
    is_whole = not numbers.size or numbers.dtype.kind in "iu"
    if not is_whole or ((numbers < limits.min) | (numbers > limits.max)).any():
        raise ArgumentError(
            short_repr(given), argument=what, expected=f"whole numbers up to {limits.max}"
        )
    return np.ascontiguousarray(numbers, np.int8)


def _rows(counts: npt.ArrayLike, tiles: TileSet, called: int) -> npt.NDArray[np.uint8]:
    given = as_integers(counts, "counts", ArgumentError)
    if given.ndim != 2 or given.shape[1] != tiles.num_kinds:
        raise ArgumentError(f"counts of shape {given.shape}", expected=f"(N, {tiles.num_kinds})")
    if given.dtype.kind not in "iu":
        raise ArgumentError(f"counts of {given.dtype}", expected="whole numbers")
    held = given.sum(axis=1, dtype=np.int64)
    bad = ((given < 0) | (given > 4)).any(axis=1) | (held > 14 - 3 * called)
    if bad.any():
        first = int(bad.argmax())
        try:
            Hand.from_counts(given[first].tolist(), tiles=tiles, called=called, partial=True)
        except MjoptError as error:
            error.locate("counts", first)
            raise
    return np.ascontiguousarray(given, np.uint8)


def _one_by_one(
    heuristic: Heuristic,
    rows: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.int8] | None,
    stop_at_target: bool,
    history: bool,
    tiles: TileSet,
    called: int,
) -> Batch:
    batch = Batch.empty(len(rows), num_generations=heuristic.num_generations if history else None)
    for i, row in enumerate(rows.tolist()):
        target = None if targets is None else int(targets[i])
        result = search(
            heuristic,
            Hand.from_counts(row, tiles=tiles, called=called, partial=True),
            rng=generator(keys[i]),
            stop=Stop(value=target if stop_at_target else None),
            target=target,
        )
        for name in _NUMBERS:
            if (number := getattr(result, name)) is not None:  # None: never reached
                getattr(batch, name)[i] = number
        if batch.history is not None:
            batch.history[i] = result.history[-1]
            batch.history[i, : len(result.history)] = result.history
    return batch
