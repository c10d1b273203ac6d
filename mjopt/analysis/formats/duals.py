"""A certificate as linear programming duality: a point, and a multiplier for every row."""

from dataclasses import dataclass
from typing import cast

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.comment import program_of, question_of
from mjopt.errors import CertificateError
from mjopt.hands.blocks import Block
from mjopt.hands.query import Question
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, UNREACHABLE
from mjopt.models.program import Program
from mjopt.models.shortest_path import path_arcs
from mjopt.proofs.accepted import Accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class DualProof:
    """What settles a program: weak duality needs no solver to be checked.

    The rows times their duals, the lower bounds of the variables times their reduced
    costs and the upper bounds times what is left give the objective on one side and
    the bound on the other; for an infeasible program they give 0 >= 1 or worse.

    Parameters
    ----------
    question, program
        What is settled.
    value
        The optimum; None if nothing is feasible.
    duals
        Multiplier of each row of the program, all equations; zeros are left out.
    reduced
        What the duals leave of the objective (of 0, if infeasible), per variable.
        It weighs the variable's lower bound where positive, its upper where negative.
    point
        A point that reaches the optimum; None if nothing is feasible.
    """

    question: Question
    program: Program
    value: int | None
    duals: dict[int, int]
    reduced: tuple[int, ...]
    point: tuple[int, ...] | None

    def check_written(self, accepted: Accepted, question: Question | None, what: str) -> None:
        """Refuse a file just written, unless it names this question and settles it so."""
        found = question, accepted.value, accepted.infeasible
        if found != (self.question, self.value, self.value is None):
            raise CertificateError(f"{what} not about the certificate")


def dual_proof(certificate: Certificate) -> DualProof:
    """Turn a certificate of one form into a dual solution of that form's program.

    The certificate is checked first. Potentials are the duals of the
    network's conservation rows, and the nodes of a cut sum up to a contradiction.

    Raises
    ------
    CertificateError
        If the checker refuses the certificate, or it is about several forms.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> proof = dual_proof(certify(Hand.parse("1112345678999m1p")))
    >>> proof.value, proof.duals[0], min(proof.reduced)
    (1, 1, 0)
    """
    certificate.verify()
    question = question_of(certificate)
    [form], program = question.forms, program_of(question)
    if any(low != high for low, high in zip(program.rows.lower, program.rows.upper, strict=True)):
        raise CertificateError(f"{program.name}: a row is no equation")
    value = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
    if form == STANDARD:
        [(_, (_, numbers))] = certificate.bounds
        duals = _of_network(cast("tuple[int, ...]", numbers), len(program.rows), value)
    elif form == SEVEN_PAIRS:
        duals = _of_pairs(program, value)
    else:
        duals = _of_orphans(program, value)
    duals = {row: dual for row, dual in duals.items() if dual}
    point = None if value is None else _point(program, certificate, form)
    return DualProof(
        question=question,
        program=program,
        value=value,
        duals=duals,
        reduced=_reduced(program, duals, is_feasible=value is not None),
        point=point,
    )


def _of_network(numbers: tuple[int, ...], num_rows: int, value: int | None) -> dict[int, int]:
    """Return potentials, or 1 at the nodes of a cut; row i is the balance of node i."""
    if value is None:
        return dict.fromkeys(numbers, 1)
    return dict(enumerate(numbers[:num_rows]))


def _of_pairs(program: Program, value: int | None) -> dict[int, int]:
    """Return the price of the seventh pair: cheaper ones earn, dearer ones stay out."""
    prices = sorted(
        cost for cost, most in zip(program.objective, program.upper, strict=True) if most
    )
    return {0: 1 if value is None else prices[6]}


def _of_orphans(program: Program, value: int | None) -> dict[int, int]:
    """Return the price of each kind once, and of the cheapest second copy."""
    number = program.num_variables // 2
    once, twice = program.objective[:number], program.objective[number:]
    if value is not None:
        extra = min(
            p - s for p, s, most in zip(twice, once, program.upper[number:], strict=True) if most
        )
        return {**dict(enumerate(once)), number: extra}
    gone = next((i for i in range(number) if not program.upper[i]), number)
    return {gone: 1}  # a kind that cannot be had, else the pair that cannot


def _reduced(program: Program, duals: dict[int, int], *, is_feasible: bool) -> tuple[int, ...]:
    """Return objective minus the rows times their duals, per variable."""
    left = list(program.objective) if is_feasible else [0] * program.num_variables
    rows = program.rows
    for row, dual in duals.items():
        for entry in range(rows.starts[row], rows.starts[row + 1]):
            left[rows.columns[entry]] -= dual * rows.coefficients[entry]
    return tuple(left)


def _point(program: Program, certificate: Certificate, form: str) -> tuple[int, ...]:
    """Return the values of the variables that build the target."""
    if form == STANDARD:
        hand = certificate.hand
        chosen = set(path_arcs(hand.tiles, hand.called, certificate.decomposition))
    else:
        blocks: set[Block] = set(certificate.decomposition)
        chosen = {i for i, pieces in enumerate(program.pieces) if blocks.issuperset(pieces)}
    point = tuple(int(i in chosen) for i in range(program.num_variables))
    fault = program.fault(point)
    if fault:
        raise CertificateError(f"{program.name}: the target does not fit, {fault}")
    return point
