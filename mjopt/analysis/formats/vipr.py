"""Certificates as VIPR 1.1: the program of a hand, and its bound in one `lin` line."""

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.comment import from_comments, program_of, to_comment
from mjopt.analysis.formats.duals import dual_proof
from mjopt.errors import CertificateError
from mjopt.hands.query import Question
from mjopt.hands.winning_forms import SEVEN_PAIRS
from mjopt.models.program import Program
from mjopt.proofs.accepted import Accepted
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.mixed_program import AT_LEAST, AT_MOST, EQUAL, MixedProgram, Row
from mjopt.proofs.vipr_check import check_vipr
from mjopt.proofs.vipr_file import Claim, Derivation
from mjopt.proofs.vipr_read import read_vipr
from mjopt.proofs.vipr_write import write_dual_bound, write_vipr
from mjopt.proofs.words import Rational


def mixed_program(question: Question) -> MixedProgram:
    """Return the program of a question, with its bounds spelled out as rows.

    The rows are the lower bounds of all variables, upper bounds, then the rows of the program.
    Upper bounds of 1 are left out where the rows imply them, for a quarter of the file: one
    unit flows through the network, and the rows of thirteen orphans sum to 1.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> asked = Question(Hand.parse("1m", called=4), unseen=(3,) + (0,) * 26)
    >>> mixed = mixed_program(asked)
    >>> mixed.num_bounds, len(mixed.rows), mixed.rows[-1].name
    (105, 158, 'node_52')
    """
    program = program_of(question)
    lower = [
        Row(f"{name}_low", AT_LEAST, bound, {i: 1})
        for i, (name, bound) in enumerate(zip(program.names, program.lower, strict=True))
    ]
    upper = [
        Row(f"{program.names[i]}_up", AT_MOST, program.upper[i], {i: 1})
        for i in _bounded_above(question, program)
    ]
    rows = [Row(name, EQUAL, low or 0, dict(terms)) for name, low, _, terms in program.rows]
    return MixedProgram(
        variables=program.names,
        integers=frozenset(range(program.num_variables)),
        objective={i: cost for i, cost in enumerate(program.objective) if cost},
        rows=(*lower, *upper, *rows),
        num_bounds=len(lower) + len(upper),
    )


def _bounded_above(question: Question, program: Program) -> list[int]:
    """Return the variables whose upper bound no row implies."""
    every = question.forms == (SEVEN_PAIRS,)
    return [i for i, most in enumerate(program.upper) if every or most == 0]


def to_vipr(certificate: Certificate) -> str:
    """Write a certificate of one form as VIPR 1.1, and verify what was written.

    Duals weigh the rows, reduced costs the bounds of the variables; together they are the one
    derivation of the file. An unreachable hand becomes a proof of infeasibility.
    A comment before the first line names the hand.

    Raises
    ------
    CertificateError
        If the certificate does not hold, or is about several forms.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> text = to_vipr(certify(Hand.parse("1m", called=4)))
    >>> accepted, question = check_vipr_text(text)
    >>> accepted.value, question.hand.to_text()
    (1, '1m')
    """
    proof = dual_proof(certificate)
    program = mixed_program(proof.question)
    above = _bounded_above(proof.question, proof.program)
    place = {variable: proof.program.num_variables + at for at, variable in enumerate(above)}
    multipliers: dict[int, Rational] = {
        (i if left > 0 else place[i]): left for i, left in enumerate(proof.reduced) if left
    }
    multipliers |= {program.num_bounds + row: dual for row, dual in proof.duals.items()}
    if proof.value is None or proof.point is None:
        gap = sum(m * program.rows[i].rhs for i, m in multipliers.items())
        absurdity = Derivation(Row("contradiction", AT_LEAST, gap, {}), "lin", multipliers)
        body = write_vipr(program, Claim(True), derivations=[absurdity])
    else:
        point = {i: value for i, value in enumerate(proof.point) if value}
        body = write_dual_bound(program, multipliers, proof.value, point=point)
    text = f"% {to_comment(proof.question)}\n{body}"
    proof.check_written(*check_vipr_text(text), what="VIPR: the file written is")
    return text


def check_vipr_text(text: str, limits: Limits = LIMITS) -> tuple[Accepted, Question | None]:
    """Verify a VIPR file; if a comment names a hand, its program must be that hand's.

    Parameters
    ----------
    text
        The file.
    limits
        How much is read, computed and kept at most.

    Returns
    -------
    accepted
        What the file proves about its program.
    question
        The hand it is about; None if no comment names one.

    Raises
    ------
    CertificateError
        At the first line that does not hold, or past a limit.
    """
    limits.check_text(text, "VIPR")
    question = from_comments(text, "%", limits)
    file = read_vipr(text, limits)
    if question is not None and file.program != mixed_program(question):
        raise CertificateError("VIPR: the program is not that of the hand named on top")
    return check_vipr(file, limits), question
