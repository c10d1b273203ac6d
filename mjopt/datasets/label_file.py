"""Label files of hands, by the tables or by an integer program."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

from mjopt._internal.executor import Workers, batched, open_executor
from mjopt._internal.files import lock_output, sha256_of
from mjopt._internal.progress import ignore
from mjopt._internal.unit_store import UnitStore
from mjopt._version import __version__
from mjopt.analysis.deficiency import confirmed_value
from mjopt.errors import ArgumentError, MjoptError, ModelError, SolverError
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import num_missing
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, UNREACHABLE, is_classic
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.symmetry import canonical_counts
from mjopt.models.formulation import Goal
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL, solve_query
from mjopt.tables.labels.batch import label

BLOCK = 4096  # hands deduplicated together: enough to keep every worker busy
BATCH = 64  # distinct hands sent to a worker at once
CHUNK = 256  # rows of a stored unit
CACHE_SIZE = 1_000_000  # canonical hands whose label is cached


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelProgram:
    """The integer program that labels a hand."""

    # Finds the deficiency by the standard form, or is ``predecomposition`` for the paper's cost.
    model: str = DEFAULT_MODEL
    solver: str | None = None  # None: the first available
    # Winning forms or their names; the label is the least over them.
    forms: tuple[str | WinningForm, ...] = (DEFAULT_FORM,)

    def __post_init__(self) -> None:
        """Validate that the optimum of the model is a valid label."""
        formulation = get_formulation(self.model)
        if formulation.goal is Goal.WIN or formulation.form != DEFAULT_FORM:
            raise ModelError(
                f"model {self.model} does not label hands", hint=f"try {DEFAULT_MODEL}"
            )
        if formulation.goal is not Goal.DEFICIENCY and self.names != (DEFAULT_FORM,):
            raise ModelError(f"the cost of model {self.model} is about the standard form alone")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the forms."""
        return tuple(map(str, self.forms))

    @property
    def label_name(self) -> str:
        """Name of the label: ``deficiency`` or ``cost``."""
        is_deficiency = get_formulation(self.model).goal is Goal.DEFICIENCY
        return "deficiency" if is_deficiency else "cost"

    def label(self, hand: Hand) -> int:
        """Solve one hand."""
        best, query = UNREACHABLE, HandQuery(hand, self.forms, general=True)
        for form in query.forms:
            if form.is_pairs or form.is_singles:
                best = min(best, num_missing(form, hand, query.unseen))
                continue
            answer = solve_query(query, self.model, self.solver, form=form)
            if answer.value is None or not answer.is_optimal:
                raise SolverError(
                    f"{hand.to_text()}: {answer.solver} proves no optimum of model {self.model}"
                )
            is_cost = self.label_name == "cost"
            best = min(best, answer.value if is_cost else confirmed_value(answer, form))
        return best


