"""What a label is: columns by name, an engine, and a second way to the same answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mjopt.datasets.recipes.base import Deal
from mjopt.hands.hand import Hand

Values = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class DatasetColumn:
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
class HandRows:
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

    def row(self, place: int) -> "HandRows":
        """Return one row alone."""
        some = slice(place, place + 1)
        return HandRows(
            deal=self.deal, hands=self.hands[some], rows=self.rows[some], seed=self.seed
        )

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

    def columns(self, deal: Deal, /) -> tuple[DatasetColumn, ...]:
        """Return the columns it fills."""

    def values(self, rows: HandRows, /) -> Values:
        """Return every column for all hands."""

    def again(self, rows: HandRows, /) -> dict[str, Any]:
        """Return the columns of the first hand, found another way (or again, if none exists)."""


def _refuse_nothing(_: Deal) -> None:
    """Take all hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneColumn:
    """A label that is one column.

    Parameters
    ----------
    name, engine
        As for every label.
    column, kind, meaning
        As for every column; the kind may be ``mask``, a bit for each kind of tile.
    of_all
        Finds the values of many hands.
    of_one
        Finds the value of a hand another way, or again if no other exists.
    refuse
        Raises a RecipeError for hands that it is not about.
    """

    name: str
    engine: str
    column: str
    kind: str
    meaning: str
    of_all: Callable[[HandRows], npt.NDArray[Any]]
    of_one: Callable[[Hand], Any]
    refuse: Callable[[Deal], None] = _refuse_nothing

    def check(self, deal: Deal) -> None:
        """Refuse hands that it is not about."""
        self.refuse(deal)

    def _kind(self, deal: Deal) -> str:
        if self.kind != "mask":
            return self.kind
        return "uint32" if deal.tiles.num_kinds <= 32 else "uint64"

    def columns(self, deal: Deal) -> tuple[DatasetColumn, ...]:
        """Return its one column."""
        return (DatasetColumn(self.column, self._kind(deal), self.meaning),)

    def values(self, rows: HandRows) -> Values:
        """Find the values of all hands."""
        found, kind = self.of_all(rows), self._kind(rows.deal)
        return {self.column: found if kind == "string" else found.astype(kind, copy=False)}

    def again(self, rows: HandRows) -> dict[str, Any]:
        """Find the value of the first hand another way."""
        return {self.column: self.of_one(rows.hand)}
