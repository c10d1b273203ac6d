"""Certify hands: find the deficiency, prove it, and check the proof."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from mjopt._internal.executor import map_batches
from mjopt._internal.validation import expect, expect_all
from mjopt.analysis.certificate import Certificate, Claim, Evidence
from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block, eye, single
from mjopt.hands.coerce import HandLike, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import as_list
from mjopt.hands.winning_forms import (
    SEVEN_PAIRS,
    STANDARD,
    UNREACHABLE,
    missing_tiles,
    orphan_kinds,
)
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

MIN_HANDS: Final = 2000
"""Fewer hands take longer in workers than in one process (measured)."""


def certify(
    hand: HandLike,
    *,
    forms: Iterable[str] = (STANDARD,),
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
        the standard form. By default a shortest path through the network finds them.

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
    query = HandQuery(hand, forms, unseen)
    if options is not None:
        expect(options, SolveOptions, "options")
    uses_solver = model is not None or solver is not None
    model = DEFAULT_MODEL if model is None else model
    if uses_solver:
        _check_model(model, query)
    proofs = {form: _prove(form, query) for form in query.forms}
    claim = SHORTEST_PATH
    if uses_solver:
        value, _, evidence = proofs[STANDARD]
        answer = solve_query(query, model, solver, options)
        claim = _check_answer(answer, value)
        proofs[STANDARD] = value, answer.blocks, evidence
    form = min(proofs, key=lambda form: proofs[form][0])
    deficiency, blocks, _ = proofs[form]
    certificate = Certificate(
        hand=query.hand,
        unseen=query.unseen,
        forms=query.forms,
        deficiency=deficiency,
        form=None if deficiency == UNREACHABLE else form,
        decomposition=blocks,
        bounds=tuple((form, evidence) for form, (_, _, evidence) in proofs.items()),
        claim=claim,
    )
    certificate.verify()
    return certificate


def certify_many(
    hands: Iterable[HandLike],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    forms: Iterable[str] = (STANDARD,),
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
    certify_batch = partial(
        _certify_batch,
        forms=forms if isinstance(forms, str) else expect_all(forms, str, "forms"),
        unseen=unseen if isinstance(unseen, str | None) else tuple(as_list(unseen, "unseen")),
        model=model,
        solver=solver,
        options=options,
    )
    yield from map_batches(
        certify_batch,
        each_hand(hands),
        size=BATCH_SIZE,
        min_items=MIN_HANDS,
        jobs=jobs,
        scheduler=scheduler,
    )


def _certify_batch(
    hands: list[Hand],
    *,
    forms: Iterable[str],
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
    """Raise ModelError unless a model finds the deficiency of the standard form."""
    formulation = get_formulation(model)
    if formulation.goal is not Goal.DEFICIENCY or formulation.form != STANDARD:
        raise ModelError(
            f"model {formulation.name} does not find the deficiency of the standard form"
        )
    if STANDARD not in query.forms:
        forms = ", ".join(query.forms)
        raise ModelError(f"model {formulation.name} is about the standard form, not {forms}")


def _prove(form: str, query: HandQuery) -> tuple[int, tuple[Block, ...], Evidence]:
    """Return the deficiency of one form, the blocks of a target, and the lower bound."""
    # Imported here because it loads NumPy, which `import mjopt` does not.
    from mjopt.models.shortest_path import FAR, cheapest_path, cost_to_go, reachable_nodes

    if form == STANDARD:
        potentials = cost_to_go(query).tolist()
        if potentials[0] < FAR:
            evidence = ("potentials", tuple(potentials))
            return potentials[0], cheapest_path(query, potentials), evidence
        return UNREACHABLE, (), ("cut", reachable_nodes(query))
    missing = missing_tiles(form, query.hand, query.unseen)
    if missing is None:
        return UNREACHABLE, (), ("least", None)
    return sum(missing), _special_target(form, query.hand, missing), ("least", sum(missing))


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


def _special_target(form: str, hand: Hand, missing: tuple[int, ...]) -> tuple[Block, ...]:
    """Return the blocks of the nearest seven pairs or thirteen orphans."""
    if form == SEVEN_PAIRS:
        pairs = [k for k, (h, m) in enumerate(zip(hand.counts, missing, strict=True)) if h + m > 1]
        pairs.sort(key=lambda kind: missing[kind])
        return tuple(sorted(eye(kind) for kind in pairs[:7]))
    orphans = orphan_kinds(hand.tiles)
    pair = max(orphans, key=lambda kind: hand.counts[kind] + missing[kind])
    return tuple(sorted(eye(k) if k == pair else single(k) for k in orphans))
