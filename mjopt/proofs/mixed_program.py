"""A mixed-integer program over the rationals, and when one row settles another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mjopt.errors import CertificateError
from mjopt.proofs.limits import Budget
from mjopt.proofs.words import Rational, show

AT_MOST, EQUAL, AT_LEAST = -1, 0, 1
"""The sense of a row: its sum is at most, equal to, or at least its right-hand side."""
SIGNS = {AT_MOST: "<=", EQUAL: "=", AT_LEAST: ">="}
SENSES = {"L": AT_MOST, "E": EQUAL, "G": AT_LEAST}


class Row(NamedTuple):
    """A linear constraint ``terms @ x (<=, =, >=) rhs``.

    ``sense`` is AT_MOST, EQUAL or AT_LEAST; no term of ``terms`` is 0.
    """

    name: str
    sense: int
    rhs: Rational
    terms: dict[int, Rational]

    def holds(self, point: Mapping[int, Rational], budget: Budget) -> bool:
        """Say whether a point satisfies the row; variables it leaves out are 0."""
        gap = weighted_sum(self.terms, point, budget) - self.rhs
        return gap == 0 or (gap > 0) - (gap < 0) == self.sense


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedProgram:
    """Optimise a linear objective over rows; variables are free unless a row bounds them.

    Parameters
    ----------
    variables
        Names of the variables, whose positions are their indices.
    integers
        Indices of the variables that must be whole.
    objective
        Cost of one unit of each variable; absent means 0.
    minimise
        Whether less is better.
    rows
        Constraints; the first ``num_bounds`` are bounds on a single variable each.
    num_bounds
        How many rows are bounds.

    Examples
    --------
    >>> program = MixedProgram(
    ...     variables=("x",), integers=frozenset({0}), objective={0: 1},
    ...     rows=(Row("low", AT_LEAST, 0, {0: 1}), Row("need", AT_LEAST, 3, {0: 2})),
    ...     num_bounds=1,
    ... )
    >>> program.fault({0: 2}, Budget()), program.fault({0: 1}, Budget())
    (None, "row 'need' does not hold")
    """

    variables: tuple[str, ...]
    integers: frozenset[int]
    objective: dict[int, Rational]
    rows: tuple[Row, ...]
    minimise: bool = True
    num_bounds: int = 0

    def __post_init__(self) -> None:
        """Refuse more bounds than rows."""
        if not 0 <= self.num_bounds <= len(self.rows):
            raise CertificateError(f"{self.num_bounds} bounds among {len(self.rows)} rows")

    @property
    def objective_is_integral(self) -> bool:
        """Whether every feasible point has a whole objective, by its coefficients alone."""
        return self.is_integral(self.objective)

    def is_integral(self, terms: Mapping[int, Rational]) -> bool:
        """Say whether terms are whole coefficients on integer variables, and so whole."""
        return all(
            coefficient.denominator == 1 and variable in self.integers
            for variable, coefficient in terms.items()
        )

    def evaluate(self, point: Mapping[int, Rational], budget: Budget) -> Rational:
        """Return the objective at a point; variables it leaves out are 0."""
        return weighted_sum(self.objective, point, budget)

    def fault(self, point: Mapping[int, Rational], budget: Budget) -> str | None:
        """Say why a point is not feasible, or return None if it is."""
        for variable, value in point.items():
            if variable in self.integers and value.denominator != 1:
                return f"integer variable {self.variables[variable]!r} is {show(value)}"
        for row in self.rows:
            if not row.holds(point, budget):
                return f"row {row.name!r} does not hold"
        return None


def weighted_sum(
    terms: Mapping[int, Rational], point: Mapping[int, Rational], budget: Budget
) -> Rational:
    """Return the value of terms at a point; variables it leaves out are 0."""
    budget.spend(1 + len(terms))
    total: Rational = 0
    for variable, coefficient in terms.items():
        if variable in point:
            total += coefficient * point[variable]
            if type(total) is not int:  # integers are as long as what is read, and sums of it
                budget.weigh(total)
    return total


def absurd(row: Row) -> bool:
    """Say whether a row has no terms and cannot hold, such as 0 >= 1.

    Examples
    --------
    >>> absurd(Row("", AT_LEAST, 1, {})), absurd(Row("", AT_MOST, 1, {}))
    (True, False)
    """
    if row.terms or row.rhs == 0:
        return False
    return row.sense == EQUAL or (row.rhs > 0) == (row.sense == AT_LEAST)


def dominates(row: Row, other: Row) -> bool:
    """Say whether a row settles another: an absurdity, or the same terms at least as tight.

    Examples
    --------
    >>> tight, loose = Row("", EQUAL, 3, {0: 1}), Row("", AT_LEAST, 2, {0: 1})
    >>> dominates(tight, loose), dominates(loose, tight)
    (True, False)
    """
    if absurd(row):
        return True
    if row.terms is not other.terms and row.terms != other.terms:
        return False
    if other.sense == EQUAL:
        return row.sense == EQUAL and row.rhs == other.rhs
    # Equal right-hand sides are a match; otherwise ours must lie on the strict side.
    within = row.rhs == other.rhs or (row.rhs > other.rhs) == (other.sense == AT_LEAST)
    return row.sense in (EQUAL, other.sense) and within
