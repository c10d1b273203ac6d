"""Limits on the size and the work of a certificate, because files may be untrusted."""

from dataclasses import dataclass, fields
from typing import Final, NoReturn

from mjopt.errors import CertificateError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the checkers; a certificate that exceeds one is rejected.

    All certificates written by mjopt are far below the defaults. Within the defaults, a check takes
    at most a few hundred MB of memory and a minute.

    Parameters
    ----------
    bytes
        Size of one certificate, unpacked: a file, or a line of a file of JSON lines.
    steps
        States, moves and draws visited by the check of a win chance, or steps of building the
        networks of the templates of a certificate.

    Raises
    ------
    CertificateError
        If a limit is not a whole number above 0.

    Examples
    --------
    >>> Limits(bytes=100).check("bytes", 101, "JSON")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: JSON: past the limit of 100 bytes
    """

    bytes: int = 4_000_000
    steps: int = 40_000_000

    def __post_init__(self) -> None:
        """Validate both numbers."""
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int or value <= 0:
                raise CertificateError(
                    f"limit {field.name}={value}", expected="a whole number above 0"
                )

    def check(self, name: str, size: int, where: str) -> None:
        """Raise if a size exceeds the limit of that name."""
        if size > getattr(self, name):
            self.refuse(name, where)

    def refuse(self, name: str, where: str) -> NoReturn:
        """Raise an error that holds the name of the limit."""
        error = CertificateError(
            f"past the limit of {getattr(self, name):,} {name}", argument=where
        )
        error.limit = name
        raise error


LIMITS: Final = Limits()
"""The default limits."""


class StepCounter:
    """Count the steps of one check up to a limit.

    Examples
    --------
    >>> counter = StepCounter(Limits(steps=10), "win chance")
    >>> counter.spend(10)
    >>> counter.spend(1)
    Traceback (most recent call last):
    mjopt.errors.CertificateError: win chance: past the limit of 10 steps
    """

    def __init__(self, limits: Limits, kind: str) -> None:
        self._limits = limits
        self._kind = kind
        self._steps = 0

    def spend(self, steps: int) -> None:
        """Add to the number of steps."""
        self._steps += steps
        self._limits.check("steps", self._steps, self._kind)
