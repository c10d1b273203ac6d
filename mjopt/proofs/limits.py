"""How much a checker reads, computes and keeps: no file keeps it busy, or fills the memory."""

import re
from dataclasses import dataclass, fields
from time import monotonic
from typing import Final, NoReturn

from mjopt.errors import CertificateError
from mjopt.proofs.words import MAX_DIGITS, Rational

_UNITS = {
    "bytes": "bytes",
    "line": "bytes in one JSON document",
    "lines": "things",
    "digits": "digits",
    "terms": "terms kept",
    "steps": "steps",
    "seconds": "seconds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a checker goes up to; past it a file is refused.

    By default everything that mjopt writes passes at least ten times over, and no file takes
    300 MB of memory. All but ``seconds`` decide alike on every machine.

    Parameters
    ----------
    bytes
        Of a file that is read whole: VIPR, OPB, VeriPB or play, unpacked.
    line
        Bytes of one JSON certificate, a file or a line.
    lines
        Variables, constraints, solutions, derivations or states of a file, of each so many.
    digits
        Of a number that is computed. One that is read has at most 600 as well.
    terms
        Coefficients of derived constraints, and open assumptions, kept at one time; one of
        many digits counts more than once.
    steps
        Coefficients looked at while deriving; long fractions count many times.
    seconds
        For the steps of one file.

    Examples
    --------
    >>> Limits(digits=100).refuse("digits", "VIPR")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VIPR: past the limit of 100 digits (--limit digits=...)
    """

    bytes: int = 4_000_000
    line: int = 1_000_000
    lines: int = 60_000
    digits: int = 5_000
    terms: int = 250_000
    steps: int = 20_000_000
    seconds: float = 60

    def __post_init__(self) -> None:
        """Refuse limits that are no positive numbers."""
        for field in fields(self):
            value = getattr(self, field.name)
            kinds = (int, float) if field.name == "seconds" else (int,)
            if type(value) not in kinds or not value > 0:
                what = "a number" if len(kinds) > 1 else "a whole number"
                raise CertificateError(f"limit {field.name}={value}: expected {what} above 0")

    def refuse(self, name: str, where: str) -> NoReturn:
        """Raise, naming the limit that is passed and the option that moves it."""
        raise CertificateError(
            f"{where}: past the limit of {getattr(self, name):,} {_UNITS[name]}"
            f" (--limit {name}=...)"
        )

    def check(self, name: str, size: int, where: str) -> None:
        """Refuse a size past a limit."""
        if size > getattr(self, name):
            self.refuse(name, where)

    def check_text(self, text: str, kind: str) -> None:
        """Refuse text too long, or with a number too long, before anything is read from it."""
        self.check("bytes", len(text), kind)
        if self.digits < MAX_DIGITS:  # else the words themselves are read up to there only
            found = re.search(f"[0-9]{{{self.digits + 1}}}", text)
            if found:
                line = text.count("\n", 0, found.start()) + 1
                self.refuse("digits", f"{kind}, line {line}")


LIMITS: Final = Limits()
"""How far the checkers read a file unless they are told otherwise."""


class Budget:
    """What checking one file has taken so far.

    Parameters
    ----------
    limits
        How far it may go.
    kind
        What the file claims to be, for messages.

    Examples
    --------
    >>> budget = Budget(Limits(steps=10), "VIPR")
    >>> budget.spend(10)
    >>> budget.spend(1)
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VIPR: past the limit of 10 steps (--limit steps=...)
    """

    def __init__(self, limits: Limits = LIMITS, kind: str = "proof") -> None:
        self.limits = limits
        self._kind = kind
        self._steps = 0
        self._terms = 0
        self._most_bits = limits.digits * 3322 // 1000 + 1
        self._deadline = monotonic() + limits.seconds

    def spend(self, steps: int) -> None:
        """Count steps, and look at the clock."""
        self._steps += steps
        if self._steps > self.limits.steps:
            self.limits.refuse("steps", self._kind)
        if monotonic() > self._deadline:
            self.limits.refuse("seconds", self._kind)

    def keep(self, terms: int) -> None:
        """Count terms that are kept from now on; fewer than none were let go."""
        self._terms += terms
        if self._terms > self.limits.terms:
            self.limits.refuse("terms", self._kind)

    def weigh(self, value: Rational) -> None:
        """Count a number that was computed: work on fractions grows as the square of digits."""
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > self._most_bits:
            self.limits.refuse("digits", self._kind)
        self.spend(1 + (bits >> 9) ** 2)

    def is_long(self, value: int) -> bool:
        """Say whether an integer has grown past the limit of digits."""
        return value.bit_length() > self._most_bits
