"""A certificate as linear programming duality: a feasible point and a multiplier for each row."""

from dataclasses import dataclass
from typing import cast

from mjopt._internal.validation import expect
from mjopt.analysis.certificate import Certificate, FormEvidence
from mjopt.analysis.formats.proof_header import build_program
from mjopt.errors import CertificateError
from mjopt.hands.blocks import Block, Shape, usage
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, is_classic, names_of, standard_template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.network import network_graph
from mjopt.models.program import Program
from mjopt.models.shortest_path import path_arcs


@dataclass(frozen=True, slots=True, kw_only=True)
class DualProof:
    """Primal and dual solutions of the program of a hand, in integers.

    By weak duality the rows times their duals, the lower bounds of the variables times
    their positive reduced costs and the upper bounds times the negative ones add up to a lower
    bound on the objective. For an infeasible program they add up to 0 >= 1 or worse.

    Parameters
    ----------
    query, program
        The query and its program.
    value
        The optimum; None if the program is infeasible.
    duals
        Multiplier of each row of the program, all equations; zeros are left out.
    reduced
        The objective (0 if infeasible) less the rows times their duals, per variable.
    point
        An optimal point; None if the program is infeasible.

    Examples
    --------
    >>> import mjopt
    >>> proof = dual_proof(mjopt.certify("1112345678999m1p"))
    >>> proof.value, min(proof.reduced)
    (1, 0)
    """

    query: HandQuery
    program: Program
    value: int | None
    duals: dict[int, int]
    reduced: tuple[int, ...]
    point: tuple[int, ...] | None


def dual_proof(certificate: Certificate) -> DualProof:
    """Turn a certificate of one winning form into a dual solution of that form's program.

    The potentials of a certificate are the duals of the network's conservation rows; the
    rows of a cut's nodes add up to a contradiction.

    Raises
    ------
    CertificateError
        If the checker refuses the certificate, or it covers several forms.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> from mjopt.hands.hand import Hand
    >>> proof = dual_proof(certify(Hand.parse("1112345678999m1p")))
    >>> proof.value, proof.duals[0], min(proof.reduced)
    (1, 1, 0)
    """
    expect(certificate, Certificate, "certificate")
    certificate.verify()
    if len(certificate.forms) != 1:
        raise CertificateError(
            f"the least over {', '.join(names_of(certificate.forms))} takes several "
            "programs: write the native form (json), or certify one form at a time"
        )
    [form] = certificate.forms
    query = HandQuery(certificate.hand, certificate.forms, certificate.unseen, general=True)
    if query.hand.called > query.hand.most_called:
        raise CertificateError(f"{form} has no called melds: write the native form (json)")
    program = build_program(query)
    value = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
    if not is_classic((form,)):
        duals = _union_duals(query, form, certificate.bounds[0][1], value)
    elif form.is_plain:
        [(_, (_, numbers))] = certificate.bounds
        duals = _network_duals(cast("tuple[int, ...]", numbers), len(program.rows), value)
    elif form.is_pairs:
        duals = _pairs_duals(program, value)
    else:
        duals = _orphans_duals(program, value)
    duals = {row: dual for row, dual in duals.items() if dual}
    return DualProof(
        query=query,
        program=program,
        value=value,
        duals=duals,
        reduced=_reduced_costs(program, duals, is_feasible=value is not None),
        point=None if value is None else _target_point(program, certificate, form),
    )


def _network_duals(numbers: tuple[int, ...], num_rows: int, value: int | None) -> dict[int, int]:
    """Return the potentials, or 1 for each node of a cut; row i is the balance of node i."""
    if value is None:
        return dict.fromkeys(numbers, 1)
    return dict(enumerate(numbers[:num_rows]))


