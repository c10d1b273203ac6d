"""Corrections for several comparisons made at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError
from mjopt.reports.statistics.outcome import Outcome

PValues = NDArray[np.float64]


def _holm(p: PValues) -> PValues:
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return adjusted


def _bonferroni(p: PValues) -> PValues:
    return np.multiply(p, len(p))


def _benjamini_hochberg(p: PValues) -> PValues:
    order = np.argsort(p, kind="stable")[::-1]
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return np.maximum(adjusted, p)  # rounding must not make a p-value smaller


CORRECTIONS: dict[str, Callable[[PValues], PValues]] = {
    "holm": _holm,
    "bonferroni": _bonferroni,
    "benjamini-hochberg": _benjamini_hochberg,
}
"""``holm`` and ``bonferroni`` bound the chance of any false claim, the last their share."""


def adjust(p_values: Sequence[float], method: str = "holm") -> tuple[float, ...]:
    """Return the corrected p-values of one family of comparisons, in the same order.

    Parameters
    ----------
    p_values
        Plain p-values, in 0..1; perhaps none.
    method
        One of :data:`CORRECTIONS`.

    References
    ----------
    .. [1] S. Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in adjust([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    if method not in CORRECTIONS:
        raise StudyError(f"correction {method!r}, expected one of {', '.join(CORRECTIONS)}")
    if not len(p_values):
        return ()
    adjusted = CORRECTIONS[method](np.asarray(p_values, np.float64))
    return tuple(np.minimum(adjusted, 1.0).tolist())


def correct(outcomes: Iterable[Outcome], method: str = "holm") -> tuple[Outcome, ...]:
    """Return the outcomes of one family with their corrected p-values.

    A test that was not possible stays as it is and does not count.
    """
    family = tuple(outcomes)
    adjusted = iter(adjust([o.p_value for o in family if o.p_value is not None], method))
    return tuple(
        o if o.p_value is None else replace(o, corrected_p=next(adjusted), correction=method)
        for o in family
    )
