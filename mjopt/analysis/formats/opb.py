"""Write certificates as an OPB instance and a VeriPB proof with one ``pol`` line."""

from collections.abc import Iterator
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.dual_proof import DualProof, dual_proof
from mjopt.analysis.formats.proof_header import build_program, write_header
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery
from mjopt.models.opb import to_opb as program_to_opb
from mjopt.models.program import Program

PROOF_VERSIONS: Final = ("1.2", "2.0", "3.0")
"""Versions of the VeriPB format that can be written, the default last."""


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
