"""Labels for files of hands: by the tables, or by integer programs over processes."""

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from types import TracebackType

import numpy as np
import numpy.typing as npt

from mjopt.errors import MjoptError, ModelError, SolverError
from mjopt.hands.files import HandFile
from mjopt.hands.forms import STANDARD, UNREACHABLE, check_forms, num_missing
from mjopt.hands.hand import Hand
from mjopt.hands.symmetry import canonical_counts
from mjopt.models.base import Goal
from mjopt.models.registry import get_formulation
from mjopt.models.solving import DEFAULT_MODEL, solve
from mjopt.tables.batch import label

BLOCK = 4096  # hands looked at together: enough to keep every process busy
BATCH = 64  # distinct hands sent to a process at once
TABLE_BLOCK = 65_536  # rows of text looked up together
REMEMBERED = 1_000_000  # canonical hands whose label is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is solved for every hand.

    Parameters
    ----------
    model
        The formulation of the standard form: one that answers with a deficiency,
        or ``predecomposition`` for the paper's cost.
    solver
        The solver, or None for the first available.
    forms
        The winning forms; the label is the least over them.
    """

    model: str = DEFAULT_MODEL
    solver: str | None = None
    forms: tuple[str, ...] = (STANDARD,)

    def __post_init__(self) -> None:
        """Refuse a model whose optimum is not a label."""
        formulation = get_formulation(self.model)
        if formulation.goal is Goal.WIN or formulation.form != STANDARD:
            raise ModelError(f"model {self.model} does not label hands; try {DEFAULT_MODEL}")
        if formulation.goal is Goal.PAPER_COST and self.forms != (STANDARD,):
            raise ModelError("the paper's cost is about the standard form alone")

    @property
    def label_name(self) -> str:
        """What the label is: ``deficiency`` or ``cost``."""
        is_cost = get_formulation(self.model).goal is Goal.PAPER_COST
        return "cost" if is_cost else "deficiency"

    def label(self, hand: Hand) -> int:
        """Solve one hand."""
        best = UNREACHABLE
        for form in check_forms(self.forms, hand.tiles):
            if form != STANDARD:
                best = min(best, num_missing(form, hand, hand.unseen))
                continue
            answer = solve(hand, model=self.model, solver=self.solver)
            if answer.value is None or not answer.is_optimal:
                raise SolverError(f"{hand.to_text()}: {answer.solver} left the answer open")
            best = min(best, answer.value)
        return best


class Labeller:
    """Labels hands in order, solving each class of symmetric hands once.

    Use it in a ``with`` block. One job solves in this process; more start as many
    worker processes, and the labels are the same.

    Parameters
    ----------
    recipe
        What to solve.
    jobs
        Processes.

    Examples
    --------
    >>> hands = [Hand.parse("1112345678999m1p"), Hand.parse("123m456p789s11122m")]
    >>> with Labeller(Recipe()) as labeller:
    ...     list(labeller.labels(hands))
    [1, 0]
    """

    def __init__(self, recipe: Recipe, *, jobs: int = 1) -> None:
        if jobs < 1:
            raise SolverError(f"{jobs} jobs, expected at least 1")
        self.recipe = recipe
        self.jobs = jobs
        self.num_solved = 0
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Labeller":
        """Start the worker processes."""
        if self.jobs > 1:
            # Not fork: a solver's threads in the parent would be copied half-alive.
            self._pool = ProcessPoolExecutor(
                self.jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop them; after an error or Ctrl-C, without waiting for work not begun."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def labels(self, hands: Iterable[Hand]) -> Iterator[int]:
        """Yield the label of each hand, in order."""
        stream = iter(hands)
        while block := list(islice(stream, BLOCK)):
            yield from self._block(block)

    def _block(self, hands: list[Hand]) -> Iterator[int]:
        """Yield labels as soon as they are known: what is yielded survives Ctrl-C."""
        keys = [(hand.called, canonical_counts(hand.counts, hand.tiles)) for hand in hands]
        if len(self._known) > REMEMBERED:
            self._known.clear()
        # A named called meld takes unseen tiles away, which breaks the symmetry.
        unknown = {
            key: hand
            for key, hand in zip(keys, hands, strict=True)
            if key not in self._known and not hand.melds
        }
        found = zip(unknown, self._solve(list(unknown.values())), strict=True)
        for key, hand in zip(keys, hands, strict=True):
            if hand.melds:
                yield self.recipe.label(hand)
                continue
            while key not in self._known:  # they come in the order they first appear
                solved, label = next(found)
                self._known[solved] = label
                self.num_solved += 1
            yield self._known[key]

    def _solve(self, hands: list[Hand]) -> Iterator[int]:
        if self._pool is None:
            return map(self.recipe.label, hands)
        batches = [hands[i : i + BATCH] for i in range(0, len(hands), BATCH)]
        work = self._pool.map(_label_batch, [self.recipe] * len(batches), batches)
        return (label for labels in work for label in labels)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which then stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _label_batch(recipe: Recipe, hands: list[Hand]) -> list[int]:
    return [recipe.label(hand) for hand in hands]


def label_by_tables(
    hands: HandFile,
    forms: tuple[str, ...] = (STANDARD,),
    *,
    threads: int = 1,
    advance: Callable[[int], object] = lambda _: None,
) -> npt.NDArray[np.int8]:
    """Label a whole file by the table engine.

    Parameters
    ----------
    hands
        The file; arrays are looked up as they lie on disk.
    forms
        The winning forms.
    threads
        Threads to use.
    advance
        Told of every block of rows that is done.

    Returns
    -------
    ndarray of int8, shape (N,)
    """
    look_up = partial(
        label, called=hands.called, forms=forms, partial=hands.partial, threads=threads
    )
    if hands.format == "npy":
        try:
            return look_up(hands.array())
        except MjoptError as error:
            raise type(error)(f"{hands.path}: {error}") from None
    parts = [np.zeros(0, dtype=np.int8)]
    rows = hands.counts()
    while block := list(islice(rows, TABLE_BLOCK)):
        # Numbers that no byte holds are no counts either: 255 is refused below.
        counts = np.clip(np.array(block), -1, 255).astype(np.uint8)
        try:
            parts.append(look_up(counts))
        except MjoptError:
            for _ in hands.rows():  # slowly, to name the line
                pass
            raise
        advance(len(block))
    return np.concatenate(parts)


def check_labels(
    hands: HandFile,
    labels: npt.NDArray[np.int8],
    recipe: Recipe,
    *,
    number: int,
    seed: int,
) -> int:
    """Solve random rows again by an integer program, and compare.

    Returns
    -------
    int
        How many rows were compared: ``number``, or all if there are fewer.

    Raises
    ------
    SolverError
        If a row disagrees; the message names it.
    """
    rng = np.random.default_rng(seed)
    picked = set(rng.permutation(len(labels))[:number].tolist())
    for place, row in zip(sorted(picked), hands.rows(only=picked), strict=True):
        if (found := recipe.label(row.hand)) != labels[place]:
            raise SolverError(
                f"{hands.path} row {place}, {row.hand.to_text()}: labelled {labels[place]}, "
                f"but {recipe.model} finds {found}"
            )
    return len(picked)
