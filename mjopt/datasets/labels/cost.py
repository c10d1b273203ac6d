"""The paper's cost: the least of Eq. 8 over all predecompositions."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.labels.base import Block, Column, Values
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import RecipeError
from mjopt.hands.tiles import M0
from mjopt.models.predecomposition import Predecomposition
from mjopt.models.solving import settled, solve
from mjopt.tables._paper_cost import bit_of, suit_signatures
from mjopt.tables.packed import pack
from mjopt.tables.paper_joins import join_pairs
from mjopt.tables.states import num_states, state_numbers

SIGNATURES: Final = "suit signatures 1"

Words = NDArray[np.uint32]


@cache
def _words_by_state() -> Words:
    """Return the signature of every state number; found once a process, in seconds."""
    states, signatures = suit_signatures(threads=1)
    words = np.zeros((num_states(9), 4), np.uint32)
    words[state_numbers(states)] = signatures
    return words


def paper_costs(counts: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the paper's cost of hands of M0 with nothing called, both special cases applied.

    Parameters
    ----------
    counts
        Copies per kind, shape (N, 27).

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    >>> paper_costs(np.array([hand.counts], np.uint8))  # its deficiency is 3  # doctest: +SKIP
    array([2], dtype=int8)
    """
    from mjopt.datasets.labels._cost_kernels import least_costs

    found = np.zeros(len(counts), np.int8)
    if not len(counts):
        return found
    numbers, words, bit = pack(counts), _words_by_state(), bit_of()
    rows = np.arange(len(counts))
    both, whole = np.zeros((2, len(counts), 4), np.uint32)
    join_pairs(words, bit, numbers[:, 0].astype(np.int64), numbers[:, 1].astype(np.int64), both)
    parts = np.concatenate([both, words[numbers[:, 2]]])
    join_pairs(parts, bit, rows, rows + len(counts), whole)
    least_costs(whole, bit, found)
    return found


@dataclass(frozen=True, slots=True)
class PaperCost:
    """The least of Eq. 8, which is not always the deficiency."""

    name: ClassVar = "cost"
    engine: ClassVar = SIGNATURES

    def check(self, deal: Deal) -> None:
        """Refuse hands that the paper is not about."""
        if deal.tiles != M0 or deal.called:
            raise RecipeError("label cost: needs hands of M0 with nothing called")

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        meaning = "least of Eq. 8 (Yan and Li 2023), both special cases applied"
        return (Column("paper_cost", "int8", meaning),)

    def values(self, block: Block) -> Values:
        """Join the signatures of the suits of all hands."""
        return {"paper_cost": paper_costs(block.hands)}

    def again(self, block: Block) -> dict[str, Any]:
        """Solve the paper's problem as an integer program."""
        hand = block.hand
        return {"paper_cost": settled(solve(hand, model=Predecomposition.name))}