def _union_duals(
    query: HandQuery, form: WinningForm, evidence: FormEvidence, value: int | None
) -> dict[int, int]:
    """Return the duals of the networks of all templates, and of the row that chooses one."""
    hand = query.hand
    proofs = [cast("tuple[str, tuple[int, ...]]", part) for part in evidence if part is not None]
    parts = list(zip(query.templates(form), proofs, strict=True))
    bound = 1 if value is None else value
    duals: dict[int, int] = {}
    first = 0  # row of the template
    for template, (kind, numbers) in parts:
        graph = network_graph(template, hand.tiles, hand.called)
        if kind == "cut":
            duals |= {first + node: bound for node in numbers}
        else:
            # States with more jokers than exist are never reached; 0 is valid for all of them.
            most = template.held_jokers(query.reach)
            duals |= {
                first + row: number if node.progress.jokers <= most else 0
                for row, (node, number) in enumerate(zip(graph.nodes[:-1], numbers, strict=False))
            }
        first += len(graph.rows)
    if len(parts) != 1:
        duals[first] = bound
    return duals


def _pairs_duals(program: Program, value: int | None) -> dict[int, int]:
    """Return the cost of the seventh cheapest pair as the dual of the row that counts pairs."""
    costs = sorted(
        cost for cost, most in zip(program.objective, program.upper, strict=True) if most
    )
    return {0: 1 if value is None else costs[6]}


def _orphans_duals(program: Program, value: int | None) -> dict[int, int]:
    """Return the cost of each kind once, and the least extra cost of a second copy."""
    number = program.num_variables // 2
    once, twice = program.objective[:number], program.objective[number:]
    if value is not None:
        extra = min(
            two - one
            for two, one, most in zip(twice, once, program.upper[number:], strict=True)
            if most
        )
        return {**dict(enumerate(once)), number: extra}
    # Infeasible: a kind that cannot be had once, or no kind that can be had twice.
    row = next((i for i in range(number) if not program.upper[i]), number)
    return {row: 1}


def _reduced_costs(
    program: Program, duals: dict[int, int], *, is_feasible: bool
) -> tuple[int, ...]:
    """Return the objective less the rows times their duals, per variable."""
    costs = list(program.objective) if is_feasible else [0] * program.num_variables
    rows = program.rows
    for row, dual in duals.items():
        for entry in range(rows.starts[row], rows.starts[row + 1]):
            costs[rows.columns[entry]] -= dual * rows.coefficients[entry]
    return tuple(costs)


def _target_point(program: Program, certificate: Certificate, form: WinningForm) -> tuple[int, ...]:
    """Return the values of the variables that build the target."""
    hand = certificate.hand
    if not is_classic((form,)):
        chosen = _path_in_union(certificate, form)
    elif form.is_plain:
        template = standard_template(hand.tiles)
        chosen = set(path_arcs(template, hand.tiles, hand.called, certificate.decomposition))
    else:
        blocks: set[Block] = set(certificate.decomposition)
        chosen = {i for i, pieces in enumerate(program.pieces) if blocks.issuperset(pieces)}
    point = tuple(int(i in chosen) for i in range(program.num_variables))
    fault = program.fault(point)
    if fault:
        raise CertificateError(f"{program.name}: the target does not fit, {fault}")
    return point


def _path_in_union(certificate: Certificate, form: WinningForm) -> set[int]:
    """Return the variables of the target's path, and of the choice of its template."""
    hand = certificate.hand
    query = HandQuery.of_checked(hand, certificate.forms)
    allowed = query.templates(form)
    parts = [block for block in certificate.decomposition if block.shape is Shape.FIXED]
    fixed = usage(parts, hand.tiles.num_kinds)
    targets = query.each_template(form)[certificate.template or 0]
    target = next(template for template in targets if template.fixed == fixed)
    arcs = path_arcs(target, hand.tiles, hand.called, certificate.decomposition)
    if len(allowed) == 1:
        return set(arcs)
    first = 0
    for template in allowed[: allowed.index(target)]:
        first += len(network_graph(template, hand.tiles, hand.called).arcs) + 1
    switch = first + len(network_graph(target, hand.tiles, hand.called).arcs)
    return {switch, *(first + arc for arc in arcs)}
