"""Labels: columns computed for many hands, and verified by a second method for one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NoReturn

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import Array
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.user_module import UserCode, is_builtin
from mjopt._internal.validation import expect, is_number, whole
from mjopt.datasets.recipes.base import Deal, PositionColumns
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet

Values = dict[str, Array]


PER_KIND: Final = {"hand": "uint8", "codes": "uint8", "shares": "float64"}
"""Kinds of columns with an entry for each kind of tile, each with the type of the entries."""


@dataclass(frozen=True, slots=True)
class DatasetColumn:
    """A column of a dataset.

    Parameters
    ----------
    name
        Name of the column.
    kind
        ``bool``, ``int8``, ``int32``, ``int64``, ``uint32``, ``uint64``, ``float64``,
        ``string``, or a list with an entry for each kind of tile: ``hand`` for copies,
        ``codes`` for other small numbers, ``shares`` for numbers in floating point. Labels have
        ``mask`` as well, a bit for each kind of tile.
    meaning
        Description in one line.

    Examples
    --------
    >>> DatasetColumn("pairs", "int8", "number of pairs")
    DatasetColumn(name='pairs', kind='int8', meaning='number of pairs')
    """

    name: str
    kind: str
    meaning: str


def position_columns(tiles: TileSet) -> list[DatasetColumn]:
    """Return the columns of positions, in the order of ``PositionColumns``."""
    return [
        DatasetColumn("unseen", "hand", "copies per kind that the player does not see"),
        DatasetColumn(
            "cannot_win_on",
            mask_kind(tiles),
            "bit k: the opponent discarded kind k or let it pass, and cannot win on it",
        ),
        DatasetColumn("opponent_melds", "string", "tiles of the opponent's melds, if known"),
        DatasetColumn("opponent_called", "int8", "number of the opponent's melds"),
    ]


def mask_kind(tiles: TileSet) -> str:
    """Return the integer type with a bit for each kind."""
    return "uint32" if tiles.num_kinds <= 32 else "uint64"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HandRows:
    """Hands to be labelled.

    Parameters
    ----------
    deal
        Tile set and size of the hands.
    hands
        Concealed copies per kind, shape (N, K).
    rows
        Number of each hand in its recipe, shape (N,).
    seed
        Seed of the dataset.
    positions
        What the player of each hand sees, and what an opponent shows; None if only the hands are
        known.

    Examples
    --------
    >>> import numpy as np
    >>> from mjopt.datasets import make_plan
    >>> plan = make_plan("deals:2", seed=1)
    >>> hands = plan.hand_recipe.counts(seed=1)
    >>> HandRows(deal=plan.deal, hands=hands, rows=np.arange(2), seed=1).hands.shape
    (2, 27)
    """

    deal: Deal
    hands: "npt.NDArray[np.uint8]"
    rows: "npt.NDArray[np.int64]"
    seed: int
    positions: PositionColumns | None = None

    def __post_init__(self) -> None:
        """Validate types and shapes; the copies were checked by the recipe.

        Raises
        ------
        TypeError, ArgumentError
            If a field is of another type or shape.
        """
        expect(self.deal, Deal, "deal")
        kinds = self.deal.tiles.num_kinds
        for what, array in (("hands", self.hands), ("rows", self.rows)):
            if not isinstance(array, np.ndarray) or array.dtype.kind not in "iu":
                raise TypeError(f"{what}: {short_repr(array)}, expected an array of whole numbers")
        if self.hands.ndim != 2 or self.hands.shape[1] != kinds:
            raise ArgumentError(
                argument="hands",
                value=f"of shape {self.hands.shape}",
                expected=f"(N, {kinds}) for {self.deal.tiles.name}",
            )
        if self.rows.shape != self.hands.shape[:1]:
            raise ArgumentError(
                argument="rows",
                value=f"of shape {self.rows.shape}",
                expected=f"({len(self.hands)},), one for each hand",
            )
        if whole(self.seed, "seed") < 0:
            raise ArgumentError(argument="seed", value=str(self.seed), expected="0 or more")

    def row(self, place: int) -> "HandRows":
        """Return a single row; ArgumentError if there is none at this place."""
        if not 0 <= whole(place, "place") < len(self.rows):
            raise ArgumentError(
                argument="place", value=short_repr(place), expected=f"0..{len(self.rows) - 1}"
            )
        return self.take(slice(place, place + 1))

    def take(self, some: slice) -> "HandRows":
        """Return some of the rows."""
        positions = None if self.positions is None else self.positions.take(some)
        return replace(self, hands=self.hands[some], rows=self.rows[some], positions=positions)

    @property
    def hand(self) -> Hand:
        """The first hand; ArgumentError if there is none."""
        if not len(self.hands):
            raise ArgumentError("no hands", expected="one or more")
        return self.deal.hand(self.hands[0].tolist())


def refuse_rules(name: str, deal: Deal) -> None:
    """Raise an ArgumentError for hands of a rule set: the label is about the standard form."""
    if deal.rules is not None:
        raise ArgumentError(
            f"label {name}: only for hands of the standard form, not of the rules {deal.rules.name}"
        )


def _fits(array: Array, kind: str) -> bool:
    """Return whether an array of whole numbers fits a kind."""
    return _is_valid(array.min().item(), kind) and _is_valid(array.max().item(), kind)


def _is_valid(value: object, kind: str) -> bool:
    """Return whether a Python value can be stored as this kind without change."""
    if kind == "string":
        return isinstance(value, str)
    if not (isinstance(value, bool) or is_number(value)):
        return False
    if kind == "float64":
        return True
    low, high = (0, 1) if kind == "bool" else (np.iinfo(kind).min, np.iinfo(kind).max)
    return bool(low <= value <= high and value == int(value))  # the first is False for NaN


accept: Final = ignore
"""A validation that accepts any hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A label of hands, with one or more columns.

    Parameters
    ----------
    name
        Name of the label in ``--labels``.
    engine
        The method that computes it, with a version that grows when values change: ``suits 1``.
    columns
        Its columns. The kind may be ``mask``: a bit for each kind of tile.
    compute
        Returns an array of shape (N,) for each column, or (N, K) if it has an entry for each kind
        of tile; a single array for one column.
    verify
        Returns the value of the first column for one hand by a second method; None if there is
        no second method. Other columns are compared with those of `compute` again.
    validate
        Raises an ArgumentError for hands that the label does not apply to.
    plugin
        The plug-in that `compute` loads; empty if there is none.
    needs_positions
        Whether `compute` needs what the player sees and an opponent: ``rows.positions``.

    Examples
    --------
    >>> from mjopt.datasets import LABELS
    >>> label = LABELS["deficiency"]
    >>> label.name, [(column.name, column.kind) for column in label.columns]
    ('deficiency', [('deficiency', 'int8')])
    """

    name: str
    engine: str
    columns: tuple[DatasetColumn, ...]
    compute: "Callable[[HandRows], Array | tuple[Array, ...]]"
    verify: Callable[[Hand], object] | None = None
    validate: Callable[[Deal], None] = accept
    plugin: str = ""
    needs_positions: bool = False

    def without_plugin(self) -> "Label":
        """Return the label of a stored dataset: it describes its columns, and loads no plug-in."""
        return replace(self, compute=self._refuse, validate=accept) if self.plugin else self

    def _refuse(self, _: HandRows) -> NoReturn:
        raise ArgumentError(f"label {shorten(self.name)}: a stored dataset loads no plug-in")

    @property
    def columns_document(self) -> list[list[str]]:
        """The columns as JSON data."""
        return [[column.name, column.kind, column.meaning] for column in self.columns]

    @classmethod
    def from_columns(cls, name: str, columns: Iterable[Iterable[object]]) -> "Label":
        """Return the label of a stored dataset that no registry has, from its columns."""
        described = tuple(DatasetColumn(*map(str, column)) for column in columns)
        label = cls(name=name, engine="", columns=described, compute=lambda _: (), plugin=name)
        return label.without_plugin()

    def typed_columns(self, deal: Deal) -> tuple[DatasetColumn, ...]:
        """Return the columns, masks with the integer type that fits the tile set."""
        mask = mask_kind(deal.tiles)
        return tuple(replace(c, kind=mask) if c.kind == "mask" else c for c in self.columns)

    def values(self, rows: HandRows) -> "Values":
        """Return all columns for all hands; ArgumentError for values outside a column's kind."""
        with UserCode(self.compute, f"label {shorten(self.name)} fails", ArgumentError):
            result = self.compute(rows)
        arrays = result if isinstance(result, tuple) else (result,)
        if len(arrays) != len(self.columns):
            raise ArgumentError(
                f"label {self.name}: {len(arrays)} arrays", expected=str(len(self.columns))
            )
        return {
            column.name: self._checked(column, self._as_array(array), rows)
            for column, array in zip(self.typed_columns(rows.deal), arrays, strict=True)
        }

    def _as_array(self, given: object) -> Array:
        with UserCode(self.compute, f"label {shorten(self.name)} fails", ArgumentError):
            return np.asarray(given)

    def _checked(self, column: DatasetColumn, array: Array, rows: HandRows) -> Array:
        """Return an array of a column's kind."""
        kind = PER_KIND.get(column.kind)
        shape = rows.hands.shape if kind else rows.hands.shape[:1]
        if array.shape != shape:
            raise ArgumentError(
                f"label {self.name}: {column.name} has shape {array.shape}", expected=str(shape)
            )
        if kind:
            flat, several = array.reshape(-1), np.repeat(rows.rows, shape[1])
            return self._typed(replace(column, kind=kind), flat, several).reshape(shape)
        return self._typed(column, array, rows.rows)

    def _typed(self, column: DatasetColumn, array: Array, numbers: Array) -> Array:
        """Return an array of one value for each row number, in a column's kind."""
        if array.dtype == column.kind:
            return array
        if not (array.dtype.kind in "bui" and len(array) and _fits(array, column.kind)):
            for row, value in zip(numbers.tolist(), array.tolist(), strict=True):
                if not _is_valid(value, column.kind):
                    raise ArgumentError(
                        f"label {self.name}: {column.name} is {short_repr(value)} in row {row}, "
                        f"outside its type {column.kind}"
                    )
        return array if column.kind == "string" else array.astype(column.kind)

    def recompute(self, rows: HandRows) -> dict[str, object]:
        """Return columns of the first hand by the second method, or else by the first."""
        if self.verify is None:
            return {name: column[0].tolist() for name, column in self.values(rows.row(0)).items()}
        with UserCode(self.verify, f"verify of label {shorten(self.name)} fails", ArgumentError):
            value = self.verify(rows.hand)
        kind = self.typed_columns(rows.deal)[0].kind
        if isinstance(value, np.generic):
            value = value.item()
        if not (is_builtin(self.verify) or _is_valid(value, kind)):
            raise ArgumentError(
                f"verify of label {shorten(self.name)} returns {short_repr(value)}", expected=kind
            )
        return {self.columns[0].name: value}
