"""Results of one search and of a batch of searches."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mjopt._internal.validation import expect
from mjopt.errors import ArgumentError
from mjopt.hands.predecomposition import Predecomposition
from mjopt.heuristics.stopping import StopReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Result of one search.

    Parameters
    ----------
    value
        Best cost found, in tile changes. It may be below the deficiency where Eq. 8 is (see
        docs/results/paper-cost.md).
    predecomposition
        The first predecomposition found with that cost.
    evaluations
        Fitness evaluations spent (nodes, for a tree search).
    generations
        Generations completed after the initial population.
    history
        Best cost after the initial population and after each generation; the last generation may be
        incomplete.
    stopped
        Why the search stopped.
    hit_evaluations, hit_generation
        Evaluations spent, and the generation (0 is the initial population), when the
        best cost was first at most the target; None without a target, or never.
    special_case_1, special_case_2
        Whether the cost has the paper's two special cases.
    completes
        Whether that number of changes completes the hand by construction, as in a tree search that
        counts the unseen tiles; the cost of the predecomposition may then be lower.

    Raises
    ------
    ArgumentError
        If the predecomposition does not have the claimed cost, the history is invalid (it never
        rises, it ends at the value, and it has an entry for each generation), or the numbers of
        evaluations, generations and hits contradict each other.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> result = run("ndde", "11123456789999m", rng=1)
    >>> result.value, result.history[0], result.stopped.words
    (0, 4, 'all generations done')
    """

    value: int
    predecomposition: Predecomposition
    evaluations: int
    generations: int
    history: tuple[int, ...]
    stopped: StopReason
    hit_evaluations: int | None = None
    hit_generation: int | None = None
    special_case_1: bool = True
    special_case_2: bool = True
    completes: bool = False

    def __post_init__(self) -> None:
        """Raise if the result contradicts itself."""
        expect(self.predecomposition, Predecomposition, "predecomposition")
        cost = self.predecomposition.cost(
            special_case_1=self.special_case_1, special_case_2=self.special_case_2
        )
        if cost > self.value or (cost < self.value and not self.completes):
            expected = f"{cost}{' or more' * self.completes}, the cost of the predecomposition"
            raise ArgumentError(argument="value", value=str(self.value), expected=expected)
        falls = all(a >= b for a, b in pairwise(self.history))
        if not self.history or self.history[-1] != self.value or not falls:
            raise ArgumentError(
                argument="history",
                value=str(self.history),
                expected=f"costs that never rise and end at the value, {self.value}",
            )
        entries, number = len(self.history), self.evaluations
        if self.generations < 0 or entries - 1 - self.generations not in (0, 1):  # 1: incomplete
            raise ArgumentError(
                argument="generations",
                value=str(self.generations),
                expected=f"{entries - 1} for a history of {entries} costs, or one less if the last "
                "generation is incomplete",
            )
        if number < entries:
            raise ArgumentError(
                argument="evaluations",
                value=str(number),
                expected=f"{entries} or more, one for each entry of the history",
            )
        hit, generation = self.hit_evaluations, self.hit_generation
        if (hit is None) != (generation is None):
            raise ArgumentError(
                f"hit_evaluations {hit}, hit_generation {generation}", expected="both or neither"
            )
        if hit is not None and generation is not None:
            if not 1 <= hit <= number:
                raise ArgumentError(
                    argument="hit_evaluations", value=str(hit), expected=f"1..{number}"
                )
            if not 0 <= generation < entries:
                raise ArgumentError(
                    argument="hit_generation", value=str(generation), expected=f"0..{entries - 1}"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Results of searches on N hands; every array has one entry for each hand.

    Parameters
    ----------
    value
        Best cost found, shape ``(N,)``, int8.
    evaluations
        Fitness evaluations spent, shape ``(N,)``, int32.
    generations
        Generations completed after the initial population, shape ``(N,)``, int32.
    hit_evaluations, hit_generation
        When the best value was first at most the target, shape ``(N,)``, int32; -1 for never, and
        without a target.
    stopped
        ``StopReason`` codes, shape ``(N,)``, int8.
    history
        Best value after the initial population and after each generation, constant after a stop:
        shape ``(N, G + 1)``, int8, where G is the number of generations of the budget. None unless
        a history was recorded.

    Examples
    --------
    >>> from mjopt.heuristics import NDDE, run_batch
    >>> rows = [[3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18, [2] * 7 + [0] * 20]
    >>> batch = run_batch(NDDE(), rows, seed=1, method="ndde", hand_numbers=[0, 1], run=0)
    >>> batch.value.tolist(), batch.hit_generation.shape
    ([0, 0], (2,))
    """

    value: "npt.NDArray[np.int8]"
    evaluations: "npt.NDArray[np.int32]"
    generations: "npt.NDArray[np.int32]"
    hit_evaluations: "npt.NDArray[np.int32]"
    hit_generation: "npt.NDArray[np.int32]"
    stopped: "npt.NDArray[np.int8]"
    history: "npt.NDArray[np.int8] | None" = None

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} searches>"

    @classmethod
    def empty(cls, num_hands: int, *, num_generations: int | None = None) -> "Batch":
        """Return uninitialised results; ``num_generations`` is G, or None for no history."""
        return cls(
            value=np.zeros(num_hands, np.int8),
            evaluations=np.zeros(num_hands, np.int32),
            generations=np.zeros(num_hands, np.int32),
            hit_evaluations=np.full(num_hands, -1, np.int32),
            hit_generation=np.full(num_hands, -1, np.int32),
            stopped=np.zeros(num_hands, np.int8),
            history=None
            if num_generations is None
            else np.zeros((num_hands, num_generations + 1), np.int8),
        )
