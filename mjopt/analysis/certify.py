"""Certify hands: find the deficiency, prove it, and check the proof."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple, cast

from mjopt._internal.executor import map_batches
from mjopt._internal.validation import expect, expect_all
from mjopt.analysis.certificate import (
    Certificate,
    Claim,
    Evidence,
    FormEvidence,
    check_size,
    rules_of_forms,
)
from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block, eye, single
from mjopt.hands.coerce import HandLike, as_hand, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import missing_tiles
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, UNREACHABLE, is_classic, names_of
from mjopt.hands.rules.read_forms import FormsLike, rule_set_of
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import as_list
from mjopt.models.formulation import Goal
from mjopt.models.registry import ModelLike, get_formulation
from mjopt.models.solve import DEFAULT_MODEL, Answer, solve_query
from mjopt.models.solvers.base import SolveOptions

SHORTEST_PATH: Final = Claim(
    model="network", solver="shortest path", version="1", termination="finished"
)
"""The claim of a certificate whose value no integer program found."""

BATCH_SIZE: Final = 256
"""Hands sent to a worker at once."""

_ONE_VALUE: Final = (str, WinningForm, RuleSet, Path, NoneType)  # forms that are not a list

MIN_HANDS: Final = 2000
"""Fewer hands take longer in workers than in one process (measured)."""


def certify(
    hand: HandLike,
    *,
    forms: FormsLike = None,
    unseen: Iterable[int] | str | None = None,
    model: ModelLike | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> Certificate:
    """Return the deficiency of a hand with a proof that the checker has accepted.

    The lower bound is always the cost-to-go of every node of the network. The value of
    a solver must agree with it.

    Parameters
    ----------
    hand
        A :class:`mjopt.Hand`; or text in mpsz notation, counts or names of tiles. Build a hand
        that these do not tell with :meth:`mjopt.Hand.parse`.
    forms, unseen
        As for :func:`mjopt.deficiency`; the certificate covers the least deficiency over the forms.
    model, solver, options
        The integer program, the solver and its options that find the value and the target of
        the standard form, or the value of the one form of a rule set. By default a shortest path
        through the network finds them.

    Returns
    -------
    Certificate
        ``cert.certified`` is True.

    Raises
    ------
    ModelError
        If the model does not compute the deficiency of the standard form.
    SolverError
        If the solver stopped before its answer was optimal, or contradicts the proof.
    CertificateError
        If the checker refuses the certificate: an error in the package.

    Examples
    --------
    >>> cert = certify(Hand.parse("B3333 C222267 D7777", notation="paper"))
    >>> cert.deficiency
    3
    >>> certify(Hand.parse("123m456m789m1239p"), unseen=[0] * 27).deficiency == UNREACHABLE
    True
    """
    query = HandQuery(hand, forms, unseen, general=True)
    if options is not None:
        expect(options, SolveOptions, "options")
    uses_solver = model is not None or solver is not None
    model = DEFAULT_MODEL if model is None else model
    if uses_solver:
        _check_model(model, query)
    proofs = {form: _prove(form, query) for form in query.forms}
    claim = SHORTEST_PATH
    if uses_solver:
        form = _solved_form(query)
        assert form is not None  # the model is checked
        answer = solve_query(query, model, solver, options, form=form)
        claim = _check_answer(answer, proofs[form].value)
        if is_classic((form,)):
            proofs[form] = proofs[form]._replace(blocks=answer.blocks)
    form = min(proofs, key=lambda form: proofs[form].value)
    nearest = proofs[form]
    certificate = Certificate(
        hand=_with_rules(query),
        unseen=query.unseen,
        forms=query.forms,
        deficiency=nearest.value,
        form=None if nearest.value == UNREACHABLE else form.name,
        decomposition=nearest.blocks,
        bounds=tuple((form.name, proof.evidence) for form, proof in proofs.items()),
        claim=claim,
        template=nearest.template,
    )
    certificate.verify()
    if not query.is_classic:
        check_size(certificate.to_json())
    return certificate


def certify_many(
    hands: Iterable[HandLike],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    forms: FormsLike = None,
    unseen: Iterable[int] | str | None = None,
    model: ModelLike | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> Iterator[Certificate]:
    """Yield a checked certificate for each hand, in order.

    Parameters
    ----------
    hands
        Hands as for `certify`; they are read as they are needed.
    jobs
        Worker processes. A few thousand hands are certified in this process.
    scheduler
        Address of a Dask scheduler whose workers certify instead.
    forms, unseen, model, solver, options
        As for `certify`, the same for every hand.

    Raises
    ------
    ArgumentError
        If `jobs` is below 1.
    WorkerError
        If a worker is lost, or the cluster does not answer.

    Examples
    --------
    >>> hands = ["1112345678999m1p", "11122233344455s"]
    >>> [cert.deficiency for cert in certify_many(hands)]
    [1, 0]
    """
    chosen: Any = forms
    if not isinstance(forms, _ONE_VALUE):
        chosen = expect_all(chosen, object, "forms")
    certify_batch = partial(
        _certify_batch,
        forms=chosen,
        unseen=unseen if isinstance(unseen, str | None) else tuple(as_list(unseen, "unseen")),
        model=model,
        solver=solver,
        options=options,
    )
    yield from map_batches(
        certify_batch,
        _each_hand(hands, forms),
        size=BATCH_SIZE,
        min_items=MIN_HANDS,
        jobs=jobs,
        scheduler=scheduler,
    )


def _each_hand(hands: Iterable[HandLike], forms: FormsLike) -> Iterator[Hand]:
    if rule_set_of(forms) is None:
        return each_hand(hands)
    return (as_hand(hand, forms=forms, what="hands", row=row) for row, hand in enumerate(hands))


def _certify_batch(
    hands: list[Hand],
    *,
    forms: FormsLike,
    unseen: Iterable[int] | str | None,
    model: ModelLike | None,
    solver: str | None,
    options: SolveOptions | None,
) -> list[Certificate]:
    return [
        certify(hand, forms=forms, unseen=unseen, model=model, solver=solver, options=options)
        for hand in hands
    ]


def _check_model(model: ModelLike, query: HandQuery) -> None:
    """Raise ModelError unless a model finds the deficiency of a form of the query."""
    formulation = get_formulation(model)
    if formulation.goal is not Goal.DEFICIENCY or formulation.form != DEFAULT_FORM:
        raise ModelError(
            f"model {formulation.name} does not find the deficiency of the standard form"
        )
    if _solved_form(query) is None:
        forms = ", ".join(names_of(query.forms))
        raise ModelError(f"model {formulation.name} is about the standard form, not {forms}")


def _solved_form(query: HandQuery) -> WinningForm | None:
    """Return the form of which a solver finds the value: standard, or that of a rule set."""
    plain = next((form for form in query.forms if form.is_plain and is_classic((form,))), None)
    if plain is not None:
        return plain
    return query.forms[0] if len(query.forms) == 1 and not query.is_classic else None


class _Proof(NamedTuple):
    """The deficiency of one form, the blocks of a target, and the lower bound.

    ``template`` is the number of the template of the target, for the form of a rule set.
    """

    value: int
    blocks: tuple[Block, ...]
    evidence: FormEvidence
    template: int | None = None


def _prove(form: WinningForm, query: HandQuery) -> _Proof:
    if not is_classic((form,)):
        return _prove_templates(form, query)
    if form.is_plain:
        return _prove_by_path(query)
    missing = missing_tiles(form, query.hand, query.unseen)
    if missing is None:
        return _Proof(UNREACHABLE, (), ("least", None))
    target = _special_target(form, query.hand, missing)
    return _Proof(sum(missing), target, ("least", sum(missing)))


def _prove_by_path(query: HandQuery, template: Template | None = None) -> _Proof:
    """Return a shortest path through the network of a template, and the costs to go."""
    # Imported here because it loads NumPy, which `import mjopt` does not.
    from mjopt.models.shortest_path import FAR, cheapest_path, cost_to_go, reachable_nodes

    potentials = cost_to_go(query, template).tolist()
    if potentials[0] < FAR:
        evidence = ("potentials", tuple(potentials))
        return _Proof(potentials[0], cheapest_path(query, potentials, template), evidence)
    return _Proof(UNREACHABLE, (), ("cut", reachable_nodes(query, template)))


def _prove_templates(form: WinningForm, query: HandQuery) -> _Proof:
    """Return the nearest template, and evidence for every template the called melds allow."""
    best = _Proof(UNREACHABLE, (), ())
    evidence: list[Evidence | None] = []
    for number, allowed in enumerate(query.each_template(form)):
        if not allowed:
            evidence.append(None)
        for template in allowed:
            proof = _prove_by_path(query, template)
            evidence.append(cast("Evidence", proof.evidence))
            if proof.value < best.value:
                best = proof._replace(template=number)
    return best._replace(evidence=tuple(evidence))


def _with_rules(query: HandQuery) -> Hand:
    """Return the hand with the rules of the forms, as a certificate has it."""
    hand, rules = query.hand, rules_of_forms(query.forms)
    if hand.rules == rules:
        return hand
    fields = hand.tiles, hand.counts, hand.red, hand.called, hand.melds, hand.partial
    return Hand.of_checked(*fields, rules)


def _check_answer(answer: Answer, proved: int) -> Claim:
    """Return a solver's claim; raise SolverError if it is open or contradicts the proof."""
    if answer.value is None or not answer.is_optimal:
        raise SolverError(f"{answer.solver} stopped ({answer.termination}) with the answer open")
    if answer.value != proved:
        raise SolverError(
            f"{answer.solver} claims {answer.value} with {answer.model}, but {proved} is proved"
        )
    return Claim(
        model=answer.model,
        solver=answer.solver,
        version=answer.version,
        termination=str(answer.termination),
    )


def _special_target(form: WinningForm, hand: Hand, missing: tuple[int, ...]) -> tuple[Block, ...]:
    """Return the blocks of the nearest seven pairs or thirteen orphans."""
    if form.is_pairs:
        pairs = [k for k, (h, m) in enumerate(zip(hand.counts, missing, strict=True)) if h + m > 1]
        pairs.sort(key=lambda kind: missing[kind])
        return tuple(sorted(eye(kind) for kind in pairs[:7]))
    orphans = form.templates[0].of
    pair = max(orphans, key=lambda kind: hand.counts[kind] + missing[kind])
    return tuple(sorted(eye(k) if k == pair else single(k) for k in orphans))
