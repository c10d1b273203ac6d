"""What every discard leaves, in microseconds: for agents that look at the tables."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import HandError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, check_forms
from mjopt.hands.tiles import COPIES
from mjopt.tables.checks import check_called, tiles_by_length
from mjopt.tables.special import ORPHANS
from mjopt.tables.store import answers, lookups

Judged = tuple[NDArray[np.int8], NDArray[np.int16]]


def judge_discards(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: Sequence[str] = (STANDARD,),
) -> Judged:
    """Return what each discard of a hand leaves: its deficiency and its useful copies.

    The deficiency is that of the tables, with every copy not held able to arrive; the
    useful tiles are those that would lower it, counted as far as they are unseen. (With
    :func:`mjopt.discards` tiles that are gone raise the deficiency itself; that takes
    some hundred times as long.)

    Parameters
    ----------
    counts
        Copies held after the draw, shape ``(K,)`` or ``(N, K)``, K = 27 or 34.
    unseen
        Copies of each kind that may still arrive, in the same shape, ``0..4``.
    called
        Melds on the table: one number, or one a hand.
    forms
        The winning forms.

    Returns
    -------
    deficiency
        In the shape of ``counts``, int8: tile changes after that discard, 127 where
        the kind is not held.
    useful
        In the same shape, int16, in tiles.

    Raises
    ------
    HandError
        If a row is not a hand after its draw.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123456m789p1146s1z", tiles=FULL)
    >>> deficiency, useful = judge_discards(hand.counts, hand.unseen)
    >>> int(deficiency[27]), int(useful[27])
    (1, 4)
    """
    return _judge(counts, unseen, called, forms, discarding=True)


def judge_waits(
    counts: ArrayLike,
    unseen: ArrayLike,
    *,
    called: ArrayLike = 0,
    forms: Sequence[str] = (STANDARD,),
) -> Judged:
    """Return the deficiency and the useful copies of hands before their draw.

    Parameters
    ----------
    counts, unseen, called, forms
        As for :func:`judge_discards`, one tile fewer.

    Returns
    -------
    deficiency, useful
        Shape ``()`` or ``(N,)``.

    Examples
    --------
    >>> from mjopt import FULL, Hand
    >>> hand = Hand.parse("123456m789p1146s", tiles=FULL)
    >>> [int(number) for number in judge_waits(hand.counts, hand.unseen)]
    [1, 4]
    """
    deficiency, useful = _judge(counts, unseen, called, forms, discarding=False)
    return deficiency[..., 0], useful[..., 0]


def _judge(
    counts: ArrayLike,
    unseen: ArrayLike,
    called: ArrayLike,
    forms: Sequence[str],
    *,
    discarding: bool,
) -> Judged:
    from mjopt.game.fast import _discards  # numba takes a while to load

    held = np.array(counts, np.uint8)
    left = np.array(unseen, np.uint8)
    if left.shape != held.shape or held.ndim not in (1, 2):
        raise HandError(f"unseen of shape {left.shape}, counts of shape {held.shape}: no hands")
    width = held.shape[-1]
    rows = held.reshape(-1, width)
    melds = np.empty(len(rows), np.uint8)
    melds[:] = called
    chosen = _forms_number(tuple(forms), width)
    shape = (len(rows), width if discarding else 1)
    deficiency, useful = np.empty(shape, np.int8), np.empty(shape, np.int16)
    judge: Any = _discards.judge
    fault = judge(
        rows,
        left.reshape(-1, width),
        melds,
        chosen,
        discarding,
        *_looked_up(width),
        deficiency,
        useful,
    )
    if fault >= 0:
        _refuse(rows[fault], int(melds[fault]), fault, 14 if discarding else 13)
    if held.ndim == 1:
        return deficiency[0], useful[0]
    return deficiency, useful


def _refuse(row: NDArray[np.uint8], called: int, number: int, size: int) -> NoReturn:
    check_called(called)
    if row.max() > COPIES:
        raise HandError(f"row {number}: more than {COPIES} copies of a kind")
    raise HandError(f"row {number}: {row.sum()} tiles, expected {size - 3 * called}")


@cache
def _forms_number(forms: tuple[str, ...], width: int) -> int:
    from mjopt.game.fast import _discards

    numbers = {
        STANDARD: _discards.STANDARD_TOO,
        SEVEN_PAIRS: _discards.PAIRS_TOO,
        THIRTEEN_ORPHANS: _discards.ORPHANS_TOO,
    }
    return sum(numbers[form] for form in set(check_forms(forms, tiles_by_length(width))))


@cache
def _looked_up(width: int) -> Any:
    tables = lookups()
    return (
        np.isin(np.arange(width), ORPHANS if width == 34 else ()).astype(np.uint8),
        tables.classes,
        tables.pair_start if width == 27 else tables.pair,
        tables.mixed,
        np.concatenate([answers(width, called).ravel() for called in range(5)]),
        tables.steps,
        tables.starts,
    )
