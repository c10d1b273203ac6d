"""The deficiency, shanten, win and decompositions of one hand."""

from collections.abc import Iterable

from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block
from mjopt.hands.coerce import HandLike, TilesLike, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import RIICHI, UNREACHABLE, is_classic
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, SANMA, as_list
from mjopt.models.formulation import Goal
from mjopt.models.partition import Partition
from mjopt.models.registry import ModelLike, get_formulation
from mjopt.models.solve import DEFAULT_MODEL, Answer, optimal_value, solve_query
from mjopt.models.solvers.base import DEFAULT_OPTIONS, SolveOptions, Solver
from mjopt.models.solvers.registry import default_solver, get_solver


def deficiency(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    forms: FormsLike = None,
    unseen: Iterable[int] | str | None = None,
    model: ModelLike | None = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> int:
    """Return the least number of tile changes that complete a hand.

    By default the tables answer, in microseconds. If a model, a solver or options are given, an
    integer program answers instead, and the tables must agree. Neither falls back to the other.

    Parameters
    ----------
    hand
        A :class:`Hand`, text in mpsz notation, 27 or 34 counts (a list or an array), or
        the names of its tiles. For 13 tiles the deficiency is the number of tiles
        missing, for 14 the number to exchange: *shanten* is one less in both cases.
    tiles
        The tile set or its name (``"m0"``, ``"136"``, ``"sanma"``), if the hand is not a
        :class:`Hand`.
    called
        Number of melds on the table, if the hand is not a :class:`Hand`: the hand holds three
        tiles fewer for each. (Use :meth:`Hand.parse` to name the tiles of the melds.)
    forms
        The winning forms: names, rule sets such as ``mcr``, or a file of rules; the least
        deficiency over them is returned. By default those of the rules of the hand, and
        without rules only ``standard``.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``, or text; by default
        all that the hand does not show.
    model
        The formulation (see :func:`solve`); ``blockwise`` if only a solver or options are
        given.
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
        Also if a limit stopped the solver before it proved the answer, or the tables contradict it;
        :func:`solve` returns the claim of a solver as it is.

    References
    ----------
    .. [1] Li and Yan (2019), arXiv:1903.03294.

    Examples
    --------
    >>> deficiency("1112345678999m1p")
    1
    >>> deficiency("123m406p123789s11z", tiles="136")
    0
    >>> deficiency("1m", called=4)
    1
    >>> deficiency("1112345678999m1p", model="network", solver="highs")
    1
    >>> deficiency("1122334455667m8p", forms=("standard", "seven_pairs"))
    1
    >>> deficiency("123m456m789m1239p", unseen=[0] * 27) == UNREACHABLE
    True
    """
    query = HandQuery(hand, forms, unseen, tiles=tiles, called=called, general=True)
    if model is None and solver is None and options is None:
        return _look_up(query)
    best = UNREACHABLE
    formulation = get_formulation(DEFAULT_MODEL if model is None else model)
    if formulation.goal is not Goal.DEFICIENCY:
        raise ModelError(f"model {formulation.name} does not answer with a deficiency")
    for form in query.forms:
        answer = solve_query(query, formulation, solver, options, form=form)
        best = min(best, confirmed_value(answer, form))
    return best


def confirmed_value(answer: Answer, form: WinningForm) -> int:
    """Return the value of an answer about the deficiency of a form, or about a win.

    `SolverError` is raised if the solver claims no optimum, or another than the tables.

    Examples
    --------
    >>> import mjopt
    >>> form, *_ = HandQuery("1112345678999m1p").forms
    >>> confirmed_value(mjopt.solve("1112345678999m1p", model="network"), form)
    1
    """
    value = optimal_value(answer)
    expected = _look_up(HandQuery.of_checked(answer.hand, (form,), answer.unseen))
    if answer.model == Partition.name and expected:
        expected = UNREACHABLE  # it is feasible only for a complete hand
    if value != expected:
        said, right = ("unreachable" if n == UNREACHABLE else str(n) for n in (value, expected))
        has_tables = answer.hand.tiles.is_built_in and is_classic((form,))
        source = "the tables" if has_tables else "the shortest path"
        raise SolverError(
            f"{answer.hand.to_text()}: {answer.solver} says {said} with the model {answer.model}, "
            f"{source} {right}",
        )
    return value


def _look_up(query: HandQuery) -> int:
    """Return the deficiency from the tables or the program.

    Both and NumPy are imported here so that `import mjopt` and `mjopt --help` stay fast.
    """
    from mjopt.tables.lookup import look_up

    return look_up(query)


def is_win(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    forms: FormsLike = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> bool:
    """Return whether a hand is complete. A hand of 13 tiles never is.

    The tables answer; if a solver or options are given, a set-partition program does.

    Parameters
    ----------
    hand, tiles, called, forms, solver, options
        As for :func:`deficiency`.

    Examples
    --------
    >>> is_win(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    True
    >>> pairs = "1133557799m1133p"
    >>> is_win(pairs), is_win(pairs, forms=("seven_pairs",))
    (False, True)
    """
    query = HandQuery(hand, forms, tiles=tiles, called=called, general=True)
    return is_complete(query, solver, options)


def is_complete(
    query: HandQuery, solver: str | None = None, options: SolveOptions | None = None
) -> bool:
    """Return whether the hand of a query is complete in one of its forms."""
    if not query.hand.is_full:
        return False
    if solver is None and options is None:
        return _look_up(query) == 0
    return any(
        confirmed_value(solve_query(query, Partition.name, solver, options, form=form), form) == 0
        for form in query.forms
    )


def winning_forms(hand: Hand, forms: FormsLike = None, *, solver: str | None = None) -> list[str]:
    """Return the forms in which a hand is complete; empty for a hand of 13 tiles.

    Examples
    --------
    >>> winning_forms(Hand.parse("1133557799m1133p"), ["standard", "seven_pairs"])
    ['seven_pairs']
    """
    query = HandQuery(hand, forms, general=True)
    return [
        form.name
        for form in query.forms
        if is_complete(HandQuery.of_checked(query.hand, (form,)), solver)
    ]


def shanten(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    forms: Iterable[str] = RIICHI,
    unseen: Iterable[int] | str | None = None,
) -> int:
    """Return the shanten number: one less than the deficiency, so that a win is -1.

    Parameters
    ----------
    hand
        The hand, as for :func:`deficiency`.
    tiles
        ``"136"``, as riichi uses, or ``"sanma"`` for three players; by default that of the
        hand. A hand of ``M0`` is taken for the same tiles of ``FULL``.
    called
        As for :func:`deficiency`.
    forms
        The winning forms; by default those of riichi: standard, seven pairs and thirteen
        orphans.
    unseen
        As for :func:`deficiency`; of 27 copies, no honour can arrive.

    Returns
    -------
    int
        ``-1..13``, or ``UNREACHABLE``.

    Notes
    -----
    As in the deficiency, no wait needs a fifth copy of a tile, and seven pairs are of
    seven different kinds.

    Examples
    --------
    >>> shanten("123456m789p1146s1z"), shanten("11122233344455s"), shanten("19m19p19s1234567z")
    (0, -1, 0)
    >>> shanten("1119m123p456789s", tiles="sanma")
    0
    """
    known = as_hand(hand, tiles, called=called)
    full = known if known.tiles == SANMA else known.in_full()
    cap = unseen if unseen is None or isinstance(unseen, str) else as_list(unseen, "unseen")
    if full.tiles == FULL and isinstance(cap, list) and len(cap) == M0.num_kinds:
        cap += [0] * (FULL.num_kinds - M0.num_kinds)
    value = _look_up(HandQuery(full, forms, cap))
    return value if value == UNREACHABLE else value - 1


def decompositions(
    hand: HandLike,
    *,
    forms: FormsLike = None,
    solver: str | None = None,
    options: SolveOptions | None = None,
) -> list[tuple[Block, ...]]:
    """Return every distinct way to split a hand into the parts of its winning forms.

    By default these are melds and an eye. The set-partition program of each template is solved
    repeatedly, each time excluding the known decompositions, until it is infeasible.

    Parameters
    ----------
    hand
        The hand; if it is not complete the list is empty.
    forms, solver, options
        As for :func:`deficiency`; the time limit is that of each solve.

    Returns
    -------
    list of tuple of Block
        Sorted; the blocks of each one by kind, called melds not included. A joker block says for
        how many tiles of its kind jokers stand.

    Raises
    ------
    SolverError
        Also if the solver finds others than there are, by a search without a solver.

    Examples
    --------
    >>> hand = Hand.parse("11122233344455s")
    >>> for blocks in decompositions(hand):
    ...     print(" ".join(block.text(hand.tiles) for block in blocks))
    111s 22s 234s 345s 345s
    111s 222s 333s 444s 55s
    111s 234s 234s 234s 55s
    123s 123s 123s 444s 55s
    >>> [len(decompositions("112233m112233p11s", forms=f)) for f in ("standard", "riichi")]
    [1, 2]
    """
    query = HandQuery(hand, forms, general=True)
    hand = query.hand
    templates = [template for form in query.forms for template in query.templates(form)]
    engine = default_solver() if solver is None else get_solver(solver)
    options = DEFAULT_OPTIONS if options is None else options
    known: list[tuple[Block, ...]] = []
    expected: set[tuple[Block, ...]] = set()
    for template in templates:
        known += _new_decompositions(query, template, known, engine, options)
        expected |= find_splits(hand.counts, hand.tiles, template, hand.called)
    if set(known) != expected:
        raise SolverError(
            f"{hand.to_text()}: {engine.name} finds {len(known)} decompositions, there are "
            f"{len(expected)}"
        )
    return sorted(known)


def _new_decompositions(
    query: HandQuery,
    template: Template,
    known: list[tuple[Block, ...]],
    engine: Solver,
    options: SolveOptions,
) -> list[tuple[Block, ...]]:
    """Return the decompositions of one template that are not known yet."""
    partition = Partition()
    new: list[tuple[Block, ...]] = []
    while True:
        program = partition.write_template(query, template, exclude=known + new)
        result = engine.solve(program, options)
        if result.values is None:
            if result.is_infeasible:
                return new
            raise SolverError(
                f"{result.solver} stopped ({result.termination}) with "
                f"{len(known + new)} decompositions found, more may exist"
            )
        new.append(program.decode(result.values))
