"""What a label is: columns by name, an engine, and a second way to the same answer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

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
        return replace(self, hands=self.hands[some], rows=self.rows[some])

    @property
    def hand(self) -> Hand:
        """The first hand."""
        counts = self.hands[0].tolist()
        return Hand.from_counts(counts, tiles=self.deal.tiles, called=self.deal.called)


def _refuse_nothing(_: Deal) -> None:
    """Take all hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Something to say about every hand.

    Parameters
    ----------
    name
        How it is asked for.
    engine
        What finds it, with its version.
    fills
        Its columns; the kind of one may be ``mask``, a bit for each kind of tile.
    of_all
        Finds the values of many hands, for each column.
    of_one
        Finds the value of a hand another way; None if no other exists.
    refuse
        Raises a RecipeError for hands that it is not about.
    """

    name: str
    engine: str
    fills: tuple[DatasetColumn, ...]
    of_all: Callable[[HandRows], npt.NDArray[Any] | tuple[npt.NDArray[Any], ...]]
    of_one: Callable[[Hand], Any] | None = None
    refuse: Callable[[Deal], None] = _refuse_nothing

    def columns(self, deal: Deal) -> tuple[DatasetColumn, ...]:
        """Return the columns it fills."""
        mask = "uint32" if deal.tiles.num_kinds <= 32 else "uint64"
        return tuple(replace(c, kind=mask) if c.kind == "mask" else c for c in self.fills)

    def values(self, rows: HandRows) -> Values:
        """Return every column for all hands."""
        found = self.of_all(rows)
        arrays = found if isinstance(found, tuple) else (found,)
        return {
            column.name: array if column.kind == "string" else array.astype(column.kind, copy=False)
            for column, array in zip(self.columns(rows.deal), arrays, strict=True)
        }

    def again(self, rows: HandRows) -> dict[str, Any]:
        """Return the columns of the first hand, found another way (or again, if none exists)."""
        if self.of_one is None:
            return {name: column[0].item() for name, column in self.values(rows.row(0)).items()}
        return {self.fills[0].name: self.of_one(rows.hand)}
