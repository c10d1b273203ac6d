"""What a checker accepted: the statement that a proof file has been seen to prove."""

from dataclasses import dataclass

from mjopt.errors import CertificateError
from mjopt.proofs.words import Rational, show


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A statement about a program, proved by a file that a checker went through.

    Parameters
    ----------
    format
        ``VIPR`` or ``VeriPB``.
    version
        Version of the format that the file declares.
    claim
        The file's own word for what it proves, such as ``range`` or ``UNSAT``.
    num_variables, num_constraints, num_derivations
        Size of the program, and how many further constraints were derived.
    infeasible
        Whether the program was shown to have no solution.
    lower, upper
        Bounds shown for the best objective; None where none was claimed.
    final
        Name of the constraint that settles the claim; empty where none is needed.

    Examples
    --------
    >>> accepted = Accepted(
    ...     format="VIPR", version="1.1", claim="range", num_variables=2, num_constraints=3,
    ...     num_derivations=1, infeasible=False, lower=2, upper=2, final="bound",
    ... )
    >>> accepted.value
    2
    >>> accepted.demand(3)
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VIPR: the file proves 2..2, not the value 3
    """

    format: str
    version: str
    claim: str
    num_variables: int
    num_constraints: int
    num_derivations: int
    infeasible: bool
    lower: Rational | None
    upper: Rational | None
    final: str

    def __post_init__(self) -> None:
        """Refuse a statement that contradicts itself."""
        bounds = self.lower is not None or self.upper is not None
        if self.infeasible and bounds:
            raise CertificateError(f"{self.format}: infeasible, and yet with bounds")
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise CertificateError(
                f"{self.format}: lower bound {show(self.lower)} above upper {show(self.upper)}"
            )

    @property
    def value(self) -> Rational | None:
        """The optimum, where both bounds meet."""
        return self.lower if self.lower == self.upper else None

    def demand(self, value: Rational | None) -> None:
        """Refuse unless exactly this optimum was proved; None demands nothing."""
        if value is None or (self.value is not None and self.value == value):
            return
        low = "-inf" if self.lower is None else show(self.lower)
        high = "inf" if self.upper is None else show(self.upper)
        proved = "infeasibility" if self.infeasible else f"{low}..{high}"
        raise CertificateError(
            f"{self.format}: the file proves {proved}, not the value {show(value)}"
        )
