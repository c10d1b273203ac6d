"""Write certificates as an OPB instance and a VeriPB proof with one ``pol`` line."""

import re
from collections.abc import Iterator
from math import inf
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.claim import INTEGER, ClaimedBounds, match_line, match_lines, read_bound
from mjopt.analysis.formats.dual_proof import DualProof, dual_proof
from mjopt.analysis.formats.proof_header import build_program, write_header
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery
from mjopt.models.opb import to_opb as program_to_opb
from mjopt.models.program import Program

PROOF_VERSIONS: Final = ("1.2", "2.0", "3.0")
"""Versions of the VeriPB format that can be written, the default last."""

_FORMAT: Final = "VeriPB"
_POINT: Final = "(?P<point>(?:~?x[0-9]{1,9} )*~?x[0-9]{1,9})"
_BOUND: Final = f"(?:INF|{INTEGER})"
_HEAD: Final = (
    f"pseudo-Boolean proof version ({'|'.join(map(re.escape, PROOF_VERSIONS))})",
    f"pseudo-Boolean proof version {' or '.join(PROOF_VERSIONS)}",
)
_COUNT: Final = ("f [0-9]{1,9}", "f and the number of constraints")
_SUM: Final = ("pol [-0-9x~+*s ]+", "pol and a sum of constraints")
_OLD: Final = (_COUNT, _SUM, ("c -1", "c -1, or o and a solution"))
_OLD_WITH_POINT: Final = (
    *(_COUNT, _SUM, (f"o {_POINT}", "o and a solution")),
    *(("pol -1 -2 [+]", "pol -1 -2 +"), ("c -1", "c -1")),
)
_NEW: Final = (
    _COUNT,
    (f"@lb {_SUM[0]}", f"@lb {_SUM[1]}"),
    ("output NONE", "output NONE"),
    (
        "conclusion (?:NONE|SAT|(?P<unsat>UNSAT)(?: : @lb)?|"
        f"BOUNDS (?P<lower>{_BOUND})(?: : @lb)? (?P<upper>{_BOUND})(?: : {_POINT})?)",
        "conclusion BOUNDS LOWER : @lb UPPER : SOLUTION",
    ),
    ("end pseudo-Boolean proof", "end pseudo-Boolean proof"),
)


def to_opb(certificate: Certificate, *, version: str = PROOF_VERSIONS[-1]) -> tuple[str, str]:
    """Write a certificate of one winning form as an OPB instance and its VeriPB proof.

    Parameters
    ----------
    certificate
        The certificate; an unreachable hand becomes a refutation.
    version
        Version of the proof format, one of :data:`PROOF_VERSIONS`.

    Returns
    -------
    tuple of str
        The instance and the proof.

    Raises
    ------
    CertificateError
        If the certificate does not hold or covers several forms, or the version is unknown.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> instance, proof = to_opb(certify(Hand.parse("11m", called=4)))
    >>> instance.splitlines()[0], proof.splitlines()[-2][:24]
    ('* #variable= 79 #constraint= 53', 'conclusion BOUNDS 0 : @l')
    """
    if not isinstance(version, str) or version not in PROOF_VERSIONS:
        raise CertificateError(
            f"version {short_repr(version)} is not one of {', '.join(PROOF_VERSIONS)}"
        )
    proof = dual_proof(certificate)
    program, value, point = proof.program, proof.value, proof.point
    sum_of_rows = _polish(proof)
    # An equation counts as two constraints.
    count = f"f {2 * len(program.rows) + len(_closed(program))}"
    literals = ""
    if point is not None:
        literals = " ".join(f"{'' if x else '~'}x{i}" for i, x in enumerate(point, 1))
    if version.startswith("1."):
        lines = [count, f"pol {sum_of_rows}"]
        if value is not None:
            lines += [f"o {literals}", "pol -1 -2 +"]
        lines.append("c -1")
        stop = ""
    else:
        bounds = "INF : @lb INF" if value is None else f"{value} : @lb {value} : {literals}"
        lines = [
            count,
            f"@lb pol {sum_of_rows}",
            "output NONE",
            f"conclusion BOUNDS {bounds}",
            "end pseudo-Boolean proof",
        ]
        stop = " ;" if version.startswith("3.") else ""
    head = f"pseudo-Boolean proof version {version}\n"
    return write_opb_instance(proof.query), head + "".join(f"{line}{stop}\n" for line in lines)


