"""Certify: find the value by any means, then prove it and check the proof."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

from mjopt._internal.pool import batched, in_order
from mjopt._internal.validation import as_whole, expect, told
from mjopt.analysis.certificate import Certificate, Claim, Evidence
from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block, eye, single
from mjopt.hands.coerce import HandLike, TilesLike, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.winning_forms import (
    SEVEN_PAIRS,
    STANDARD,
    UNREACHABLE,
    missing_tiles,
    orphan_kinds,
)
from mjopt.models.formulation import Goal
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL, Answer, solve_query
from mjopt.models.solvers.base import SolveOptions

OWN = Claim(model="network", solver="shortest path", version="1", termination="finished")
BATCH = 256  # hands sent to a process at once
FAR_BATCH = 1024  # to a worker of a cluster: half a second of work
MIN_SHARE = 2000  # hands that make up for starting a process, measured

R = TypeVar("R")
Found = tuple[int, tuple[Block, ...], Evidence]


def certify(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    forms: Iterable[str] = (STANDARD,),
    unseen: Iterable[int] | str | None = None,
    model: str | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> Certificate:
    """Return the deficiency of a hand with a proof that the checker has accepted.

    The lower bound is always the cost-to-go of every node of the network: whoever
    found the value, it is replayed against that proof.

    Parameters
    ----------
    hand, tiles, called
        As for :func:`mjopt.deficiency`.
    forms, unseen
        Likewise; the certificate covers the least over the forms.
    model, solver, options
        Let an integer program find the value and the target of the standard form.
        By default a shortest path through the network does.

    Returns
    -------
    Certificate
        ``cert.certified`` is True.

    Raises
    ------
    ModelError
        If the model does not answer with the deficiency of the standard form.
    SolverError
        If the solver left the answer open, or its claim contradicts the proof.
    CertificateError
        If the checker refuses what was found: a fault of the package.

    Examples
    --------
    >>> cert = certify(Hand.parse("B3333 C222267 D7777", notation="paper"))
    >>> cert.deficiency
    3
    >>> certify(Hand.parse("123m456m789m1239p"), unseen=[0] * 27).deficiency == 127
    True
    """
    query = HandQuery(hand, forms, unseen, tiles, called)
    claim = OWN
    if options is not None:
        expect(options, SolveOptions, "options")
    if model is not None or solver is not None:
        model = DEFAULT_MODEL if model is None else model
        formulation = get_formulation(model)
        if formulation.goal is not Goal.DEFICIENCY or formulation.form != STANDARD:
            raise ModelError(f"model {model} does not find the deficiency of the standard form")
        if STANDARD not in query.forms:
            given = ", ".join(query.forms)
            raise ModelError(f"model {model} is about the standard form, not {given}")
    proved = {form: _prove(form, query) for form in query.forms}
    if model is not None:
        value, _, evidence = proved[STANDARD]
        answer = solve_query(query, model, solver, options)
        proved[STANDARD], claim = (value, answer.blocks, evidence), _replayed(answer, value)
    form = min(proved, key=lambda one: proved[one][0])
    best, blocks, _ = proved[form]
    certificate = Certificate(
        hand=query.hand,
        unseen=query.unseen,
        forms=query.forms,
        deficiency=best,
        form=None if best == UNREACHABLE else form,
        decomposition=blocks,
        bounds=tuple((one, evidence) for one, (_, _, evidence) in proved.items()),
        claim=claim,
    )
    certificate.verify()
    return certificate


def certify_many(
    hands: Iterable[HandLike],
    *,
    tiles: TilesLike = None,
    jobs: int = 1,
    scheduler: str | None = None,
    forms: Iterable[str] = (STANDARD,),
    unseen: Iterable[int] | str | None = None,
    model: str | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> Iterator[Certificate]:
    """Yield a checked certificate for each hand, in order.

    Parameters
    ----------
    hands, tiles
        As for `certify`, many of them; they are read as they are needed.
    jobs
        Processes. A few thousand hands are done sooner in this one.
    scheduler
        The address of a Dask scheduler whose workers certify instead.
    forms, unseen, model, solver, options
        As for `certify`, the same for every hand.

    Raises
    ------
    WorkerError
        If a worker is killed, or there is no such cluster.

    Examples
    --------
    >>> hands = ["1112345678999m1p", "11122233344455s"]
    >>> [cert.deficiency for cert in certify_many(hands)]
    [1, 0]
    """
    work = partial(
        _certify_batch,
        forms=forms if isinstance(forms, str) else tuple(forms),
        unseen=unseen if unseen is None or isinstance(unseen, str) else tuple(unseen),
        model=model,
        solver=solver,
        options=options,
    )
    yield from _spread(work, each_hand(hands, tiles), jobs, scheduler)


def certify_lines(
    hands: Iterable[Hand], *, jobs: int = 1, scheduler: str | None = None, **how: Any
) -> Iterator[str]:
    """Yield the certificate of each hand as its line of JSON, in order.

    Between processes text is cheaper than records: for files of many certificates.

    Parameters
    ----------
    hands, jobs, scheduler
        As for `certify_many`.
    **how
        Its other keywords.

    Examples
    --------
    >>> [line] = certify_lines([Hand.parse("1112345678999m1p")])
    >>> Certificate.from_json(line).deficiency
    1
    """
    yield from _spread(partial(_write_batch, **how), hands, jobs, scheduler)


def _spread(
    work: Callable[[list[Hand]], list[R]],
    hands: Iterable[Hand],
    jobs: int,
    scheduler: str | None,
) -> Iterator[R]:
    """Yield the results for batches of hands; without a cluster a few thousand stay here."""
    if (as_whole(jobs) or 0) < 1:
        raise ModelError(f"{told(jobs)} jobs, expected at least 1")
    batches = batched(hands, FAR_BATCH if scheduler else BATCH)
    first = list(islice(batches, -(-MIN_SHARE // BATCH)))
    if sum(map(len, first)) < MIN_SHARE:
        jobs = 1
    warm = partial(work, [hand for batch in first[:1] for hand in batch[:1]])
    spread = in_order(work, chain(first, batches), jobs=jobs, scheduler=scheduler, warm=warm)
    for results in spread:
        yield from results


def _certify_batch(hands: list[Hand], **how: Any) -> list[Certificate]:
    return [certify(hand, **how) for hand in hands]


def _write_batch(hands: list[Hand], **how: Any) -> list[str]:
    return [certificate.to_json() for certificate in _certify_batch(hands, **how)]


def _prove(form: str, query: HandQuery) -> Found:
    """Return the value of one form, the blocks of a target, and why nothing is nearer."""
    # It loads NumPy, which `import mjopt` does without.
    from mjopt.models.shortest_path import FAR, cheapest_path, cost_to_go, reachable_nodes

    if form == STANDARD:
        go = cost_to_go(query).tolist()
        if go[0] < FAR:
            return go[0], cheapest_path(query, go), ("potentials", tuple(go))
        return UNREACHABLE, (), ("cut", reachable_nodes(query))
    missing = missing_tiles(form, query.hand, query.unseen)
    if missing is None:
        return UNREACHABLE, (), ("least", None)
    return sum(missing), _blocks(form, query.hand, missing), ("least", sum(missing))


def _replayed(answer: Answer, proved: int) -> Claim:
    """Return a solver's claim; refuse it if it is none, or contradicts the proof."""
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


def _blocks(form: str, hand: Hand, missing: tuple[int, ...]) -> tuple[Block, ...]:
    """Return the blocks of a target made of single kinds."""
    if form == SEVEN_PAIRS:
        paired = [k for k, (h, m) in enumerate(zip(hand.counts, missing, strict=True)) if h + m > 1]
        paired.sort(key=lambda kind: missing[kind])
        return tuple(sorted(eye(kind) for kind in paired[:7]))
    orphans = orphan_kinds(hand.tiles)
    pair = max(orphans, key=lambda kind: hand.counts[kind] + missing[kind])
    return tuple(sorted(eye(k) if k == pair else single(k) for k in orphans))
