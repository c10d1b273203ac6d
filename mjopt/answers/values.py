"""The front door: one call from a hand to its deficiency, its win or its decompositions."""

from collections.abc import Iterable

from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block
from mjopt.hands.forms import (
    STANDARD,
    UNREACHABLE,
    capped_unseen,
    check_forms,
    missing_tiles,
)
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0
from mjopt.models.base import Question
from mjopt.models.partition import Partition
from mjopt.models.registry import get_formulation
from mjopt.models.solvers.base import SolveOptions, SolverResult
from mjopt.models.solvers.registry import default_solver, get_solver
from mjopt.models.solving import DEFAULT_MODEL, settled, solve


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
        best = min(best, settled(answer))
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
    from mjopt.models.shortest_path import FAR, cost_to_go

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
            if settled(answer) == 0:
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
