"""The result of a hypothesis test, and Holm's correction of several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from math import isnan
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import as_floats, as_number, expect, expect_all
from mjopt.errors import ArgumentError

ALL_TIED: Final = "all values are tied"
TOO_FEW_RUNS: Final = "not possible: a side has fewer than two runs"
NO_SPREAD: Final = "no spread on either side: the statistic is infinite and p its limit"

DIRECTIONS: Final = (">", "<", "=", "")

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One hypothesis test, complete enough to be printed on its own.

    Parameters
    ----------
    test
        Its name, such as ``"Welch t-test"``.
    names
        The two samples, or all of them for a test of several.
    n
        Observations in each sample; one number if they are paired or blocked.
    statistic, statistic_name
        The value and its symbol (``t``, ``U``, ``W+``, ``chi2``, ``q``, ``z``); ``None`` if the
        test was not possible.
    p_value
        In ``0..1``, two-sided except for equivalence tests; ``None`` if the test was not possible.
    corrected_p, correction
        The p-value corrected for multiple comparisons and the method; ``None`` and empty without a
        correction.
    effect, effect_name
        The effect size; positive (for A12: above 0.5) if the first sample is the larger.
    direction
        ``">"`` if the first sample is the larger, ``"<"``, ``"="``, or empty for a test of
        several samples.
    note
        Information for the reader, for example that all values are tied.

    Raises
    ------
    ArgumentError
        If a p-value is outside 0..1, a value is NaN, or a correction made a p-value smaller.

    Examples
    --------
    >>> result = TestResult(test="rank-sum", names=("a", "b"), n=(3, 3), statistic=9.0,
    ...     statistic_name="U", p_value=0.1, effect=1.0, effect_name="A12", direction=">")
    >>> result.comparison
    'a > b'
    >>> result.is_significant(0.05)
    False
    """

    __test__ = False  # pytest would collect a class of this name

    test: str
    names: tuple[str, ...]
    n: tuple[int, ...]
    statistic: float | None = None
    statistic_name: str = ""
    p_value: float | None = None
    effect: float | None = None
    effect_name: str
    corrected_p: float | None = None
    correction: str = ""
    direction: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """Validate the numbers."""
        expect(self.test, str, "test")
        numbers = (self.statistic, self.p_value, self.corrected_p, self.effect)
        if any(number is not None and isnan(as_number(number, self.test)) for number in numbers):
            raise ArgumentError(
                f"{shorten(self.test)}: not a number in the result: {short_repr(numbers)}"
            )
        for p in (self.p_value, self.corrected_p):
            if p is not None and not 0 <= p <= 1:
                raise ArgumentError(f"{shorten(self.test)}: p-value {p}", expected="0..1")
        if self.corrected_p is not None and (
            self.p_value is None or not self.correction or self.corrected_p < self.p_value
        ):
            raise ArgumentError(
                f"{shorten(self.test)}: corrected p {self.corrected_p} for p {self.p_value}"
            )
        if self.p_value is None and not self.note:
            raise ArgumentError(
                f"{shorten(self.test)}: no p-value", expected="a note with the reason"
            )
        if self.direction not in DIRECTIONS:
            raise ArgumentError(
                argument="direction",
                value=short_repr(self.direction),
                expected=tuple(map(repr, DIRECTIONS)),
            )

    @property
    def comparison(self) -> str:
        """The names with the direction between them."""
        return f" {self.direction or '/'} ".join(self.names)

    @property
    def final_p(self) -> float | None:
        """The corrected p-value if there is one, else the uncorrected p-value."""
        return self.p_value if self.corrected_p is None else self.corrected_p

    def is_significant(self, alpha: float = 0.05) -> bool:
        """Return whether the final p-value is below ``alpha``."""
        return self.final_p is not None and self.final_p < alpha


def direction_of(difference: float) -> str:
    """Return the comparison sign for ``first - second``."""
    return ">" if difference > 0 else "<" if difference < 0 else "="


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm-corrected p-values of one family of tests, in the same order.

    The values are those of ``statsmodels.stats.multitest.multipletests``, which takes over a
    second to import.

    Parameters
    ----------
    p_values
        Uncorrected p-values in 0..1; may be empty.

    References
    ----------
    .. [1] S. Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = as_floats(p_values, "p_values", ArgumentError)
    if p.ndim != 1:
        raise ArgumentError(f"p_values of shape {p.shape}", expected="a list")
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return tuple(np.minimum(np.maximum(corrected, p), 1.0).tolist())


def holm_correct(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """Return the results of one family with Holm-corrected p-values.

    Tests that were not possible stay unchanged and do not count in the correction.

    Examples
    --------
    >>> from mjopt.statistics import rank_sum
    >>> results = [rank_sum([1, 2, 3, 4, 5], [6, 7, 8, 9, low]) for low in (10, 1)]
    >>> [round(result.p_value, 4) for result in holm_correct(results)]
    [0.0079, 0.1032]
    """
    family = expect_all(results, TestResult, "results")
    corrected = iter(holm([result.p_value for result in family if result.p_value is not None]))
    return tuple(
        result
        if result.p_value is None
        else replace(result, corrected_p=next(corrected), correction="holm")
        for result in family
    )


def scipy_stats() -> ModuleType:
    """Import scipy.stats, which takes half a second."""
    need("scipy", extra="experiments")
    return import_module("scipy.stats")


def check_sample(values: ArrayLike) -> NDArray[np.float64]:
    """Validate one sample; return it as floats."""
    sample = as_floats(values, "sample", ArgumentError)
    if sample.ndim != 1 or not len(sample):
        raise ArgumentError(
            f"sample of shape {sample.shape}", expected="a list of at least one value"
        )
    if not np.isfinite(sample).all():
        raise ArgumentError("a sample holds values that are not finite numbers")
    return sample


def check_samples(
    first: ArrayLike, second: ArrayLike, *, paired: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[int, ...]]:
    """Validate two samples; return them with their sizes (one number if paired)."""
    a, b = check_sample(first), check_sample(second)
    if paired and len(a) != len(b):
        raise ArgumentError(f"{len(a)} and {len(b)} values", expected="two samples of one size")
    return a, b, (len(a),) if paired else (len(a), len(b))
