"""A 0/1 program over the integers, as pseudo-Boolean formats hold it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mjopt.errors import CertificateError
from mjopt.proofs.at_least import AtLeast


class PbRow(NamedTuple):
    """``terms @ x >= rhs``, or ``= rhs`` where ``is_equation``; no term is 0."""

    terms: dict[int, int]
    rhs: int
    is_equation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PbProgram:
    """Minimise ``constant + objective @ x`` over 0/1 variables.

    Parameters
    ----------
    names
        A distinct name for each variable.
    rows
        The constraints.
    objective
        Cost of each variable, absent means 0; None where nothing is minimised.
    constant
        Constant part of the objective.

    Examples
    --------
    >>> program = PbProgram(names=("x1", "x2"), rows=(PbRow({0: 1, 1: 1}, 1, True),))
    >>> program.constraints()
    [AtLeast(terms={0: 1, 1: 1}, rhs=1), AtLeast(terms={0: -1, 1: -1}, rhs=-1)]
    >>> program.proof_id(0, at_most=True)
    2
    """

    names: tuple[str, ...]
    rows: tuple[PbRow, ...]
    objective: dict[int, int] | None = None
    constant: int = 0

    def constraints(self) -> list[AtLeast]:
        """Return the rows as proofs number them: an equation is two, >= before <=."""
        found: list[AtLeast] = []
        for row in self.rows:
            found.append(AtLeast(row.terms, row.rhs))
            if row.is_equation:
                found.append(AtLeast({v: -a for v, a in row.terms.items()}, -row.rhs))
        return found

    def proof_id(self, row: int, *, at_most: bool = False) -> int:
        """Return the number that proofs give to a row, or to the <= half of an equation."""
        if at_most and not self.rows[row].is_equation:
            raise CertificateError(f"row {row} is no equation: it has no <= half")
        return row + 1 + sum(r.is_equation for r in self.rows[:row]) + at_most

    def evaluate(self, point: Mapping[int, bool]) -> int:
        """Return the objective at a full assignment."""
        if self.objective is None:
            raise CertificateError("the program has no objective")
        return self.constant + sum(c for v, c in self.objective.items() if point[v])

    def at_least(self, bound: int) -> AtLeast:
        """Return the constraint that the objective reaches a bound."""
        return AtLeast(dict(self.objective or {}), bound - self.constant)
