"""Solve one integer program about a hand with one solver."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mjopt.errors import ModelError, SolverError
from mjopt.hands.blocks import Block, beyond, tiles_taken, usage
from mjopt.hands.coerce import HandLike
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, classic_form, names_of
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.formulation import Formulation, Goal
from mjopt.models.registry import ModelLike, get_formulation, write_program
from mjopt.models.solvers.base import DEFAULT_OPTIONS, SolveOptions, Termination
from mjopt.models.solvers.registry import default_solver, get_solver

DEFAULT_MODEL = "blockwise"  # the fastest formulation with every solver, by measurement


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The solution of an integer program about a hand.

    Parameters
    ----------
    hand
        The hand.
    form
        The winning form of the answer.
    unseen
        Copies of each kind that can still arrive.
    value
        The least cost found: a deficiency, or the paper's cost for the
        ``predecomposition`` model; ``UNREACHABLE`` if there is no solution; None
        if the run stopped before finding one.
    blocks
        The parts of the target (for ``predecomposition`` its pieces).
    target
        Tiles of the target without the called melds, per kind; jokers count as the tiles for
        which they stand.
    model
        The formulation.
    jokers
        The kinds whose tiles are jokers.
    solver, version, bound, termination, runtime
        As in :class:`mjopt.models.solvers.SolverResult`.

    Examples
    --------
    >>> import mjopt
    >>> answer = mjopt.solve("1112345678999m1p", model="network", solver="highs")
    >>> answer.value, answer.is_optimal, answer.solver
    (1, True, 'highs')
    """

    hand: Hand
    form: str
    unseen: tuple[int, ...] = field(repr=False)
    value: int | None
    blocks: tuple[Block, ...]
    target: tuple[int, ...] | None = field(repr=False)
    model: str
    solver: str
    version: str = field(repr=False)
    bound: int | None
    termination: Termination
    runtime: float = field(repr=False)
    jokers: tuple[int, ...] = field(default=(), repr=False)

    @property
    def is_optimal(self) -> bool:
        """Whether the solver claims optimality: a claim, not a proof."""
        return self.value is not None and self.value == self.bound

    @property
    def draws(self) -> tuple[int, ...]:
        """Copies of each kind to draw on the way to the target, jokers included."""
        return beyond(self._taken, self.hand.counts)

    @property
    def discards(self) -> tuple[int, ...]:
        """Copies of each kind in the hand that the target does not use."""
        return beyond(self.hand.counts, self._taken)

    @property
    def _taken(self) -> tuple[int, ...] | None:
        """Tiles of the target, per kind, with jokers as tiles of their own kinds."""
        if self.target is None or not self.jokers:
            return self.target
        return tiles_taken(self.blocks, self.jokers, self.hand.counts, self.unseen)


def solve(
    hand: HandLike,
    *,
    model: ModelLike = DEFAULT_MODEL,
    solver: str | None = None,
    unseen: Iterable[int] | str | None = None,
    forms: FormsLike = None,
    options: SolveOptions | None = None,
) -> Answer:
    """Solve an integer program about a hand.

    The answer is the claim of the solver. Its point is checked, its optimality is not:
    :func:`mjopt.deficiency` compares it with the tables, :func:`mjopt.certify` proves it.

    Parameters
    ----------
    hand
        The hand.
    model
        The formulation: ``blockwise``, ``network``, ``completion`` (deficiency),
        ``predecomposition`` (the paper's cost), ``partition`` (is it a win); or
        ``FILE.py:CLASS``, or a `mjopt.models.Formulation`, as a class or an object.
    solver, unseen, options
        As for :func:`mjopt.deficiency`; by default the first solver that is available.
    forms
        One winning form; by default that of the model, or of the rules of the hand.

    Raises
    ------
    ModelError
        If the model is unknown or cannot express the query.
    SolverError
        If the solver is unknown, cannot be loaded or fails, or finds no solution where there is
        one.

    Examples
    --------
    >>> answer = solve("1112345678999m1p")
    >>> answer.value, answer.is_optimal, answer.termination
    (1, True, Termination.FINISHED)
    """
    formulation = get_formulation(model)
    query = one_form_query(hand, formulation, forms, unseen)
    return solve_query(query, formulation, solver, options, form=query.forms[0])


def one_form_query(
    hand: HandLike,
    formulation: Formulation,
    forms: FormsLike,
    unseen: Iterable[int] | str | None,
) -> HandQuery:
    """Return the query of a program about one form, by default that of the model or the rules.

    Several forms are a `ModelError`.
    """
    has_rules = isinstance(hand, Hand) and hand.rules is not None
    if forms is None and not has_rules:
        forms = formulation.form
    query = HandQuery(hand, forms, unseen, general=True)
    if len(query.forms) > 1:
        raise ModelError(
            f"forms {', '.join(names_of(query.forms))}", expected="one form for a program"
        )
    return query


def solve_query(
    query: HandQuery,
    model: ModelLike = DEFAULT_MODEL,
    solver: str | None = None,
    options: SolveOptions | None = None,
    *,
    form: WinningForm | None = None,
) -> Answer:
    """Solve the program of a query for one of its forms, by default that of the model.

    See `solve`.
    """
    formulation = get_formulation(model)
    program = write_program(formulation, query, form)
    if form is None:
        form = classic_form(formulation.form, query.hand.tiles)
    engine = default_solver() if solver is None else get_solver(solver)
    result = engine.solve(program, DEFAULT_OPTIONS if options is None else options)
    if result.is_infeasible:
        _check_infeasible(query, formulation, form, result.solver)
    blocks: tuple[Block, ...] = ()
    target: tuple[int, ...] | None = None
    if result.values is not None:
        blocks = program.decode(result.values)
        if formulation.goal is not Goal.PAPER_COST:
            target = usage(blocks, query.hand.tiles.num_kinds)
    return Answer(
        hand=query.hand,
        form=form.name,
        unseen=query.unseen,
        value=UNREACHABLE if result.is_infeasible else result.objective,
        blocks=blocks,
        target=target,
        model=formulation.name,
        solver=result.solver,
        version=result.version,
        bound=UNREACHABLE if result.is_infeasible else result.bound,
        termination=result.termination,
        runtime=result.runtime,
        jokers=form.templates[0].jokers,
    )


def _check_infeasible(
    query: HandQuery, formulation: Formulation, form: WinningForm, solver: str
) -> None:
    """Raise a SolverError if the program has a solution, which the shortest path finds."""
    from mjopt.models.shortest_path import distances  # imports NumPy

    if formulation.goal is Goal.COST:
        return
    value = distances(HandQuery.of_checked(query.hand, (form,), query.unseen))[form]
    most = {Goal.WIN: 0, Goal.DEFICIENCY: UNREACHABLE - 1, Goal.PAPER_COST: UNREACHABLE}
    if value <= most[formulation.goal]:
        raise SolverError(
            f"{query.hand.to_text()}: {solver} says unreachable with the model "
            f"{formulation.name}, the shortest path {value}"
        )


def optimal_value(answer: Answer) -> int:
    """Return the value of an answer with a claim of optimality.

    A run that stopped before that is a `SolverError`, whose message names the known bounds.
    """
    if answer.value is None or not answer.is_optimal:
        known = f"between {answer.bound or 0} and {answer.value}" if answer.value else "not known"
        raise SolverError(
            f"{answer.solver} stopped ({answer.termination}) before the answer was settled: {known}"
        )
    return answer.value
