"""One pseudo-Boolean constraint, and the cutting-plane rules that keep it true."""

from collections.abc import Mapping
from typing import NamedTuple


class AtLeast(NamedTuple):
    """``terms . x >= rhs`` over 0/1 variables, no term 0.

    Written over variables rather than literals, addition is plain addition. The rules that speak
    of literals (3 ~x is 3 - 3 x) go through the ``degree``, the right-hand side of that form.
    """

    terms: dict[int, int]
    rhs: int

    @property
    def degree(self) -> int:
        """Right-hand side when every coefficient is made positive by negating literals."""
        return self.rhs - sum(a for a in self.terms.values() if a < 0)

    def holds(self, point: Mapping[int, bool]) -> bool:
        """Say whether a full assignment satisfies the constraint."""
        return sum(a for variable, a in self.terms.items() if point[variable]) >= self.rhs


def literal_axiom(variable: int, *, positive: bool) -> AtLeast:
    """Return x >= 0, or 1 - x >= 0.

    Examples
    --------
    >>> literal_axiom(4, positive=False)
    AtLeast(terms={4: -1}, rhs=-1)
    """
    return AtLeast({variable: 1}, 0) if positive else AtLeast({variable: -1}, -1)


def add(left: AtLeast, right: AtLeast) -> AtLeast:
    """Return the sum; the larger of the two is used up.

    Examples
    --------
    >>> add(AtLeast({0: 1, 1: 2}, 2), AtLeast({1: -2}, -1))
    AtLeast(terms={0: 1}, rhs=1)
    """
    big, small = (left, right) if len(left.terms) >= len(right.terms) else (right, left)
    terms = big.terms
    for variable, coefficient in small.terms.items():
        total = terms.get(variable, 0) + coefficient
        if total:
            terms[variable] = total
        else:
            terms.pop(variable, None)
    return AtLeast(terms, left.rhs + right.rhs)


def multiply(row: AtLeast, factor: int) -> AtLeast:
    """Return the constraint times a factor, 0 or more."""
    terms = {variable: factor * a for variable, a in row.terms.items()} if factor else {}
    return AtLeast(terms, factor * row.rhs)


def divide(row: AtLeast, divisor: int) -> AtLeast:
    """Divide over literals and round every number up; whole left sides allow it.

    Examples
    --------
    >>> divide(AtLeast({0: 2, 1: 3}, 3), 2)
    AtLeast(terms={0: 1, 1: 2}, rhs=2)
    >>> divide(AtLeast({0: 2, 1: -3}, 0), 2)
    AtLeast(terms={0: 1, 1: -2}, rhs=0)
    """
    terms = {v: _away_from_zero(a, divisor) for v, a in row.terms.items()}
    return _from_degree(terms, -(-row.degree // divisor))


def saturate(row: AtLeast) -> AtLeast:
    """Lower every coefficient over literals to the degree; one literal may suffice.

    Examples
    --------
    >>> saturate(AtLeast({0: 5, 1: -3}, -1))
    AtLeast(terms={0: 2, 1: -2}, rhs=0)
    """
    degree = row.degree
    if degree <= 0:
        return AtLeast({}, 0)
    terms = {v: max(-degree, min(degree, a)) for v, a in row.terms.items()}
    return _from_degree(terms, degree)


def weaken(row: AtLeast, variable: int) -> AtLeast:
    """Remove a variable by adding literal axioms.

    Examples
    --------
    >>> weaken(AtLeast({0: 1, 1: 2}, 2), 1)
    AtLeast(terms={0: 1}, rhs=0)
    """
    terms = dict(row.terms)
    coefficient = terms.pop(variable, 0)
    return AtLeast(terms, row.rhs - max(0, coefficient))


def negate(row: AtLeast) -> AtLeast:
    """Return the constraint that holds exactly where this one does not."""
    return AtLeast({variable: -a for variable, a in row.terms.items()}, 1 - row.rhs)


def contradicts(row: AtLeast) -> bool:
    """Say whether no assignment satisfies the constraint.

    Examples
    --------
    >>> contradicts(AtLeast({0: 1, 1: -2}, 2)), contradicts(AtLeast({0: 2}, 2))
    (True, False)
    """
    return sum(a for a in row.terms.values() if a > 0) < row.rhs


def implies(row: AtLeast, goal: AtLeast) -> bool:
    """Say whether adding literal axioms turns a constraint into another, or it is contradictory.

    Examples
    --------
    >>> implies(AtLeast({0: 1, 1: 1}, 2), AtLeast({0: 1, 2: 1}, 1))
    True
    """
    if contradicts(row):
        return True
    loss = 0
    for variable, ours in row.terms.items():
        theirs = goal.terms.get(variable, 0)
        shared = min(abs(ours), abs(theirs)) if (ours > 0) == (theirs > 0) else 0
        loss += abs(ours) - shared
    return row.degree - loss >= goal.degree


def _away_from_zero(number: int, divisor: int) -> int:
    """Divide and round up in size."""
    return -(-number // divisor) if number > 0 else number // divisor


def _from_degree(terms: dict[int, int], degree: int) -> AtLeast:
    """Return the constraint whose form over literals has this degree."""
    return AtLeast(terms, degree + sum(a for a in terms.values() if a < 0))