def write_opb_instance(query: HandQuery) -> str:
    """Write the program of a query as an OPB instance, with the hand in a comment.

    After the rows of the program, one constraint closes each variable whose upper bound is 0.
    """
    return program_to_opb(build_program(query), comments=[write_header(query)])


def read_opb_claim(instance: str, proof: str, query: HandQuery) -> ClaimedBounds:
    """Read the claim of a VeriPB proof about a query, and check that its solution has that value.

    The derivation of the bound is left to ``veripb``, but it must be one line by ``pol``.

    `CertificateError` is raised if the instance is not that of the query, the claim does not settle
    the deficiency, or the proof has other lines than :func:`to_opb` writes.
    """
    if instance != write_opb_instance(query):
        raise CertificateError("OPB: the instance is not that of the hand named on top")
    program = build_program(query)
    head, *lines = proof.split("\n")
    version = match_line(head, *_HEAD, _FORMAT, 1)[1]
    if version.startswith("1."):
        has_point = len(lines) > 2 and lines[2].startswith("o ")
        matches = match_lines(lines, _OLD_WITH_POINT if has_point else _OLD, _FORMAT, 2)
        if not has_point:
            return ClaimedBounds(inf, inf)
        point = _read_point(matches[2][1], program)
        claim = ClaimedBounds(value := program.evaluate(point), value)
    else:
        stop = " ;" if version.startswith("3.") else ""
        patterns = [(pattern + stop, words + stop) for pattern, words in _NEW]
        found = match_lines(lines, patterns, _FORMAT, 2)[3]
        if found["lower"] is None:
            claim = ClaimedBounds(inf, inf) if found["unsat"] else ClaimedBounds(-inf, inf)
        else:
            claim = ClaimedBounds(*(read_bound(found[name].lower()) for name in ("lower", "upper")))
        claim.require_settled(_FORMAT)
        if claim.lower == inf:
            return claim
        point = _read_point(found["point"] or "", program)
    claim.require_point(program, point, _FORMAT)
    return claim


def _read_point(text: str, program: Program) -> list[int]:
    """Read the values of all variables, as literals in order."""
    literals = text.split()
    names = [literal.removeprefix("~") for literal in literals]
    if names != [f"x{number}" for number in range(1, program.num_variables + 1)]:
        raise CertificateError(
            f"{_FORMAT}: the solution is not all variables in order",
            expected=f"literals of x1 to x{program.num_variables}",
        )
    return [int(not literal.startswith("~")) for literal in literals]


def _closed(program: Program) -> list[int]:
    """Return the variables whose upper bound is 0."""
    return [i for i, most in enumerate(program.upper) if most == 0]


def _polish(proof: DualProof) -> str:
    """Write the weighted sum of rows and literal axioms whose left side is the objective.

    The sum is in reverse Polish notation.
    """
    summands = list(_summands(proof))
    if not summands:  # nothing to add: x >= 0 saturated is 0 >= 0
        summands = ["x1 s"]
    return " ".join([summands[0], *(f"{summand} +" for summand in summands[1:])])


def _summands(proof: DualProof) -> Iterator[str]:
    """Yield each row and each literal axiom with its weight."""
    program, reduced = proof.program, proof.reduced
    for row, dual in proof.duals.items():
        # Row i is the constraints 2 i + 1 (>=) and 2 i + 2 (<=).
        yield _weigh(str(2 * row + 1 + (dual < 0)), abs(dual))
    closed = _closed(program)
    for number, variable in enumerate(closed, 2 * len(program.rows) + 1):
        if reduced[variable] < 0:
            yield _weigh(str(number), -reduced[variable])
    closed_set = set(closed)
    for variable, cost in enumerate(reduced):
        if cost > 0:
            yield _weigh(f"x{variable + 1}", cost)
        elif cost < 0 and variable not in closed_set:
            yield _weigh(f"~x{variable + 1}", -cost)


def _weigh(operand: str, weight: int) -> str:
    """Write an operand times a weight."""
    return operand if weight == 1 else f"{operand} {weight} *"
