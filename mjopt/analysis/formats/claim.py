"""The claim of a VIPR or VeriPB proof: bounds on the deficiency of its hand.

Checkers accept every claim that they can prove, also an empty one: `RTP range -inf inf` and
`conclusion NONE` need no proof. They accept false ones where a proof has steps that are meant for
other uses: viprchk steps by `sol`, veripb steps by `a`. So before a checker runs, a proof must have
the lines that mjopt writes, and its claim must settle the deficiency.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import CertificateError
from mjopt.models.program import Program

INTEGER: Final = "(?:0|-?[1-9][0-9]{0,17})"
"""Pattern of a whole number as mjopt writes it; viprchk reads 010 and 0x8 as 8."""


@dataclass(frozen=True, slots=True)
class ClaimedBounds:
    """Bounds on a deficiency; both are infinite if the hand cannot be completed."""

    lower: float  # -inf for no bound
    upper: float  # inf for no bound

    def __str__(self) -> str:
        """Return the claim in words.

        Examples
        --------
        >>> print(ClaimedBounds(0, 14), "|", ClaimedBounds(-inf, 3), "|", ClaimedBounds(-inf, inf))
        deficiency at least 0, at most 14 | deficiency at most 3 | nothing
        >>> str(ClaimedBounds(inf, inf))
        'cannot be completed'
        """
        if self.lower == self.upper == inf:
            return "cannot be completed"
        bounds = [f"at least {self.lower}"] if self.lower > -inf else []
        bounds += [f"at most {self.upper}"] if self.upper < inf else []
        return f"deficiency {', '.join(bounds)}" if bounds else "nothing"

    def require_settled(self, format: str) -> None:
        """Raise if the bounds leave several values."""
        if self.lower != self.upper:
            raise CertificateError(
                f"{format}: claims {self}, which does not settle the deficiency",
                expected="two equal bounds",
            )

    def require_point(self, program: Program, point: Sequence[int], format: str) -> None:
        """Raise if a point of the program does not have the claimed value."""
        if fault := program.fault(point):
            raise CertificateError(f"{format}: the solution is not feasible, {fault}")
        if (value := program.evaluate(point)) != self.upper:
            raise CertificateError(
                f"{format}: the solution reaches {value}, the claim is {self.upper}"
            )


def read_bound(text: str) -> float:
    """Read a whole number or an infinite bound; whole numbers stay exact."""
    return float(text) if text.endswith("inf") else int(text)


def match_line(line: str, pattern: str, expected: str, format: str, number: int) -> re.Match[str]:
    """Match a line of a proof with a pattern; ``number`` and ``expected`` are for the message."""
    match = re.fullmatch(pattern, line)
    if match is None:
        raise CertificateError(
            argument=format,
            value=short_repr(line),
            position=number,
            unit="line",
            expected=expected,
        )
    return match


def match_lines(
    lines: Sequence[str], patterns: Sequence[tuple[str, str]], format: str, first: int = 1
) -> list[re.Match[str]]:
    """Match all lines of a proof, each with its pattern beside the words for it."""
    padded = [*lines, *[""] * (len(patterns) - len(lines))]
    matches = [
        match_line(line, *pattern, format, number)
        for number, (line, pattern) in enumerate(zip(padded, patterns, strict=False), first)
    ]
    for number, line in enumerate(lines[len(patterns) :], first + len(patterns)):
        match_line(line, "", "the end of the file", format, number)
    return matches
