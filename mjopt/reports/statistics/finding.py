"""What one statistical test found."""

from dataclasses import dataclass
from math import isnan

from mjopt.errors import StudyError

DIRECTIONS = (">", "<", "=", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One test, complete enough to be printed on its own.

    Parameters
    ----------
    test
        Its name, such as ``"Welch t-test"``.
    sides
        What was compared: two names, or all of them for a test of several.
    n
        How many observations each side has; one number if they are paired or blocked.
    statistic, statistic_name
        The value and its letter (``t``, ``U``, ``W+``, ``chi2``, ``q``, ``z``); ``None``
        if the test was not possible.
    p_value
        In ``0..1``, two-sided but for a test of equivalence; ``None`` if the test was not possible.
    corrected_p, correction
        The p-value after a correction for several comparisons, and which; ``None`` and
        empty before one was made.
    effect, effect_name
        Size of the difference; positive if the first side is the larger.
    direction
        ``">"`` if the first side is the larger, ``"<"``, ``"="``, or empty for a test of
        several.
    note
        What must be known to read it, such as that all values are tied.

    Raises
    ------
    StudyError
        If a p-value is outside 0..1, a number is not a number, or a correction made a
        p-value smaller.

    Examples
    --------
    >>> found = Finding(test="rank-sum", sides=("a", "b"), n=(3, 3), statistic=9.0,
    ...     statistic_name="U", p_value=0.1, effect=1.0, effect_name="A12", direction=">")
    >>> found.says
    'a > b'
    >>> found.is_significant(0.05)
    False
    """

    test: str
    sides: tuple[str, ...]
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
        """Refuse numbers that no test gives."""
        numbers = (self.statistic, self.p_value, self.corrected_p, self.effect)
        if any(number is not None and isnan(number) for number in numbers):
            raise StudyError(f"not a number in the outcome of {self.test}: {numbers}")
        for p in (self.p_value, self.corrected_p):
            if p is not None and not 0 <= p <= 1:
                raise StudyError(f"p-value {p} of {self.test}, expected 0..1")
        if self.corrected_p is not None and (
            self.p_value is None or not self.correction or self.corrected_p < self.p_value
        ):
            raise StudyError(f"{self.test}: corrected p {self.corrected_p} for p {self.p_value}")
        if self.p_value is None and not self.note:
            raise StudyError(f"{self.test} without a p-value, expected a note that says why")
        if self.direction not in DIRECTIONS:
            raise StudyError(f"direction {self.direction!r}, expected one of {DIRECTIONS}")

    @property
    def says(self) -> str:
        """Return the sides with the direction between them."""
        return f" {self.direction or '/'} ".join(self.sides)

    @property
    def final_p(self) -> float | None:
        """Return the corrected p-value if there is one, else the plain one."""
        return self.p_value if self.corrected_p is None else self.corrected_p

    def is_significant(self, alpha: float = 0.05) -> bool:
        """Say whether the (corrected) p-value is below ``alpha``."""
        return self.final_p is not None and self.final_p < alpha


def direction_of(gap: float) -> str:
    """Return the sign between two sides, the first less the second being given."""
    return ">" if gap > 0 else "<" if gap < 0 else "="
