"""What a label is: columns by name, an engine, and a second way to the same answer."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mjopt.datasets.recipes.base import Deal
from mjopt.hands.hand import Hand

Values = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a dataset.

    Parameters
    ----------
    name
        What it is called.
    kind
        ``bool``, ``int8``, ``int32``, ``int64``, ``uint32``, ``uint64``, ``float64``,
        ``string``, or ``hand`` for the copies per kind.
    meaning
        What it holds, in a line.
    """

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Block:
    """Hands to be labelled.

    Parameters
    ----------
    deal
        What a hand is.
    hands
        Copies per kind, shape (N, K).
    rows
        The number of each hand in its recipe.
    seed
        The seed of the dataset.
    """

    deal: Deal
    hands: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.int64]
    seed: int

    def row(self, place: int) -> "Block":
        """Return one row as a block."""
        some = slice(place, place + 1)
        return Block(deal=self.deal, hands=self.hands[some], rows=self.rows[some], seed=self.seed)

    @property
    def hand(self) -> Hand:
        """The first hand."""
        counts = self.hands[0].tolist()
        return Hand.from_counts(counts, tiles=self.deal.tiles, called=self.deal.called)


class Label(Protocol):
    """Something to say about every hand."""

    @property
    def name(self) -> str:
        """How it is asked for."""

    @property
    def engine(self) -> str:
        """What finds it, with its version."""

    def check(self, deal: Deal, /) -> None:
        """Refuse, with a RecipeError, hands that this label is not about."""

    def columns(self, deal: Deal, /) -> tuple[Column, ...]:
        """Return the columns it fills."""

    def values(self, block: Block, /) -> Values:
        """Return every column for all hands of a block."""

    def again(self, block: Block, /) -> dict[str, Any]:
        """Return the columns of the first hand, found another way (or again, if none exists)."""