class Labeller:
    """Labels hands in order, solving each class of symmetric hands once.

    Use it in a ``with`` block. The labels do not depend on the number of workers.

    ``jobs`` are worker processes; one job solves in this process. ``scheduler`` is the address of a
    Dask scheduler instead.

    Examples
    --------
    >>> hands = [Hand.parse("1112345678999m1p"), Hand.parse("123m456p789s11122m")]
    >>> with Labeller(LabelProgram()) as labeller:
    ...     list(labeller.labels(hands))
    [1, 0]
    """

    def __init__(
        self, program: LabelProgram, *, jobs: int = 1, scheduler: str | None = None
    ) -> None:
        if jobs < 1:
            raise ArgumentError(argument="jobs", value=str(jobs), expected="at least 1")
        self.program = program
        self.num_solved = 0
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._opening = open_executor(None if scheduler else jobs, scheduler=scheduler)
        self._stack = ExitStack()
        self._workers = Workers(None, 1)

    def __enter__(self) -> "Labeller":
        """Start the workers."""
        self._workers = self._stack.enter_context(self._opening)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the workers; after an error, without waiting for queued work."""
        self._stack.__exit__(kind, error, traceback)

    def labels(self, hands: Iterable[Hand]) -> Iterator[int]:
        """Yield the label of each hand, in order."""
        for block in batched(hands, BLOCK):
            yield from self._block(block)

    def _block(self, hands: list[Hand]) -> Iterator[int]:
        """Yield each label as soon as it is known."""
        keys = [(hand.called, self._alike(hand)) for hand in hands]
        if len(self._known) > CACHE_SIZE:
            self._known.clear()
        # A called meld removes unseen tiles, which breaks the symmetry.
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
            while key not in self._known:  # labels arrive in order of first appearance
                solved, label = next(found)
                self._known[solved] = label
                self.num_solved += 1
            yield self._known[key]

    def _alike(self, hand: Hand) -> tuple[int, ...]:
        """Return counts that equal hands share; other forms may tell suits and ranks apart."""
        if _defined(self.program):
            return hand.counts
        return canonical_counts(hand.counts, hand.tiles)

    def _solve(self, hands: list[Hand]) -> Iterator[int]:
        size = BATCH if self._workers.submit else 1
        function = partial(_label_batch, self.program)
        for labels in self._workers.map(function, batched(hands, size)):
            yield from labels


def _label_batch(program: LabelProgram, hands: list[Hand]) -> list[int]:
    return [program.label(hand) for hand in hands]


class LabelCheckpoint:
    """Labels of the first rows of a file, stored in chunks by the number of their first row."""

    def __init__(self, store: UnitStore) -> None:
        self._store = store
        self.labels: npt.NDArray[np.int8] = np.zeros(0, np.int8)
        while unit := store.get(self._key):
            self.labels = np.concatenate([self.labels, np.frombuffer(unit.content, np.int8)])

    @property
    def _key(self) -> str:
        return f"{len(self.labels):012d}"

    def append(self, labels: npt.NDArray[np.int8]) -> None:
        """Store the labels of the next rows."""
        self._store.write(self._key, content=labels.tobytes())
        self.labels = np.concatenate([self.labels, labels])


@contextmanager
def label_checkpoint(
    output: Path, hands: HandFile, program: LabelProgram
) -> Iterator[LabelCheckpoint]:
    """Open the checkpoint of an output file, in a folder beside it; remove it on success.

    `FileError` is raised if another process writes the same output, its folder is missing, it is a
    folder, or a stored chunk is damaged.
    """
    settings: dict[str, object] = {
        "version": __version__,
        "input": sha256_of(hands.path),
        "tiles": hands.tiles.name,
        "notation": hands.notation,
        "called": hands.called,
        "partial": hands.partial,
        "model": program.model,
        "solver": program.solver,
        "forms": program.names,
    }
    if defined := _defined(program):
        settings["definitions"] = [form.digest for form in defined]
    with lock_output(output, "labels") as folder:
        store = UnitStore(folder, settings)
        yield LabelCheckpoint(store)
        store.finish()


def _defined(program: LabelProgram) -> list[WinningForm]:
    """Return the forms that their names do not define."""
    forms = [form for form in program.forms if isinstance(form, WinningForm)]
    return [form for form in forms if not is_classic((form,))]


def label_by_program(
    hands: HandFile,
    program: LabelProgram,
    checkpoint: LabelCheckpoint,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    advance: Callable[[int], object] = ignore,
) -> npt.NDArray[np.int8]:
    """Label the rows of a file that a checkpoint lacks, shape ``(N,)``, by an integer program.

    Every finished chunk is added to the checkpoint; ``advance`` is called with its number of rows.
    The other arguments are those of a `Labeller`.
    """
    num_done = len(checkpoint.labels)
    num_left = len(hands) - num_done
    if num_left < 4 * CHUNK:  # starting processes would take longer
        jobs = min(jobs, 1 + num_left // CHUNK)
    with Labeller(program, jobs=jobs, scheduler=scheduler) as labeller:
        for chunk in batched(labeller.labels(hands.rows(num_done)), CHUNK):
            checkpoint.append(np.array(chunk, np.int8))
            advance(len(chunk))
    return checkpoint.labels


def label_by_tables(
    hands: HandFile,
    forms: FormsLike = DEFAULT_FORM,
    *,
    threads: int = 1,
    advance: Callable[[int], object] = ignore,
) -> npt.NDArray[np.int8]:
    """Label the rows of a file, shape ``(N,)``, by table lookup; arrays are memory-mapped.

    ``advance`` is called with the number of rows of every finished block.
    """
    look_up = partial(
        label,
        tiles=hands.tiles,
        forms=forms,
        rules=hands.rules,
        partial=hands.partial,
        threads=threads,
    )
    if hands.format == "npy":
        try:
            return look_up(hands.array(), called=hands.called or 0)
        except MjoptError as error:
            error.locate(hands.label)
            raise
    parts = [np.zeros(0, dtype=np.int8)]
    done = 0
    for counts, called in hands.hand_blocks():
        try:
            parts.append(look_up(counts, called=called))
        except MjoptError:
            for _ in hands.rows(done):  # slower, but the error message names the line
                pass
            raise
        advance(len(counts))
        done += len(counts)
    return np.concatenate(parts)


def check_labels(
    hands: HandFile,
    labels: npt.NDArray[np.int8],
    program: LabelProgram,
    *,
    number: int,
    seed: int,
) -> int:
    """Verify the labels of ``number`` random rows, or all, by an integer program; return how many.

    A label that differs is a `SolverError` that names the row.
    """
    rng = np.random.default_rng(seed)
    picked = set(rng.permutation(len(labels))[:number].tolist())
    for place, hand in zip(sorted(picked), hands.rows(only=picked), strict=True):
        if (found := program.label(hand)) != labels[place]:
            error = SolverError(
                f"{hand.to_text()}: labelled {labels[place]}, but {program.model} finds {found}"
            )
            raise hands.located(error, place)
    return len(picked)
