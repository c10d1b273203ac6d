"""Certificates as OPB and VeriPB: the program of a hand, and its bound in one `pol` line."""

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.comment import from_comments, program_of, to_comment
from mjopt.analysis.formats.duals import dual_proof
from mjopt.errors import CertificateError
from mjopt.hands.query import Question
from mjopt.models.program import Program
from mjopt.proofs.accepted import Accepted
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.opb_read import read_opb
from mjopt.proofs.opb_write import write_opb
from mjopt.proofs.pb_program import PbProgram, PbRow
from mjopt.proofs.veripb_check import check_veripb
from mjopt.proofs.veripb_read import read_veripb
from mjopt.proofs.veripb_write import write_bound_proof, write_refutation


def pb_program(program: Program) -> PbProgram:
    """Return a 0/1 program; after its rows, one row closes each variable whose bound is 0.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> asked = Question(Hand.parse("1m", called=4), unseen=[0] * 27)
    >>> pb = pb_program(program_of(asked))
    >>> len(pb.names), pb.rows[-1]
    (79, PbRow(terms={77: -1}, rhs=0, is_equation=False))
    """
    rows = [PbRow(dict(terms), low or 0, True) for _, low, _, terms in program.rows]
    rows += [PbRow({i: -1}, 0) for i in _closed(program)]
    return PbProgram(
        names=tuple(f"x{i + 1}" for i in range(program.num_variables)),
        rows=tuple(rows),
        objective={i: cost for i, cost in enumerate(program.objective) if cost},
    )


def _closed(program: Program) -> list[int]:
    return [i for i, most in enumerate(program.upper) if most == 0]


def to_opb(certificate: Certificate, *, version: str = "3.0") -> tuple[str, str]:
    """Write a certificate of one form as an OPB instance and its proof, and verify both.

    Parameters
    ----------
    certificate
        The certificate; an unreachable hand becomes a refutation.
    version
        Format of the proof: ``3.0``, or an older one of ``1.0`` to ``2.0``.

    Returns
    -------
    tuple of str
        The instance and the proof.

    Raises
    ------
    CertificateError
        If the certificate does not hold, or is about several forms.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> instance, proof = to_opb(certify(Hand.parse("1m", called=4)))
    >>> check_opb(instance, proof)[0].value
    1
    """
    found = dual_proof(certificate)
    program = pb_program(found.program)
    multipliers = dict(found.duals)
    first = len(found.program.rows)
    for row, variable in enumerate(_closed(found.program), first):
        if found.reduced[variable] < 0:  # the row says -x >= 0
            multipliers[row] = -found.reduced[variable]
    if found.value is None or found.point is None:
        proof = write_refutation(program, multipliers, version=version)
    else:
        point = [bool(value) for value in found.point]
        proof = write_bound_proof(program, multipliers, found.value, point, version=version)
    head, _, rest = write_opb(program).partition("\n")
    instance = f"{head}\n* {to_comment(found.question)}\n{rest}"
    found.check_written(*check_opb(instance, proof), what="OPB: the files written are")
    return instance, proof


def check_opb(
    instance: str, proof: str, limits: Limits = LIMITS
) -> tuple[Accepted, Question | None]:
    """Verify a proof about an OPB instance; if a comment names a hand, it must be that hand's.

    What else it takes, returns and raises is as for
    :func:`mjopt.analysis.formats.vipr.check_vipr_text`.
    """
    limits.check_text(instance, "OPB")
    question = from_comments(instance, "*", limits)
    read = read_opb(instance, limits)
    if question is not None and read.program != pb_program(program_of(question)):
        raise CertificateError("OPB: the instance is not that of the hand named on top")
    return check_veripb(read, read_veripb(proof, limits), limits), question
