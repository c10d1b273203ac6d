"""What a VIPR file holds: a program, a claim about it, and the evidence."""

from dataclasses import dataclass
from typing import NamedTuple

from mjopt.proofs.mixed_program import MixedProgram, Row
from mjopt.proofs.words import Rational, Words

VERSIONS = ("1.0", "1.1")


class Claim(NamedTuple):
    """The relation to prove: infeasibility, or bounds on the best objective (None: none)."""

    infeasible: bool
    lower: Rational | None = None
    upper: Rational | None = None


class Solution(NamedTuple):
    """A point claimed feasible; variables it leaves out are 0. ``at`` is its word in the file."""

    name: str
    values: dict[int, Rational]
    at: int = 0


class Derivation(NamedTuple):
    """A row and the reason it holds.

    ``multipliers`` (of ``lin`` and ``rnd``) and ``cases`` (of ``uns``: each a row and the
    assumption that it discharges) point at rows by index, constraints first. ``last_use`` is
    the last index that may point here, or -1. ``at`` is the derivation's word in the file.
    """

    row: Row
    reason: str
    multipliers: dict[int, Rational] = {}  # noqa: RUF012 - never written to
    cases: tuple[tuple[int, int], ...] = ()
    last_use: int = -1
    at: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ViprFile:
    """What a VIPR file says, read but not believed.

    Parameters
    ----------
    version
        ``1.0`` or ``1.1``.
    program
        The mixed-integer program.
    claim, claim_at
        What is to be proved about it, and the word where the file says so.
    solutions, derivations
        The evidence.
    words
        The text, to name the line in a refusal.
    """

    version: str
    program: MixedProgram
    claim: Claim
    claim_at: int
    solutions: tuple[Solution, ...]
    derivations: tuple[Derivation, ...]
    words: Words
