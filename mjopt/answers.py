"""The front door: one call from a hand to its deficiency, its win or its decompositions."""

from collections.abc import Iterable
from dataclasses import dataclass

from mjopt.blocks import Block, usage
from mjopt.errors import ModelError, SolverError
from mjopt.forms import (
    STANDARD,
    UNREACHABLE,
    capped_unseen,
    check_forms,
    missing_tiles,
)
from mjopt.hand import Hand
from mjopt.models.base import Question
from mjopt.models.partition import Partition
from mjopt.models.registry import get_formulation
from mjopt.solvers.base import SolveOptions, SolverResult, Termination
from mjopt.solvers.registry import default_solver, get_solver
from mjopt.tiles import FULL, M0

__all__ = ["DEFAULT_MODEL", "Answer", "decompositions", "deficiency", "is_win", "solve"]

DEFAULT_MODEL = "blockwise"  # the quickest formulation under every solver, measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an integer program says about a hand.

    Parameters
    ----------
    hand
        The hand.
    form
        The winning form the answer is about.
    unseen
        Copies of each kind that can still arrive.
    value
        The least cost found: a deficiency, or the paper's cost for the
        ``predecomposition`` model; ``UNREACHABLE`` if there is no solution; None
        if the run stopped before finding one.
    blocks
        The melds and the eye of the target (pieces, for ``predecomposition``).
    target
        Tiles of the complete hand aimed at, called melds excepted, per kind.
    model, solver, version
        Who found it.
    bound
        The solver's claim that nothing is cheaper, or None.
    termination
        Why the run stopped.
    runtime
        Seconds inside the solver.
    """

    hand: Hand
    form: str
    unseen: tuple[int, ...]
    value: int | None
    blocks: tuple[Block, ...]
    target: tuple[int, ...] | None
    model: str
    solver: str
    version: str
    bound: int | None
    termination: Termination
    runtime: float

    @property
    def is_optimal(self) -> bool:
        """Whether the solver claims that nothing is cheaper. A claim, not a proof."""
        return self.value is not None and self.value == self.bound

    @property
    def draws(self) -> tuple[int, ...]:
        """Copies of each kind to draw on the way to the target."""
        return self._difference(1)

    @property
    def discards(self) -> tuple[int, ...]:
        """Copies of each kind that the target has no use for."""
        return self._difference(-1)

    def _difference(self, sign: int) -> tuple[int, ...]:
        if self.target is None:
            return (0,) * len(self.hand.counts)
        pairs = zip(self.target, self.hand.counts, strict=True)
        return tuple(max(0, sign * (wanted - held)) for wanted, held in pairs)


def solve(
    hand: Hand,
    *,
    model: str = DEFAULT_MODEL,
    solver: str | None = None,
    unseen: Iterable[int] | None = None,
    options: SolveOptions | None = None,
) -> Answer:
    """Answer one question about a hand by an integer program.

    Parameters
    ----------
    hand
        The hand.
    model
        The formulation: ``blockwise``, ``network``, ``completion`` (deficiency),
        ``predecomposition`` (the paper's cost), ``partition`` (is it a win),
        ``seven_pairs``, ``thirteen_orphans``.
    solver
        ``cp-sat``, ``highs`` or ``cbc``; by default the first that is available.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; by default
        all that the hand does not show.
    options
        Time limit, seed, threads.

    Returns
    -------
    Answer

    Raises
    ------
    ModelError
        If the model is unknown or cannot express the question.
    SolverError
        If the solver is unknown, cannot be loaded or fails.

    Examples
    --------
    >>> answer = solve(Hand.parse("1112345678999m1p"))
    >>> answer.value, answer.is_optimal, answer.termination
    (1, True, <Termination.FINISHED: 'finished'>)
    """
    formulation = get_formulation(model)
    known = None if unseen is None else capped_unseen(hand, unseen)
    program = formulation.build(hand, known)
    engine = get_solver(solver) if solver else default_solver()
    result = engine.solve(program, options or SolveOptions())
    blocks: tuple[Block, ...] = ()
    target: tuple[int, ...] | None = None
    if result.values is not None:
        blocks = program.decode(result.values)
        if formulation.question is not Question.PAPER_COST:
            target = usage(blocks, hand.tiles.num_kinds)
    return Answer(
        hand=hand,
        form=formulation.form,
        unseen=hand.unseen if known is None else known,
        value=UNREACHABLE if result.is_infeasible else result.objective,
        blocks=blocks,
        target=target,
        model=model,
        solver=result.solver,
        version=result.version,
        bound=UNREACHABLE if result.is_infeasible else result.bound,
        termination=result.termination,
        runtime=result.runtime,
    )


def _settled(answer: Answer) -> int:
    if answer.value is None or not answer.is_optimal:
        known = f"between {answer.bound or 0} and {answer.value}" if answer.value else "not known"
        raise SolverError(
            f"{answer.solver} stopped ({answer.termination}) before the answer was settled: {known}"
        )
    return answer.value


def deficiency(
    hand: Hand,
    *,
    forms: Iterable[str] = (STANDARD,),
    unseen: Iterable[int] | None = None,
    model: str | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> int:
    """Return the least number of tile changes that complete a hand.

    The table engine answers, in microseconds. Naming a model, a solver or options
    has an integer program answer instead; neither ever stands in for the other.

    Parameters
    ----------
    hand
        The hand. For 13 tiles the deficiency is the number of tiles missing, for
        14 the number to exchange: *shanten* is one less in both cases.
    forms
        The winning forms; the least over them is returned. Only ``standard``
        unless named.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; by default
        all that the hand does not show.
    model
        The formulation for the standard form (see :func:`solve`); ``blockwise`` if
        only a solver or options are named.
    solver
        ``cp-sat``, ``highs`` or ``cbc``.
    options
        Time limit, seed, threads.

    Returns
    -------
    int
        ``0..14``, or ``UNREACHABLE`` if the unseen tiles cannot complete the hand.

    Raises
    ------
    SolverError
        Also if a limit stopped the solver before the answer was settled.

    References
    ----------
    .. [1] Li and Yan (2019), arXiv:1903.03294.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> deficiency(hand)
    1
    >>> deficiency(hand, model="network", solver="highs")
    1
    >>> deficiency(Hand.parse("1122334455667m8p"), forms=("standard", "seven_pairs"))
    1
    >>> deficiency(Hand.parse("123m456m789m1239p"), unseen=[0] * 27) == UNREACHABLE
    True
    """
    if model is None and solver is None and options is None:
        return _looked_up(hand, forms, unseen)
    known = None if unseen is None else capped_unseen(hand, unseen)
    best = UNREACHABLE
    for form in check_forms(forms, hand.tiles):
        if form == STANDARD:
            chosen = model or DEFAULT_MODEL
            if get_formulation(chosen).question is not Question.DEFICIENCY:
                raise ModelError(f"model {chosen} does not answer with a deficiency")
        else:
            chosen = form
        answer = solve(hand, model=chosen, solver=solver, unseen=known, options=options)
        best = min(best, _settled(answer))
    return best


_ONLY_STANDARD = (STANDARD,)


def _looked_up(hand: Hand, forms: Iterable[str], unseen: Iterable[int] | None) -> int:
    """Return the deficiency from the tables.

    They load here, with NumPy, so that `import mjopt` and `mjopt --help` stay quick.
    """
    from mjopt.tables.single import label_one

    if unseen is None and not hand.melds and (hand.tiles is M0 or hand.tiles is FULL):
        if forms == _ONLY_STANDARD:
            return label_one(hand.counts, hand.called, partial=hand.partial)
        chosen = check_forms(forms, hand.tiles)
        return label_one(hand.counts, hand.called, forms=chosen, partial=hand.partial)
    chosen = check_forms(forms, hand.tiles)
    cap = capped_unseen(hand, unseen)
    if hand.tiles in (M0, FULL):
        from mjopt.tables.limited import label_limited_one

        return label_limited_one(
            hand.counts, cap, called=hand.called, forms=chosen, partial=hand.partial
        )
    # A tile set of the user's own has no tables; the network knows every set.
    from mjopt.shortest_path import FAR, cost_to_go

    values = [UNREACHABLE]
    for form in chosen:
        if form == STANDARD:
            least = int(cost_to_go(hand, cap)[0])
            values.append(least if least < FAR else UNREACHABLE)
        elif (missing := missing_tiles(form, hand, cap)) is not None:
            values.append(sum(missing))
    return min(values)


def is_win(
    hand: Hand,
    *,
    forms: Iterable[str] = (STANDARD,),
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> bool:
    """Return whether a hand is complete. A hand of 13 tiles never is.

    The tables answer, unless a solver or options are named: then a set partition.

    Parameters
    ----------
    hand
        The hand.
    forms
        The winning forms that count.
    solver
        ``cp-sat``, ``highs`` or ``cbc``.
    options
        Time limit, seed, threads.

    Examples
    --------
    >>> is_win(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    True
    >>> pairs = Hand.parse("1133557799m1133p")
    >>> is_win(pairs), is_win(pairs, forms=("seven_pairs",))
    (False, True)
    """
    chosen = check_forms(forms, hand.tiles)
    if not hand.is_full:
        return False
    if solver is None and options is None:
        return _looked_up(hand, chosen, None) == 0
    for form in chosen:
        if form == STANDARD:
            answer = solve(hand, model=Partition.name, solver=solver, options=options)
            if _settled(answer) == 0:
                return True
        else:
            missing = missing_tiles(form, hand, hand.unseen)
            if missing is not None and sum(missing) == 0:
                return True
    return False


def decompositions(
    hand: Hand, *, solver: str | None = None, options: SolveOptions | None = None
) -> list[tuple[Block, ...]]:
    """Return every distinct way to split a hand into melds and an eye.

    The set-partition program is solved again and again, each time without the
    decompositions already known, until it has no solution.

    Parameters
    ----------
    hand
        The hand; if it is not complete the list is empty.
    solver
        ``cp-sat``, ``highs`` or ``cbc``.
    options
        Time limit (of each solve), seed, threads.

    Returns
    -------
    list of tuple of Block
        Sorted; the blocks of each one by kind, called melds not included.

    Examples
    --------
    >>> hand = Hand.parse("11122233344455s")
    >>> for blocks in decompositions(hand):
    ...     print(" ".join(block.text(hand.tiles) for block in blocks))
    111s 22s 234s 345s 345s
    111s 222s 333s 444s 55s
    111s 234s 234s 234s 55s
    123s 123s 123s 444s 55s
    """
    engine = get_solver(solver) if solver else default_solver()
    partition = Partition()
    known: list[tuple[Block, ...]] = []
    while True:
        program = partition.build(hand, exclude=known)
        result: SolverResult = engine.solve(program, options or SolveOptions())
        if result.values is None:
            if not result.is_infeasible:
                raise SolverError(
                    f"{result.solver} stopped ({result.termination}) with "
                    f"{len(known)} decompositions found, more may exist"
                )
            return sorted(known)
        known.append(program.decode(result.values))
