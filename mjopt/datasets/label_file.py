"""Labels for files of hands: by the tables, or by integer programs over processes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mjopt import __version__
from mjopt._internal.folder import file_digest, hold_lock
from mjopt._internal.journal import Journal
from mjopt._internal.pool import Pool, batched, open_pool
from mjopt.errors import FileError, MjoptError, ModelError, SolverError
from mjopt.hands.files import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.symmetry import canonical_counts
from mjopt.hands.winning_forms import STANDARD, UNREACHABLE, check_forms, num_missing
from mjopt.models.formulation import Goal
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL, solve
from mjopt.tables.batch import label

BLOCK = 4096  # hands looked at together: enough to keep every process busy
BATCH = 64  # distinct hands sent to a process at once
CHUNK = 256  # rows between two entries in the journal
TABLE_BLOCK = 65_536  # rows of text looked up together
REMEMBERED = 1_000_000  # canonical hands whose label is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelProgram:
    """The integer program that is solved for every hand.

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
    worker processes, and the labels are the same. If one is killed, a `WorkerError` says so.

    Parameters
    ----------
    program
        What to solve.
    jobs
        Processes.
    scheduler
        The address of a Dask scheduler whose workers solve instead.
    kept
        Whether labels are kept as they come; the message about a killed worker then says so.

    Examples
    --------
    >>> hands = [Hand.parse("1112345678999m1p"), Hand.parse("123m456p789s11122m")]
    >>> with Labeller(LabelProgram()) as labeller:
    ...     list(labeller.labels(hands))
    [1, 0]
    """

    def __init__(
        self,
        program: LabelProgram,
        *,
        jobs: int = 1,
        scheduler: str | None = None,
        kept: bool = False,
    ) -> None:
        if jobs < 1:
            raise SolverError(f"{jobs} jobs, expected at least 1")
        self.program = program
        self.num_solved = 0
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._pool = Pool()
        self._opening = open_pool(None if scheduler else jobs, scheduler=scheduler, kept=kept)

    def __enter__(self) -> "Labeller":
        """Start the workers."""
        self._pool = self._opening.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        """Stop them; after an error or Ctrl-C, without waiting for work not begun."""
        self._opening.__exit__(*error)

    def labels(self, hands: Iterable[Hand]) -> Iterator[int]:
        """Yield the label of each hand, in order."""
        for block in batched(hands, BLOCK):
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
                yield self.program.label(hand)
                continue
            while key not in self._known:  # they come in the order they first appear
                solved, label = next(found)
                self._known[solved] = label
                self.num_solved += 1
            yield self._known[key]

    def _solve(self, hands: list[Hand]) -> Iterator[int]:
        size = BATCH if self._pool.executor else 1  # alone: each label as soon as it is known
        work = partial(_label_batch, self.program)
        for labels in self._pool.in_order(work, batched(hands, size)):
            yield from labels


def _label_batch(program: LabelProgram, hands: list[Hand]) -> list[int]:
    return [program.label(hand) for hand in hands]


@contextmanager
def label_journal(output: Path, hands: HandFile, program: LabelProgram) -> Iterator[Journal]:
    """Hold the journal of a file's labels, beside the output; it goes if all goes well.

    Raises
    ------
    FileError
        If another process writes the same output now, there is no folder for it, or it is one.
    """
    if output.is_dir():  # before hours of work
        raise FileError(f"{output}: is a folder, expected a file name")
    if not output.parent.is_dir():
        raise FileError(f"{output}: the folder {output.parent} does not exist")
    settings = {
        "version": __version__,
        "input": file_digest(hands.path),
        "tiles": hands.tiles.name,
        "notation": hands.notation,
        "called": hands.called,
        "partial": hands.partial,
        **asdict(program),
    }
    refusal = f"{output}: another process is writing it"
    with (
        hold_lock(output.with_name(f".{output.name}.lock"), refusal),
        Journal(output.with_name(f".{output.name}.labels"), settings) as journal,
    ):
        try:
            yield journal
        except BaseException:
            if not len(labels_in(journal)):
                journal.discard()  # else the same command goes on from there
            raise
        journal.discard()


def labels_in(journal: Journal) -> npt.NDArray[np.int8]:
    """Return the labels that a journal holds, shape (N,), those of the first N rows."""
    return np.frombuffer(b"".join(journal), np.int8)


def label_by_program(
    hands: HandFile,
    program: LabelProgram,
    journal: Journal,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    kept: bool = True,
    advance: Callable[[int], object] = lambda _: None,
) -> npt.NDArray[np.int8]:
    """Label the rows of a file that its journal lacks by an integer program.

    Parameters
    ----------
    hands, program
        What to solve.
    journal
        What is done already; it grows by every block of rows that is.
    jobs, scheduler, kept
        Who solves, as for a `Labeller`.
    advance
        Told of every block of rows that is done.

    Returns
    -------
    ndarray of int8, shape (N,)
    """
    done = len(labels_in(journal))
    if (left := len(hands) - done) < 4 * CHUNK:  # starting processes costs more than it saves
        jobs = min(jobs, 1 + left // CHUNK)
    with Labeller(program, jobs=jobs, scheduler=scheduler, kept=kept) as labeller:
        labels = labeller.labels(hands.rows(done))
        for chunk in batched(labels, CHUNK):
            journal.append(np.array(chunk, np.int8).tobytes())
            advance(len(chunk))
    return labels_in(journal)


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
    forms, threads
        The winning forms, and how many threads to use.
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
    for block in batched(hands.counts(), TABLE_BLOCK):
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
    program: LabelProgram,
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
    for place, hand in zip(sorted(picked), hands.rows(only=picked), strict=True):
        if (found := program.label(hand)) != labels[place]:
            raise SolverError(
                f"{hands.path} row {place}, {hand.to_text()}: labelled {labels[place]}, "
                f"but {program.model} finds {found}"
            )
    return len(picked)
